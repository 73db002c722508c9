/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of the vault share. Private to the room: everybody else
 * includes vault.h.
 */
#ifndef PAWL_LIB_VAULT_INSIDE_H
#define PAWL_LIB_VAULT_INSIDE_H

#include "lib/attrs.h"
#include "lib/credential.h"
#include "lib/err.h"
#include "lib/keyring.h"
#include "lib/seal.h"
#include "lib/store.h"
#include "lib/vault.h"

enum {
    VAULT_OWN_NAME_BYTES = 16,
};

/* Proves that a store is ours: sealed under the ring, made last by init. */
#define VAULT_SENTINEL "sentinel"

/* Lies in locked memory, the key ring and the open credential with it. */
struct vault {
    const struct log *log;
    const struct clock *clock;
    struct store store;
    struct keyring keyring;
    struct seal seal; /* keyed with sealer's key; nobody's while that is NULL */
    const struct keyring_key *sealer;

    struct store_entry entry;
    char user[STORE_NAME_MAX];
    char decoy[VAULT_OWN_NAME_BYTES];
    struct moment moment;
    unsigned kept; /* which version the credential came from */
    struct key_id enrolment_key;
    struct credential credential;

    /* Where parts are encoded, decoded and sealed. */
    uint8_t plain[ENROLMENT_BYTES + SEAL_OVERHEAD_MAX];
    uint8_t sealed_enrolment[ENROLMENT_BYTES + SEAL_OVERHEAD_MAX];
    uint8_t sealed_state[STATE_BYTES + SEAL_OVERHEAD_MAX];
    struct credential other;
};

_Static_assert(ENROLMENT_BYTES + STATE_BYTES + 2 * SEAL_OVERHEAD_MAX <=
                   STORE_PARTS_MAX,
               "both parts fit into one version in every algorithm");

/* Puts the name of a decoy, 0 to 255, into vault->decoy. */
enum err vault_name_decoy(struct vault *vault, unsigned number) MUST_CHECK;

/*
 * Opens both versions of the entry and takes the newest that counts, into
 * vault->credential; *ret_torn tells that the other one is damaged. Both are
 * opened every time, because the header that says which is newer is only
 * proven by the state it stands before. Errors as vault_begin.
 */
enum err vault_unseal(struct vault *vault, bool *ret_torn) MUST_CHECK;

/*
 * Counts every TOTP code as used that can be accepted by now, future_steps
 * ahead: a version that is lost may have spent any of them.
 */
enum err vault_spend_window(struct vault *vault, unsigned future_steps)
    MUST_CHECK;

/* The key that seals now; a fallback is told to the log. */
enum err vault_choose_key(struct vault *vault, const struct keyring_key **ret)
    MUST_CHECK;

/*
 * Seal one part of vault->credential for vault->entry.name, the state as of
 * sequence. The bytes lie in the vault until the next call.
 */
enum err vault_seal_enrolment(struct vault *vault,
                              const struct keyring_key *key, struct bytes *ret)
    MUST_CHECK;
enum err vault_seal_state(struct vault *vault, const struct keyring_key *key,
                          uint64_t sequence, struct bytes *ret) MUST_CHECK;

/*
 * Stores the credential as the version that follows sequence, beside
 * versions[vault->kept]. The enrolment goes along as it is unless it was
 * changed, or its key is no longer the default.
 */
enum err vault_store(struct vault *vault, uint64_t sequence,
                     bool enrolment_changed) MUST_CHECK;

#endif
