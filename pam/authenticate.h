/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One authentication from its arguments to its log line: read the policy,
 * learn who, ask, have it judged, write it down. What PAM calls the result is
 * for the module to say.
 */
#ifndef PAWL_PAM_AUTHENTICATE_H
#define PAWL_PAM_AUTHENTICATE_H

#include <security/pam_modules.h>

struct clock;
struct decision;

void authenticate(pam_handle_t *pamh, int flags, int argc,
                  const char *const *argv, const struct clock *clock,
                  struct decision *ret);

#endif
