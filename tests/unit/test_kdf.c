/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "lib/hmac.h"
#include "lib/kdf.h"
#include "lib/random.h"
#include "tests/support/vectors.h"

static void
assert_derived(struct bytes key, struct bytes label, struct bytes context,
               const struct vector *output)
{
    AUTO(vector_free) struct vector derived = vector_new(output->length);

    assert_int_equal(
        kdf_derive(key, label, context, derived.at, derived.length), ERR_OK);
    assert_memory_equal(derived.at, output->at, output->length);
}

static enum hmac_digest
prf_named(const char *name)
{
    if (strcmp(name, "HMAC-SHA256") == 0)
        return HMAC_SHA256;
    assert_string_equal(name, "HMAC-SHA512");
    return HMAC_SHA512;
}

static void
nist_answers_are_met_at_every_counter_width(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("sp800_108.json");
    unsigned widths = 0;
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(vectors, "fixed_input"), i, item)
    {
        AUTO(hmac_clear) struct hmac prf = {0};
        AUTO(vector_free) struct vector key = vectors_hex(item, "key");
        AUTO(vector_free)
        struct vector input = vectors_hex(item, "fixed_input");
        AUTO(vector_free) struct vector output = vectors_hex(item, "output");
        AUTO(vector_free) struct vector derived = vector_new(output.length);
        /* Whole, and cut in two, which must make no difference. */
        const struct bytes whole[] = {vector_bytes(&input)};
        const struct bytes halves[] = {
            {input.at, input.length / 2},
            {input.at + input.length / 2, input.length - input.length / 2},
        };
        unsigned bits = (unsigned)vectors_number(item, "r");

        assert_int_equal(output.length, vectors_number(item, "length"));
        assert_int_equal(hmac_open(&prf, prf_named(vectors_text(item, "prf"))),
                         ERR_OK);
        assert_int_equal(hmac_set_key(&prf, vector_bytes(&key)), ERR_OK);
        assert_int_equal(
            kdf_counter(&prf, bits, whole, 1, derived.at, derived.length),
            ERR_OK);
        assert_memory_equal(derived.at, output.at, output.length);
        memset(derived.at, 0, derived.length);
        assert_int_equal(
            kdf_counter(&prf, bits, halves, 2, derived.at, derived.length),
            ERR_OK);
        assert_memory_equal(derived.at, output.at, output.length);
        widths |= 1U << (bits / 8);
    }
    assert_int_equal(i, 8);
    assert_int_equal(widths, 1U << 1 | 1U << 2 | 1U << 3 | 1U << 4);
}

static void
structured_answers_are_met(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("sp800_108.json");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(vectors, "structured"), i, item)
    {
        AUTO(vector_free) struct vector key = vectors_hex(item, "key");
        AUTO(vector_free) struct vector label = vectors_hex(item, "label");
        AUTO(vector_free) struct vector input = vectors_hex(item, "context");
        AUTO(vector_free) struct vector output = vectors_hex(item, "output");

        assert_string_equal(vectors_text(item, "prf"), "HMAC-SHA512");
        assert_int_equal(vectors_number(item, "r"), 32);
        assert_int_equal(output.length, vectors_number(item, "length"));
        assert_derived(vector_bytes(&key), vector_bytes(&label),
                       vector_bytes(&input), &output);
    }
    assert_int_equal(i, 7);
}

static void
data_protection_answers_are_met(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(vectors, "kdf"), i, item)
    {
        const json_t *pattern = json_object_get(item, "kdk_pattern");
        AUTO(vector_free) struct vector key = {0};
        AUTO(vector_free) struct vector label = vectors_hex(item, "label");
        AUTO(vector_free) struct vector input = vectors_hex(item, "context");
        AUTO(vector_free) struct vector output = vectors_hex(item, "output");

        if (pattern == NULL) {
            key = vectors_hex(item, "kdk");
        } else {
            assert_string_equal(vectors_text(pattern, "kind"), "index mod 256");
            key = vector_new(vectors_number(pattern, "length"));
            for (size_t j = 0; j < key.length; j++)
                key.at[j] = (uint8_t)j;
        }
        assert_int_equal(output.length, vectors_number(item, "length"));
        assert_derived(vector_bytes(&key), vector_bytes(&label),
                       vector_bytes(&input), &output);
    }
    assert_int_equal(i, 15);
}

