/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/code.h"
#include "lib/totp.h"
#include "tests/support/vectors.h"

static struct secret
secret_of(const json_t *object)
{
    AUTO(vector_free) struct vector key = vectors_hex(object, "key");
    struct secret secret = {.length = key.length};

    assert_in_range(key.length, 1, SECRET_MAX);
    memcpy(secret.bytes, key.at, key.length);
    return secret;
}

static uint32_t
code_of(const json_t *object, unsigned digits)
{
    const char *text = vectors_text(object, "code");
    struct code code;

    assert_int_equal(code_parse(text, strlen(text), &code), ERR_OK);
    assert_int_equal(code.digits, digits);
    return code.value;
}

static void
open_with(struct hotp *hotp, const json_t *table)
{
    const struct secret secret = secret_of(table);
    enum hotp_algorithm algorithm;

    assert_int_equal(
        hotp_algorithm_parse(vectors_text(table, "algorithm"), &algorithm),
        ERR_OK);
    assert_int_equal(hotp_open(hotp, algorithm), ERR_OK);
    assert_int_equal(hotp_set_secret(hotp, &secret), ERR_OK);
}

/* Keys longer than any token's: the HMAC takes them, a token does not. */
static void
check_long_key(const json_t *item, const struct vector *key, uint64_t step,
               unsigned digits)
{
    static const struct secret too_long = {SECRET_MAX + 1, {0}};
    AUTO(hotp_clear) struct hotp hotp = {0};
    enum hotp_algorithm algorithm;
    uint8_t counter[8];
    struct writer writer = {counter, sizeof(counter), false};
    struct hmac_tag tag;

    assert_int_equal(
        hotp_algorithm_parse(vectors_text(item, "algorithm"), &algorithm),
        ERR_OK);
    assert_int_equal(hotp_open(&hotp, algorithm), ERR_OK);
    assert_int_equal(hotp_set_secret(&hotp, &too_long), ERR_RANGE);
    writer_u64(&writer, step);
    assert_int_equal(hmac_set_key(&hotp.hmac, vector_bytes(key)), ERR_OK);
    assert_int_equal(hmac_start(&hotp.hmac), ERR_OK);
    assert_int_equal(hmac_update(&hotp.hmac, (struct bytes){counter, 8}),
                     ERR_OK);
    assert_int_equal(hmac_final(&hotp.hmac, tag.bytes), ERR_OK);
    assert_int_equal(
        hotp_decimal(hotp_truncate(tag.bytes, hotp.hmac.length), digits),
        code_of(item, digits));
}

/* One answer of RFC 6238's form, by step, code and search. */
static void
check_case(const json_t *item, unsigned period)
{
    AUTO(hotp_clear) struct hotp hotp = {0};
    AUTO(vector_free) struct vector key = vectors_hex(item, "key");
    unsigned digits = (unsigned)vectors_number(item, "digits");
    struct hotp_match match = {0};
    uint64_t step = 0;
    uint32_t code = 0;

    assert_int_equal(
        totp_step((int64_t)vectors_number(item, "unix_seconds"), period, &step),
        ERR_OK);
    assert_int_equal(step, vectors_number(item, "step"));
    if (key.length > SECRET_MAX) {
        check_long_key(item, &key, step, digits);
        return;
    }
    open_with(&hotp, item);
    assert_int_equal(hotp_code(&hotp, step, digits, &code), ERR_OK);
    assert_int_equal(code, code_of(item, digits));
    assert_int_equal(totp_match(&hotp, step, (struct totp_window){0, 0}, digits,
                                code, &match),
                     ERR_OK);
    assert_true(match.found == UINT64_MAX);
    assert_int_equal(match.counter, step);
}

static void
rfc_6238_appendix_b_is_met(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *table = vectors_get(vectors, "rfc6238");
    json_t *item;
    size_t i;

    (void)context;
    assert_int_equal(vectors_number(table, "t0"), 0);
    json_array_foreach(vectors_list(table, "cases"), i, item)
        check_case(item, (unsigned)vectors_number(table, "period"));
    assert_int_equal(i, 18);
}

static void
other_keys_digits_periods_and_times_are_met(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *table = vectors_get(vectors, "own");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(table, "cases"), i, item)
        check_case(item, (unsigned)vectors_number(item, "period"));
    assert_int_equal(i, 16);
}

static void
a_window_takes_its_own_steps_and_no_others(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *table = vectors_get(vectors, "window");
    unsigned digits = (unsigned)vectors_number(table, "digits");
    AUTO(hotp_clear) struct hotp hotp = {0};
    uint64_t now = 0;
    json_t *item;
    size_t i;

    (void)context;
    open_with(&hotp, table);
    assert_int_equal(totp_step((int64_t)vectors_number(table, "unix_seconds"),
                               (unsigned)vectors_number(table, "period"), &now),
                     ERR_OK);
    json_array_foreach(vectors_list(table, "cases"), i, item)
    {
        for (unsigned side = 1; side <= 2; side++) {
            struct hotp_match match = {0};
            bool inside =
                vectors_flag(item, side == 1 ? "in_window_1" : "in_window_2");

            assert_int_equal(totp_match(&hotp, now,
                                        (struct totp_window){side, side},
                                        digits, code_of(item, digits), &match),
                             ERR_OK);
            assert_true(match.found == (inside ? UINT64_MAX : 0));
            if (inside)
                assert_int_equal(match.counter, vectors_number(item, "step"));
        }
    }
    assert_int_equal(i, 11);
}

