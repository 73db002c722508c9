/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/golden.h"
#include "tests/support/vectors.h"

int64_t
golden_signed(const json_t *object, const char *member)
{
    const json_t *value = vectors_get(object, member);

    if (!json_is_integer(value))
        fail_msg("%s is not a number", member);
    return json_integer_value(value);
}

size_t
golden_some_bytes(const json_t *object, const char *member, uint8_t *ret,
                  size_t room)
{
    AUTO(vector_free) struct vector hex = vectors_hex(object, member);

    assert_in_range(hex.length, 0, room);
    memcpy(ret, hex.at, hex.length);
    return hex.length;
}

void
golden_bytes(const json_t *object, const char *member, uint8_t *ret,
             size_t length)
{
    assert_int_equal(golden_some_bytes(object, member, ret, length), length);
}

uint64_t
golden_wide(const json_t *object, const char *member)
{
    uint8_t bytes[8];
    uint64_t value = 0;

    golden_bytes(object, member, bytes, sizeof(bytes));
    for (size_t i = 0; i < sizeof(bytes); i++)
        value = value << 8 | bytes[i];
    return value;
}

const json_t *
golden_named(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);

        if (strcmp(vectors_text(one, "name"), name) == 0)
            return one;
    }
    fail_msg("nothing of the name %s", name);
    return NULL;
}
