/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/vectors.h"

json_t *
vectors_open(const char *name)
{
    const char *source = getenv("srcdir");
    char path[PATH_MAX];
    json_error_t error;
    json_t *vectors;
    int length;

    length = snprintf(path, sizeof(path), "%s/tests/vectors/%s",
                      source == NULL ? "." : source, name);
    assert_in_range(length, 1, sizeof(path) - 1);
    vectors = json_load_file(path, JSON_ALLOW_NUL, &error);
    if (vectors == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return vectors;
}

void
vectors_close(json_t **vectors)
{
    json_decref(*vectors);
    *vectors = NULL;
}

json_t *
vectors_get(const json_t *object, const char *member)
{
    json_t *value = json_object_get(object, member);

    if (value == NULL)
        fail_msg("no member %s", member);
    return value;
}

const char *
vectors_text(const json_t *object, const char *member)
{
    const char *text = json_string_value(vectors_get(object, member));

    if (text == NULL)
        fail_msg("%s is not a text", member);
    return text;
}

uint64_t
vectors_number(const json_t *object, const char *member)
{
    const json_t *value = vectors_get(object, member);

    if (!json_is_integer(value) || json_integer_value(value) < 0)
        fail_msg("%s is not a number", member);
    return (uint64_t)json_integer_value(value);
}

bool
vectors_flag(const json_t *object, const char *member)
{
    const json_t *value = vectors_get(object, member);

    if (!json_is_boolean(value))
        fail_msg("%s is neither true nor false", member);
    return json_is_true(value);
}

json_t *
vectors_list(const json_t *object, const char *member)
{
    json_t *list = vectors_get(object, member);

    if (json_array_size(list) == 0)
        fail_msg("%s is not a list, or empty", member);
    return list;
}

static unsigned
hex_value(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, c);

    if (at == NULL)
        fail_msg("not hex");
    return (unsigned)(at - digits);
}

struct vector
vector_new(size_t length)
{
    struct vector vector = {calloc(1, length + (length == 0)), length};

    assert_non_null(vector.at);
    return vector;
}

struct vector
vectors_hex(const json_t *object, const char *member)
{
    const char *text = vectors_text(object, member);
    struct vector vector = vector_new(strlen(text) / 2);

    assert_int_equal(strlen(text) % 2, 0);
    for (size_t i = 0; i < vector.length; i++)
        vector.at[i] =
            (uint8_t)(hex_value(text[2 * i]) << 4 | hex_value(text[2 * i + 1]));
    return vector;
}

void
vector_free(struct vector *vector)
{
    free(vector->at);
    *vector = (struct vector){0};
}
