/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decision, and nothing else: lock, read, judge, write durably, unlock,
 * answer. One operation with one owner; nobody learns a verdict before the
 * state behind it is on disk.
 *
 * Unknown means deny: an outcome of zeros denies, and every error denies.
 */
#ifndef PAWL_LIB_VERIFY_H
#define PAWL_LIB_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/credential.h"
#include "lib/err.h"
#include "lib/totp.h"
#include "lib/vault.h"

struct log;

/* Far apart in bits, so that no flipped bit turns one into the other. */
enum verdict {
    VERDICT_REFUSED = 0,
    VERDICT_ACCEPTED = 0x2d96c35a,
};

/* Why: the closed list. Every log line has one of them. */
enum reason {
    REASON_NONE = 0,
    REASON_ACCEPTED,
    REASON_WRONG,
    REASON_REPLAYED,
    REASON_THROTTLED,
    REASON_NOT_ENROLLED,
    REASON_MALFORMED,
    REASON_CLOCK,
    REASON_INTEGRITY,
    REASON_STORAGE,
    REASON_POLICY,
};

/* "accepted", "wrong", "replayed", ...; never NULL. */
const char *reason_text(enum reason reason);

enum verify_mode {
    VERIFY_LOGIN,         /* a right code is spent, a wrong one counted */
    VERIFY_TRY,           /* a right code is not spent, a wrong one counted */
    VERIFY_TRY_UNCOUNTED, /* the administrator's: nothing is written */
};

struct verify_request {
    const struct vault_place *place;
    const struct clock *clock;
    const struct log *log; /* for what went wrong in store and ring */
    const char *user;      /* canonical name */
    const char *answer;    /* as typed, after normalising */
    size_t answer_length;
    struct totp_window window;
    unsigned widest_future; /* steps ahead that any service takes */
    enum verify_mode mode;
};

struct outcome {
    enum verdict verdict;
    enum reason reason;
    enum err error; /* behind clock, integrity, storage, policy */
    char authenticator[CREDENTIAL_NAME_MAX]; /* that accepted */
    int offset;            /* steps from the present one, of an accepted code */
    uint32_t failed_since; /* failed codes before this success */
    int64_t first_failed;  /* when the first of them was */
};

/*
 * Judges one answer. A malformed one touches nothing: no store, no ring.
 * Always fills *ret; ret->verdict is VERDICT_ACCEPTED only after the new floor
 * is on disk.
 */
void verify_code(const struct verify_request *request, struct outcome *ret);

/*
 * Whether user never enrolled, for nullok: ERR_OK and *ret false only on the
 * proof of vault_enrolled. Opens and closes store and ring itself.
 */
enum err verify_enrolled(const struct vault_place *place,
                         const struct clock *clock, const struct log *log,
                         const char *user, bool *ret) MUST_CHECK;

/* Which reason an error of the rooms below stands for. */
enum reason verify_reason(enum err error);

#endif
