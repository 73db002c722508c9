/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a name is an account of this host.
 */
#ifndef PAWL_PAM_ACCOUNT_H
#define PAWL_PAM_ACCOUNT_H

#include <stdbool.h>

/*
 * True on proof that the host knows no account of that name. A look-up that
 * fails proves nothing, and libpam's own does not tell the two apart.
 */
bool account_is_absent(const char *name);

#endif
