/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/err.h>
#include <openssl/evp.h>

#include "lib/kdf.h"
#include "lib/random.h"
#include "lib/seal.h"
#include "tests/support/vectors.h"

enum {
    ALGORITHMS = SEAL_AES_256_GCM + 1,
    PURPOSES_MAX = 8,
};

static enum seal_algorithm
algorithm_of(const json_t *item)
{
    enum seal_algorithm algorithm;

    assert_int_equal(
        seal_algorithm_parse(vectors_text(item, "algorithm"), &algorithm),
        ERR_OK);
    return algorithm;
}

static struct key_id
key_id_of(const json_t *item)
{
    struct key_id id;

    assert_int_equal(key_id_parse(vectors_text(item, "key_id"), &id), ERR_OK);
    return id;
}

static size_t
purposes_of(const json_t *list, const char **ret)
{
    json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        assert_in_range(i, 0, PURPOSES_MAX - 1);
        ret[i] = json_string_value(item);
        assert_non_null(ret[i]);
    }
    return i;
}

static struct seal_random
random_of(const json_t *item)
{
    AUTO(vector_free)
    struct vector modifier = vectors_hex(item, "key_modifier");
    AUTO(vector_free) struct vector iv = vectors_hex(item, "iv");
    struct seal_random random = {0};

    assert_int_equal(modifier.length, SEAL_MODIFIER_BYTES);
    assert_in_range(iv.length, 12, SEAL_IV_MAX);
    memcpy(random.modifier, modifier.at, modifier.length);
    memcpy(random.iv, iv.at, iv.length);
    return random;
}

static void
open_with(struct seal *seal, enum seal_algorithm algorithm, struct bytes key)
{
    assert_int_equal(seal_open(seal, algorithm), ERR_OK);
    assert_int_equal(seal_set_key(seal, key), ERR_OK);
}

/* Opens nothing, says so in one way and leaves nothing behind. */
static void
assert_refused(struct seal *seal, struct bytes aad, const uint8_t *at,
               size_t length)
{
    /* Blocks of exactly these lengths, so that a sanitizer sees a step over. */
    AUTO(vector_free) struct vector payload = vector_new(length);
    AUTO(vector_free) struct vector room = vector_new(length);
    size_t opened = 4711;
    uint8_t left = 0;

    if (length > 0)
        memcpy(payload.at, at, length);
    memset(room.at, 0xee, room.length);
    assert_int_equal(
        seal_decrypt(seal, aad, vector_bytes(&payload), room.at, &opened),
        ERR_SEALED);
    assert_int_equal(opened, 0);
    for (size_t i = 0; i < room.length; i++)
        left |= room.at[i];
    assert_int_equal(left, 0);
}

/* The context header from its definition: what the pair makes of nothing. */
static size_t
compute_context_header(const json_t *item, uint8_t *ret, size_t room)
{
    static const struct bytes nothing = {NULL, 0};
    static const uint8_t zeros[16];
    const char *name = vectors_text(item, "algorithm");
    bool gcm = strstr(name, "GCM") != NULL;
    uint32_t key_bytes = (uint32_t)vectors_number(item, "cipher_key_bytes");
    uint32_t mac_bytes = (uint32_t)vectors_number(item, "mac_bytes");
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    AUTO(hmac_clear) struct hmac hmac = {0};
    struct writer writer = {ret, room, false};
    uint8_t subkeys[96];
    uint8_t block[32];
    uint8_t tag[HMAC_BYTES_MAX];
    char cipher_name[16];
    int length = 0;

    assert_int_equal(
        kdf_derive(nothing, nothing, nothing, subkeys, key_bytes + mac_bytes),
        ERR_OK);
    (void)snprintf(cipher_name, sizeof(cipher_name), "AES-%u-%s", key_bytes * 8,
                   gcm ? "GCM" : "CBC");
    assert_int_equal(EVP_EncryptInit(cipher, EVP_get_cipherbyname(cipher_name),
                                     subkeys, zeros),
                     1);
    assert_int_equal(EVP_EncryptFinal(cipher, block, &length), 1);
    writer_u16(&writer, gcm);
    writer_u32(&writer, key_bytes);
    writer_u32(&writer, gcm ? 12 : 16);
    writer_u32(&writer, gcm ? 16 : mac_bytes);
    writer_u32(&writer, gcm ? 16 : mac_bytes);
    writer_bytes(&writer, block, (size_t)length);
    if (gcm) {
        assert_int_equal(
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, 16, tag), 1);
        writer_bytes(&writer, tag, 16);
    } else {
        assert_int_equal(
            hmac_open(&hmac, mac_bytes == 32 ? HMAC_SHA256 : HMAC_SHA512),
            ERR_OK);
        assert_int_equal(
            hmac_set_key(&hmac, (struct bytes){subkeys + key_bytes, mac_bytes}),
            ERR_OK);
        assert_int_equal(hmac_start(&hmac), ERR_OK);
        assert_int_equal(hmac_final(&hmac, tag), ERR_OK);
        writer_bytes(&writer, tag, mac_bytes);
    }
    EVP_CIPHER_CTX_free(cipher);
    assert_false(writer.failed);
    return room - writer.left;
}