static void
past_and_future_are_not_confused(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *table = vectors_get(vectors, "window");
    AUTO(hotp_clear) struct hotp hotp = {0};

    (void)context;
    open_with(&hotp, table);
    for (uint64_t step = 90; step <= 110; step++) {
        struct hotp_match match = {0};
        uint32_t code = 0;

        assert_int_equal(hotp_code(&hotp, step, 8, &code), ERR_OK);
        assert_int_equal(
            totp_match(&hotp, 100, (struct totp_window){7, 3}, 8, code, &match),
            ERR_OK);
        assert_true(match.found ==
                    (step >= 93 && step <= 103 ? UINT64_MAX : 0));
    }
}

static void
of_two_steps_with_one_code_the_newer_is_reported(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *table = vectors_get(vectors, "collision");
    unsigned digits = (unsigned)vectors_number(table, "digits");
    uint64_t first = vectors_number(table, "first_step");
    uint64_t second = vectors_number(table, "second_step");
    AUTO(hotp_clear) struct hotp hotp = {0};
    struct hotp_match match = {0};

    (void)context;
    open_with(&hotp, table);
    assert_true(first < second);
    for (uint64_t now = first; now <= second; now++) {
        assert_int_equal(totp_match(&hotp, now, (struct totp_window){2, 2},
                                    digits, code_of(table, digits), &match),
                         ERR_OK);
        assert_true(match.found == UINT64_MAX);
        assert_int_equal(match.counter, second);
    }
    assert_int_equal(totp_match(&hotp, first, (struct totp_window){1, 1},
                                digits, code_of(table, digits), &match),
                     ERR_OK);
    assert_int_equal(match.counter, first);
}

static void
steps_below_zero_are_left_out(void **context)
{
    static const struct secret secret = {20, "12345678901234567890"};
    AUTO(hotp_clear) struct hotp hotp = {0};

    (void)context;
    assert_int_equal(hotp_open(&hotp, HOTP_SHA1), ERR_OK);
    assert_int_equal(hotp_set_secret(&hotp, &secret), ERR_OK);
    for (uint64_t step = 0; step < 4; step++) {
        struct hotp_match match = {0};
        uint32_t wrapped = 0;
        uint32_t zero = 0;

        assert_int_equal(hotp_code(&hotp, UINT64_MAX, 8, &wrapped), ERR_OK);
        assert_int_equal(hotp_code(&hotp, 0, 8, &zero), ERR_OK);
        assert_int_equal(totp_match(&hotp, step, (struct totp_window){10, 0}, 8,
                                    wrapped, &match),
                         ERR_OK);
        assert_int_equal(match.found, 0);
        assert_int_equal(totp_match(&hotp, step, (struct totp_window){10, 0}, 8,
                                    zero, &match),
                         ERR_OK);
        assert_true(match.found == UINT64_MAX);
        assert_int_equal(match.counter, 0);
    }
}

static void
what_is_out_of_range_is_refused_and_nothing_written(void **context)
{
    static const struct secret secret = {20, "12345678901234567890"};
    AUTO(hotp_clear) struct hotp hotp = {0};
    struct hotp_match match = {1, 2};
    uint64_t step = 3;

    (void)context;
    assert_int_equal(totp_step(-1, 30, &step), ERR_CLOCK);
    assert_int_equal(totp_step(INT64_MIN, 30, &step), ERR_CLOCK);
    assert_int_equal(totp_step(0, 0, &step), ERR_RANGE);
    assert_int_equal(totp_step(0, TOTP_PERIOD_MIN - 1, &step), ERR_RANGE);
    assert_int_equal(totp_step(0, TOTP_PERIOD_MAX + 1, &step), ERR_RANGE);
    assert_int_equal(hotp_open(&hotp, HOTP_SHA1), ERR_OK);
    assert_int_equal(hotp_set_secret(&hotp, &secret), ERR_OK);
    assert_int_equal(totp_match(&hotp, 50,
                                (struct totp_window){TOTP_WINDOW_MAX + 1, 0}, 6,
                                0, &match),
                     ERR_RANGE);
    assert_int_equal(totp_match(&hotp, 50,
                                (struct totp_window){0, TOTP_WINDOW_MAX + 1}, 6,
                                0, &match),
                     ERR_RANGE);
    assert_int_equal(
        totp_match(&hotp, UINT64_MAX, (struct totp_window){0, 1}, 6, 0, &match),
        ERR_RANGE);
    assert_int_equal(step, 3);
    assert_int_equal(match.found, 1);
    assert_int_equal(match.counter, 2);
}

static void
a_step_is_the_floor_of_the_time(void **context)
{
    uint64_t step = 9;

    (void)context;
    assert_int_equal(totp_step(0, 30, &step), ERR_OK);
    assert_int_equal(step, 0);
    assert_int_equal(totp_step(29, 30, &step), ERR_OK);
    assert_int_equal(step, 0);
    assert_int_equal(totp_step(30, 30, &step), ERR_OK);
    assert_int_equal(step, 1);
    assert_int_equal(totp_step(INT64_MAX, 15, &step), ERR_OK);
    assert_true(step == (uint64_t)INT64_MAX / 15);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rfc_6238_appendix_b_is_met),
        cmocka_unit_test(other_keys_digits_periods_and_times_are_met),
        cmocka_unit_test(a_window_takes_its_own_steps_and_no_others),
        cmocka_unit_test(past_and_future_are_not_confused),
        cmocka_unit_test(of_two_steps_with_one_code_the_newer_is_reported),
        cmocka_unit_test(steps_below_zero_are_left_out),
        cmocka_unit_test(what_is_out_of_range_is_refused_and_nothing_written),
        cmocka_unit_test(a_step_is_the_floor_of_the_time),
    };

    return cmocka_run_group_tests_name("totp", tests, NULL, NULL);
}
