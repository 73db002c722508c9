/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/evp.h>

#include "lib/hmac.h"
#include "tests/support/vectors.h"

static enum hmac_digest
digest_named(const char *name)
{
    if (strcmp(name, "SHA1") == 0)
        return HMAC_SHA1;
    if (strcmp(name, "SHA256") == 0)
        return HMAC_SHA256;
    assert_string_equal(name, "SHA512");
    return HMAC_SHA512;
}

static void
compute(struct hmac *hmac, struct bytes message, uint8_t *ret)
{
    assert_int_equal(hmac_start(hmac), ERR_OK);
    assert_int_equal(hmac_update(hmac, message), ERR_OK);
    assert_int_equal(hmac_final(hmac, ret), ERR_OK);
}

/* A digest that is none of ours: only the vector itself can be checked. */
static void
check_foreign(const json_t *item)
{
    AUTO(vector_free) struct vector key = vectors_hex(item, "key");
    AUTO(vector_free) struct vector data = vectors_hex(item, "data");
    AUTO(vector_free) struct vector mac = vectors_hex(item, "mac");
    uint8_t computed[EVP_MAX_MD_SIZE];
    size_t length = 0;

    assert_non_null(EVP_Q_mac(NULL, "HMAC", NULL, vectors_text(item, "digest"),
                              NULL, key.at, key.length, data.at, data.length,
                              computed, sizeof(computed), &length));
    assert_in_range(mac.length, 1, length);
    assert_memory_equal(computed, mac.at, mac.length);
}

static void
every_known_answer_is_met_twice_on_one_key(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("hmac.json");
    size_t foreign = 0;
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(vectors, "cases"), i, item)
    {
        const char *name = vectors_text(item, "digest");
        AUTO(hmac_clear) struct hmac hmac = {0};
        AUTO(vector_free) struct vector key = vectors_hex(item, "key");
        AUTO(vector_free) struct vector data = vectors_hex(item, "data");
        AUTO(vector_free) struct vector mac = vectors_hex(item, "mac");
        enum hmac_digest digest;
        struct hmac_tag tag;

        if (strcmp(name, "SHA384") == 0) {
            check_foreign(item);
            foreign++;
            continue;
        }
        digest = digest_named(name);
        assert_int_equal(hmac_open(&hmac, digest), ERR_OK);
        assert_int_equal(hmac.length, hmac_length(digest));
        if (json_object_get(item, "truncated_to") == NULL)
            assert_int_equal(mac.length, hmac.length);
        else
            assert_int_equal(mac.length, vectors_number(item, "truncated_to"));
        assert_int_equal(hmac_set_key(&hmac, vector_bytes(&key)), ERR_OK);
        for (unsigned round = 0; round < 2; round++) {
            memset(&tag, 0xee, sizeof(tag));
            compute(&hmac, vector_bytes(&data), tag.bytes);
            assert_memory_equal(tag.bytes, mac.at, mac.length);
        }
    }
    assert_int_equal(i, 45);
    assert_int_equal(foreign, 4);
}

static void
a_message_may_come_in_parts(void **context)
{
    static const uint8_t key[] = "key";
    static const uint8_t text[] = "The quick brown fox jumps over the lazy dog";
    AUTO(hmac_clear) struct hmac hmac = {0};
    struct hmac_tag whole;
    struct hmac_tag parts;

    (void)context;
    assert_int_equal(hmac_open(&hmac, HMAC_SHA256), ERR_OK);
    assert_int_equal(hmac_set_key(&hmac, (struct bytes){key, 3}), ERR_OK);
    compute(&hmac, (struct bytes){text, sizeof(text)}, whole.bytes);
    assert_int_equal(hmac_start(&hmac), ERR_OK);
    for (size_t i = 0; i < sizeof(text); i++) {
        assert_int_equal(hmac_update(&hmac, (struct bytes){text + i, 1}),
                         ERR_OK);
        assert_int_equal(hmac_update(&hmac, (struct bytes){NULL, 0}), ERR_OK);
    }
    assert_int_equal(hmac_final(&hmac, parts.bytes), ERR_OK);
    assert_memory_equal(whole.bytes, parts.bytes, 32);
}

static void
an_abandoned_message_does_not_run_into_the_next(void **context)
{
    static const uint8_t key[] = "key";
    AUTO(hmac_clear) struct hmac hmac = {0};
    struct hmac_tag expected;
    struct hmac_tag tag;

    (void)context;
    assert_int_equal(hmac_open(&hmac, HMAC_SHA1), ERR_OK);
    assert_int_equal(hmac_set_key(&hmac, (struct bytes){key, 3}), ERR_OK);
    compute(&hmac, (struct bytes){key, 3}, expected.bytes);
    assert_int_equal(hmac_start(&hmac), ERR_OK);
    assert_int_equal(hmac_update(&hmac, (struct bytes){key, 2}), ERR_OK);
    compute(&hmac, (struct bytes){key, 3}, tag.bytes);
    assert_memory_equal(tag.bytes, expected.bytes, 20);
}

static void
without_a_key_there_is_no_mac_and_the_room_for_it_is_wiped(void **context)
{
    AUTO(hmac_clear) struct hmac hmac = {0};
    struct hmac_tag tag;

    (void)context;
    assert_int_equal(hmac_start(&hmac), ERR_CRYPTO);
    assert_int_equal(hmac_set_key(&hmac, (struct bytes){NULL, 0}), ERR_CRYPTO);
    assert_int_equal(hmac_open(&hmac, HMAC_SHA1), ERR_OK);
    assert_int_equal(hmac_start(&hmac), ERR_CRYPTO);
    assert_int_equal(hmac_update(&hmac, (struct bytes){tag.bytes, 1}),
                     ERR_CRYPTO);
    memset(&tag, 0xee, sizeof(tag));
    assert_int_equal(hmac_final(&hmac, tag.bytes), ERR_CRYPTO);
    for (size_t i = 0; i < sizeof(tag); i++)
        assert_int_equal(tag.bytes[i], i < 20 ? 0 : 0xee);
}

static void
an_unknown_digest_is_not_opened(void **context)
{
    struct hmac hmac = {0};

    (void)context;
    assert_int_equal(hmac_length((enum hmac_digest)0), 0);
    assert_int_equal(hmac_length((enum hmac_digest)4), 0);
    assert_int_equal(hmac_open(&hmac, (enum hmac_digest)0), ERR_UNSUPPORTED);
    assert_int_equal(hmac_open(&hmac, (enum hmac_digest)4), ERR_UNSUPPORTED);
    assert_null(hmac.mac);
    assert_null(hmac.context);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_known_answer_is_met_twice_on_one_key),
        cmocka_unit_test(a_message_may_come_in_parts),
        cmocka_unit_test(an_abandoned_message_does_not_run_into_the_next),
        cmocka_unit_test(
            without_a_key_there_is_no_mac_and_the_room_for_it_is_wiped),
        cmocka_unit_test(an_unknown_digest_is_not_opened),
    };

    return cmocka_run_group_tests_name("hmac", tests, NULL, NULL);
}
