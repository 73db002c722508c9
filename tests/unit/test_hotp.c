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

static const struct secret twenty = {
    20, "12345678901234567890"}; /* RFC 4226, appendix D */

static void
rfc_4226_appendix_d_is_met_on_one_key(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *table = vectors_get(vectors, "rfc4226");
    const struct secret secret = secret_of(table);
    unsigned digits = (unsigned)vectors_number(table, "digits");
    AUTO(hotp_clear) struct hotp hotp = {0};
    json_t *item;
    size_t i;

    (void)context;
    assert_int_equal(hotp_open(&hotp, HOTP_SHA1), ERR_OK);
    assert_int_equal(hotp_set_secret(&hotp, &secret), ERR_OK);
    json_array_foreach(vectors_list(table, "cases"), i, item)
    {
        AUTO(vector_free) struct vector mac = vectors_hex(item, "hmac_sha1");
        uint64_t counter = vectors_number(item, "counter");
        uint32_t truncated = hotp_truncate(mac.at, mac.length);
        uint32_t code = 0;

        assert_int_equal(truncated, vectors_number(item, "truncated"));
        assert_int_equal(hotp_decimal(truncated, digits),
                         code_of(item, digits));
        assert_int_equal(hotp_code(&hotp, counter, digits, &code), ERR_OK);
        assert_int_equal(code, code_of(item, digits));
        assert_int_equal(
            hotp_generate(HOTP_SHA1, &secret, counter, digits, &code), ERR_OK);
        assert_int_equal(code, code_of(item, digits));
    }
    assert_int_equal(i, 10);
}

static void
a_code_keeps_its_leading_zeros(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *table = vectors_get(vectors, "leading_zeros");
    const struct secret secret = secret_of(table);
    unsigned digits = (unsigned)vectors_number(table, "digits");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(table, "cases"), i, item)
    {
        uint32_t code = 0;

        assert_int_equal(hotp_generate(HOTP_SHA1, &secret,
                                       vectors_number(item, "counter"), digits,
                                       &code),
                         ERR_OK);
        assert_int_equal(code, code_of(item, digits));
        assert_in_range(code, 0, 99999);
    }
    assert_int_equal(i, 4);
}

static void
truncation_reads_at_each_of_the_sixteen_offsets(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *table = vectors_get(vectors, "truncation_offsets");
    const struct secret secret = secret_of(table);
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(table, "cases"), i, item)
    {
        AUTO(vector_free) struct vector mac = vectors_hex(item, "hmac");
        uint64_t truncated = vectors_number(item, "truncated");
        uint32_t code = 0;

        assert_int_equal(vectors_number(item, "offset"), i);
        assert_int_equal(mac.at[mac.length - 1] & 15, i);
        assert_int_equal(hotp_truncate(mac.at, mac.length), truncated);
        assert_int_equal(hotp_generate(HOTP_SHA1, &secret,
                                       vectors_number(item, "counter"), 8,
                                       &code),
                         ERR_OK);
        assert_int_equal(code, truncated % 100000000);
    }
    assert_int_equal(i, 16);
}

/* The textbook's way: index by the offset. */
static uint32_t
truncate_plainly(const uint8_t *mac, size_t length)
{
    const uint8_t *at = mac + (mac[length - 1] & 15);

    return (uint32_t)(at[0] & 127) << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

static void
truncation_of_longer_macs_takes_the_offset_from_their_last_byte(void **context)
{
    static const size_t lengths[] = {20, 32, 64};

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(lengths); i++) {
        AUTO(vector_free) struct vector mac = vector_new(lengths[i]);

        for (unsigned last = 0; last < 256; last++) {
            for (size_t j = 0; j < mac.length; j++)
                mac.at[j] = (uint8_t)(j * 37 + last * 101 + 200);
            mac.at[mac.length - 1] = (uint8_t)last;
            assert_int_equal(hotp_truncate(mac.at, mac.length),
                             truncate_plainly(mac.at, mac.length));
        }
    }
}

static void
decimal_is_the_remainder_and_never_a_code_for_other_digits(void **context)
{
    static const uint32_t edges[] = {
        0,        1,         999999,    1000000,    9999999,    10000000,
        99999999, 100000000, 999999999, 1000000000, 2147483646, 2147483647};
    uint32_t power = 1;

    (void)context;
    for (unsigned digits = 0; digits < 12; digits++, power *= 10) {
        for (size_t i = 0; i < ARRAY_LENGTH(edges); i++)
            assert_int_equal(hotp_decimal(edges[i], digits),
                             digits >= HOTP_DIGITS_MIN &&
                                     digits <= HOTP_DIGITS_MAX
                                 ? edges[i] % power
                                 : UINT32_MAX);
    }
}

/*
 * Another product's e-mail and phone codes: the same truncation behind an
 * HMAC with more to it than a counter.
 */
