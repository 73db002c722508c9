/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Drawing a QR code on a terminal so that a phone reads it: on a dark theme
 * and on a light one, whatever the font.
 *
 * Only backgrounds, and white half blocks on black, carry modules, and all
 * colours are said outright; letters never do, since their strokes do not
 * fill the cell and no decoder reads them. Colours are no decoration here: the
 * code does not scan without them, so NO_COLOR does not take them away.
 *
 * A command asks the terminal, chooses, draws and writes:
 *
 *     struct qr_terminal terminal;
 *     struct qr_layout layout;
 *     AUTO(qr_drawing_wipe) struct qr_drawing drawing = {0};
 *
 *     qr_terminal_ask(STDOUT_FILENO, &terminal);
 *     layout = qr_terminal_choose(&qr, &terminal, QR_AUTO);
 *     if (layout.style == QR_STYLE_NONE)
 *         ...the key as text, and a word about --qr-file
 *     e = qr_terminal_draw(&qr, &layout, terminal.colours, &drawing);
 *     e = file_write(STDOUT_FILENO, drawing.bytes, drawing.length);
 *
 * The drawing is layout.rows lines, each ending in a newline: to take it off
 * the screen again, go up by as many rows (and the prompt's) and erase.
 */
#ifndef PAWL_ENROLL_QR_TERMINAL_H
#define PAWL_ENROLL_QR_TERMINAL_H

#include <stdbool.h>

#include "enroll/qr.h"
#include "lib/attrs.h"
#include "lib/err.h"

/* How black and white are said. */
enum qr_colours {
    QR_COLOURS_NONE, /* reverse video is white: reads on dark screens only */
    QR_COLOURS_16,   /* 40 and 107; 47 for terminals without the bright ones */
    QR_COLOURS_256,  /* 16 and 231 of the cube, which no theme changes */
};

/* What decides how to draw. */
struct qr_terminal {
    int columns;
    int rows;
    bool utf8; /* the locale can write half blocks */
    enum qr_colours colours;
};

/* Where that is read from: what the terminal and the environment say. */
struct qr_terminal_signs {
    int window_columns; /* TIOCGWINSZ; 0 when it does not know */
    int window_rows;
    const char *columns_text; /* COLUMNS and LINES; NULL when unset */
    const char *lines_text;
    const char *codeset;   /* nl_langinfo(CODESET) */
    const char *term;      /* TERM */
    const char *colorterm; /* COLORTERM */
};

enum qr_style {
    QR_STYLE_NONE, /* fits in no way: do not draw */
    QR_STYLE_BIG,  /* two columns of background a module */
    QR_STYLE_SMALL /* half blocks: one column, half a row a module */
};

/* What the user asked for: --qr=auto|big|small|none. */
enum qr_wish {
    QR_AUTO,
    QR_BIG,
    QR_SMALL,
    QR_NONE,
};

struct qr_layout {
    enum qr_style style;
    int margin; /* modules of light all round */
    int columns;
    int rows;
};

/*
 * Reads the signs: the window's size where it is known, else COLUMNS and
 * LINES, else 80 by 24. A TERM that names a monochrome terminal (dumb,
 * unknown, vt100 and its kin, an -m or -mono variant, none at all) outweighs
 * COLORTERM, which often is inherited from a terminal further out.
 */
void qr_terminal_read(const struct qr_terminal_signs *signs,
                      struct qr_terminal *ret);

/*
 * The same for the terminal at fd and this process's environment. Takes a
 * descriptor that is no terminal, too. The program has called setlocale.
 */
void qr_terminal_ask(int fd, struct qr_terminal *ret);

/* The size that a style has: "needs a window of 90 by 45". */
struct qr_layout qr_terminal_layout(const struct qr *qr, enum qr_style style,
                                    int margin);

/*
 * The first layout that fits with a row to spare for the prompt: big with
 * margin 4, then 2; small with margin 4, then 2, in UTF-8 only. QR_BIG and
 * QR_SMALL leave out the other style. QR_STYLE_NONE when nothing fits, since
 * a code that wraps or scrolls away does not scan.
 */
struct qr_layout qr_terminal_choose(const struct qr *qr,
                                    const struct qr_terminal *terminal,
                                    enum qr_wish wish);

/*
 * Draws layout.rows lines of layout.columns cells. Each ends with colours
 * reset. ERR_INVALID for QR_STYLE_NONE, ERR_NOMEM; ret is then untouched.
 */
enum err qr_terminal_draw(const struct qr *qr, const struct qr_layout *layout,
                          enum qr_colours colours, struct qr_drawing *ret)
    MUST_CHECK;

#endif
