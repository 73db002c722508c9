/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <limits.h>
#include <string.h>

#include "lib/code.h"
#include "lib/ct.h"
#include "lib/secmem.h"
#include "lib/token.h"
#include "lib/totp.h"
#include "lib/vault.h"
#include "lib/verify.h"

const char *
reason_text(enum reason reason)
{
    switch (reason) {
    case REASON_NONE:
        break;
    case REASON_ACCEPTED:
        return "accepted";
    case REASON_WRONG:
        return "wrong";
    case REASON_REPLAYED:
        return "replayed";
    case REASON_THROTTLED:
        return "throttled";
    case REASON_NOT_ENROLLED:
        return "not-enrolled";
    case REASON_MALFORMED:
        return "malformed";
    case REASON_CLOCK:
        return "clock";
    case REASON_INTEGRITY:
        return "integrity";
    case REASON_STORAGE:
        return "storage";
    case REASON_POLICY:
        return "policy";
    }
    return "none";
}

enum reason
verify_reason(enum err error)
{
    switch (error) {
    case ERR_CLOCK:
        return REASON_CLOCK;
    case ERR_INVALID:
    case ERR_RANGE:
    case ERR_UNSUPPORTED:
    case ERR_SEALED:
    case ERR_MAGIC:
    case ERR_VERSION:
    case ERR_KEY_UNKNOWN:
    case ERR_KEY_REVOKED:
    case ERR_NO_KEY:
        return REASON_INTEGRITY;
    case ERR_OK:
    case ERR_SPACE:
    case ERR_NOMEM:
    case ERR_RANDOM:
    case ERR_CRYPTO:
    case ERR_NOT_FOUND:
    case ERR_EXISTS:
    case ERR_IO:
    case ERR_UNSAFE:
    case ERR_PERMISSION:
    case ERR_LIMIT:
    case ERR_BUSY:
    case ERR_CONFLICT:
        break;
    }
    return REASON_STORAGE;
}

/* What an authenticator's window holds of the typed code. */
struct finding {
    uint64_t matched; /* mask: some step has this code */
    uint64_t fresh;   /* mask: and that step was never used */
    uint64_t present; /* the step of now */
    uint64_t step;    /* the newest that matched */
};

/*
 * Looks for the code in the window of one token. Everything is computed,
 * whatever was typed, and nothing is decided here.
 */
static enum err
search(const struct token *token, const struct usage *usage, int64_t now,
       struct totp_window window, const struct code *code, struct finding *ret)
{
    struct hotp_match match;
    uint64_t step;
    enum err e;

    e = totp_step(now, token->period, &step);
    if (e != ERR_OK)
        return e;
    e = token_search(token, step + (uint64_t)(int64_t)usage->drift, window,
                     code, &match);
    if (e != ERR_OK)
        return e;
    ret->matched = match.found;
    ret->fresh = ret->matched & ~ct_mask_less(match.counter, usage->floor);
    ret->present = step;
    ret->step = match.counter;
    return ERR_OK;
}

/* Searched in the place of a record without tokens: the work stays the same. */
static const struct token blank = {
    .type = TOKEN_TOTP,
    .algorithm = HOTP_SHA1,
    .digits = TOKEN_DIGITS,
    .period = TOKEN_PERIOD,
    .secret = {.length = 20},
};

/*
 * Searches every authenticator; a tombstone has none, and gets the blank.
 */
static enum err
search_all(const struct credential *credential, int64_t now,
           const struct verify_request *request, const struct code *code,
           struct finding ret[CREDENTIAL_AUTHENTICATORS])
{
    static const struct usage unused = {0};
    unsigned count = credential->enrolment.authenticator_count;
    enum err e;

    if (count == 0) {
        struct finding ignored;

        return search(&blank, &unused, now, request->window, code, &ignored);
    }
    for (unsigned i = 0; i < count; i++) {
        const struct authenticator *authenticator =
            &credential->enrolment.authenticators[i];

        e = search(&authenticator->token, &credential->state.usage[i], now,
                   request->window, code, &ret[i]);
        if (e != ERR_OK)
            return e;
        if (authenticator->disabled)
            ret[i].matched = ret[i].fresh = 0;
    }
    return ERR_OK;
}

static enum reason
judge_status(enum enrolment_status status)
{
    switch (status) {
    case ENROLMENT_ACTIVE:
        return REASON_NONE;
    case ENROLMENT_REVOKED:
        return REASON_NOT_ENROLLED;
    case ENROLMENT_DISABLED:
    case ENROLMENT_PENDING:
        break;
    }
    return REASON_POLICY;
}

/*
 * The verdict's reason, from all that was found. What the record itself
 * forbids comes before what was typed.
 */
