/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <png.h>
#include <qrencode.h>

#include "enroll/qr.h"
#include "enroll/qr_file.h"
#include "enroll/qr_terminal.h"
#include "lib/attrs.h"
#include "lib/random.h"
#include "tests/support/screen.h"

enum {
    TEXT_MAX = 4096,
};

static const char uri_v5[] =
    "otpauth://totp/bastion.example.org:alice?secret="
    "OBQXO3BNORSXG5BNNNSXSLJQGAYDAMBR&issuer=bastion.example.org";

static struct screen screen;

/* A key URI of about that many bytes, secret in capitals. */
static void
random_uri(char *ret, size_t length)
{
    static const char symbols[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    static const char head[] = "otpauth://totp/host:user?secret=";
    uint8_t random[TEXT_MAX];
    size_t head_length = strlen(head);

    assert_true(length < TEXT_MAX);
    assert_int_equal(random_bytes(random, sizeof(random)), ERR_OK);
    for (size_t i = 0; i < length; i++)
        ret[i] = i < head_length ? head[i] : symbols[random[i] % 32];
    ret[length] = '\0';
}

/* What the matrix must be, from libqrencode alone. */
static QRcode *
reference(const char *text)
{
    static const QRecLevel levels[] = {QR_ECLEVEL_H, QR_ECLEVEL_Q, QR_ECLEVEL_M,
                                       QR_ECLEVEL_L};
    QRcode *smallest = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1);

    assert_non_null(smallest);
    for (size_t i = 0; i < ARRAY_LENGTH(levels); i++) {
        QRcode *code = QRcode_encodeString(text, 0, levels[i], QR_MODE_8, 1);

        if (code != NULL && code->width == smallest->width) {
            QRcode_free(smallest);
            return code;
        }
        QRcode_free(code);
    }
    fail();
    return NULL;
}

static bool
reference_dark(const QRcode *code, int x, int y)
{
    if (x < 0 || y < 0 || x >= code->width || y >= code->width)
        return false;
    return (code->data[y * code->width + x] & 1) != 0;
}

/* A theme's own colours count only where they are all there is. */
static bool
shows_dark(enum screen_colour colour, enum qr_colours colours)
{
    if (colours == QR_COLOURS_NONE) {
        assert_true(colour == SCREEN_GROUND || colour == SCREEN_INK);
        return colour == SCREEN_GROUND;
    }
    assert_true(colour == SCREEN_BLACK || colour == SCREEN_WHITE);
    return colour == SCREEN_BLACK;
}

static void
assert_module(const QRcode *code, const struct qr_layout *layout,
              enum qr_colours colours, int column, int half_row)
{
    const struct screen_cell *cell = &screen.cells[half_row / 2][column];
    bool dark =
        shows_dark(half_row % 2 == 0 ? cell->upper : cell->lower, colours);
    bool big = layout->style == QR_STYLE_BIG;
    int x = (big ? column / 2 : column) - layout->margin;
    int y = (big ? half_row / 2 : half_row) - layout->margin;

    if (dark != reference_dark(code, x, y))
        fail_msg("module %d, %d is wrong", x, y);
}

/* Draws into a window of exactly the promised size and a row more. */
static void
assert_draws(const char *text, const struct qr_layout *layout,
             enum qr_colours colours, const struct qr *qr)
{
    AUTO(qr_drawing_wipe) struct qr_drawing drawing = {0};
    QRcode *code = reference(text);

    assert_int_equal(code->width, qr->size);
    assert_int_equal(qr_terminal_draw(qr, layout, colours, &drawing), ERR_OK);
    screen_open(&screen, layout->columns, layout->rows + 1);
    screen_write(&screen, (const char *)drawing.bytes, drawing.length);
    assert_int_equal(screen.row, layout->rows);
    assert_int_equal(screen.column, 0);
    assert_int_equal(screen.widest, layout->columns);
    assert_false(screen.wrapped);
    assert_false(screen.scrolled);
    assert_true(screen.reset_at_ends);
    for (int half_row = 0; half_row < 2 * layout->rows; half_row++)
        for (int column = 0; column < layout->columns; column++)
            assert_module(code, layout, colours, column, half_row);
    QRcode_free(code);
}

