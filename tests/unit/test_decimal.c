/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/attrs.h"
#include "lib/decimal.h"

static void
every_number_up_to_the_limit_is_read(void **context)
{
    (void)context;
    for (uint64_t max = 0; max < 130; max++) {
        for (uint64_t number = 0; number < 300; number++) {
            char text[32];
            uint64_t value = 777;
            int length = snprintf(text, sizeof(text), "%u", (unsigned)number);

            assert_int_equal(decimal_parse(text, (size_t)length, max, &value),
                             number <= max ? ERR_OK : ERR_RANGE);
            assert_int_equal(value, number <= max ? number : 777);
        }
    }
}

static void
the_largest_number_is_read_and_the_next_is_not(void **context)
{
    static const char *const over[] = {
        "18446744073709551616", "18446744073709551620", "28446744073709551615",
        "184467440737095516150", "99999999999999999999999999999999999999"};
    uint64_t value = 0;

    (void)context;
    assert_int_equal(
        decimal_parse("18446744073709551615", 20, UINT64_MAX, &value), ERR_OK);
    assert_true(value == UINT64_MAX);
    for (size_t i = 0; i < ARRAY_LENGTH(over); i++)
        assert_int_equal(
            decimal_parse(over[i], strlen(over[i]), UINT64_MAX, &value),
            ERR_RANGE);
    assert_true(value == UINT64_MAX);
}

static void
only_one_spelling_is_taken(void **context)
{
    static const char *const bad[] = {
        "",        "00",  "01",    "+1",  "-1",
        "-0",      " 1",  "1 ",    "1\n", "0x1",
        "1e3",     "1.0", "1_000", "a",   "99999999999999999999999x",
        "\xd9\xa1"};
    uint64_t value = 5;

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        assert_int_equal(
            decimal_parse(bad[i], strlen(bad[i]), UINT64_MAX, &value),
            ERR_INVALID);
    assert_int_equal(decimal_parse("1\0", 2, 9, &value), ERR_INVALID);
    assert_int_equal(value, 5);
    assert_int_equal(decimal_parse("123", 2, 99, &value), ERR_OK);
    assert_int_equal(value, 12);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_up_to_the_limit_is_read),
        cmocka_unit_test(the_largest_number_is_read_and_the_next_is_not),
        cmocka_unit_test(only_one_spelling_is_taken),
    };

    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