static enum reason
judge(const struct credential *credential, enum vault_condition condition,
      const struct finding findings[CREDENTIAL_AUTHENTICATORS])
{
    enum reason reason = judge_status(credential->enrolment.status);
    uint64_t matched = 0, fresh = 0;

    for (unsigned i = 0; i < CREDENTIAL_AUTHENTICATORS; i++) {
        matched |= findings[i].matched;
        fresh |= findings[i].fresh;
    }
    if (condition == VAULT_STAND_IN)
        return REASON_NOT_ENROLLED;
    if (condition == VAULT_TORN)
        return REASON_INTEGRITY;
    if (reason != REASON_NONE)
        return reason;
    if (fresh != 0)
        return REASON_ACCEPTED;
    return matched != 0 ? REASON_REPLAYED : REASON_WRONG;
}

/*
 * Fills in which authenticator it was. Every one that matches moves on, so
 * that a code which two of them show opens once.
 */
static void
spend(struct credential *credential,
      const struct finding findings[CREDENTIAL_AUTHENTICATORS], int64_t now,
      struct outcome *ret)
{
    struct state *state = &credential->state;

    for (unsigned i = CREDENTIAL_AUTHENTICATORS; i-- > 0;) {
        const struct finding *found = &findings[i];

        if (found->fresh == 0)
            continue;
        state->usage[i].floor = found->step + 1;
        state->usage[i].last_use = now;
        memcpy(ret->authenticator, credential->enrolment.authenticators[i].name,
               sizeof(ret->authenticator));
        ret->offset = (int)(int64_t)(found->step - found->present);
    }
    ret->failed_since = state->failed_since;
    ret->first_failed = state->first_failed;
    state->failed_since = 0;
    state->first_failed = 0;
    state->last_success = now;
}

static void
count_failure(struct state *state, int64_t now)
{
    if (state->failed_since == 0)
        state->first_failed = now;
    if (state->failed_since < UINT32_MAX)
        state->failed_since++;
}

/* Writes down what the judgement means. */
static void
apply(struct credential *credential, enum reason reason, enum verify_mode mode,
      const struct finding findings[CREDENTIAL_AUTHENTICATORS], int64_t now,
      struct outcome *ret)
{
    if (reason == REASON_WRONG)
        count_failure(&credential->state, now);
    if (reason == REASON_ACCEPTED && mode == VERIFY_LOGIN)
        spend(credential, findings, now, ret);
}

/*
 * Everything that happens under the lock. The commit is made whatever was
 * found, so that no verdict can be told by what it costs.
 */
static enum err
decide(struct vault *vault, const struct verify_request *request,
       const struct code *code, struct outcome *ret)
{
    struct finding findings[CREDENTIAL_AUTHENTICATORS] = {{0}};
    struct credential *credential;
    enum vault_condition condition;
    enum reason reason;
    int64_t now;
    enum err e;

    e = vault_begin(vault, request->user, true, request->widest_future,
                    &condition);
    if (e != ERR_OK)
        return e;
    credential = vault_credential(vault);
    now = vault_moment(vault).wall;
    e = search_all(credential, now, request, code, findings);
    if (e != ERR_OK)
        return e;
    reason = judge(credential, condition, findings);
    if (request->mode != VERIFY_TRY_UNCOUNTED) {
        apply(credential, reason, request->mode, findings, now, ret);
        e = vault_commit(vault);
        if (e != ERR_OK)
            return e;
    }
    ret->reason = reason;
    return ERR_OK;
}

void
verify_code(const struct verify_request *request, struct outcome *ret)
{
    AUTO(vault_close) struct vault *vault = NULL;
    AUTO(code_wipe) struct code code = {0};
    enum err e;

    memset(ret, 0, sizeof(*ret));
    if (code_parse(request->answer, request->answer_length, &code) != ERR_OK) {
        ret->reason = REASON_MALFORMED;
        return;
    }
    e = vault_open(request->place, request->clock, request->log, &vault);
    if (e == ERR_OK)
        e = decide(vault, request, &code, ret);
    if (e != ERR_OK) {
        memset(ret, 0, sizeof(*ret));
        ret->reason = verify_reason(e);
        ret->error = e;
        return;
    }
    if (ret->reason == REASON_ACCEPTED)
        ret->verdict = VERDICT_ACCEPTED;
}

enum err
verify_enrolled(const struct vault_place *place, const struct clock *clock,
                const struct log *log, const char *user, bool *ret)
{
    AUTO(vault_close) struct vault *vault = NULL;
    enum err e = vault_open(place, clock, log, &vault);

    if (e != ERR_OK)
        return e;
    return vault_enrolled(vault, user, ret);
}
