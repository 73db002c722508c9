/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PAM entry points, and what PAM calls our decisions.
 */
#include "config.h"

#include <security/pam_modules.h>

#include "lib/attrs.h"
#include "lib/clock_system.h"
#include "lib/verify.h"

#include "pam/authenticate.h"
#include "pam/decision.h"
#include "pam/module.h"

/*
 * One answer for all that would tell who is enrolled. PAM_USER_UNKNOWN is
 * never given: stacks are in use that read it as "go on without".
 */
static int
answer_refused(enum reason reason)
{
    switch (reason) {
    case REASON_CLOCK:
    case REASON_INTEGRITY:
    case REASON_STORAGE:
        return PAM_AUTHINFO_UNAVAIL;
    case REASON_NONE:
    case REASON_ACCEPTED:
    case REASON_WRONG:
    case REASON_REPLAYED:
    case REASON_THROTTLED:
    case REASON_NOT_ENROLLED:
    case REASON_MALFORMED:
    case REASON_POLICY: /* of this user's enrolment, not of the host */
        break;
    }
    return PAM_AUTH_ERR;
}

/* The only place where an authentication becomes PAM_SUCCESS or PAM_IGNORE. */
static int
answer(const struct decision *decision)
{
    switch (decision->kind) {
    case DECISION_NONE:
        break;
    case DECISION_JUDGED:
        if (decision->outcome.verdict == VERDICT_ACCEPTED)
            return PAM_SUCCESS;
        return answer_refused(decision->outcome.reason);
    case DECISION_MISCONFIGURED:
        return PAM_SERVICE_ERR;
    case DECISION_NO_ANSWER:
        return PAM_CONV_ERR;
    case DECISION_NO_MEMORY:
        return PAM_BUF_ERR;
    case DECISION_LET_BY:
        return PAM_IGNORE;
    }
    return PAM_AUTH_ERR;
}

int
module_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv,
                    const struct clock *clock)
{
    struct decision decision;

    authenticate(pamh, flags, argc, argv, clock, &decision);
    return answer(&decision);
}

EXPORT int
pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    return module_authenticate(pamh, flags, argc, argv, &clock_system);
}

/*
 * We hand out no credentials, so there is nothing that could go wrong here.
 *
 * pam_setcred walks the modules of the authentication again, and decides by
 * what each of them said then: a refused login stays refused whatever we
 * answer now. PAM_IGNORE would not be counted as a success, and where we are
 * the only module of a stack (sshd, key and code) nothing else would be: sshd
 * takes the failure that comes of it for fatal. sshd also asks in another
 * process than the one that authenticated, so that no memory of ours could
 * tell the two cases apart.
 */
EXPORT int
pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_SUCCESS;
}

/* The rest is here so that a line which names us for it changes nothing. */

EXPORT int
pam_sm_acct_mgmt(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

EXPORT int
pam_sm_open_session(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

EXPORT int
pam_sm_close_session(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

EXPORT int
pam_sm_chauthtok(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}
