/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdint.h>

#include "lib/utf8.h"

enum {
    SURROGATE_FIRST = 0xd800,
    SURROGATE_LAST = 0xdfff,
    LINE_SEPARATOR = 0x2028,
    PARAGRAPH_SEPARATOR = 0x2029,
    LAST_CHARACTER = 0x10ffff,
};

/* Bytes of the character that begins with lead, 0 for none: RFC 3629, 3. */
static size_t
character_length(uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc0 && lead < 0xe0)
        return 2;
    if (lead >= 0xe0 && lead < 0xf0)
        return 3;
    if (lead >= 0xf0 && lead < 0xf8)
        return 4;
    return 0;
}

/* The character in length bytes; one past the last for a malformed one. */
static uint32_t
character_decode(const char *text, size_t length)
{
    static const uint8_t lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t value = (uint8_t)text[0] & lead_mask[length];

    for (size_t i = 1; i < length; i++) {
        uint8_t byte = (uint8_t)text[i];

        if ((byte & 0xc0) != 0x80)
            return LAST_CHARACTER + 1;
        value = value << 6 | (byte & 0x3f);
    }
    return value < least[length] ? LAST_CHARACTER + 1 : value;
}

static bool
character_plain(uint32_t c)
{
    if (c < 0x20 || (c >= 0x7f && c < 0xa0))
        return false;
    if (c == LINE_SEPARATOR || c == PARAGRAPH_SEPARATOR)
        return false;
    if (c >= SURROGATE_FIRST && c <= SURROGATE_LAST)
        return false;
    return c <= LAST_CHARACTER;
}

bool
utf8_plain(const char *text, size_t length)
{
    while (length > 0) {
        size_t bytes = character_length((uint8_t)text[0]);

        if (bytes == 0 || bytes > length)
            return false;
        if (!character_plain(character_decode(text, bytes)))
            return false;
        text += bytes;
        length -= bytes;
    }
    return true;
}
