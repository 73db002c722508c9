/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the administrator reads: one line a decision, through pam_syslog.
 *
 *   authentication failure; logname= uid=0 euid=0 tty=ssh ruser= reason=wrong
 *   rhost=192.0.2.7  user=alice                                 (on one line)
 *
 * The fields are those of pam_unix in its order, so that log filters made for
 * it read ours; what is our own stands where those filters let it. What comes
 * from outside stands escaped, rhost and user last. Nothing here has ever
 * seen what was typed.
 */
#ifndef PAWL_PAM_REPORT_H
#define PAWL_PAM_REPORT_H

#include <stdbool.h>

#include <security/pam_modules.h>

#include "lib/log.h"

struct decision;

/* Where the library's lines go; debug lines only when that is set. */
struct report {
    pam_handle_t *pamh;
    bool debug;
};

/* A log that writes through report, which must outlive it. */
struct log report_log(struct report *report);

/*
 * The line. user NULL leaves its field out: names that do not exist on this
 * host are often passwords typed in the wrong place.
 */
void report_decision(pam_handle_t *pamh, const struct decision *decision,
                     const char *user);

#endif
