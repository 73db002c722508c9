/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/attrs.h"
#include "lib/bytes.h"

static void
numbers_come_back_big_endian(void **context)
{
    uint8_t room[15];
    struct writer writer = {room, sizeof(room), false};
    struct reader reader = {room, sizeof(room), false};
    static const uint8_t expected[] = {1, 2,  3,  4,  5,  6,  7, 8,
                                       9, 10, 11, 12, 13, 14, 15};

    (void)context;
    writer_u8(&writer, 0x01);
    writer_u16(&writer, 0x0203);
    writer_u32(&writer, 0x04050607);
    writer_u64(&writer, 0x08090a0b0c0d0e0f);
    assert_false(writer.failed);
    assert_int_equal(writer.left, 0);
    assert_memory_equal(room, expected, sizeof(room));
    assert_int_equal(reader_u8(&reader), 0x01);
    assert_int_equal(reader_u16(&reader), 0x0203);
    assert_int_equal(reader_u32(&reader), 0x04050607);
    assert_true(reader_u64(&reader) == 0x08090a0b0c0d0e0f);
    assert_false(reader.failed);
}

static void
reading_past_the_end_fails_for_good(void **context)
{
    static const uint8_t bytes[3] = {1, 2, 3};
    struct reader reader = {bytes, sizeof(bytes), false};
    uint8_t two[2] = {9, 9};

    (void)context;
    assert_int_equal(reader_u32(&reader), 0);
    assert_true(reader.failed);
    assert_int_equal(reader_u8(&reader), 0);
    reader_bytes(&reader, two, sizeof(two));
    assert_int_equal(two[0] | two[1], 0);
}

static void
writing_past_the_room_fails_and_writes_nothing(void **context)
{
    uint8_t room[4] = {7, 7, 7, 7};
    struct writer writer = {room, 3, false};

    (void)context;
    writer_u32(&writer, 0);
    assert_true(writer.failed);
    writer_u8(&writer, 0);
    writer_zeros(&writer, 1);
    assert_int_equal(room[0] & room[1] & room[2] & room[3], 7);
}

static void
zeros_must_be_zeros(void **context)
{
    static const uint8_t bytes[4] = {0, 0, 1, 0};
    struct reader good = {bytes, 2, false};
    struct reader bad = {bytes, 4, false};

    (void)context;
    reader_zeros(&good, 2);
    assert_false(good.failed);
    reader_zeros(&bad, 4);
    assert_true(bad.failed);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back_big_endian),
        cmocka_unit_test(reading_past_the_end_fails_for_good),
        cmocka_unit_test(writing_past_the_room_fails_and_writes_nothing),
        cmocka_unit_test(zeros_must_be_zeros),
    };

    return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