static void
the_context_headers_are_what_they_are_computed_to_be(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    unsigned seen = 0;
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(vectors, "context_headers"), i, item)
    {
        AUTO(vector_free)
        struct vector header = vectors_hex(item, "context_header");
        const char *name = vectors_text(item, "algorithm");
        uint8_t computed[SEAL_CONTEXT_HEADER_MAX];
        enum seal_algorithm algorithm;
        struct bytes constant;

        if (strncmp(name, "3DES", 4) == 0) { /* for reference only */
            assert_int_equal(seal_algorithm_parse(name, &algorithm),
                             ERR_UNSUPPORTED);
            continue;
        }
        assert_int_equal(
            compute_context_header(item, computed, sizeof(computed)),
            header.length);
        assert_memory_equal(computed, header.at, header.length);
        constant = seal_context_header(algorithm_of(item));
        assert_int_equal(constant.length, header.length);
        assert_memory_equal(constant.at, header.at, header.length);
        seen |= 1U << algorithm_of(item);
    }
    assert_int_equal(seen, (1U << ALGORITHMS) - 1);
}

static void
the_subkeys_of_each_payload_are_derived_as_written(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(vectors, "encryptor"), i, item)
    {
        AUTO(vector_free) struct vector key = vectors_hex(item, "kdk");
        AUTO(vector_free) struct vector aad = vectors_hex(item, "aad");
        AUTO(vector_free) struct vector k_e = vectors_hex(item, "k_e");
        AUTO(vector_free) struct vector k_h = vectors_hex(item, "k_h");
        const struct seal_random random = random_of(item);
        struct bytes header = seal_context_header(algorithm_of(item));
        uint8_t input[SEAL_CONTEXT_HEADER_MAX + SEAL_MODIFIER_BYTES];
        AUTO(vector_free)
        struct vector subkeys = vector_new(k_e.length + k_h.length);

        memcpy(input, header.at, header.length);
        memcpy(input + header.length, random.modifier, SEAL_MODIFIER_BYTES);
        assert_int_equal(
            kdf_derive(
                vector_bytes(&key), vector_bytes(&aad),
                (struct bytes){input, header.length + SEAL_MODIFIER_BYTES},
                subkeys.at, subkeys.length),
            ERR_OK);
        assert_memory_equal(subkeys.at, k_e.at, k_e.length);
        if (k_h.length > 0)
            assert_memory_equal(subkeys.at + k_e.length, k_h.at, k_h.length);
    }
}

