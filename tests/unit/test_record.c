/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden records: tests/vectors/record-v1.json, made by make_record.py. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "lib/attrs.h"
#include "lib/bytes.h"
#include "lib/credential.h"
#include "lib/seal.h"
#include "tests/support/golden.h"
#include "tests/support/vectors.h"

static json_t *record;

static int
load(void **context)
{
    (void)context;
    record = vectors_open("record-v1.json");
    return 0;
}

static int
unload(void **context)
{
    (void)context;
    json_decref(record);
    return 0;
}

static enum enrolment_status
status_of(const char *text)
{
    static const char *const names[] = {
        [ENROLMENT_ACTIVE] = "active",
        [ENROLMENT_DISABLED] = "disabled",
        [ENROLMENT_PENDING] = "pending",
        [ENROLMENT_REVOKED] = "revoked",
    };

    for (size_t i = ENROLMENT_ACTIVE; i < ARRAY_LENGTH(names); i++) {
        if (strcmp(names[i], text) == 0)
            return (enum enrolment_status)i;
    }
    fail_msg("unknown status %s", text);
    return 0;
}

static void
read_authenticator(const json_t *json, struct authenticator *ret)
{
    const char *name = vectors_text(json, "name");

    assert_true(strlen(name) < sizeof(ret->name));
    strcpy(ret->name, name);
    ret->token.type = strcmp(vectors_text(json, "type"), "totp") == 0
                          ? TOKEN_TOTP
                          : TOKEN_HOTP;
    assert_int_equal(hotp_algorithm_parse(vectors_text(json, "algorithm"),
                                          &ret->token.algorithm),
                     ERR_OK);
    ret->token.digits = (unsigned)golden_signed(json, "digits");
    ret->token.period = (unsigned)golden_signed(json, "period");
    ret->created = golden_signed(json, "created");
    ret->disabled = vectors_flag(json, "disabled");
    ret->token.secret.length =
        golden_some_bytes(json, "secret", ret->token.secret.bytes, SECRET_MAX);
}

static void
read_enrolment(const json_t *json, struct enrolment *ret)
{
    const json_t *authenticators = vectors_get(json, "authenticators");
    const json_t *recovery = vectors_get(json, "recovery");

    memset(ret, 0, sizeof(*ret));
    golden_bytes(json, "id", ret->id, sizeof(ret->id));
    ret->status = status_of(vectors_text(json, "status"));
    ret->created = golden_signed(json, "created");
    ret->deadline = golden_signed(json, "deadline");
    ret->recovery_imported = vectors_flag(json, "recovery_imported");
    golden_bytes(json, "recovery_key", ret->recovery_key,
                 sizeof(ret->recovery_key));
    ret->recovery_count = (unsigned)json_array_size(recovery);
    assert_true(ret->recovery_count <= CREDENTIAL_RECOVERY);
    for (unsigned i = 0; i < ret->recovery_count; i++)
        golden_bytes(json_array_get(recovery, i), "hash", ret->recovery[i],
                     CREDENTIAL_HASH_BYTES);
    ret->authenticator_count = (unsigned)json_array_size(authenticators);
    assert_true(ret->authenticator_count <= CREDENTIAL_AUTHENTICATORS);
    for (unsigned i = 0; i < ret->authenticator_count; i++)
        read_authenticator(json_array_get(authenticators, i),
                           &ret->authenticators[i]);
}

static void
read_bucket(const json_t *json, struct failures *ret)
{
    ret->consecutive = (uint32_t)golden_signed(json, "consecutive");
    ret->share = (uint32_t)golden_signed(json, "share");
    ret->share_since = golden_signed(json, "share_since");
    ret->delay_until = golden_wide(json, "delay_until");
    golden_bytes(json, "boot_id", ret->boot_id, sizeof(ret->boot_id));
    ret->last = golden_signed(json, "last");
}

static void
read_state(const json_t *json, struct state *ret)
{
    const json_t *usage = vectors_get(json, "usage");
    const json_t *buckets = vectors_get(json, "buckets");
    const json_t *sources = vectors_get(json, "sources");

    memset(ret, 0, sizeof(*ret));
    ret->sequence = golden_wide(json, "sequence");
    golden_bytes(json, "enrolment_id", ret->enrolment_id,
                 sizeof(ret->enrolment_id));
    ret->written = golden_signed(json, "written");
    for (size_t i = 0; i < CREDENTIAL_AUTHENTICATORS; i++) {
        const json_t *one = json_array_get(usage, i);

        ret->usage[i].floor = golden_wide(one, "floor");
        ret->usage[i].last_use = golden_signed(one, "last_use");
        ret->usage[i].drift = (int32_t)golden_signed(one, "drift");
    }
    ret->recovery_used = (uint32_t)golden_signed(json, "recovery_used");
    ret->failed_since = (uint32_t)golden_signed(json, "failed_since");
    ret->first_failed = golden_signed(json, "first_failed");
    ret->last_success = golden_signed(json, "last_success");
    for (size_t i = 0; i < CREDENTIAL_BUCKETS; i++)
        read_bucket(json_array_get(buckets, i), &ret->buckets[i]);
    for (size_t i = 0; i < CREDENTIAL_SOURCES; i++) {
        const json_t *one = json_array_get(sources, i);

        golden_bytes(one, "tag", ret->sources[i].tag,
                     sizeof(ret->sources[i].tag));
        ret->sources[i].last_use = golden_signed(one, "last_use");
    }
}

