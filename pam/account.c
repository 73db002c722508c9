/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>

#include "lib/attrs.h"

#include "pam/account.h"

enum {
    ENTRY_BYTES = 65536, /* of the longest entry we take; longer is no proof */
};

static void
free_entry(char **entry)
{
    free(*entry);
    *entry = NULL;
}

bool
account_is_absent(const char *name)
{
    AUTO(free_entry) char *entry = malloc(ENTRY_BYTES);
    struct passwd account, *found = NULL;
    int status;

    if (entry == NULL)
        return false;
    status = getpwnam_r(name, &account, entry, ENTRY_BYTES, &found);
    return found == NULL &&
           (status == 0 || status == ENOENT || status == ESRCH);
}
