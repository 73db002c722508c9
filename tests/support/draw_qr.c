/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For shell tests: draws the URI of each line of standard input, the first
 * into FOLDER/000.KIND and so on, as the tool would.
 *
 *     draw_qr FOLDER big|small MARGIN none|16|256     KIND is ansi
 *     draw_qr FOLDER png|svg
 *     draw_qr FOLDER fit COLUMNS ROWS                 as it fits, UTF-8
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enroll/qr.h"
#include "enroll/qr_file.h"
#include "enroll/qr_terminal.h"
#include "lib/decimal.h"

enum {
    LINE_BYTES = 4096,
    PATH_BYTES = 4096,
};

static void
die(const char *what)
{
    fprintf(stderr, "draw_qr: %s\n", what);
    exit(EXIT_FAILURE);
}

static int
number(const char *text)
{
    uint64_t value = 0;

    if (decimal_parse(text, strlen(text), 10000, &value) != ERR_OK)
        die("not a number");
    return (int)value;
}

static enum qr_colours
colours_named(const char *name)
{
    if (strcmp(name, "none") == 0)
        return QR_COLOURS_NONE;
    if (strcmp(name, "16") == 0)
        return QR_COLOURS_16;
    if (strcmp(name, "256") == 0)
        return QR_COLOURS_256;
    die("unknown colours");
    return QR_COLOURS_NONE;
}

static void
save(const char *path, const struct qr_drawing *drawing)
{
    FILE *file = fopen(path, "wx");

    if (file == NULL ||
        fwrite(drawing->bytes, 1, drawing->length, file) != drawing->length ||
        fclose(file) != 0)
        die(path);
}

static void
draw(const struct qr *qr, const char *stem, char **how)
{
    AUTO(qr_drawing_wipe) struct qr_drawing drawing = {0};
    enum qr_colours colours = QR_COLOURS_256;
    struct qr_layout layout;
    char path[PATH_BYTES];

    if (strcmp(how[0], "png") == 0 || strcmp(how[0], "svg") == 0) {
        snprintf(path, sizeof(path), "%s.%s", stem, how[0]);
        if (qr_file_write(qr, path) != ERR_OK)
            die(path);
        return;
    }
    if (strcmp(how[0], "fit") == 0) {
        struct qr_terminal terminal = {number(how[1]), number(how[2]), true,
                                       colours};

        layout = qr_terminal_choose(qr, &terminal, QR_AUTO);
    } else {
        layout = qr_terminal_layout(
            qr, how[0][0] == 'b' ? QR_STYLE_BIG : QR_STYLE_SMALL,
            number(how[1]));
        colours = colours_named(how[2]);
    }
    if (qr_terminal_draw(qr, &layout, colours, &drawing) != ERR_OK)
        die("does not fit");
    snprintf(path, sizeof(path), "%s.ansi", stem);
    save(path, &drawing);
}

int
main(int argc, char **argv)
{
    static char line[LINE_BYTES];

    if (argc != 3 && argc != 5)
        die("usage: draw_qr FOLDER HOW...");
    for (int i = 0; fgets(line, sizeof(line), stdin) != NULL; i++) {
        AUTO(qr_wipe) struct qr qr = {0};
        char stem[PATH_BYTES - 8];

        line[strcspn(line, "\n")] = '\0';
        snprintf(stem, sizeof(stem), "%s/%03d", argv[1], i);
        if (qr_make(line, &qr) != ERR_OK)
            die("no QR code for this");
        draw(&qr, stem, argv + 2);
    }
    return EXIT_SUCCESS;
}
