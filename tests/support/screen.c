/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/screen.h"

enum {
    PARAMETERS_MAX = 16,
    CUBE_BLACK = 16,
    CUBE_WHITE = 231,
};

void
screen_open(struct screen *screen, int columns, int rows)
{
    assert_in_range(columns, 1, SCREEN_COLUMNS_MAX);
    assert_in_range(rows, 1, SCREEN_ROWS_MAX);
    memset(screen, 0, sizeof(*screen));
    screen->columns = columns;
    screen->rows = rows;
    screen->foreground = SCREEN_INK;
    screen->reset_at_ends = true;
}

static enum screen_colour
cube_colour(int number)
{
    if (number == CUBE_BLACK)
        return SCREEN_BLACK;
    assert_int_equal(number, CUBE_WHITE);
    return SCREEN_WHITE;
}

/* ECMA-48 8.3.117, as far as it may be used. Returns parameters taken. */
static int
set_rendition(struct screen *screen, const int *parameters, int count)
{
    switch (parameters[0]) {
    case 0:
        screen->foreground = SCREEN_INK;
        screen->background = SCREEN_GROUND;
        screen->reverse = false;
        return 1;
    case 7:
        screen->reverse = true;
        return 1;
    case 30:
        screen->foreground = SCREEN_BLACK;
        return 1;
    case 37:
    case 97:
        screen->foreground = SCREEN_WHITE;
        return 1;
    case 40:
        screen->background = SCREEN_BLACK;
        return 1;
    case 47:
    case 107:
        screen->background = SCREEN_WHITE;
        return 1;
    case 38:
    case 48:
        assert_true(count >= 3);
        assert_int_equal(parameters[1], 5);
        if (parameters[0] == 38)
            screen->foreground = cube_colour(parameters[2]);
        else
            screen->background = cube_colour(parameters[2]);
        return 3;
    default:
        fail_msg("rendition %d", parameters[0]);
    }
    return 1;
}

/* text stands behind ESC; returns how much of it was taken. */
static size_t
escape_sequence(struct screen *screen, const char *text, size_t length)
{
    int parameters[PARAMETERS_MAX] = {0};
    int count = 1;
    size_t at = 1;

    assert_true(length > 1 && text[0] == '[');
    for (; at < length && text[at] != 'm'; at++) {
        if (text[at] == ';') {
            assert_true(count < PARAMETERS_MAX);
            count++;
            continue;
        }
        assert_in_range(text[at], '0', '9');
        parameters[count - 1] = parameters[count - 1] * 10 + text[at] - '0';
    }
    assert_true(at < length);
    for (int i = 0; i < count;)
        i += set_rendition(screen, parameters + i, count - i);
    return at + 1;
}

static void
new_line(struct screen *screen)
{
    screen->column = 0;
    screen->row++;
    if (screen->row < screen->rows)
        return;
    screen->scrolled = true;
    screen->row = screen->rows - 1;
    memmove(screen->cells[0], screen->cells[1],
            (size_t)(screen->rows - 1) * sizeof(screen->cells[0]));
    memset(screen->cells[screen->row], 0, sizeof(screen->cells[0]));
}

static void
show(struct screen *screen, bool upper_ink, bool lower_ink)
{
    enum screen_colour ink =
        screen->reverse ? screen->background : screen->foreground;
    enum screen_colour ground =
        screen->reverse ? screen->foreground : screen->background;
    struct screen_cell *cell;

    if (screen->column == screen->columns) {
        screen->wrapped = true;
        new_line(screen);
    }
    cell = &screen->cells[screen->row][screen->column++];
    cell->upper = upper_ink ? ink : ground;
    cell->lower = lower_ink ? ink : ground;
    if (screen->column > screen->widest)
        screen->widest = screen->column;
}

void
screen_write(struct screen *screen, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        const char *here = text + at;

        at++;
        if (*here == '\033') {
            at += escape_sequence(screen, text + at, length - at);
        } else if (*here == '\n') {
            if (screen->foreground != SCREEN_INK || screen->reverse ||
                screen->background != SCREEN_GROUND)
                screen->reset_at_ends = false;
            new_line(screen);
        } else if (*here == ' ') {
            show(screen, false, false);
        } else if (length - at >= 2 && memcmp(here, "\u2580", 3) == 0) {
            show(screen, true, false);
            at += 2;
        } else if (length - at >= 2 && memcmp(here, "\u2584", 3) == 0) {
            show(screen, false, true);
            at += 2;
        } else {
            fail_msg("byte %02x in a drawing", (unsigned char)*here);
        }
    }
}
