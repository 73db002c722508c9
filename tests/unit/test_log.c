/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/attrs.h"
#include "lib/log.h"

struct heard {
    unsigned lines;
    enum log_level level;
    char line[2 * LOG_LINE_MAX];
};

static void
hear(void *context, enum log_level level, const char *line)
{
    struct heard *heard = context;

    heard->lines++;
    heard->level = level;
    (void)strncpy(heard->line, line, sizeof(heard->line) - 1);
}

static void
a_line_goes_to_who_was_named(void **context)
{
    struct heard heard = {0};
    struct log log = {hear, &heard};

    (void)context;
    log_line(&log, LOG_LEVEL_WARNING, "%s is %d", "six", 6);
    assert_int_equal(heard.lines, 1);
    assert_int_equal(heard.level, LOG_LEVEL_WARNING);
    assert_string_equal(heard.line, "six is 6");
}

static void
without_a_listener_nothing_happens(void **context)
{
    struct log nobody = {0};

    (void)context;
    log_line(NULL, LOG_LEVEL_ERROR, "%s", "text");
    log_line(&nobody, LOG_LEVEL_ERROR, "%s", "text");
}

static void
a_line_that_is_too_long_is_cut(void **context)
{
    static char text[3 * LOG_LINE_MAX];
    struct heard heard = {0};
    struct log log = {hear, &heard};

    (void)context;
    memset(text, 'x', sizeof(text) - 1);
    log_line(&log, LOG_LEVEL_ERROR, "%s", text);
    assert_int_equal(strlen(heard.line), LOG_LINE_MAX - 1);
}

static void
what_comes_from_outside_stays_one_field(void **context)
{
    static const struct {
        const char *text, *escaped;
    } cases[] = {
        {"alice", "alice"},
        {"", ""},
        {"a b", "a\\x20b"},
        {"a\nrhost=192.0.2.1", "a\\x0arhost\\x3d192.0.2.1"},
        {"\x1b[31m", "\\x1b[31m"},
        {"\\x41\"", "\\x5cx41\\x22"},
        {"\xc3\xa9\x7f", "\\xc3\\xa9\\x7f"},
        {"%n%s", "%n%s"},
    };
    char escaped[64];

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        log_escape(cases[i].text, escaped, sizeof(escaped));
        assert_string_equal(escaped, cases[i].escaped);
    }
}

static void
an_escape_is_never_cut_in_half(void **context)
{
    char escaped[16];

    (void)context;
    for (size_t room = 0; room <= sizeof(escaped); room++) {
        size_t length;

        memset(escaped, '#', sizeof(escaped));
        log_escape("ab\n\n", escaped, room);
        if (room == 0) {
            assert_int_equal(escaped[0], '#');
            continue;
        }
        length = strlen(escaped);
        assert_true(length < room);
        assert_true(length <= 2 || (length - 2) % 4 == 0);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_goes_to_who_was_named),
        cmocka_unit_test(without_a_listener_nothing_happens),
        cmocka_unit_test(a_line_that_is_too_long_is_cut),
        cmocka_unit_test(what_comes_from_outside_stays_one_field),
        cmocka_unit_test(an_escape_is_never_cut_in_half),
    };

    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
