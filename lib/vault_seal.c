/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records as the store has them: sealed parts, opened and made.
 */
#include "config.h"

#include <string.h>

#include "lib/log.h"
#include "lib/random.h"
#include "lib/secmem.h"
#include "lib/vault_inside.h"

enum {
    PURPOSES_MAX = 4,
};

static const char enrolment_purpose[] = "enrolment.v1";
static const char state_purpose[] = "state.v1";

/*
 * The purposes of one part of one record. The store's own records have one
 * purpose more than a user's, so that no user name reaches them.
 */
struct purposes {
    const char *list[PURPOSES_MAX];
    size_t count;
};

static struct purposes
purposes_of(const char *part, struct store_name name)
{
    if (name.kind == STORE_OWN)
        return (struct purposes){{"pawl", part, "own", name.name}, 4};
    return (struct purposes){{"pawl", part, name.name}, 3};
}

/*
 * Makes vault->seal one of key. All parts of a login are nearly always sealed
 * under one key, and keying is most of what a part costs.
 */
static enum err
use_key(struct vault *vault, const struct keyring_key *key)
{
    enum err e;

    if (vault->sealer == key)
        return ERR_OK;
    seal_clear(&vault->seal);
    vault->sealer = NULL;
    e = seal_open(&vault->seal, key->algorithm);
    if (e != ERR_OK)
        return e;
    e = seal_set_key(&vault->seal, (struct bytes){key->key.bytes, KEY_BYTES});
    if (e != ERR_OK)
        return e;
    vault->sealer = key;
    return ERR_OK;
}

/*
 * Opens one sealed part into vault->plain. ERR_SEALED for whatever does not
 * open, ERR_KEY_UNKNOWN and ERR_KEY_REVOKED for a key that is gone.
 */
static enum err
open_part(struct vault *vault, const char *part, struct bytes sealed,
          size_t length, struct key_id *ret_key)
{
    struct purposes purposes = purposes_of(part, vault->entry.name);
    const struct keyring_key *key;
    size_t opened;
    enum err e;

    if (sealed.length > sizeof(vault->plain))
        return ERR_SEALED;
    if (seal_key_id(sealed, ret_key) != ERR_OK)
        return ERR_SEALED;
    e = keyring_find(&vault->keyring, ret_key, &key);
    if (e == ERR_OK)
        e = use_key(vault, key);
    if (e != ERR_OK)
        return e;
    e = seal_unprotect_with(&vault->seal, &key->id, purposes.list,
                            purposes.count, sealed, vault->plain, &opened);
    if (e != ERR_OK)
        return e;
    return opened == length ? ERR_OK : ERR_SEALED;
}

static bool
is_key_gone(enum err e)
{
    return e == ERR_KEY_UNKNOWN || e == ERR_KEY_REVOKED;
}

/*
 * Opens one version whole. Both parts of a version are always sealed under
 * one key, so a single unknown key id is damage to it, not a missing key.
 */
static enum err
open_version(struct vault *vault, const struct store_version *version,
             struct credential *ret, struct key_id *ret_key)
{
    struct key_id state_key;
    enum err enrolment, state;

    if (!version->framed)
        return ERR_SEALED;
    enrolment = open_part(vault, enrolment_purpose, version->enrolment,
                          ENROLMENT_BYTES, ret_key);
    if (enrolment == ERR_OK)
        enrolment = enrolment_decode(vault->plain, &ret->enrolment);
    state = open_part(vault, state_purpose, version->state, STATE_BYTES,
                      &state_key);
    if (state == ERR_OK)
        state = state_decode(vault->plain, &ret->state);
    secmem_wipe(vault->plain, sizeof(vault->plain));

    if (is_key_gone(enrolment) && is_key_gone(state))
        return memcmp(ret_key, &state_key, sizeof(state_key)) == 0 ? enrolment
                                                                   : ERR_SEALED;
    if (enrolment == ERR_KEY_UNKNOWN || state == ERR_KEY_UNKNOWN)
        return ERR_SEALED;
    if (enrolment != ERR_OK)
        return enrolment == ERR_INVALID ? ERR_SEALED : enrolment;
    if (state != ERR_OK)
        return state == ERR_INVALID ? ERR_SEALED : state;
    if (ret->state.sequence != version->sequence ||
        memcmp(ret->state.enrolment_id, ret->enrolment.id,
               CREDENTIAL_ID_BYTES) != 0)
        return ERR_SEALED;
    return ERR_OK;
}

