/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdbool.h>
#include <stddef.h>

#include "lib/key_id.h"

/* Whether a dash stands before this byte's digits. */
static bool
key_id_dash(size_t byte)
{
    return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

/* -1 for what is no hexadecimal digit. */
static int
hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

enum err
key_id_parse(const char *text, struct key_id *ret)
{
    struct key_id id = {0};

    for (size_t i = 0; i < KEY_ID_BYTES; i++) {
        int high;
        int low;

        if (key_id_dash(i) && *text++ != '-')
            return ERR_INVALID;
        high = hex_value(*text++);
        if (high < 0)
            return ERR_INVALID;
        low = hex_value(*text++);
        if (low < 0)
            return ERR_INVALID;
        id.bytes[i] = (uint8_t)(high << 4 | low);
    }
    if (*text != '\0')
        return ERR_INVALID;
    *ret = id;
    return ERR_OK;
}

void
key_id_format(const struct key_id *id, char ret[KEY_ID_TEXT_BYTES])
{
    static const char hex[] = "0123456789abcdef";

    for (size_t i = 0; i < KEY_ID_BYTES; i++) {
        if (key_id_dash(i))
            *ret++ = '-';
        *ret++ = hex[id->bytes[i] >> 4];
        *ret++ = hex[id->bytes[i] & 15];
    }
    *ret = '\0';
}

/* Where each byte of one form stands in the other; it is its own inverse. */
static const uint8_t order[KEY_ID_BYTES] = {3, 2, 1,  0,  5,  4,  7,  6,
                                            8, 9, 10, 11, 12, 13, 14, 15};

void
key_id_encode(const struct key_id *id, uint8_t ret[KEY_ID_BYTES])
{
    for (size_t i = 0; i < KEY_ID_BYTES; i++)
        ret[i] = id->bytes[order[i]];
}

void
key_id_decode(const uint8_t bytes[KEY_ID_BYTES], struct key_id *ret)
{
    for (size_t i = 0; i < KEY_ID_BYTES; i++)
        ret->bytes[i] = bytes[order[i]];
}