static void
every_bare_payload_is_made_and_opened_byte_for_byte(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(vectors, "encryptor"), i, item)
    {
        AUTO(seal_clear) struct seal seal = {0};
        AUTO(vector_free) struct vector key = vectors_hex(item, "kdk");
        AUTO(vector_free) struct vector aad = vectors_hex(item, "aad");
        AUTO(vector_free) struct vector text = vectors_hex(item, "plaintext");
        AUTO(vector_free) struct vector payload = vectors_hex(item, "payload");
        AUTO(vector_free) struct vector made = vector_new(payload.length);
        AUTO(vector_free) struct vector opened = vector_new(payload.length);
        const struct seal_random random = random_of(item);
        size_t length = 0;

        assert_int_equal(payload.length,
                         vectors_number(item, "payload_length"));
        assert_int_equal(seal_encrypted_length(algorithm_of(item), text.length),
                         payload.length);
        open_with(&seal, algorithm_of(item), vector_bytes(&key));
        assert_int_equal(seal_encrypt(&seal, vector_bytes(&aad), &random,
                                      vector_bytes(&text), made.at),
                         ERR_OK);
        assert_memory_equal(made.at, payload.at, payload.length);
        assert_int_equal(seal_decrypt(&seal, vector_bytes(&aad),
                                      vector_bytes(&payload), opened.at,
                                      &length),
                         ERR_OK);
        assert_int_equal(length, text.length);
        if (length > 0)
            assert_memory_equal(opened.at, text.at, text.length);
    }
    assert_int_equal(i, 23);
}

static void
purposes_make_the_aad_as_written_or_do_not_fit(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(vectors, "aad_templates"), i, item)
    {
        AUTO(vector_free) struct vector aad = vectors_hex(item, "aad");
        AUTO(vector_free) struct vector made = vector_new(aad.length);
        const struct key_id id = key_id_of(item);
        const char *purposes[PURPOSES_MAX];
        size_t count = purposes_of(vectors_list(item, "purposes"), purposes);
        size_t length = 0;

        assert_int_equal(
            seal_aad(&id, purposes, count, made.at, made.length, &length),
            ERR_OK);
        assert_int_equal(length, aad.length);
        assert_memory_equal(made.at, aad.at, aad.length);
        length = 4711;
        for (size_t room = 0; room < aad.length && room < 300; room++) {
            AUTO(vector_free) struct vector small = vector_new(room);

            assert_int_equal(
                seal_aad(&id, purposes, count, small.at, room, &length),
                ERR_SPACE);
        }
        assert_int_equal(length, 4711);
    }
    assert_int_equal(i, 6);
}

static void
every_protected_payload_is_made_and_opened_byte_for_byte(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(vectors, "protector"), i, item)
    {
        AUTO(vector_free) struct vector key = vectors_hex(item, "kdk");
        AUTO(vector_free) struct vector aad = vectors_hex(item, "aad");
        AUTO(vector_free) struct vector text = vectors_hex(item, "plaintext");
        AUTO(vector_free) struct vector payload = vectors_hex(item, "payload");
        AUTO(vector_free) struct vector made = vector_new(payload.length);
        AUTO(vector_free) struct vector opened = vector_new(payload.length);
        const struct seal_random random = random_of(item);
        const enum seal_algorithm algorithm = algorithm_of(item);
        const struct key_id id = key_id_of(item);
        const char *purposes[PURPOSES_MAX];
        size_t count = purposes_of(vectors_list(item, "purposes"), purposes);
        uint8_t made_aad[SEAL_AAD_MAX];
        struct key_id named = {0};
        size_t length = 0;

        assert_int_equal(
            seal_aad(&id, purposes, count, made_aad, sizeof(made_aad), &length),
            ERR_OK);
        assert_int_equal(length, aad.length);
        assert_memory_equal(made_aad, aad.at, aad.length);
        assert_int_equal(seal_protected_length(algorithm, text.length),
                         payload.length);
        assert_int_equal(seal_protect(algorithm, &id, vector_bytes(&key),
                                      purposes, count, &random,
                                      vector_bytes(&text), made.at),
                         ERR_OK);
        assert_memory_equal(made.at, payload.at, payload.length);
        assert_int_equal(seal_key_id(vector_bytes(&payload), &named), ERR_OK);
        assert_memory_equal(&named, &id, sizeof(id));
        assert_int_equal(seal_unprotect(algorithm, &id, vector_bytes(&key),
                                        purposes, count, vector_bytes(&payload),
                                        opened.at, &length),
                         ERR_OK);
        assert_int_equal(length, text.length);
        if (length > 0)
            assert_memory_equal(opened.at, text.at, text.length);
    }
    assert_int_equal(i, 5);
}

