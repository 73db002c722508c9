/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "enroll/qr_terminal.h"
#include "lib/bytes.h"
#include "lib/decimal.h"

enum {
    COLUMNS_DEFAULT = 80,
    ROWS_DEFAULT = 24,
    CELLS_MAX = 10000, /* of a believable window, each way */
    MARGIN_NARROW = 2, /* still reads on a dark terminal; 0 does not */
    PROMPT_ROWS = 1,
};

/* White paper, black paper with white ink: the two grounds of a cell. */
enum ground {
    GROUND_NONE,
    GROUND_LIGHT,
    GROUND_DARK,
};

/* Each says all it needs, whatever was in force before. */
static const char *const ground_text[][3] = {
    [QR_COLOURS_NONE] = {"\033[0m", "\033[0;7m", "\033[0m"},
    [QR_COLOURS_16] = {"\033[0m", "\033[0;30;47;107m", "\033[0;37;97;40m"},
    [QR_COLOURS_256] = {"\033[0m", "\033[0;38;5;16;48;5;231m",
                        "\033[0;38;5;231;48;5;16m"},
};

enum {
    GROUND_TEXT_MAX = 24, /* bytes of the longest of those */
    CELL_TEXT_MAX = 3,    /* bytes of a half block in UTF-8 */
};

static const char half_upper[] = "\xe2\x96\x80"; /* U+2580 */
static const char half_lower[] = "\xe2\x96\x84"; /* U+2584 */

static int
cells(int window, const char *text, int otherwise)
{
    uint64_t value;

    if (window > 0 && window <= CELLS_MAX)
        return window;
    if (text == NULL ||
        decimal_parse(text, strlen(text), CELLS_MAX, &value) != ERR_OK)
        return otherwise;
    return value == 0 ? otherwise : (int)value;
}

static bool
ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool
monochrome(const char *term)
{
    if (term == NULL || *term == '\0' || strcmp(term, "dumb") == 0 ||
        strcmp(term, "unknown") == 0)
        return true;
    if (strncmp(term, "vt", 2) == 0 && term[2] >= '0' && term[2] <= '9')
        return true;
    return ends_with(term, "-m") || ends_with(term, "-mono");
}

static enum qr_colours
colours_of(const char *term, const char *colorterm)
{
    if (monochrome(term))
        return QR_COLOURS_NONE;
    if (strstr(term, "256color") != NULL || strstr(term, "direct") != NULL)
        return QR_COLOURS_256;
    if (colorterm != NULL && *colorterm != '\0')
        return QR_COLOURS_256;
    return QR_COLOURS_16;
}

void
qr_terminal_read(const struct qr_terminal_signs *signs, struct qr_terminal *ret)
{
    ret->columns =
        cells(signs->window_columns, signs->columns_text, COLUMNS_DEFAULT);
    ret->rows = cells(signs->window_rows, signs->lines_text, ROWS_DEFAULT);
    ret->utf8 = signs->codeset != NULL && strcmp(signs->codeset, "UTF-8") == 0;
    ret->colours = colours_of(signs->term, signs->colorterm);
}

void
qr_terminal_ask(int fd, struct qr_terminal *ret)
{
    struct winsize window = {0};
    struct qr_terminal_signs signs = {
        .columns_text = getenv("COLUMNS"),
        .lines_text = getenv("LINES"),
        .codeset = nl_langinfo(CODESET),
        .term = getenv("TERM"),
        .colorterm = getenv("COLORTERM"),
    };

    /* A serial line answers with zeros, a pipe not at all. */
    if (ioctl(fd, TIOCGWINSZ, &window) == 0) {
        signs.window_columns = window.ws_col;
        signs.window_rows = window.ws_row;
    }
    qr_terminal_read(&signs, ret);
}

struct qr_layout
qr_terminal_layout(const struct qr *qr, enum qr_style style, int margin)
{
    struct qr_layout none = {0};
    int side = qr->size + 2 * margin;

    switch (style) {
    case QR_STYLE_BIG:
        return (struct qr_layout){style, margin, 2 * side, side};
    case QR_STYLE_SMALL:
        return (struct qr_layout){style, margin, side, (side + 1) / 2};
    case QR_STYLE_NONE:
        break;
    }
    return none;
}

static bool
wished(enum qr_style style, enum qr_wish wish)
{
    switch (wish) {
    case QR_AUTO:
        return true;
    case QR_BIG:
        return style == QR_STYLE_BIG;
    case QR_SMALL:
        return style == QR_STYLE_SMALL;
    case QR_NONE:
        break;
    }
    return false;
}

