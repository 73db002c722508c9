/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "enroll/typed.h"
#include "lib/secmem.h"

void
typed_wipe(struct typed *typed)
{
    secmem_wipe(typed, sizeof(*typed));
}

static void
drop_grouping(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++) {
        if (*from != ' ' && *from != '-' && *from != '\t' && *from != '\r')
            *to++ = *from;
    }
    *to = '\0';
}

enum err
typed_ask(struct tty *tty, const char *prompt, struct typed *ret)
{
    enum err e = tty_ask(tty, prompt, ret->text);

    if (e == ERR_SPACE) {
        ret->text[0] = '\0';
        return ERR_OK;
    }
    if (e == ERR_OK)
        drop_grouping(ret->text);
    return e;
}