static void
the_documented_sample_is_read_as_far_as_without_its_key(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    const json_t *sample = vectors_get(vectors, "layout_sample");
    AUTO(vector_free) struct vector payload = vectors_hex(sample, "payload");
    const struct key_id id = key_id_of(sample);
    static const uint8_t wrong[64];
    AUTO(vector_free) struct vector room = vector_new(payload.length);
    struct key_id named;
    size_t length = 0;

    (void)context;
    assert_int_equal(seal_key_id(vector_bytes(&payload), &named), ERR_OK);
    assert_memory_equal(&named, &id, sizeof(id));
    /* 48 bytes of ciphertext: 32 to 47 of plaintext. */
    assert_int_equal(seal_protected_length(algorithm_of(sample), 32),
                     payload.length);
    assert_int_equal(seal_unprotect(algorithm_of(sample), &id,
                                    (struct bytes){wrong, sizeof(wrong)}, NULL,
                                    0, vector_bytes(&payload), room.at,
                                    &length),
                     ERR_SEALED);
}

static void
time_limited_headers_pass_through_unharmed(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    const json_t *table = vectors_get(vectors, "time_limited");
    const char *purposes[] = {vectors_text(table, "appended_purpose")};
    static const uint8_t key[64] = {1};
    const struct bytes master = {key, sizeof(key)};
    const struct key_id id = {{2}};
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(table, "headers"), i, item)
    {
        AUTO(vector_free) struct vector ticks = vectors_hex(item, "ticks_be");
        AUTO(vector_free)
        struct vector text = vectors_hex(item, "plaintext_with_header");
        AUTO(vector_free) struct vector rest = vectors_hex(item, "payload");
        size_t sealed = seal_protected_length(SEAL_DEFAULT, text.length);
        AUTO(vector_free) struct vector payload = vector_new(sealed);
        AUTO(vector_free) struct vector opened = vector_new(sealed);
        const json_t *seconds = vectors_get(item, "unix_seconds");
        struct seal_random random;
        struct reader reader;
        size_t length = 0;

        assert_int_equal(random_bytes(&random, sizeof(random)), ERR_OK);
        assert_int_equal(seal_protect(SEAL_DEFAULT, &id, master, purposes, 1,
                                      &random, vector_bytes(&text), payload.at),
                         ERR_OK);
        assert_int_equal(seal_unprotect(SEAL_DEFAULT, &id, master, purposes, 1,
                                        vector_bytes(&payload), opened.at,
                                        &length),
                         ERR_OK);
        assert_int_equal(length, ticks.length + rest.length);
        assert_memory_equal(opened.at, ticks.at, ticks.length);
        if (rest.length > 0)
            assert_memory_equal(opened.at + ticks.length, rest.at, rest.length);
        reader = (struct reader){opened.at, length, false};
        if (json_is_integer(seconds))
            assert_true(reader_u64(&reader) ==
                        (uint64_t)json_integer_value(seconds) *
                                vectors_number(table, "ticks_per_second") +
                            vectors_number(table, "ticks_at_unix_epoch"));
        else
            assert_true(reader_u64(&reader) == 0x2bca2875f4373fff);
    }
    assert_int_equal(i, 6);
}