static void
what_is_drawn_is_what_libqrencode_made(void **context)
{
    static const enum qr_style styles[] = {QR_STYLE_BIG, QR_STYLE_SMALL};
    static const int margins[] = {0, 2, QR_MARGIN};

    (void)context;
    for (size_t length = 10; length < 1300; length += length / 7 + 1) {
        AUTO(qr_wipe) struct qr qr = {0};
        char uri[TEXT_MAX];

        random_uri(uri, length);
        assert_int_equal(qr_make(uri, &qr), ERR_OK);
        for (size_t i = 0; i < 18; i++) {
            struct qr_layout layout =
                qr_terminal_layout(&qr, styles[i % 2], margins[i / 2 % 3]);

            assert_draws(uri, &layout, (enum qr_colours)(i / 6), &qr);
        }
    }
}

static void
the_level_rises_where_the_version_has_room(void **context)
{
    AUTO(qr_wipe) struct qr qr = {0};
    QRcode *low = QRcode_encodeString("A", 0, QR_ECLEVEL_L, QR_MODE_8, 1);
    QRcode *high = QRcode_encodeString("A", 0, QR_ECLEVEL_H, QR_MODE_8, 1);
    bool as_low = true;
    bool as_high = true;

    (void)context;
    assert_int_equal(qr_make("A", &qr), ERR_OK);
    assert_int_equal(qr.size, QR_SIZE_MIN);
    for (int y = 0; y < qr.size; y++) {
        for (int x = 0; x < qr.size; x++) {
            as_low = as_low && qr_dark(&qr, x, y) == reference_dark(low, x, y);
            as_high =
                as_high && qr_dark(&qr, x, y) == reference_dark(high, x, y);
        }
    }
    assert_true(as_high);
    assert_false(as_low);
    QRcode_free(low);
    QRcode_free(high);
}

static void
what_fits_no_code_is_refused(void **context)
{
    struct qr qr = {0};
    char text[TEXT_MAX];

    (void)context;
    memset(text, 'a', sizeof(text));
    text[2954] = '\0'; /* one more than version 40 holds at level L */
    assert_int_equal(qr_make(text, &qr), ERR_SPACE);
    assert_null(qr.modules);
    assert_int_equal(qr_make("", &qr), ERR_INVALID);
    text[2953] = '\0';
    assert_int_equal(qr_make(text, &qr), ERR_OK);
    assert_int_equal(qr.size, QR_SIZE_MAX);
    qr_wipe(&qr);
    assert_null(qr.modules);
}

static struct qr_terminal
window(int columns, int rows, bool utf8)
{
    struct qr_terminal terminal = {columns, rows, utf8, QR_COLOURS_256};

    return terminal;
}

struct fit {
    const char *text;
    int columns, rows;
    bool utf8;
    enum qr_wish wish;
    enum qr_style style;
    int margin, drawn_columns, drawn_rows;
};

static void
the_first_layout_that_fits_is_taken(void **context)
{
    /* Version 5 is 37 modules a side. */
    static const struct fit fits[] = {
        {uri_v5, 80, 24, true, QR_AUTO, QR_STYLE_SMALL, 4, 45, 23},
        {uri_v5, 80, 25, true, QR_AUTO, QR_STYLE_SMALL, 4, 45, 23},
        {uri_v5, 80, 23, true, QR_AUTO, QR_STYLE_SMALL, 2, 41, 21},
        {uri_v5, 80, 22, true, QR_AUTO, QR_STYLE_SMALL, 2, 41, 21},
        {uri_v5, 80, 21, true, QR_AUTO, QR_STYLE_NONE, 0, 0, 0},
        {uri_v5, 44, 24, true, QR_AUTO, QR_STYLE_SMALL, 2, 41, 21},
        {uri_v5, 40, 24, true, QR_AUTO, QR_STYLE_NONE, 0, 0, 0},
        {uri_v5, 100, 50, true, QR_AUTO, QR_STYLE_BIG, 4, 90, 45},
        {uri_v5, 90, 46, true, QR_AUTO, QR_STYLE_BIG, 4, 90, 45},
        {uri_v5, 89, 46, true, QR_AUTO, QR_STYLE_BIG, 2, 82, 41},
        {uri_v5, 90, 45, true, QR_AUTO, QR_STYLE_BIG, 2, 82, 41},
        {uri_v5, 81, 60, true, QR_AUTO, QR_STYLE_SMALL, 4, 45, 23},
        {uri_v5, 80, 24, false, QR_AUTO, QR_STYLE_NONE, 0, 0, 0},
        {uri_v5, 80, 25, false, QR_AUTO, QR_STYLE_NONE, 0, 0, 0},
        {uri_v5, 100, 50, false, QR_AUTO, QR_STYLE_BIG, 4, 90, 45},
        {uri_v5, 100, 50, true, QR_SMALL, QR_STYLE_SMALL, 4, 45, 23},
        {uri_v5, 100, 50, false, QR_SMALL, QR_STYLE_NONE, 0, 0, 0},
        {uri_v5, 80, 24, true, QR_BIG, QR_STYLE_NONE, 0, 0, 0},
        {uri_v5, 400, 200, true, QR_BIG, QR_STYLE_BIG, 4, 90, 45},
        {uri_v5, 400, 200, true, QR_NONE, QR_STYLE_NONE, 0, 0, 0},
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(fits); i++) {
        const struct fit *fit = &fits[i];
        struct qr_terminal terminal =
            window(fit->columns, fit->rows, fit->utf8);
        AUTO(qr_wipe) struct qr qr = {0};
        struct qr_layout layout;

        assert_int_equal(qr_make(fit->text, &qr), ERR_OK);
        layout = qr_terminal_choose(&qr, &terminal, fit->wish);
        assert_int_equal(layout.style, fit->style);
        assert_int_equal(layout.margin, fit->margin);
        assert_int_equal(layout.columns, fit->drawn_columns);
        assert_int_equal(layout.rows, fit->drawn_rows);
    }
}