static void
identity_codes_are_met(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("otp.json");
    const json_t *table = vectors_get(vectors, "identity_totp");
    unsigned digits = (unsigned)vectors_number(table, "digits");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(table, "cases"), i, item)
    {
        AUTO(hmac_clear) struct hmac hmac = {0};
        AUTO(vector_free) struct vector key = vectors_hex(item, "key");
        AUTO(vector_free)
        struct vector modifier = vectors_hex(item, "modifier_bytes");
        uint8_t counter[8];
        struct writer writer = {counter, sizeof(counter), false};
        struct hmac_tag tag;

        assert_int_equal(vectors_number(item, "unix_seconds") /
                             vectors_number(table, "period"),
                         vectors_number(item, "step"));
        writer_u64(&writer, vectors_number(item, "step"));
        assert_int_equal(hmac_open(&hmac, HMAC_SHA1), ERR_OK);
        assert_int_equal(hmac_set_key(&hmac, vector_bytes(&key)), ERR_OK);
        assert_int_equal(hmac_start(&hmac), ERR_OK);
        assert_int_equal(hmac_update(&hmac, (struct bytes){counter, 8}),
                         ERR_OK);
        assert_int_equal(hmac_update(&hmac, vector_bytes(&modifier)), ERR_OK);
        assert_int_equal(hmac_final(&hmac, tag.bytes), ERR_OK);
        assert_int_equal(hotp_decimal(hotp_truncate(tag.bytes, 20), digits),
                         code_of(item, digits));
    }
    assert_int_equal(i, 8);
}

static void
names_are_read_as_people_write_them(void **context)
{
    static const struct {
        const char *name;
        enum hotp_algorithm algorithm;
    } good[] = {
        {"SHA1", HOTP_SHA1},         {"sha1", HOTP_SHA1},
        {"Sha-1", HOTP_SHA1},        {"HmacSHA1", HOTP_SHA1},
        {"HMAC-SHA-1", HOTP_SHA1},   {"SHA256", HOTP_SHA256},
        {"HmacSHA256", HOTP_SHA256}, {"hmac-sha256", HOTP_SHA256},
        {"sha-512", HOTP_SHA512},    {"SHA512", HOTP_SHA512},
        {"HMACSHA512", HOTP_SHA512},
    };
    static const char *const bad[] = {
        "",       "MD5",     "HmacMD5", "SHA",        "SHA2",   "SHA224",
        "SHA384", "SHA12",   "SHA1 ",   " SHA1",      "SHA--1", "-SHA1",
        "Hmac",   "SHA5120", "SHA-",    "Hmac--SHA1", "1",      "SHA3-256"};

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(good); i++) {
        enum hotp_algorithm algorithm = (enum hotp_algorithm)0;

        assert_int_equal(hotp_algorithm_parse(good[i].name, &algorithm),
                         ERR_OK);
        assert_int_equal(algorithm, good[i].algorithm);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        enum hotp_algorithm algorithm = (enum hotp_algorithm)77;

        assert_int_equal(hotp_algorithm_parse(bad[i], &algorithm),
                         ERR_UNSUPPORTED);
        assert_int_equal(algorithm, 77);
    }
}

static void
each_algorithm_has_its_name_and_length(void **context)
{
    (void)context;
    assert_string_equal(hotp_algorithm_name(HOTP_SHA1), "SHA1");
    assert_string_equal(hotp_algorithm_name(HOTP_SHA256), "SHA256");
    assert_string_equal(hotp_algorithm_name(HOTP_SHA512), "SHA512");
    assert_null(hotp_algorithm_name((enum hotp_algorithm)0));
    assert_null(hotp_algorithm_name((enum hotp_algorithm)4));
    assert_int_equal(hotp_secret_length(HOTP_SHA1), 20);
    assert_int_equal(hotp_secret_length(HOTP_SHA256), 32);
    assert_int_equal(hotp_secret_length(HOTP_SHA512), 64);
    assert_int_equal(hotp_secret_length((enum hotp_algorithm)4), 0);
}

static void
what_is_out_of_range_is_refused_and_nothing_written(void **context)
{
    AUTO(hotp_clear) struct hotp hotp = {0};
    struct secret secret = twenty;
    struct hotp_match match = {1, 2};
    uint32_t code = 7;

    (void)context;
    assert_int_equal(hotp_open(&hotp, (enum hotp_algorithm)4), ERR_UNSUPPORTED);
    assert_int_equal(hotp_open(&hotp, HOTP_SHA1), ERR_OK);
    assert_int_equal(hotp_set_secret(&hotp, &twenty), ERR_OK);
    assert_int_equal(hotp_code(&hotp, 0, 5, &code), ERR_RANGE);
    assert_int_equal(hotp_code(&hotp, 0, 9, &code), ERR_RANGE);
    assert_int_equal(hotp_search(&hotp, 0, 0, 6, 0, &match), ERR_RANGE);
    assert_int_equal(hotp_search(&hotp, 0, HOTP_SEARCH_MAX + 1, 6, 0, &match),
                     ERR_RANGE);
    assert_int_equal(hotp_search(&hotp, UINT64_MAX - 1, 3, 6, 0, &match),
                     ERR_RANGE);
    assert_int_equal(hotp_search(&hotp, 0, 3, 5, 0, &match), ERR_RANGE);
    secret.length = 0;
    assert_int_equal(hotp_set_secret(&hotp, &secret), ERR_RANGE);
    assert_int_equal(hotp_code(&hotp, 0, 6, &code), ERR_CRYPTO);
    assert_int_equal(hotp_search(&hotp, 0, 3, 6, 0, &match), ERR_CRYPTO);
    secret.length = SECRET_MAX + 1;
    assert_int_equal(hotp_set_secret(&hotp, &secret), ERR_RANGE);
    assert_int_equal(hotp_generate(HOTP_SHA1, &secret, 0, 6, &code), ERR_RANGE);
    assert_int_equal(code, 7);
    assert_int_equal(match.found, 1);
    assert_int_equal(match.counter, 2);
}