static void
every_forgery_of_a_bare_payload_is_refused_in_one_way(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    const json_t *table = vectors_get(vectors, "reject_encryptor");
    json_t *item;
    size_t i;

    (void)context;
    json_array_foreach(vectors_list(table, "cases"), i, item)
    {
        AUTO(seal_clear) struct seal seal = {0};
        AUTO(vector_free) struct vector key = vectors_hex(item, "kdk");
        AUTO(vector_free) struct vector aad = vectors_hex(item, "aad");
        AUTO(vector_free) struct vector payload = vectors_hex(item, "payload");

        open_with(&seal, algorithm_of(item), vector_bytes(&key));
        assert_refused(&seal, vector_bytes(&aad), payload.at, payload.length);
    }
    assert_int_equal(i, 45);
    assert_int_equal(ERR_peek_error(), 0);
}

static enum err
expected_error(const json_t *item)
{
    static const struct {
        const char *name;
        enum err error;
    } errors[] = {
        {"bad_magic", ERR_MAGIC},
        {"bad_version", ERR_VERSION},
        {"key_not_found", ERR_KEY_UNKNOWN},
        {"decrypt", ERR_SEALED},
    };
    const char *name = vectors_text(item, "error");

    for (size_t i = 0; i < ARRAY_LENGTH(errors); i++) {
        if (strcmp(name, errors[i].name) == 0)
            return errors[i].error;
    }
    fail_msg("unknown error %s", name);
    return ERR_OK;
}

/* Takes the key of the ring that the payload names, as a key ring would. */
static enum err
unprotect_by_ring(const json_t *ring, const struct vector *payload,
                  const char *const *purposes, size_t count, uint8_t *ret,
                  size_t *ret_length)
{
    struct key_id named = {0};
    struct key_id first = key_id_of(json_array_get(ring, 0));
    bool unreadable = seal_key_id(vector_bytes(payload), &named) != ERR_OK;
    json_t *item;
    size_t i;

    json_array_foreach(ring, i, item)
    {
        AUTO(vector_free) struct vector key = vectors_hex(item, "kdk");
        const struct key_id id = key_id_of(item);

        if (unreadable || memcmp(&id, &named, sizeof(id)) == 0)
            return seal_unprotect(algorithm_of(item), &id, vector_bytes(&key),
                                  purposes, count, vector_bytes(payload), ret,
                                  ret_length);
    }
    item = json_array_get(ring, 0);
    AUTO(vector_free) struct vector other = vectors_hex(item, "kdk");
    return seal_unprotect(algorithm_of(item), &first, vector_bytes(&other),
                          purposes, count, vector_bytes(payload), ret,
                          ret_length);
}

static void
every_forgery_of_a_protected_payload_is_refused_with_its_error(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    const json_t *table = vectors_get(vectors, "reject_protector");
    const json_t *ring = vectors_list(table, "ring");
    AUTO(vector_free) struct vector good = vectors_hex(table, "good_payload");
    AUTO(vector_free) struct vector text = vectors_hex(table, "good_plaintext");
    AUTO(vector_free) struct vector opened = vector_new(good.length);
    const char *purposes[PURPOSES_MAX];
    size_t count = purposes_of(vectors_list(table, "good_purposes"), purposes);
    size_t length = 0;
    json_t *item;
    size_t i;

    (void)context;
    assert_int_equal(
        unprotect_by_ring(ring, &good, purposes, count, opened.at, &length),
        ERR_OK);
    assert_int_equal(length, text.length);
    assert_memory_equal(opened.at, text.at, text.length);
    json_array_foreach(vectors_list(table, "cases"), i, item)
    {
        AUTO(vector_free) struct vector payload = vectors_hex(item, "payload");
        AUTO(vector_free) struct vector room = vector_new(payload.length);

        count = purposes_of(vectors_list(item, "purposes"), purposes);
        memset(room.at, 0xee, room.length);
        length = 4711;
        assert_int_equal(unprotect_by_ring(ring, &payload, purposes, count,
                                           room.at, &length),
                         expected_error(item));
        assert_int_equal(length, 0);
        for (size_t j = 0; j < room.length; j++)
            assert_int_equal(room.at[j], 0);
    }
    assert_int_equal(i, 14);
}

