/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "enroll/account.h"

bool
account_is_root(void)
{
    return getuid() == 0;
}

static enum exit_code
take_name(const char *name, struct account *ret)
{
    size_t length = strlen(name);

    if (length == 0 || length >= sizeof(ret->name))
        return tool_fail(EXIT_NO_SUCH_USER, "a user name has 1 to %d bytes",
                         STORE_NAME_MAX - 1);
    memcpy(ret->name, name, length + 1);
    return EXIT_DONE;
}

static enum exit_code
find_own(struct account *ret)
{
    const struct passwd *entry = getpwuid(getuid());

    if (entry == NULL)
        return tool_fail(EXIT_NO_SUCH_USER, "your user id %u has no account",
                         (unsigned)getuid());
    ret->exists = true;
    ret->own = true;
    return take_name(entry->pw_name, ret);
}

enum exit_code
account_find(const char *word, bool must_exist, struct account *ret)
{
    struct account account = {.exists = false};
    const struct passwd *entry;
    enum exit_code code;

    if (word == NULL)
        return find_own(ret);
    errno = 0;
    entry = getpwnam(word);
    if (entry == NULL && must_exist)
        return tool_fail(EXIT_NO_SUCH_USER, "%s: this host has no such account",
                         word);
    if (entry != NULL) {
        account.exists = true;
        account.own = entry->pw_uid == getuid();
    }
    code = take_name(entry != NULL ? entry->pw_name : word, &account);
    if (code != EXIT_DONE)
        return code;
    *ret = account;
    return EXIT_DONE;
}
