/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/attrs.h"
#include "lib/utf8.h"

/* The bits of a character in as many bytes as asked for: RFC 3629 section 3. */
static void
encode(uint32_t c, size_t length, char ret[4])
{
    static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = length - 1; i > 0; i--) {
        ret[i] = (char)(0x80 | (c & 0x3f));
        c >>= 6;
    }
    ret[0] = (char)(lead[length] | c);
}

static size_t
shortest(uint32_t c)
{
    if (c < 0x80)
        return 1;
    if (c < 0x800)
        return 2;
    return c < 0x10000 ? 3 : 4;
}

static void
every_character_is_taken_but_controls_and_surrogates(void **context)
{
    (void)context;
    for (uint32_t c = 0; c < 0x200000; c++) {
        char text[4];
        int expected = c >= 0x20 && !(c >= 0x7f && c <= 0x9f) && c != 0x2028 &&
                       c != 0x2029 && !(c >= 0xd800 && c <= 0xdfff) &&
                       c <= 0x10ffff;

        encode(c, shortest(c), text);
        if (utf8_plain(text, shortest(c)) != expected)
            fail_msg("U+%04X", c);
    }
}

static void
longer_forms_than_needed_are_refused(void **context)
{
    (void)context;
    for (uint32_t c = 0; c < 0x10000; c++) {
        for (size_t length = shortest(c) + 1; length <= 4; length++) {
            char text[4];

            encode(c, length, text);
            assert_false(utf8_plain(text, length));
        }
    }
}

static void
cut_and_torn_characters_are_refused(void **context)
{
    static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\x91z";
    static const size_t whole[] = {0, 1, 3, 6, 10, 11};

    (void)context;
    for (size_t length = 0; length < sizeof(text); length++) {
        /* A block of exactly this length, for the sanitizer to watch. */
        char *cut = malloc(length + (length == 0));
        int expected = 0;

        assert_non_null(cut);
        memcpy(cut, text, length);
        for (size_t i = 0; i < ARRAY_LENGTH(whole); i++)
            expected |= whole[i] == length;
        assert_int_equal(utf8_plain(cut, length), expected);
        free(cut);
    }
    assert_false(utf8_plain("\x80", 1));
    assert_false(utf8_plain("\xc3z", 2));
    assert_false(utf8_plain("\xc3\xc3", 2));
    assert_false(utf8_plain("\xf8\x88\x80\x80\x80", 5));
    assert_false(utf8_plain("\xff", 1));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_is_taken_but_controls_and_surrogates),
        cmocka_unit_test(longer_forms_than_needed_are_refused),
        cmocka_unit_test(cut_and_torn_characters_are_refused),
    };

    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