enum err
vault_unseal(struct vault *vault, bool *ret_torn)
{
    const struct store_version *versions = vault->entry.versions;
    struct key_id other_key;
    enum err newest = open_version(vault, &versions[0], &vault->credential,
                                   &vault->enrolment_key);
    enum err oldest =
        open_version(vault, &versions[1], &vault->other, &other_key);

    if (newest != ERR_OK && newest != ERR_SEALED)
        return newest;
    if (oldest != ERR_OK && oldest != ERR_SEALED && !is_key_gone(oldest))
        return oldest;
    if (newest == ERR_OK && oldest == ERR_OK &&
        versions[0].sequence == versions[1].sequence)
        return ERR_SEALED;
    if (newest == ERR_OK) {
        vault->kept = 0;
        *ret_torn = oldest == ERR_SEALED;
        return ERR_OK;
    }
    if (oldest != ERR_OK)
        return oldest;
    vault->credential = vault->other;
    vault->enrolment_key = other_key;
    vault->kept = 1;
    *ret_torn = true;
    return ERR_OK;
}

static enum err
seal_part(struct vault *vault, const struct keyring_key *key, const char *part,
          size_t length, uint8_t *ret, struct bytes *ret_sealed)
{
    struct purposes purposes = purposes_of(part, vault->entry.name);
    struct seal_random random;
    enum err e;

    e = random_bytes(&random, sizeof(random));
    if (e == ERR_OK)
        e = use_key(vault, key);
    if (e != ERR_OK)
        return e;
    e = seal_protect_with(&vault->seal, &key->id, purposes.list, purposes.count,
                          &random, (struct bytes){vault->plain, length}, ret);
    secmem_wipe(vault->plain, length);
    if (e != ERR_OK)
        return e;
    *ret_sealed =
        (struct bytes){ret, seal_protected_length(key->algorithm, length)};
    return ERR_OK;
}

enum err
vault_seal_enrolment(struct vault *vault, const struct keyring_key *key,
                     struct bytes *ret)
{
    enum err e = enrolment_encode(&vault->credential.enrolment, vault->plain);

    if (e != ERR_OK)
        return e;
    return seal_part(vault, key, enrolment_purpose, ENROLMENT_BYTES,
                     vault->sealed_enrolment, ret);
}

enum err
vault_seal_state(struct vault *vault, const struct keyring_key *key,
                 uint64_t sequence, struct bytes *ret)
{
    struct state *state = &vault->credential.state;
    enum err e;

    state->sequence = sequence;
    state->written = vault->moment.wall;
    memcpy(state->enrolment_id, vault->credential.enrolment.id,
           CREDENTIAL_ID_BYTES);
    e = state_encode(state, vault->plain);
    if (e != ERR_OK)
        return e;
    return seal_part(vault, key, state_purpose, STATE_BYTES,
                     vault->sealed_state, ret);
}

enum err
vault_choose_key(struct vault *vault, const struct keyring_key **ret)
{
    bool fallback = false;
    enum err e =
        keyring_default(&vault->keyring, vault->moment.wall, ret, &fallback);

    if (e == ERR_OK && fallback)
        log_line(vault->log, LOG_LEVEL_WARNING,
                 "the key ring has no key that is current: "
                 "the newest that is not revoked is used");
    return e;
}

enum err
vault_store(struct vault *vault, uint64_t sequence, bool enrolment_changed)
{
    struct store_update update = {
        .sequence = sequence + 1,
        .enrolment = vault->entry.versions[vault->kept].enrolment,
    };
    const struct keyring_key *key;
    enum err e;

    e = vault_choose_key(vault, &key);
    if (e != ERR_OK)
        return e;
    if (enrolment_changed ||
        memcmp(&key->id, &vault->enrolment_key, sizeof(key->id)) != 0) {
        e = vault_seal_enrolment(vault, key, &update.enrolment);
        if (e != ERR_OK)
            return e;
    }
    e = vault_seal_state(vault, key, update.sequence, &update.state);
    if (e != ERR_OK)
        return e;
    e = store_commit(&vault->entry, vault->kept, &update);
    if (e != ERR_OK)
        return e;
    vault->enrolment_key = key->id;
    vault->kept = 0;
    return ERR_OK;
}