struct qr_layout
qr_terminal_choose(const struct qr *qr, const struct qr_terminal *terminal,
                   enum qr_wish wish)
{
    static const struct {
        enum qr_style style;
        int margin;
    } order[] = {
        {QR_STYLE_BIG, QR_MARGIN},
        {QR_STYLE_BIG, MARGIN_NARROW},
        {QR_STYLE_SMALL, QR_MARGIN},
        {QR_STYLE_SMALL, MARGIN_NARROW},
    };

    for (size_t i = 0; i < ARRAY_LENGTH(order); i++) {
        struct qr_layout layout =
            qr_terminal_layout(qr, order[i].style, order[i].margin);

        if (!wished(layout.style, wish))
            continue;
        if (layout.style == QR_STYLE_SMALL && !terminal->utf8)
            continue;
        if (layout.columns <= terminal->columns &&
            layout.rows + PROMPT_ROWS <= terminal->rows)
            return layout;
    }
    return qr_terminal_layout(qr, QR_STYLE_NONE, 0);
}

/* A row being drawn: the ground in force is said again only on a change. */
struct pen {
    struct writer out;
    enum qr_colours colours;
    enum ground ground;
};

static void
pen_text(struct pen *pen, const char *text)
{
    writer_bytes(&pen->out, text, strlen(text));
}

static void
pen_ground(struct pen *pen, enum ground ground)
{
    if (pen->ground == ground)
        return;
    pen->ground = ground;
    pen_text(pen, ground_text[pen->colours][ground]);
}

static void
pen_end_row(struct pen *pen)
{
    pen_ground(pen, GROUND_NONE);
    pen_text(pen, "\n");
}

static void
draw_big_row(struct pen *pen, const struct qr *qr, int margin, int row)
{
    for (int x = -margin; x < qr->size + margin; x++) {
        bool dark = qr_dark(qr, x, row - margin);

        pen_ground(pen, dark ? GROUND_DARK : GROUND_LIGHT);
        pen_text(pen, "  ");
    }
    pen_end_row(pen);
}

/*
 * Mixed cells are white glyphs on black: where a font draws half blocks
 * smaller than the cell, the seams are black then, which decoders forgive.
 * White seams within a black pattern they do not.
 */
static void
draw_small_cell(struct pen *pen, bool upper_dark, bool lower_dark)
{
    if (!upper_dark && !lower_dark) {
        pen_ground(pen, GROUND_LIGHT);
        pen_text(pen, " ");
        return;
    }
    pen_ground(pen, GROUND_DARK);
    if (upper_dark && lower_dark)
        pen_text(pen, " ");
    else
        pen_text(pen, upper_dark ? half_lower : half_upper);
}

static void
draw_small_row(struct pen *pen, const struct qr *qr, int margin, int row)
{
    int y = 2 * row - margin;

    for (int x = -margin; x < qr->size + margin; x++)
        draw_small_cell(pen, qr_dark(qr, x, y), qr_dark(qr, x, y + 1));
    pen_end_row(pen);
}

/* Bytes that suffice, were the ground to change at every cell. */
static size_t
room_for(const struct qr_layout *layout)
{
    size_t row =
        (size_t)(layout->columns + 1) * (GROUND_TEXT_MAX + CELL_TEXT_MAX);

    return (size_t)layout->rows * row;
}

enum err
qr_terminal_draw(const struct qr *qr, const struct qr_layout *layout,
                 enum qr_colours colours, struct qr_drawing *ret)
{
    AUTO(qr_drawing_wipe) struct qr_drawing drawing = {0};
    struct pen pen = {.colours = colours, .ground = GROUND_NONE};
    enum err e;

    if (layout->style == QR_STYLE_NONE)
        return ERR_INVALID;
    e = qr_drawing_alloc(room_for(layout), &drawing);
    if (e != ERR_OK)
        return e;
    pen.out = (struct writer){drawing.bytes, drawing.room, false};
    for (int row = 0; row < layout->rows; row++) {
        if (layout->style == QR_STYLE_BIG)
            draw_big_row(&pen, qr, layout->margin, row);
        else
            draw_small_row(&pen, qr, layout->margin, row);
    }
    if (pen.out.failed)
        return ERR_SPACE;
    drawing.length = drawing.room - pen.out.left;
    *ret = drawing;
    drawing = (struct qr_drawing){0};
    return ERR_OK;
}