static void
every_flipped_bit_and_every_cut_is_refused(void **context)
{
    static const uint8_t key[64] = {7};
    static const uint8_t text[] = "12345678901234567890";
    static const uint8_t aad_bytes[] = "where it belongs";
    const struct bytes aad = {aad_bytes, sizeof(aad_bytes)};

    (void)context;
    for (unsigned a = 0; a < ALGORITHMS; a++) {
        AUTO(seal_clear) struct seal seal = {0};
        size_t length = seal_encrypted_length((enum seal_algorithm)a, 20);
        AUTO(vector_free) struct vector payload = vector_new(length + 16);
        AUTO(vector_free) struct vector opened = vector_new(length);
        struct seal_random random;
        size_t opened_length = 0;

        assert_int_equal(random_bytes(&random, sizeof(random)), ERR_OK);
        open_with(&seal, (enum seal_algorithm)a,
                  (struct bytes){key, sizeof(key)});
        assert_int_equal(seal_encrypt(&seal, aad, &random,
                                      (struct bytes){text, 20}, payload.at),
                         ERR_OK);
        for (size_t bit = 0; bit < length * 8; bit++) {
            payload.at[bit / 8] ^= (uint8_t)(1U << bit % 8);
            assert_refused(&seal, aad, payload.at, length);
            payload.at[bit / 8] ^= (uint8_t)(1U << bit % 8);
        }
        for (size_t cut = 0; cut <= length + 16; cut++) {
            if (cut != length)
                assert_refused(&seal, aad, payload.at, cut);
        }
        for (size_t cut = 1; cut <= length; cut++)
            assert_refused(&seal, aad, payload.at + cut, length - cut);
        assert_int_equal(seal_decrypt(&seal, aad,
                                      (struct bytes){payload.at, length},
                                      opened.at, &opened_length),
                         ERR_OK);
        assert_int_equal(opened_length, 20);
    }
}

static void
what_is_protected_comes_back_at_every_length(void **context)
{
    enum {
        LONGEST = 1100
    };
    static const uint8_t key[64] = {9};
    static const char *const purposes[] = {"pawl", "state.v1", "alice"};
    const struct key_id id = {{3}};
    AUTO(vector_free) struct vector text = vector_new(LONGEST);

    (void)context;
    assert_int_equal(random_bytes(text.at, text.length), ERR_OK);
    for (unsigned a = 0; a < ALGORITHMS; a++) {
        const enum seal_algorithm algorithm = (enum seal_algorithm)a;
        AUTO(seal_clear) struct seal seal = {0};

        open_with(&seal, algorithm, (struct bytes){key, sizeof(key)});
        for (size_t length = 0; length <= LONGEST; length++) {
            size_t sealed = seal_protected_length(algorithm, length);
            AUTO(vector_free) struct vector payload = vector_new(sealed);
            AUTO(vector_free) struct vector opened = vector_new(sealed);
            struct seal_random random;
            size_t opened_length = 4711;

            assert_in_range(sealed, length + 64, length + SEAL_OVERHEAD_MAX);
            assert_int_equal(random_bytes(&random, sizeof(random)), ERR_OK);
            assert_int_equal(seal_protect_with(&seal, &id, purposes, 3, &random,
                                               (struct bytes){text.at, length},
                                               payload.at),
                             ERR_OK);
            assert_int_equal(seal_unprotect_with(&seal, &id, purposes, 3,
                                                 vector_bytes(&payload),
                                                 opened.at, &opened_length),
                             ERR_OK);
            assert_int_equal(opened_length, length);
            assert_true(memcmp(opened.at, text.at, length) == 0);
        }
    }
}

