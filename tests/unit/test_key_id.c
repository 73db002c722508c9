/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/key_id.h"

static const char text[] = "ba73c9ce-d322-4e45-af90-341307e11c38";

static void
a_key_id_reads_and_writes_the_same(void **context)
{
    struct key_id id;
    char written[KEY_ID_TEXT_BYTES];

    (void)context;
    assert_int_equal(key_id_parse(text, &id), ERR_OK);
    assert_int_equal(id.bytes[0], 0xba);
    assert_int_equal(id.bytes[15], 0x38);
    key_id_format(&id, written);
    assert_string_equal(written, text);
    assert_int_equal(key_id_parse("BA73C9CE-D322-4E45-AF90-341307E11C38", &id),
                     ERR_OK);
    key_id_format(&id, written);
    assert_string_equal(written, text);
}

static void
a_payload_carries_the_first_three_fields_little_endian(void **context)
{
    static const uint8_t expected[KEY_ID_BYTES] = {
        0xce, 0xc9, 0x73, 0xba, 0x22, 0xd3, 0x45, 0x4e,
        0xaf, 0x90, 0x34, 0x13, 0x07, 0xe1, 0x1c, 0x38};
    struct key_id id;
    struct key_id back;
    uint8_t encoded[KEY_ID_BYTES];

    (void)context;
    assert_int_equal(key_id_parse(text, &id), ERR_OK);
    key_id_encode(&id, encoded);
    assert_memory_equal(encoded, expected, sizeof(expected));
    key_id_decode(encoded, &back);
    assert_memory_equal(back.bytes, id.bytes, sizeof(id.bytes));
}

static void
refuse(const char *wrong)
{
    struct key_id id;
    struct key_id before;

    memset(&id, 0xee, sizeof(id));
    before = id;
    assert_int_equal(key_id_parse(wrong, &id), ERR_INVALID);
    assert_memory_equal(&id, &before, sizeof(id));
}

static void
anything_else_is_refused(void **context)
{
    char wrong[KEY_ID_TEXT_BYTES + 1];

    (void)context;
    for (size_t cut = 0; cut < sizeof(text) - 1; cut++) {
        memcpy(wrong, text, cut);
        wrong[cut] = '\0';
        refuse(wrong);
    }
    for (size_t i = 0; i < sizeof(text) - 1; i++) {
        static const char foreign[] = "g/:@G`-{ \x80";

        for (size_t j = 0; j < sizeof(foreign) - 1; j++) {
            memcpy(wrong, text, sizeof(text));
            if (wrong[i] == foreign[j])
                continue;
            wrong[i] = foreign[j];
            refuse(wrong);
        }
    }
    memcpy(wrong, text, sizeof(text));
    wrong[sizeof(text) - 1] = '0';
    wrong[sizeof(text)] = '\0';
    refuse(wrong);
    refuse("{ba73c9ce-d322-4e45-af90-341307e11c38}");
    refuse("ba73c9ced3224e45af90341307e11c38");
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_id_reads_and_writes_the_same),
        cmocka_unit_test(
            a_payload_carries_the_first_three_fields_little_endian),
        cmocka_unit_test(anything_else_is_refused),
    };

    return cmocka_run_group_tests_name("key_id", tests, NULL, NULL);
}
