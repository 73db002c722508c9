/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small terminal for tests: takes a stream of text, newlines and colours
 * (SGR) and tells what each cell shows. It knows nothing of QR codes, wraps
 * and scrolls as terminals do, and fails the running test at anything that it
 * does not know, so that nothing unforeseen is drawn.
 */
#ifndef PAWL_TESTS_SCREEN_H
#define PAWL_TESTS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SCREEN_COLUMNS_MAX = 400,
    SCREEN_ROWS_MAX = 250,
};

/* The theme's own colours, and the two that no theme changes. */
enum screen_colour {
    SCREEN_GROUND, /* default background */
    SCREEN_INK,    /* default foreground */
    SCREEN_BLACK,
    SCREEN_WHITE,
};

struct screen_cell {
    enum screen_colour upper;
    enum screen_colour lower;
};

struct screen {
    int columns; /* of the window */
    int rows;
    int row; /* where the cursor is */
    int column;
    int widest; /* columns of the widest row written */
    bool wrapped;
    bool scrolled;
    bool reset_at_ends; /* no colour was in force at any newline */
    enum screen_colour foreground;
    enum screen_colour background;
    bool reverse;
    struct screen_cell cells[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX];
};

/* A cleared window of that size. */
void screen_open(struct screen *screen, int columns, int rows);

/* Shows text; may be called again to go on. */
void screen_write(struct screen *screen, const char *text, size_t length);

#endif