static void
a_payload_after_a_refused_one_still_opens(void **context)
{
    static const uint8_t key[64] = {9};
    static const uint8_t text[33] = {1};

    (void)context;
    for (unsigned a = 0; a < ALGORITHMS; a++) {
        AUTO(seal_clear) struct seal seal = {0};
        const struct bytes aad = {key, 5};
        const struct seal_random random = {{1}, {2}};
        uint8_t payload[SEAL_OVERHEAD_MAX + sizeof(text)];
        uint8_t opened[sizeof(payload)];
        size_t sealed =
            seal_encrypted_length((enum seal_algorithm)a, sizeof(text));
        size_t length = 0;

        open_with(&seal, (enum seal_algorithm)a,
                  (struct bytes){key, sizeof(key)});
        for (unsigned round = 0; round < 3; round++) {
            assert_int_equal(seal_encrypt(&seal, aad, &random,
                                          (struct bytes){text, sizeof(text)},
                                          payload),
                             ERR_OK);
            payload[sealed - 1] ^= 1;
            assert_refused(&seal, aad, payload, sealed);
            payload[sealed - 1] ^= 1;
            assert_int_equal(seal_decrypt(&seal, aad,
                                          (struct bytes){payload, sealed},
                                          opened, &length),
                             ERR_OK);
            assert_int_equal(length, sizeof(text));
            assert_memory_equal(opened, text, sizeof(text));
        }
    }
}

static void
the_hosts_error_queue_is_left_as_it_was(void **context)
{
    AUTO(vectors_close) json_t *vectors = vectors_open("dataprotection.json");
    const json_t *table = vectors_get(vectors, "reject_encryptor");
    json_t *item;
    size_t i;

    (void)context;
    ERR_clear_error();
    ERR_raise(ERR_LIB_USER, 42);
    json_array_foreach(vectors_list(table, "cases"), i, item)
    {
        AUTO(seal_clear) struct seal seal = {0};
        AUTO(vector_free) struct vector key = vectors_hex(item, "kdk");
        AUTO(vector_free) struct vector aad = vectors_hex(item, "aad");
        AUTO(vector_free) struct vector payload = vectors_hex(item, "payload");

        open_with(&seal, algorithm_of(item), vector_bytes(&key));
        assert_refused(&seal, vector_bytes(&aad), payload.at, payload.length);
    }
    assert_int_equal(ERR_GET_REASON(ERR_get_error()), 42);
    assert_int_equal(ERR_get_error(), 0);
}

static void
what_is_out_of_range_is_refused_and_wiped(void **context)
{
    static const uint8_t key[64] = {9};
    static char longest[SEAL_AAD_MAX];
    const char *purposes[] = {longest};
    const struct bytes master = {key, sizeof(key)};
    const struct seal_random random = {{1}, {2}};
    const struct key_id id = {{3}};
    const enum seal_algorithm unknown = (enum seal_algorithm)ALGORITHMS;
    uint8_t payload[SEAL_OVERHEAD_MAX];
    size_t sealed = seal_protected_length(SEAL_DEFAULT, 0);
    struct seal seal = {0};
    size_t length = 4711;

    (void)context;
    memset(longest, 'x', sizeof(longest) - 1);
    memset(payload, 0xee, sizeof(payload));
    assert_int_equal(seal_protect(SEAL_DEFAULT, &id, master, purposes, 1,
                                  &random, (struct bytes){key, 0}, payload),
                     ERR_SPACE);
    for (size_t i = 0; i < sizeof(payload); i++)
        assert_int_equal(payload[i], i < sealed ? 0 : 0xee);
    assert_int_equal(
        seal_protect(SEAL_DEFAULT, &id, master, purposes, 0, &random,
                     (struct bytes){key, SEAL_PLAINTEXT_MAX + 1}, payload),
        ERR_RANGE);
    assert_int_equal(seal_protect(unknown, &id, master, purposes, 0, &random,
                                  (struct bytes){key, 0}, payload),
                     ERR_UNSUPPORTED);
    assert_int_equal(seal_unprotect(unknown, &id, master, purposes, 0,
                                    (struct bytes){key, 64}, payload, &length),
                     ERR_UNSUPPORTED);
    assert_int_equal(length, 0);
    assert_int_equal(seal_encrypted_length(unknown, 0), 0);
    assert_int_equal(seal_protected_length(unknown, 0), 0);
    assert_int_equal(
        seal_protected_length(SEAL_DEFAULT, SEAL_PLAINTEXT_MAX + 1), 0);
    assert_int_equal(seal_encrypted_length(SEAL_DEFAULT, SIZE_MAX), 0);
    assert_int_equal(seal_context_header(unknown).length, 0);
    assert_null(seal_algorithm_name(unknown));
    assert_int_equal(
        seal_encrypt(&seal, master, &random, (struct bytes){key, 0}, payload),
        ERR_CRYPTO);
    seal_clear(&seal);
}

