/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/code.h"
#include "lib/hotp.h"
#include "tests/support/vectors.h"

static void
refuse(const char *text, size_t length)
{
    struct code code = {99, 4711};

    assert_int_equal(code_parse(text, length, &code), ERR_INVALID);
    assert_int_equal(code.digits, 99);
    assert_int_equal(code.value, 4711);
}

static void
six_to_eight_digits_are_read(void **context)
{
    struct code code;

    (void)context;
    assert_int_equal(code_parse("012345", 6, &code), ERR_OK);
    assert_int_equal(code.digits, 6);
    assert_int_equal(code.value, 12345);
    assert_int_equal(code_parse("9876543", 7, &code), ERR_OK);
    assert_int_equal(code.digits, 7);
    assert_int_equal(code.value, 9876543);
    assert_int_equal(code_parse("99999999", 8, &code), ERR_OK);
    assert_int_equal(code.digits, 8);
    assert_int_equal(code.value, 99999999);
    code_wipe(&code);
    assert_int_equal(code.digits, 0);
    assert_int_equal(code.value, 0);
}

static void
the_vectors_are_taken_and_refused_as_written(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *syntax = vectors_get(vectors, "code_syntax");
    size_t digits = vectors_number(syntax, "digits");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(syntax, "accept"), i, item)
    {
        struct code code;

        assert_int_equal(code_parse(json_string_value(item),
                                    json_string_length(item), &code),
                         ERR_OK);
        assert_int_equal(code.digits, digits);
    }
    json_array_foreach(vectors_list(syntax, "reject_in_pawl"), i, item)
    {
        struct code code = {0};

        /* Seven digits can be a code, only not one of a six-digit token. */
        if (strcmp(json_string_value(item), "1234567") == 0) {
            assert_int_equal(code_parse("1234567", 7, &code), ERR_OK);
            assert_int_not_equal(code.digits, digits);
            continue;
        }
        refuse(json_string_value(item), json_string_length(item));
    }
    json_array_foreach(vectors_list(syntax, "identity_would_take"), i, item)
        refuse(json_string_value(item), json_string_length(item));
}

static void
only_ascii_digits_are_taken_in_any_place(void **context)
{
    (void)context;
    for (size_t length = HOTP_DIGITS_MIN; length <= HOTP_DIGITS_MAX; length++) {
        for (size_t place = 0; place < length; place++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                char text[] = "55555555";
                struct code code;

                text[place] = (char)byte;
                if (byte < '0' || byte > '9')
                    refuse(text, length);
                else
                    assert_int_equal(code_parse(text, length, &code), ERR_OK);
            }
        }
    }
}

static void
other_lengths_are_refused(void **context)
{
    static const char digits[] = "1111111111111111";

    (void)context;
    for (size_t length = 0; length < sizeof(digits); length++) {
        if (length < HOTP_DIGITS_MIN || length > HOTP_DIGITS_MAX)
            refuse(digits, length);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_to_eight_digits_are_read),
        cmocka_unit_test(the_vectors_are_taken_and_refused_as_written),
        cmocka_unit_test(only_ascii_digits_are_taken_in_any_place),
        cmocka_unit_test(other_lengths_are_refused),
    };

    return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
