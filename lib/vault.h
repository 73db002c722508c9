/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Store, key ring, seal and credential in one place: one user's record,
 * locked and unsealed.
 *
 * A vault holds at most one record at a time: vault_begin locks and opens it,
 * vault_commit seals and stores it, vault_end lets it go. The calls that take
 * a whole credential end the open record first. Keys and secrets lie
 * in one block of locked memory that vault_close wipes. Open it after the
 * person has typed, close it before they get their answer.
 */
#ifndef PAWL_LIB_VAULT_H
#define PAWL_LIB_VAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/clock.h"
#include "lib/credential.h"
#include "lib/err.h"

struct log;
struct vault;

struct vault_place {
    const char *store;   /* as store_open takes it */
    const char *keyring; /* path */
    unsigned lock_wait;  /* milliseconds */
};

/*
 * Opens store and key ring. clock and log (which may be NULL) must outlive
 * the vault. ERR_NOT_FOUND here says that the store or the ring is missing,
 * not that a user is.
 */
enum err vault_open(const struct vault_place *place, const struct clock *clock,
                    const struct log *log, struct vault **ret) MUST_CHECK;
void vault_close(struct vault **vault);

/*
 * Whether user has a record. *ret false is a proof: the folder could be
 * searched, no record of that name is in it, and the store's sentinel opens
 * under the ring, so that this is our store and not an empty mount point.
 */
enum err vault_enrolled(struct vault *vault, const char *user, bool *ret)
    MUST_CHECK;

/*
 * What vault_begin found, besides the credential.
 */
enum vault_condition {
    VAULT_WHOLE,
    VAULT_STAND_IN, /* no such record: a decoy was opened instead */
    VAULT_TORN,     /* one version was damaged: the other was taken, and every
                       TOTP floor raised past the window that begins at the
                       present step; this login is to be refused */
};

/*
 * Locks and opens the record of user. With stand_in a user without one gets a
 * decoy, opened and locked like a record, so that both cost the same;
 * without, ERR_NOT_FOUND. future_steps is the most that any service takes: a
 * torn record's floors are raised past them.
 *
 * ERR_SEALED: both versions are damaged. ERR_KEY_UNKNOWN, ERR_KEY_REVOKED: the
 * newest version is sealed under a key that is gone. ERR_BUSY, ERR_LIMIT,
 * ERR_IO and so on as store_begin. What happened goes to log.
 */
enum err vault_begin(struct vault *vault, const char *user, bool stand_in,
                     unsigned future_steps, enum vault_condition *ret)
    MUST_CHECK;

/* The record that is open, to read and change. Never NULL between begin and
   end. */
struct credential *vault_credential(struct vault *vault);

/* When vault_begin had the lock. */
struct moment vault_moment(const struct vault *vault);

/*
 * Seals the state under the default key (the enrolment too, when its key is
 * no longer the default or it was changed) and stores it durably: one write.
 */
enum err vault_commit(struct vault *vault) MUST_CHECK;

/* Unlocks and wipes the open record; no record open is fine. */
void vault_end(struct vault *vault);

/* Makes a new record. ERR_EXISTS when user has one, a tombstone included. */
enum err vault_create(struct vault *vault, const char *user,
                      const struct credential *credential) MUST_CHECK;

/* What may be overwritten. */
enum vault_over {
    VAULT_OVER_REVOKED, /* a tombstone; ERR_EXISTS for anything else */
    VAULT_OVER_ANYTHING,
};

/*
 * Puts credential in the place of whatever the record of user holds, damaged
 * or not: both versions are written, one after the other, so that nothing of
 * the former enrolment is left. A secret that stays keeps its floor; where
 * the former floors cannot be read, all of the window up to future_steps
 * counts as used. ERR_NOT_FOUND, also when the record is taken out of the
 * store while its lock is waited for.
 */
enum err vault_overwrite(struct vault *vault, const char *user,
                         const struct credential *credential,
                         enum vault_over over, unsigned future_steps)
    MUST_CHECK;

/*
 * Takes the record of user out of the store. A tombstone is written first:
 * a login that waits for the lock finds that, not the former enrolment.
 */
enum err vault_forget(struct vault *vault, const char *user,
                      const struct credential *tombstone) MUST_CHECK;

/*
 * Makes sentinel and decoys in a new, empty store. Only what `pawl init`
 * does; ERR_EXISTS when there is a sentinel already.
 */
enum err vault_init(struct vault *vault) MUST_CHECK;

/* Calls each for every user with a record, as store_list. */
enum err vault_list(struct vault *vault,
                    enum err (*each)(void *context, const char *user),
                    void *context) MUST_CHECK;

#endif
