/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What pawl knows of one user, and its bytes. A record has two parts, each
 * sealed on its own:
 *
 *   enrolment   written by the tool only: authenticators, recovery hashes;
 *   state       written by logins: what was used, what failed.
 *
 * Both have a fixed size whatever they hold, so that their length tells
 * nothing. Policy is in neither: a user cannot weaken it. The layout is in
 * DESIGN.md, and golden records in the tests hold us to it.
 */
#ifndef PAWL_LIB_CREDENTIAL_H
#define PAWL_LIB_CREDENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"
#include "lib/token.h"

enum {
    CREDENTIAL_AUTHENTICATORS = 8,
    CREDENTIAL_NAME_MAX = 48, /* bytes of an authenticator's name and a NUL */
    CREDENTIAL_RECOVERY = 16, /* recovery codes */
    CREDENTIAL_HASH_BYTES = 32,
    CREDENTIAL_ID_BYTES = 16,
    CREDENTIAL_SOURCES = 16, /* known sources */
    CREDENTIAL_BUCKETS = 2,
    CREDENTIAL_BOOT_ID_BYTES = 16,

    ENROLMENT_BYTES = 1792, /* of the encoded part */
    STATE_BYTES = 1024,
};

enum enrolment_status {
    ENROLMENT_ACTIVE = 1,
    ENROLMENT_DISABLED = 2,
    ENROLMENT_PENDING = 3, /* until deadline */
    ENROLMENT_REVOKED = 4, /* a tombstone: no secrets in it */
};

/* One authenticator app or device. */
struct authenticator {
    char name[CREDENTIAL_NAME_MAX]; /* UTF-8 */
    struct token token;
    int64_t created; /* seconds since the epoch */
    bool disabled;
};

struct enrolment {
    uint8_t id[CREDENTIAL_ID_BYTES]; /* random; names this enrolment */
    enum enrolment_status status;
    int64_t created;
    int64_t deadline; /* seconds since the epoch; 0 without one */
    unsigned authenticator_count;
    struct authenticator authenticators[CREDENTIAL_AUTHENTICATORS];
    bool recovery_imported; /* codes of less than 80 bits, from elsewhere */
    unsigned recovery_count;
    uint8_t recovery_key[CREDENTIAL_HASH_BYTES];
    uint8_t recovery[CREDENTIAL_RECOVERY][CREDENTIAL_HASH_BYTES];
};

/* Of one authenticator. */
struct usage {
    uint64_t floor;   /* TOTP: first step that may still be accepted;
                         HOTP: next counter */
    int64_t last_use; /* seconds since the epoch, 0 for never */
    int32_t drift;    /* steps, set by resync */
};

/* Failed codes from one kind of source. */
struct failures {
    uint32_t consecutive;
    uint32_t share;       /* failures that count against the share */
    int64_t share_since;  /* seconds since the epoch */
    uint64_t delay_until; /* milliseconds of boot time */
    uint8_t boot_id[CREDENTIAL_BOOT_ID_BYTES];
    int64_t last; /* seconds since the epoch */
};

struct source {
    uint8_t tag[16];  /* keyed hash of the address; zeros where unused */
    int64_t last_use; /* seconds since the epoch */
};

struct state {
    uint64_t sequence; /* of the commit that wrote it */
    uint8_t enrolment_id[CREDENTIAL_ID_BYTES];
    int64_t written; /* seconds since the epoch */
    struct usage usage[CREDENTIAL_AUTHENTICATORS];
    uint32_t recovery_used; /* bit i: code i */
    uint32_t failed_since;  /* failed codes since the last success */
    int64_t first_failed;   /* seconds since the epoch, 0 for none */
    int64_t last_success;
    struct failures buckets[CREDENTIAL_BUCKETS];
    struct source sources[CREDENTIAL_SOURCES];
};

struct credential {
    struct enrolment enrolment;
    struct state state;
};

void enrolment_wipe(struct enrolment *enrolment);
void state_wipe(struct state *state);
void credential_wipe(struct credential *credential);

/*
 * A new active enrolment with a random id and no authenticator, and the state
 * that belongs to it. ERR_RANDOM; ERR_CLOCK for a time before the epoch.
 */
enum err credential_new(int64_t now, struct credential *ret) MUST_CHECK;

/*
 * Adds an authenticator whose steps or counters below floor count as used.
 * ERR_SPACE when there are eight, ERR_EXISTS when the name or the secret is
 * there already, ERR_INVALID for an empty name, one with control characters
 * or one that is too long, and for a tombstone, ERR_CLOCK for a time before
 * the epoch, and the errors of token_check. Two authenticators never share a
 * secret, in whatever algorithm or length of zeros behind it: each would take
 * a code that the other has spent.
 */
enum err credential_add(struct credential *credential, const char *name,
                        const struct token *token, uint64_t floor, int64_t now)
    MUST_CHECK;

/*
 * A tombstone: a new id, status revoked, nothing else in it. ERR_RANDOM;
 * ERR_CLOCK for a time before the epoch.
 */
enum err credential_tombstone(int64_t now, struct credential *ret) MUST_CHECK;

/*
 * The half of credential_add that is not the state's.
 */
enum err enrolment_add(struct enrolment *enrolment, const char *name,
                       const struct token *token, int64_t now) MUST_CHECK;

/*
 * What encoding and decoding demand of a value: ERR_INVALID. Besides the
 * limits of each member: no time lies before the epoch; names are plain UTF-8
 * (lib/utf8.h), not empty, no two alike; no two secrets are alike; there is a
 * recovery key exactly when there are recovery codes; a pending enrolment has
 * a deadline, and a revoked one has nothing but id and created. What lies
 * behind a count does not count.
 */
enum err enrolment_check(const struct enrolment *enrolment) MUST_CHECK;

/*
 * The same for a state: no time before the epoch, no recovery code past the
 * sixteenth, a source without a tag all zeros.
 */
enum err state_check(const struct state *state) MUST_CHECK;

/*
 * Encode into exactly ENROLMENT_BYTES or STATE_BYTES; decode from as many.
 * Decoding is strict: a value outside its limits, a name without its NUL, a
 * byte that should be zero and is not: ERR_INVALID; a later version:
 * ERR_VERSION. ret is wiped on failure. Encoding fails only for a value that
 * decoding would refuse.
 */
enum err enrolment_encode(const struct enrolment *enrolment,
                          uint8_t ret[ENROLMENT_BYTES]) MUST_CHECK;
enum err enrolment_decode(const uint8_t bytes[ENROLMENT_BYTES],
                          struct enrolment *ret) MUST_CHECK;
enum err state_encode(const struct state *state, uint8_t ret[STATE_BYTES])
    MUST_CHECK;
enum err state_decode(const uint8_t bytes[STATE_BYTES], struct state *ret)
    MUST_CHECK;

#endif