static void
golden_enrolments_encode_to_the_bytes(void **context)
{
    json_t *all = vectors_get(record, "enrolments");
    json_t *one;
    size_t i;

    (void)context;
    assert_true(json_array_size(all) >= 5);
    json_array_foreach(all, i, one)
    {
        uint8_t expected[ENROLMENT_BYTES];
        uint8_t bytes[ENROLMENT_BYTES];
        struct enrolment value;

        golden_bytes(one, "bytes", expected, sizeof(expected));
        read_enrolment(vectors_get(one, "value"), &value);
        assert_int_equal(enrolment_encode(&value, bytes), ERR_OK);
        assert_memory_equal(bytes, expected, sizeof(bytes));
    }
}

static void
same_authenticator(const struct authenticator *a, const struct authenticator *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->created, b->created);
    assert_int_equal(a->disabled, b->disabled);
    assert_int_equal(a->token.type, b->token.type);
    assert_int_equal(a->token.algorithm, b->token.algorithm);
    assert_int_equal(a->token.digits, b->token.digits);
    assert_int_equal(a->token.period, b->token.period);
    assert_int_equal(a->token.secret.length, b->token.secret.length);
    assert_memory_equal(a->token.secret.bytes, b->token.secret.bytes,
                        SECRET_MAX);
}

static void
same_enrolment(const struct enrolment *a, const struct enrolment *b)
{
    assert_memory_equal(a->id, b->id, sizeof(a->id));
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->created, b->created);
    assert_int_equal(a->deadline, b->deadline);
    assert_int_equal(a->authenticator_count, b->authenticator_count);
    for (unsigned i = 0; i < CREDENTIAL_AUTHENTICATORS; i++)
        same_authenticator(&a->authenticators[i], &b->authenticators[i]);
    assert_int_equal(a->recovery_imported, b->recovery_imported);
    assert_int_equal(a->recovery_count, b->recovery_count);
    assert_memory_equal(a->recovery_key, b->recovery_key,
                        sizeof(a->recovery_key));
    assert_memory_equal(a->recovery, b->recovery, sizeof(a->recovery));
}

static void
golden_enrolments_decode_to_the_values(void **context)
{
    json_t *all = vectors_get(record, "enrolments");
    json_t *one;
    size_t i;

    (void)context;
    json_array_foreach(all, i, one)
    {
        uint8_t bytes[ENROLMENT_BYTES];
        struct enrolment expected;
        struct enrolment value;

        golden_bytes(one, "bytes", bytes, sizeof(bytes));
        read_enrolment(vectors_get(one, "value"), &expected);
        memset(&value, 0xee, sizeof(value));
        assert_int_equal(enrolment_decode(bytes, &value), ERR_OK);
        same_enrolment(&value, &expected);
    }
}

static void
golden_states_encode_to_the_bytes(void **context)
{
    json_t *all = vectors_get(record, "states");
    json_t *one;
    size_t i;

    (void)context;
    assert_true(json_array_size(all) >= 4);
    json_array_foreach(all, i, one)
    {
        uint8_t expected[STATE_BYTES];
        uint8_t bytes[STATE_BYTES];
        struct state value;

        golden_bytes(one, "bytes", expected, sizeof(expected));
        read_state(vectors_get(one, "value"), &value);
        assert_int_equal(state_encode(&value, bytes), ERR_OK);
        assert_memory_equal(bytes, expected, sizeof(bytes));
    }
}

static void
golden_states_decode_to_the_values(void **context)
{
    json_t *all = vectors_get(record, "states");
    json_t *one;
    size_t i;

    (void)context;
    json_array_foreach(all, i, one)
    {
        uint8_t bytes[STATE_BYTES];
        struct state expected;
        struct state value;

        golden_bytes(one, "bytes", bytes, sizeof(bytes));
        read_state(vectors_get(one, "value"), &expected);
        memset(&value, 0, sizeof(value));
        assert_int_equal(state_decode(bytes, &value), ERR_OK);
        /* Both were zeroed, so that the padding agrees as well. */
        assert_memory_equal(&value, &expected, sizeof(value));
    }
}