static void
nothing_is_drawn_where_nothing_fits(void **context)
{
    AUTO(qr_wipe) struct qr qr = {0};
    struct qr_layout none = {QR_STYLE_NONE, 0, 0, 0};
    struct qr_drawing drawing = {0};

    (void)context;
    assert_int_equal(qr_make(uri_v5, &qr), ERR_OK);
    assert_int_equal(qr_terminal_draw(&qr, &none, QR_COLOURS_16, &drawing),
                     ERR_INVALID);
    assert_null(drawing.bytes);
}

struct signs_case {
    struct qr_terminal_signs signs;
    struct qr_terminal expected;
};

static void
the_signs_of_a_terminal_are_read(void **context)
{
    static const struct signs_case cases[] = {
        {{100, 50, "70", "20", "UTF-8", "xterm-256color", NULL},
         {100, 50, true, QR_COLOURS_256}},
        {{0, 0, "132", "43", "ANSI_X3.4-1968", "xterm", NULL},
         {132, 43, false, QR_COLOURS_16}},
        {{0, 50, "132", "43", "ISO-8859-1", "screen", ""},
         {132, 50, false, QR_COLOURS_16}},
        {{0, 0, NULL, NULL, NULL, "linux", NULL},
         {80, 24, false, QR_COLOURS_16}},
        {{0, 0, "0", "-1", "UTF-8", "xterm", "truecolor"},
         {80, 24, true, QR_COLOURS_256}},
        {{0, 0, "80x", "99999", "utf8", "xterm-direct", NULL},
         {80, 24, false, QR_COLOURS_256}},
        {{-1, 70000, "", " 24", "UTF-8", "tmux-256color", NULL},
         {80, 24, true, QR_COLOURS_256}},
        {{80, 24, NULL, NULL, "UTF-8", "dumb", "truecolor"},
         {80, 24, true, QR_COLOURS_NONE}},
        {{80, 24, NULL, NULL, "UTF-8", "vt100", "1"},
         {80, 24, true, QR_COLOURS_NONE}},
        {{80, 24, NULL, NULL, "UTF-8", "vt220", NULL},
         {80, 24, true, QR_COLOURS_NONE}},
        {{80, 24, NULL, NULL, "UTF-8", "xterm-mono", NULL},
         {80, 24, true, QR_COLOURS_NONE}},
        {{80, 24, NULL, NULL, "UTF-8", "linux-m", NULL},
         {80, 24, true, QR_COLOURS_NONE}},
        {{80, 24, NULL, NULL, "UTF-8", "", "truecolor"},
         {80, 24, true, QR_COLOURS_NONE}},
        {{80, 24, NULL, NULL, "UTF-8", NULL, NULL},
         {80, 24, true, QR_COLOURS_NONE}},
        {{80, 24, NULL, NULL, "UTF-8", "vte", NULL},
         {80, 24, true, QR_COLOURS_16}},
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        const struct qr_terminal *expected = &cases[i].expected;
        struct qr_terminal terminal;

        qr_terminal_read(&cases[i].signs, &terminal);
        assert_int_equal(terminal.columns, expected->columns);
        assert_int_equal(terminal.rows, expected->rows);
        assert_int_equal(terminal.utf8, expected->utf8);
        assert_int_equal(terminal.colours, expected->colours);
    }
}

