/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <png.h>

#include "enroll/qr_file.h"
#include "lib/bytes.h"
#include "lib/file.h"
#include "lib/secmem.h"

enum {
    PIXELS_A_MODULE = 10,
    SVG_HEAD_MAX = 512, /* bytes round the runs of an SVG */
    SVG_RUN_MAX = 32,   /* bytes of one run */
    PIXEL_DARK = 0,
    PIXEL_LIGHT = 255,
};

enum format {
    FORMAT_PNG,
    FORMAT_SVG,
};

/* Modules a side, margin included. */
static int
side_of(const struct qr *qr)
{
    return qr->size + 2 * QR_MARGIN;
}

/* One grey byte a pixel. */
static enum err
paint(const struct qr *qr, struct qr_drawing *ret)
{
    int side = side_of(qr) * PIXELS_A_MODULE;
    enum err e = qr_drawing_alloc((size_t)side * (size_t)side, ret);

    if (e != ERR_OK)
        return e;
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            bool dark = qr_dark(qr, x / PIXELS_A_MODULE - QR_MARGIN,
                                y / PIXELS_A_MODULE - QR_MARGIN);

            ret->bytes[y * side + x] = dark ? PIXEL_DARK : PIXEL_LIGHT;
        }
    }
    ret->length = ret->room;
    return ERR_OK;
}

enum err
qr_file_png(const struct qr *qr, struct qr_drawing *ret)
{
    AUTO(qr_drawing_wipe) struct qr_drawing pixels = {0};
    AUTO(qr_drawing_wipe) struct qr_drawing drawing = {0};
    png_image image = {0};
    png_alloc_size_t length;
    enum err e;

    e = paint(qr, &pixels);
    if (e != ERR_OK)
        return e;
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)(side_of(qr) * PIXELS_A_MODULE);
    image.height = image.width;
    image.format = PNG_FORMAT_GRAY;
    length = PNG_IMAGE_PNG_SIZE_MAX(image);
    e = qr_drawing_alloc(length, &drawing);
    if (e != ERR_OK)
        return e;
    if (!png_image_write_to_memory(&image, drawing.bytes, &length, 0,
                                   pixels.bytes, 0, NULL))
        return ERR_IO;
    drawing.length = length;
    *ret = drawing;
    drawing = (struct qr_drawing){0};
    return ERR_OK;
}

/* Straight into the drawing, so that no copy of the text stays behind. */
static void PRINTF_LIKE(2, 3) print(struct writer *out, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf((char *)out->at, out->left, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= out->left) {
        out->failed = true;
        return;
    }
    out->at += length;
    out->left -= (size_t)length;
}

/* The dark runs of a row, each a rectangle one module high. */
static void
print_runs(struct writer *out, const struct qr *qr, int y)
{
    int x = 0;

    while (x < qr->size) {
        int first = x;

        while (qr_dark(qr, x, y))
            x++;
        if (x > first)
            print(out, "M%d %dh%dv1h-%dz\n", first + QR_MARGIN, y + QR_MARGIN,
                  x - first, x - first);
        else
            x++;
    }
}

enum err
qr_file_svg(const struct qr *qr, struct qr_drawing *ret)
{
    AUTO(qr_drawing_wipe) struct qr_drawing drawing = {0};
    size_t runs_max = (size_t)qr->size * (size_t)(qr->size + 1) / 2;
    int side = side_of(qr);
    struct writer out;
    enum err e;

    e = qr_drawing_alloc(SVG_HEAD_MAX + runs_max * SVG_RUN_MAX, &drawing);
    if (e != ERR_OK)
        return e;
    out = (struct writer){drawing.bytes, drawing.room, false};
    print(&out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
          "height=\"%d\" viewBox=\"0 0 %d %d\" "
          "shape-rendering=\"crispEdges\">\n"
          "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
          "<path fill=\"#000\" d=\"",
          side * PIXELS_A_MODULE, side * PIXELS_A_MODULE, side, side, side,
          side);
    for (int y = 0; y < qr->size; y++)
        print_runs(&out, qr, y);
    print(&out, "\"/>\n</svg>\n");
    if (out.failed)
        return ERR_SPACE;
    drawing.length = drawing.room - out.left;
    *ret = drawing;
    drawing = (struct qr_drawing){0};
    return ERR_OK;
}

static bool
ends_with(const char *path, const char *lower)
{
    size_t length = strlen(path);
    size_t end = strlen(lower);

    if (length <= end)
        return false;
    for (size_t i = 0; i < end; i++) {
        char c = path[length - end + i];

        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != lower[i])
            return false;
    }
    return true;
}

static enum err
format_of(const char *path, enum format *ret)
{
    if (ends_with(path, ".png"))
        *ret = FORMAT_PNG;
    else if (ends_with(path, ".svg"))
        *ret = FORMAT_SVG;
    else
        return ERR_UNSUPPORTED;
    return ERR_OK;
}

enum err
qr_file_check(const char *path)
{
    enum format format;

    return format_of(path, &format);
}

static enum err
draw(const struct qr *qr, enum format format, struct qr_drawing *ret)
{
    switch (format) {
    case FORMAT_PNG:
        return qr_file_png(qr, ret);
    case FORMAT_SVG:
        return qr_file_svg(qr, ret);
    }
    return ERR_UNSUPPORTED;
}

/* Plain O_EXCL, no link: a memory stick's file system has none. */
static enum err
create(const char *path, const struct qr_drawing *drawing)
{
    AUTO(file_close) int fd = -1;
    enum err e;

    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return file_error(errno);
    e = file_write(fd, drawing->bytes, drawing->length);
    if (e == ERR_OK && fsync(fd) != 0)
        e = file_error(errno);
    if (e != ERR_OK)
        (void)unlink(path); /* the first error is the one to report */
    return e;
}

enum err
qr_file_write(const struct qr *qr, const char *path)
{
    AUTO(qr_drawing_wipe) struct qr_drawing drawing = {0};
    enum format format;
    enum err e;

    e = format_of(path, &format);
    if (e != ERR_OK)
        return e;
    e = draw(qr, format, &drawing);
    if (e != ERR_OK)
        return e;
    return create(path, &drawing);
}
