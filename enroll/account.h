/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose account a command acts on, and whether the caller may.
 */
#ifndef PAWL_ENROLL_ACCOUNT_H
#define PAWL_ENROLL_ACCOUNT_H

#include <stdbool.h>

#include "enroll/tool.h"
#include "lib/store.h"

struct account {
    char name[STORE_NAME_MAX]; /* the canonical one, pw_name */
    bool exists;               /* on this host */
    bool own;                  /* of the caller's real uid */
};

/*
 * The account named by word, or the caller's own when word is NULL.
 * EXIT_NO_SUCH_USER when the host knows none of that name and must_exist;
 * EXIT_NOT_ALLOWED when it is somebody else's and the caller is not root.
 * The reason is said on stderr.
 *
 * A caller without root acts on the accounts of a store of their own, as the
 * tests and demonstrations do: who owns store and key ring decides in the end.
 */
enum exit_code account_find(const char *word, bool must_exist,
                            struct account *ret) MUST_CHECK;

/* Whether the caller's real user is root. */
bool account_is_root(void);

#endif