/* The library's own, as the second opinion. */
static void
derive_by_kbkdf(const struct vector *key, const struct vector *label,
                const struct vector *input, const struct vector *ret)
{
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "KBKDF", NULL);
    EVP_KDF_CTX *kdf_context = EVP_KDF_CTX_new(kdf);
    char mac[] = "HMAC";
    char digest[] = "SHA512";
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_MAC, mac, 0),
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key->at,
                                          key->length),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, label->at,
                                          label->length),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, input->at,
                                          input->length),
        OSSL_PARAM_construct_end(),
    };

    assert_non_null(kdf_context);
    assert_int_equal(EVP_KDF_derive(kdf_context, ret->at, ret->length, params),
                     1);
    EVP_KDF_CTX_free(kdf_context);
    EVP_KDF_free(kdf);
}

static struct vector
random_vector(size_t length)
{
    struct vector vector = vector_new(length);

    assert_int_equal(random_bytes(vector.at, length), ERR_OK);
    return vector;
}

static void
libcryptos_own_derivation_agrees_over_random_inputs(void **context)
{
    (void)context;
    for (unsigned round = 0; round < 500; round++) {
        uint8_t choice[4];
        AUTO(vector_free) struct vector key = {0};
        AUTO(vector_free) struct vector label = {0};
        AUTO(vector_free) struct vector input = {0};
        AUTO(vector_free) struct vector output = {0};

        assert_int_equal(random_bytes(choice, sizeof(choice)), ERR_OK);
        key = random_vector(14 + choice[0]);
        label = random_vector(choice[1]);
        input = random_vector(choice[2]);
        output = vector_new(1 + choice[3]);
        derive_by_kbkdf(&key, &label, &input, &output);
        assert_derived(vector_bytes(&key), vector_bytes(&label),
                       vector_bytes(&input), &output);
    }
}

static void
assert_wiped(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        assert_int_equal(bytes[i], 0);
}

static void
a_counter_does_not_come_round(void **context)
{
    enum {
        MOST = 255 * 32
    };
    static const struct bytes key = {(const uint8_t *)"key", 3};
    AUTO(hmac_clear) struct hmac prf = {0};
    AUTO(vector_free) struct vector output = vector_new(MOST + 1);

    (void)context;
    assert_int_equal(hmac_open(&prf, HMAC_SHA256), ERR_OK);
    assert_int_equal(hmac_set_key(&prf, key), ERR_OK);
    assert_int_equal(kdf_counter(&prf, 8, &key, 1, output.at, MOST), ERR_OK);
    memset(output.at, 0xee, output.length);
    assert_int_equal(kdf_counter(&prf, 8, &key, 1, output.at, MOST + 1),
                     ERR_RANGE);
    assert_wiped(output.at, output.length);
    assert_int_equal(kdf_counter(&prf, 16, &key, 1, output.at, MOST + 1),
                     ERR_OK);
}

static void
other_counter_widths_are_refused(void **context)
{
    static const struct bytes key = {(const uint8_t *)"key", 3};
    AUTO(hmac_clear) struct hmac prf = {0};

    (void)context;
    assert_int_equal(hmac_open(&prf, HMAC_SHA256), ERR_OK);
    assert_int_equal(hmac_set_key(&prf, key), ERR_OK);
    for (unsigned bits = 0; bits <= 72; bits++) {
        bool good = bits >= 8 && bits <= 32 && bits % 8 == 0;
        uint8_t output[40];

        memset(output, 0xee, sizeof(output));
        assert_int_equal(
            kdf_counter(&prf, bits, &key, 1, output, sizeof(output)),
            good ? ERR_OK : ERR_RANGE);
        if (!good)
            assert_wiped(output, sizeof(output));
    }
}

static void
without_a_key_nothing_is_derived(void **context)
{
    static const struct bytes part = {(const uint8_t *)"part", 4};
    AUTO(hmac_clear) struct hmac prf = {0};
    uint8_t output[40];

    (void)context;
    memset(output, 0xee, sizeof(output));
    assert_int_equal(kdf_counter(&prf, 32, &part, 1, output, sizeof(output)),
                     ERR_RANGE);
    assert_wiped(output, sizeof(output));
    assert_int_equal(hmac_open(&prf, HMAC_SHA512), ERR_OK);
    memset(output, 0xee, sizeof(output));
    assert_int_equal(kdf_derive_with(&prf, part, part, output, sizeof(output)),
                     ERR_CRYPTO);
    assert_wiped(output, sizeof(output));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nist_answers_are_met_at_every_counter_width),
        cmocka_unit_test(structured_answers_are_met),
        cmocka_unit_test(data_protection_answers_are_met),
        cmocka_unit_test(libcryptos_own_derivation_agrees_over_random_inputs),
        cmocka_unit_test(a_counter_does_not_come_round),
        cmocka_unit_test(other_counter_widths_are_refused),
        cmocka_unit_test(without_a_key_nothing_is_derived),
    };

    return cmocka_run_group_tests_name("kdf", tests, NULL, NULL);
}