/* The key of the golden records, and what its parts need besides. */
struct seal_case {
    struct key_id id;
    struct key key;
    enum seal_algorithm algorithm;
    const char *purposes[3];
    struct seal_random random;
    uint8_t payload[4096];
    size_t payload_length;
};

static void
read_seal_case(const json_t *part, struct seal_case *ret)
{
    const json_t *seal = vectors_get(record, "seal");
    const json_t *purposes = vectors_get(part, "purposes");

    memset(ret, 0, sizeof(*ret));
    assert_int_equal(key_id_parse(vectors_text(seal, "key_id"), &ret->id),
                     ERR_OK);
    golden_bytes(seal, "key", ret->key.bytes, sizeof(ret->key.bytes));
    assert_int_equal(
        seal_algorithm_parse(vectors_text(seal, "algorithm"), &ret->algorithm),
        ERR_OK);
    assert_int_equal(json_array_size(purposes), ARRAY_LENGTH(ret->purposes));
    for (size_t i = 0; i < ARRAY_LENGTH(ret->purposes); i++)
        ret->purposes[i] = json_string_value(json_array_get(purposes, i));
    golden_bytes(part, "key_modifier", ret->random.modifier,
                 sizeof(ret->random.modifier));
    golden_bytes(part, "iv", ret->random.iv, sizeof(ret->random.iv));
    ret->payload_length =
        golden_some_bytes(part, "payload", ret->payload, sizeof(ret->payload));
}

/* The plaintext of a part, by its kind and name. */
static size_t
plaintext_of(const json_t *part, uint8_t ret[ENROLMENT_BYTES])
{
    const char *name = vectors_text(part, "name");

    if (strcmp(vectors_text(part, "kind"), "enrolment") == 0)
        return golden_some_bytes(
            golden_named(vectors_get(record, "enrolments"), name), "bytes", ret,
            ENROLMENT_BYTES);
    return golden_some_bytes(golden_named(vectors_get(record, "states"), name),
                             "bytes", ret, ENROLMENT_BYTES);
}

static void
golden_parts_are_sealed_to_the_bytes(void **context)
{
    json_t *parts = vectors_get(vectors_get(record, "seal"), "parts");
    json_t *part;
    size_t i;

    (void)context;
    assert_int_equal(json_array_size(parts), 3);
    json_array_foreach(parts, i, part)
    {
        uint8_t plain[ENROLMENT_BYTES];
        uint8_t sealed[4096];
        struct seal_case c;
        struct bytes key = {c.key.bytes, sizeof(c.key.bytes)};
        struct bytes plaintext = {plain, plaintext_of(part, plain)};

        read_seal_case(part, &c);
        assert_int_equal(seal_protected_length(c.algorithm, plaintext.length),
                         c.payload_length);
        assert_int_equal(seal_protect(c.algorithm, &c.id, key, c.purposes,
                                      ARRAY_LENGTH(c.purposes), &c.random,
                                      plaintext, sealed),
                         ERR_OK);
        assert_memory_equal(sealed, c.payload, c.payload_length);
    }
}

static void
golden_parts_open_where_they_belong_and_nowhere_else(void **context)
{
    json_t *parts = vectors_get(vectors_get(record, "seal"), "parts");
    json_t *part;
    size_t i;

    (void)context;
    json_array_foreach(parts, i, part)
    {
        uint8_t plain[ENROLMENT_BYTES];
        uint8_t opened[4096];
        size_t expected = plaintext_of(part, plain);
        size_t length = 0;
        struct seal_case c;
        struct bytes key = {c.key.bytes, sizeof(c.key.bytes)};
        struct bytes payload;

        read_seal_case(part, &c);
        payload = (struct bytes){c.payload, c.payload_length};
        assert_int_equal(seal_unprotect(c.algorithm, &c.id, key, c.purposes,
                                        ARRAY_LENGTH(c.purposes), payload,
                                        opened, &length),
                         ERR_OK);
        assert_int_equal(length, expected);
        assert_memory_equal(opened, plain, length);
        c.purposes[2] = "mallory";
        assert_int_equal(seal_unprotect(c.algorithm, &c.id, key, c.purposes,
                                        ARRAY_LENGTH(c.purposes), payload,
                                        opened, &length),
                         ERR_SEALED);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_enrolments_encode_to_the_bytes),
        cmocka_unit_test(golden_enrolments_decode_to_the_values),
        cmocka_unit_test(golden_states_encode_to_the_bytes),
        cmocka_unit_test(golden_states_decode_to_the_values),
        cmocka_unit_test(golden_parts_are_sealed_to_the_bytes),
        cmocka_unit_test(golden_parts_open_where_they_belong_and_nowhere_else),
    };

    return cmocka_run_group_tests_name("record", tests, load, unload);
}