static void
an_unopened_struct_gives_no_code(void **context)
{
    struct hotp hotp = {0};
    uint32_t code = 7;

    (void)context;
    assert_int_equal(hotp_set_secret(&hotp, &twenty), ERR_CRYPTO);
    assert_int_equal(hotp_code(&hotp, 0, 6, &code), ERR_CRYPTO);
    assert_int_equal(code, 7);
    hotp_clear(&hotp);
}

static void
the_last_counters_can_be_searched(void **context)
{
    AUTO(hotp_clear) struct hotp hotp = {0};
    struct hotp_match match = {0};
    uint32_t code = 0;

    (void)context;
    assert_int_equal(hotp_open(&hotp, HOTP_SHA1), ERR_OK);
    assert_int_equal(hotp_set_secret(&hotp, &twenty), ERR_OK);
    assert_int_equal(hotp_code(&hotp, UINT64_MAX, 8, &code), ERR_OK);
    assert_int_equal(hotp_search(&hotp, UINT64_MAX - 1, 2, 8, code, &match),
                     ERR_OK);
    assert_true(match.found == UINT64_MAX);
    assert_true(match.counter == UINT64_MAX);
}

static void
a_search_finds_each_place_and_nothing_outside(void **context)
{
    enum {
        FIRST = 1000,
        COUNT = 21
    };

    (void)context;
    for (unsigned a = HOTP_SHA1; a <= HOTP_SHA512; a++) {
        AUTO(hotp_clear) struct hotp hotp = {0};

        assert_int_equal(hotp_open(&hotp, (enum hotp_algorithm)a), ERR_OK);
        assert_int_equal(hotp_set_secret(&hotp, &twenty), ERR_OK);
        for (uint64_t at = FIRST - 2; at < FIRST + COUNT + 2; at++) {
            struct hotp_match match = {0};
            uint32_t code = 0;

            assert_int_equal(
                hotp_generate((enum hotp_algorithm)a, &twenty, at, 8, &code),
                ERR_OK);
            assert_int_equal(hotp_search(&hotp, FIRST, COUNT, 8, code, &match),
                             ERR_OK);
            if (at >= FIRST && at < FIRST + COUNT) {
                assert_true(match.found == UINT64_MAX);
                assert_int_equal(match.counter, at);
            } else {
                assert_int_equal(match.found, 0);
            }
        }
    }
}

static void
another_secret_may_follow_on_the_same_struct(void **context)
{
    struct secret other = twenty;
    AUTO(hotp_clear) struct hotp hotp = {0};
    uint32_t code = 0;

    (void)context;
    other.bytes[0] ^= 1;
    assert_int_equal(hotp_open(&hotp, HOTP_SHA1), ERR_OK);
    for (unsigned round = 0; round < 4; round++) {
        const struct secret *secret = round % 2 == 0 ? &twenty : &other;
        uint32_t alone = 0;

        assert_int_equal(hotp_set_secret(&hotp, secret), ERR_OK);
        for (uint64_t counter = 0; counter < 5; counter++) {
            assert_int_equal(
                hotp_generate(HOTP_SHA1, secret, counter, 8, &alone), ERR_OK);
            assert_int_equal(hotp_code(&hotp, counter, 8, &code), ERR_OK);
            assert_int_equal(code, alone);
        }
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rfc_4226_appendix_d_is_met_on_one_key),
        cmocka_unit_test(a_code_keeps_its_leading_zeros),
        cmocka_unit_test(truncation_reads_at_each_of_the_sixteen_offsets),
        cmocka_unit_test(
            truncation_of_longer_macs_takes_the_offset_from_their_last_byte),
        cmocka_unit_test(
            decimal_is_the_remainder_and_never_a_code_for_other_digits),
        cmocka_unit_test(identity_codes_are_met),
        cmocka_unit_test(names_are_read_as_people_write_them),
        cmocka_unit_test(each_algorithm_has_its_name_and_length),
        cmocka_unit_test(what_is_out_of_range_is_refused_and_nothing_written),
        cmocka_unit_test(an_unopened_struct_gives_no_code),
        cmocka_unit_test(the_last_counters_can_be_searched),
        cmocka_unit_test(a_search_finds_each_place_and_nothing_outside),
        cmocka_unit_test(another_secret_may_follow_on_the_same_struct),
    };

    return cmocka_run_group_tests_name("hotp", tests, NULL, NULL);
}