/* What no terminal is at the end of: the environment answers. */
static void
a_pipe_is_asked_by_its_environment(void **context)
{
    struct qr_terminal terminal;
    int ends[2];

    (void)context;
    assert_int_equal(pipe(ends), 0);
    setenv("COLUMNS", "123", 1);
    setenv("LINES", "45", 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("NO_COLOR", "1", 1);
    qr_terminal_ask(ends[1], &terminal);
    assert_int_equal(terminal.columns, 123);
    assert_int_equal(terminal.rows, 45);
    assert_int_equal(terminal.colours, QR_COLOURS_256);
    unsetenv("COLUMNS");
    unsetenv("LINES");
    qr_terminal_ask(-1, &terminal);
    assert_int_equal(terminal.columns, 80);
    assert_int_equal(terminal.rows, 24);
    close(ends[0]);
    close(ends[1]);
}

static void
a_png_shows_ten_pixels_a_module(void **context)
{
    AUTO(qr_wipe) struct qr qr = {0};
    AUTO(qr_drawing_wipe) struct qr_drawing drawing = {0};
    QRcode *code = reference(uri_v5);
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels;
    int side = (37 + 2 * 4) * 10;

    (void)context;
    assert_int_equal(qr_make(uri_v5, &qr), ERR_OK);
    assert_int_equal(qr_file_png(&qr, &drawing), ERR_OK);
    assert_true(png_image_begin_read_from_memory(&image, drawing.bytes,
                                                 drawing.length));
    assert_int_equal(image.width, side);
    assert_int_equal(image.height, side);
    image.format = PNG_FORMAT_GRAY;
    pixels = test_malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            assert_int_equal(
                pixels[y * side + x],
                reference_dark(code, x / 10 - 4, y / 10 - 4) ? 0 : 255);
    test_free(pixels);
    QRcode_free(code);
}

static void
only_png_and_svg_are_written(void **context)
{
    static const char *const good[] = {"a.png", "a.svg", "/x/y.PNG", "..Svg"};
    static const char *const bad[] = {"",       ".png",     ".svg",  "png",
                                      "a.jpeg", "a.png.gz", "a.pn",  "-",
                                      "a.png ", "/dev/tty", "a.png/"};

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(good); i++)
        assert_int_equal(qr_file_check(good[i]), ERR_OK);
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        assert_int_equal(qr_file_check(bad[i]), ERR_UNSUPPORTED);
}

/* Writes to name inside folder, with a umask that would allow everything. */
static enum err
write_in(const char *folder, const char *name, char *ret_path)
{
    AUTO(qr_wipe) struct qr qr = {0};
    mode_t mask = umask(0);
    enum err e;

    snprintf(ret_path, 256, "%s/%s", folder, name);
    assert_int_equal(qr_make(uri_v5, &qr), ERR_OK);
    e = qr_file_write(&qr, ret_path);
    umask(mask);
    return e;
}

static void
a_file_is_its_owners_alone_and_never_written_over(void **context)
{
    static const char *const names[] = {"a.png", "a.svg"};
    char folder[] = "/tmp/test_qr.XXXXXX";
    char path[256];
    char link_path[256];

    (void)context;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        struct stat before;
        struct stat after;

        assert_int_equal(write_in(folder, names[i], path), ERR_OK);
        assert_int_equal(stat(path, &before), 0);
        assert_int_equal(before.st_mode & 07777, 0600);
        assert_true(before.st_size > 100);
        assert_int_equal(write_in(folder, names[i], path), ERR_EXISTS);
        assert_int_equal(stat(path, &after), 0);
        assert_true(after.st_size == before.st_size &&
                    after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
        unlink(path);
    }
    snprintf(link_path, sizeof(link_path), "%s/link.png", folder);
    assert_int_equal(symlink("nowhere.png", link_path), 0);
    assert_int_equal(write_in(folder, "link.png", path), ERR_EXISTS);
    assert_int_equal(write_in(folder, "none/a.png", path), ERR_NOT_FOUND);
    unlink(link_path);
    assert_int_equal(rmdir(folder), 0); /* and nothing else was left */
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_drawn_is_what_libqrencode_made),
        cmocka_unit_test(the_level_rises_where_the_version_has_room),
        cmocka_unit_test(what_fits_no_code_is_refused),
        cmocka_unit_test(the_first_layout_that_fits_is_taken),
        cmocka_unit_test(nothing_is_drawn_where_nothing_fits),
        cmocka_unit_test(the_signs_of_a_terminal_are_read),
        cmocka_unit_test(a_pipe_is_asked_by_its_environment),
        cmocka_unit_test(a_png_shows_ten_pixels_a_module),
        cmocka_unit_test(only_png_and_svg_are_written),
        cmocka_unit_test(a_file_is_its_owners_alone_and_never_written_over),
    };

    return cmocka_run_group_tests_name("qr", tests, NULL, NULL);
}