static void
the_longest_plaintext_comes_back_and_longer_payloads_do_not_open(void **context)
{
    static const uint8_t key[64] = {9};
    const struct bytes aad = {key, 1};
    const struct seal_random random = {{1}, {2}};
    AUTO(vector_free) struct vector text = vector_new(SEAL_PLAINTEXT_MAX);

    (void)context;
    for (unsigned a = 0; a < ALGORITHMS; a++) {
        AUTO(seal_clear) struct seal seal = {0};
        size_t sealed =
            seal_encrypted_length((enum seal_algorithm)a, text.length);
        AUTO(vector_free) struct vector payload = vector_new(sealed + 1024);
        AUTO(vector_free) struct vector opened = vector_new(payload.length);
        size_t length = 0;

        open_with(&seal, (enum seal_algorithm)a,
                  (struct bytes){key, sizeof(key)});
        assert_int_equal(
            seal_encrypt(&seal, aad, &random, vector_bytes(&text), payload.at),
            ERR_OK);
        assert_int_equal(seal_decrypt(&seal, aad,
                                      (struct bytes){payload.at, sealed},
                                      opened.at, &length),
                         ERR_OK);
        assert_int_equal(length, text.length);
        assert_int_equal(seal_decrypt(&seal, aad, vector_bytes(&payload),
                                      opened.at, &length),
                         ERR_SEALED);
    }
}

static void
each_pair_has_one_name(void **context)
{
    (void)context;
    for (unsigned a = 0; a < ALGORITHMS; a++) {
        const char *name = seal_algorithm_name((enum seal_algorithm)a);
        enum seal_algorithm back = (enum seal_algorithm)77;

        assert_non_null(name);
        assert_int_equal(seal_algorithm_parse(name, &back), ERR_OK);
        assert_int_equal(back, a);
    }
    assert_string_equal(seal_algorithm_name(SEAL_DEFAULT),
                        "AES_256_CBC+HMACSHA256");
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_context_headers_are_what_they_are_computed_to_be),
        cmocka_unit_test(the_subkeys_of_each_payload_are_derived_as_written),
        cmocka_unit_test(every_bare_payload_is_made_and_opened_byte_for_byte),
        cmocka_unit_test(purposes_make_the_aad_as_written_or_do_not_fit),
        cmocka_unit_test(
            every_protected_payload_is_made_and_opened_byte_for_byte),
        cmocka_unit_test(
            the_documented_sample_is_read_as_far_as_without_its_key),
        cmocka_unit_test(time_limited_headers_pass_through_unharmed),
        cmocka_unit_test(every_forgery_of_a_bare_payload_is_refused_in_one_way),
        cmocka_unit_test(
            every_forgery_of_a_protected_payload_is_refused_with_its_error),
        cmocka_unit_test(every_flipped_bit_and_every_cut_is_refused),
        cmocka_unit_test(what_is_protected_comes_back_at_every_length),
        cmocka_unit_test(a_payload_after_a_refused_one_still_opens),
        cmocka_unit_test(the_hosts_error_queue_is_left_as_it_was),
        cmocka_unit_test(what_is_out_of_range_is_refused_and_wiped),
        cmocka_unit_test(
            the_longest_plaintext_comes_back_and_longer_payloads_do_not_open),
        cmocka_unit_test(each_pair_has_one_name),
    };

    return cmocka_run_group_tests_name("seal", tests, NULL, NULL);
}
