/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/secmem.h"

#include "pam/answer.h"

void
answer_wipe(struct answer *answer)
{
    secmem_wipe(answer, sizeof(*answer));
}

void
answer_set(struct answer *answer, const char *text)
{
    size_t length = strnlen(text, sizeof(answer->text));

    answer_wipe(answer);
    if (length == sizeof(answer->text))
        return;
    memcpy(answer->text, text, length);
    answer->length = length;
}

bool
answer_split(struct answer *answer, unsigned digits)
{
    size_t others = 0;

    answer->password = answer->length;
    if (answer->length <= digits)
        return false;
    for (size_t i = answer->length - digits; i < answer->length; i++)
        others += answer->text[i] < '0' || answer->text[i] > '9';
    if (others > 0)
        return false;
    answer->password = answer->length - digits;
    return true;
}

void
answer_cut(struct answer *answer)
{
    secmem_wipe(answer->text + answer->password,
                sizeof(answer->text) - answer->password);
    answer->length = answer->password;
}
