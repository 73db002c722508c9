/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What stands behind pam_sm_authenticate, with the clock as an argument: the
 * one thing that the tests have otherwise.
 */
#ifndef PAWL_PAM_MODULE_H
#define PAWL_PAM_MODULE_H

#include <security/pam_modules.h>

struct clock;

int module_authenticate(pam_handle_t *pamh, int flags, int argc,
                        const char **argv, const struct clock *clock);

#endif
