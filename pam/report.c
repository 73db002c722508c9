/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <syslog.h>
#include <unistd.h>

#include <security/pam_ext.h>

#include "pam/decision.h"
#include "pam/report.h"

enum {
    FIELD_BYTES = 256,  /* of an escaped field; the rest is cut */
    DETAIL_BYTES = 384, /* of what is our own in the line */
};

static const char refused[] = "authentication failure";

static int
priority_of_level(enum log_level level)
{
    switch (level) {
    case LOG_LEVEL_ERROR:
        break;
    case LOG_LEVEL_WARNING:
        return LOG_WARNING;
    case LOG_LEVEL_NOTICE:
        return LOG_NOTICE;
    case LOG_LEVEL_INFO:
        return LOG_INFO;
    case LOG_LEVEL_DEBUG:
        return LOG_DEBUG;
    }
    return LOG_ERR;
}

static void
write_line(void *context, enum log_level level, const char *line)
{
    const struct report *report = context;

    if (level == LOG_LEVEL_DEBUG && !report->debug)
        return;
    pam_syslog(report->pamh, priority_of_level(level), "%s", line);
}

struct log
report_log(struct report *report)
{
    return (struct log){write_line, report};
}

/* What a kind of decision looks like in the log. */
struct line {
    int priority;
    const char *headline;
    char detail[DETAIL_BYTES]; /* with a space behind it, or empty */
};

static void
describe_accepted(const struct outcome *outcome, struct line *ret)
{
    char authenticator[FIELD_BYTES];

    log_escape(outcome->authenticator, authenticator, sizeof(authenticator));
    ret->priority = LOG_INFO;
    ret->headline = "accepted";
    (void)snprintf(ret->detail, sizeof(ret->detail),
                   "method=totp offset=%d failed=%" PRIu32 " authenticator=%s ",
                   outcome->offset, outcome->failed_since, authenticator);
}

static int
priority_of_reason(enum reason reason)
{
    switch (reason) {
    case REASON_CLOCK:
    case REASON_INTEGRITY:
    case REASON_STORAGE:
        return LOG_ERR;
    case REASON_NONE:
    case REASON_ACCEPTED:
    case REASON_WRONG:
    case REASON_REPLAYED:
    case REASON_THROTTLED:
    case REASON_NOT_ENROLLED:
    case REASON_MALFORMED:
    case REASON_POLICY:
        break;
    }
    return LOG_NOTICE;
}

static void
describe_refused(enum reason reason, int priority, struct line *ret)
{
    ret->priority = priority;
    ret->headline = refused;
    (void)snprintf(ret->detail, sizeof(ret->detail), "reason=%s ",
                   reason_text(reason));
}

static void
describe(const struct decision *decision, struct line *ret)
{
    enum reason reason = decision->outcome.reason;

    switch (decision->kind) {
    case DECISION_NONE:
        describe_refused(REASON_POLICY, LOG_ERR, ret);
        break;
    case DECISION_JUDGED:
        if (decision->outcome.verdict == VERDICT_ACCEPTED)
            describe_accepted(&decision->outcome, ret);
        else
            describe_refused(reason, priority_of_reason(reason), ret);
        break;
    case DECISION_MISCONFIGURED:
        describe_refused(REASON_POLICY, LOG_ERR, ret);
        break;
    case DECISION_NO_ANSWER:
        /* Nothing was judged: no failure that a filter should count. */
        *ret = (struct line){LOG_NOTICE, "no answer", ""};
        break;
    case DECISION_NO_MEMORY:
        describe_refused(REASON_STORAGE, LOG_ERR, ret);
        break;
    case DECISION_LET_BY:
        *ret = (struct line){LOG_NOTICE, "let by without a code",
                             "reason=not-enrolled option=nullok "};
        break;
    }
}

static void
escape_item(pam_handle_t *pamh, int item, char ret[FIELD_BYTES])
{
    const void *text = NULL;

    if (pam_get_item(pamh, item, &text) != PAM_SUCCESS || text == NULL)
        text = "";
    log_escape(text, ret, FIELD_BYTES);
}

void
report_decision(pam_handle_t *pamh, const struct decision *decision,
                const char *user)
{
    struct line line = {LOG_ERR, refused, ""};
    char tty[FIELD_BYTES], ruser[FIELD_BYTES], rhost[FIELD_BYTES];
    char name[FIELD_BYTES];

    describe(decision, &line);
    escape_item(pamh, PAM_TTY, tty);
    escape_item(pamh, PAM_RUSER, ruser);
    escape_item(pamh, PAM_RHOST, rhost);
    log_escape(user == NULL ? "" : user, name, sizeof(name));
    if (decision->outcome.error != ERR_OK)
        pam_syslog(pamh, LOG_ERR, "%s: %s",
                   reason_text(decision->outcome.reason),
                   err_text(decision->outcome.error));
    /*
     * logname stays empty: who logged in on a terminal stands in utmp, and
     * the functions that read it move our host's own place in it.
     */
    pam_syslog(pamh, line.priority,
               "%s; logname= uid=%u euid=%u tty=%s ruser=%s %srhost=%s%s%s",
               line.headline, (unsigned)getuid(), (unsigned)geteuid(), tty,
               ruser, line.detail, rhost, user == NULL ? "" : "  user=", name);
}
