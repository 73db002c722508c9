/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include <security/pam_ext.h>
#include <security/pam_modutil.h>

#include "lib/clock.h"
#include "lib/conf.h"
#include "lib/log.h"
#include "lib/secmem.h"
#include "lib/verify.h"

#include "pam/account.h"
#include "pam/answer.h"
#include "pam/args.h"
#include "pam/authenticate.h"
#include "pam/converse.h"
#include "pam/decision.h"
#include "pam/report.h"

enum {
    MICROSECONDS_A_MILLISECOND = 1000,
    TEXT_BYTES = 80,
};

/* What the steps below hand to each other. */
struct login {
    pam_handle_t *pamh;
    int flags;
    const struct clock *clock;
    struct log log;
    struct conf conf;
    struct vault_place place;
    const char *user; /* canonical where the account exists, else as given */
    bool exists;      /* the account does */
};

/* Policy ----------------------------------------------------------------- */

/* Arguments come first, because they say which file; and they win over it. */
static enum err
load(struct login *login, struct report *report, int argc,
     const char *const *argv)
{
    const void *service = NULL;
    const char *path = PAWL_CONF;
    struct args args;
    enum err e;

    e = args_parse(argc, argv, &login->log, &args);
    report->debug = args.debug;
    if (e != ERR_OK)
        return e;
    if (args.conf != NULL)
        path = args.conf;
    if (pam_get_item(login->pamh, PAM_SERVICE, &service) != PAM_SUCCESS)
        return ERR_INVALID;
    e = conf_load(path, service, &login->log, &login->conf);
    log_line(&login->log, LOG_LEVEL_DEBUG, "configuration %s: %s", path,
             e == ERR_OK ? "read" : err_text(e));
    if (e != ERR_OK)
        return e;
    args_apply(&args, &login->conf);
    return ERR_OK;
}

/*
 * Reads the policy and sets the delay that follows a failure: on every path,
 * and always the same, so that its length tells nothing.
 */
static bool
configure(struct login *login, struct report *report, int argc,
          const char *const *argv, struct decision *ret)
{
    enum err e = load(login, report, argc, argv);

    if (e != ERR_OK)
        conf_defaults(&login->conf);
    (void)pam_fail_delay(login->pamh,
                         login->conf.fail_delay * MICROSECONDS_A_MILLISECOND);
    login->place = (struct vault_place){
        .store = login->conf.store,
        .keyring = login->conf.keyring,
        .lock_wait = login->conf.lock_wait,
    };
    if (e == ERR_NOMEM)
        ret->kind = DECISION_NO_MEMORY;
    else if (e != ERR_OK)
        ret->kind = DECISION_MISCONFIGURED;
    return e == ERR_OK;
}

/* Who -------------------------------------------------------------------- */

/* The account is looked up for everybody, known or not. */
static bool
identify(struct login *login, struct decision *ret)
{
    const struct passwd *account;
    const char *given = NULL;
    int status = pam_get_user(login->pamh, &given, NULL);

    if (status != PAM_SUCCESS || given == NULL) {
        ret->kind =
            status == PAM_BUF_ERR ? DECISION_NO_MEMORY : DECISION_NO_ANSWER;
        return false;
    }
    account = pam_modutil_getpwnam(login->pamh, given);
    login->exists = account != NULL;
    login->user = login->exists ? account->pw_name : given;
    return true;
}

/* An error of the rooms below stands in the way. */
static void
refuse_error(enum err error, struct decision *ret)
{
    ret->kind = error == ERR_NOMEM ? DECISION_NO_MEMORY : DECISION_JUDGED;
    ret->outcome.reason = verify_reason(error);
    ret->outcome.error = error;
}

/*
 * nullok lets a user by on the proof that they never enrolled, and on nothing
 * less: whatever stands in the way of the proof denies.
 */
static bool
may_be_asked(struct login *login, struct decision *ret)
{
    bool enrolled = true;
    enum err e;

    if (!login->conf.nullok)
        return true;
    if (!login->exists && !account_is_absent(login->user)) {
        /* The name may be another spelling of an account that is enrolled. */
        refuse_error(ERR_IO, ret);
        return false;
    }
    e = verify_enrolled(&login->place, login->clock, &login->log, login->user,
                        &enrolled);
    if (e != ERR_OK) {
        refuse_error(e, ret);
        return false;
    }
    if (!enrolled)
        ret->kind = DECISION_LET_BY;
    return enrolled;
}

