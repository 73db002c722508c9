/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdbool.h>

#include "lib/decimal.h"

enum err
decimal_parse(const char *text, size_t length, uint64_t max, uint64_t *ret)
{
    uint64_t value = 0;
    bool over = false;

    if (length == 0 || (length > 1 && text[0] == '0'))
        return ERR_INVALID;
    for (size_t i = 0; i < length; i++) {
        uint64_t digit;

        if (text[i] < '0' || text[i] > '9')
            return ERR_INVALID;
        digit = (uint64_t)(text[i] - '0');
        over = over || digit > max || value > (max - digit) / 10;
        if (!over)
            value = value * 10 + digit;
    }
    if (over)
        return ERR_RANGE;
    *ret = value;
    return ERR_OK;
}
