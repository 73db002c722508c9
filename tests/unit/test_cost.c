/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a code and a payload cost in heap calls, which repeat exactly.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <openssl/crypto.h>

#include "lib/hotp.h"
#include "lib/seal.h"
#include "tests/support/vectors.h"

enum {
    FIRST = 56666666, /* step of the window */
    DIGITS = 8,
};

/* Heap calls: ours (linked with --wrap), and libcrypto's. */
static unsigned our_calls;
static unsigned library_calls;

void *__real_malloc(size_t length);
void *__real_calloc(size_t count, size_t length);
void *__real_realloc(void *at, size_t length);
void *__wrap_malloc(size_t length);
void *__wrap_calloc(size_t count, size_t length);
void *__wrap_realloc(void *at, size_t length);

void *
__wrap_malloc(size_t length)
{
    our_calls++;
    return __real_malloc(length);
}

void *
__wrap_calloc(size_t count, size_t length)
{
    our_calls++;
    return __real_calloc(count, length);
}

void *
__wrap_realloc(void *at, size_t length)
{
    our_calls++;
    return __real_realloc(at, length);
}

static void *
library_malloc(size_t length, const char *file, int line)
{
    (void)file;
    (void)line;
    library_calls++;
    return __real_malloc(length);
}

static void *
library_realloc(void *at, size_t length, const char *file, int line)
{
    (void)file;
    (void)line;
    library_calls++;
    return __real_realloc(at, length);
}

static void
library_free(void *at, const char *file, int line)
{
    (void)file;
    (void)line;
    free(at);
}

static void
count_from_here(void)
{
    our_calls = 0;
    library_calls = 0;
}

static const struct secret twenty = {20, "12345678901234567890"};

static void
the_counters_count(void **context)
{
    AUTO(hotp_clear) struct hotp hotp = {0};

    (void)context;
    count_from_here();
    assert_int_equal(hotp_open(&hotp, HOTP_SHA1), ERR_OK);
    assert_in_range(library_calls, 3, 100000); /* the library's start too */
    assert_int_equal(our_calls, 0);
    AUTO(vector_free) struct vector vector = vector_new(1);
    assert_int_equal(our_calls, 1);
}

static void
a_code_takes_no_heap_of_ours_and_two_calls_of_libcrypto(void **context)
{
    (void)context;
    for (unsigned a = HOTP_SHA1; a <= HOTP_SHA512; a++) {
        AUTO(hotp_clear) struct hotp hotp = {0};
        struct hotp_match match;
        uint32_t code;

        assert_int_equal(hotp_open(&hotp, (enum hotp_algorithm)a), ERR_OK);
        for (unsigned login = 0; login < 100; login++) {
            count_from_here();
            assert_int_equal(hotp_set_secret(&hotp, &twenty), ERR_OK);
            assert_int_equal(hotp_code(&hotp, login, DIGITS, &code), ERR_OK);
            assert_in_range(library_calls, 0, 5);
            assert_int_equal(our_calls, 0);
            count_from_here();
            assert_int_equal(hotp_code(&hotp, login, DIGITS, &code), ERR_OK);
            assert_in_range(library_calls, 0, 2);
            assert_int_equal(our_calls, 0);
            count_from_here();
            assert_int_equal(
                hotp_search(&hotp, FIRST, 21, DIGITS, code, &match), ERR_OK);
            assert_in_range(library_calls, 0, 42);
            assert_int_equal(our_calls, 0);
        }
    }
}

static void
a_payload_takes_no_heap_of_ours_and_ten_calls_of_libcrypto(void **context)
{
    static const uint8_t key[64] = {1};
    static const uint8_t text[100] = {2};
    static const char *const purposes[] = {"pawl", "state.v1", "alice"};
    const struct key_id id = {{3}};
    const struct seal_random random = {{4}, {5}};

    (void)context;
    for (unsigned a = 0; a <= SEAL_AES_256_GCM; a++) {
        AUTO(seal_clear) struct seal seal = {0};
        uint8_t payload[sizeof(text) + SEAL_OVERHEAD_MAX];
        uint8_t opened[sizeof(payload)];
        size_t length = seal_protected_length((enum seal_algorithm)a, 100);

        assert_int_equal(seal_open(&seal, (enum seal_algorithm)a), ERR_OK);
        for (unsigned round = 0; round < 100; round++) {
            size_t opened_length;

            count_from_here();
            assert_int_equal(
                seal_set_key(&seal, (struct bytes){key, sizeof(key)}), ERR_OK);
            assert_in_range(library_calls, 0, 5);
            count_from_here();
            assert_int_equal(seal_protect_with(&seal, &id, purposes, 3, &random,
                                               (struct bytes){text, 100},
                                               payload),
                             ERR_OK);
            assert_in_range(library_calls, 0, 10);
            assert_int_equal(our_calls, 0);
            count_from_here();
            assert_int_equal(
                seal_unprotect_with(&seal, &id, purposes, 3,
                                    (struct bytes){payload, length}, opened,
                                    &opened_length),
                ERR_OK);
            assert_in_range(library_calls, 0, 10);
            assert_int_equal(our_calls, 0);
        }
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counters_count),
        cmocka_unit_test(
            a_code_takes_no_heap_of_ours_and_two_calls_of_libcrypto),
        cmocka_unit_test(
            a_payload_takes_no_heap_of_ours_and_ten_calls_of_libcrypto),
    };

    /* Before libcrypto's first allocation; it refuses later. */
    if (CRYPTO_set_mem_functions(library_malloc, library_realloc,
                                 library_free) != 1)
        return EXIT_FAILURE;
    return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