/* Asking ----------------------------------------------------------------- */

/*
 * Asks, for the code alone or (joined) for the password and the code behind
 * it, which is never shown.
 */
static enum err
prompt(const struct login *login, bool joined, struct answer *ret)
{
    enum err e = converse_ask(login->pamh, login->conf.prompt,
                              login->conf.echo && !joined, ret);

    if (e == ERR_OK && joined)
        (void)answer_split(ret, login->conf.joined_digits); /* else malformed */
    return e;
}

/*
 * Takes the code from where policy says it is. An answer that cannot hold one
 * has an empty code, and is judged malformed.
 */
static enum err
obtain(const struct login *login, struct answer *ret)
{
    const struct conf *conf = &login->conf;
    enum err e = ERR_NOT_FOUND;

    if (conf->first_pass != CONF_FIRST_PASS_NO) {
        e = converse_first_pass(login->pamh, ret);
        if (e == ERR_OK && answer_split(ret, conf->joined_digits))
            return ERR_OK;
        if (conf->first_pass == CONF_FIRST_PASS_USE)
            return ERR_OK;
    }
    /* Who has no password yet to pass on asks for both. */
    return prompt(login, conf->forward_pass && e == ERR_NOT_FOUND, ret);
}

static bool
ask(const struct login *login, struct answer *answer, struct decision *ret)
{
    enum err e = obtain(login, answer);

    if (e != ERR_OK)
        ret->kind = e == ERR_NOMEM ? DECISION_NO_MEMORY : DECISION_NO_ANSWER;
    return e == ERR_OK;
}

/* Judging ---------------------------------------------------------------- */

static void
judge(const struct login *login, const struct answer *answer,
      struct decision *ret)
{
    struct verify_request request = {
        .place = &login->place,
        .clock = login->clock,
        .log = &login->log,
        .user = login->user,
        .answer = answer->text + answer->password,
        .answer_length = answer->length - answer->password,
        .window = login->conf.window,
        .widest_future = login->conf.widest_future,
        .mode = VERIFY_LOGIN,
    };

    verify_code(&request, &ret->outcome);
    ret->kind =
        ret->outcome.error == ERR_NOMEM ? DECISION_NO_MEMORY : DECISION_JUDGED;
}

/* What a user who got in should know: that somebody else tried to. */
static void
tell(const struct login *login, const struct outcome *outcome)
{
    char text[TEXT_BYTES];

    if (outcome->failed_since == 0 || login->conf.quiet ||
        (login->flags & PAM_SILENT) != 0)
        return;
    (void)snprintf(text, sizeof(text),
                   "Wrong verification codes since your last login: %" PRIu32,
                   outcome->failed_since);
    converse_tell(login->pamh, text);
}

static void
conclude(const struct login *login, struct answer *answer, struct decision *ret)
{
    if (ret->kind != DECISION_JUDGED ||
        ret->outcome.verdict != VERDICT_ACCEPTED)
        return;
    if (login->conf.forward_pass && answer->password > 0 &&
        converse_forward(login->pamh, answer) != ERR_OK) {
        ret->kind = DECISION_NO_MEMORY;
        return;
    }
    tell(login, &ret->outcome);
}

static void
decide(struct login *login, struct decision *ret)
{
    AUTO(answer_wipe) struct answer answer = {0};

    if (!identify(login, ret) || !may_be_asked(login, ret) ||
        !ask(login, &answer, ret))
        return;
    judge(login, &answer, ret);
    conclude(login, &answer, ret);
}

void
authenticate(pam_handle_t *pamh, int flags, int argc, const char *const *argv,
             const struct clock *clock, struct decision *ret)
{
    struct report report = {.pamh = pamh};
    struct login login = {
        .pamh = pamh,
        .flags = flags,
        .clock = clock,
        .log = report_log(&report),
    };

    *ret = (struct decision){0};
    if (configure(&login, &report, argc, argv, ret))
        decide(&login, ret);
    report_decision(pamh, ret, login.exists ? login.user : NULL);
}
