/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>

#include <qrencode.h>

#include "enroll/qr.h"
#include "lib/secmem.h"

enum {
    VERSION_SMALLEST = 0, /* libqrencode's word for "as small as fits" */
    CASE_SENSITIVE = 1,
    MODULE_DARK = 1, /* the lowest bit of libqrencode's bytes */
};

static void
code_free(QRcode **code)
{
    if (*code == NULL)
        return;
    secmem_wipe((*code)->data, (size_t)(*code)->width * (size_t)(*code)->width);
    QRcode_free(*code);
    *code = NULL;
}

static enum err
code_make(const char *text, int version, QRecLevel level, QRcode **ret)
{
    QRcode *code =
        QRcode_encodeString(text, version, level, QR_MODE_8, CASE_SENSITIVE);

    if (code != NULL) {
        *ret = code;
        return ERR_OK;
    }
    switch (errno) {
    case ERANGE:
        return ERR_SPACE;
    case ENOMEM:
        return ERR_NOMEM;
    default:
        return ERR_INVALID;
    }
}

/* Takes the highest level whose code is no larger than *code. */
static void
code_raise_level(const char *text, QRcode **code)
{
    static const QRecLevel levels[] = {QR_ECLEVEL_H, QR_ECLEVEL_Q,
                                       QR_ECLEVEL_M};

    for (size_t i = 0; i < ARRAY_LENGTH(levels); i++) {
        AUTO(code_free) QRcode *raised = NULL;

        /* It grows the version, or fails, where the text does not fit. */
        if (code_make(text, (*code)->version, levels[i], &raised) != ERR_OK)
            continue;
        if (raised->version == (*code)->version) {
            QRcode *lower = *code;

            *code = raised;
            raised = lower;
            return;
        }
    }
}

enum err
qr_make(const char *text, struct qr *ret)
{
    AUTO(code_free) QRcode *code = NULL;
    void *modules = NULL;
    struct qr qr;
    enum err e;

    e = code_make(text, VERSION_SMALLEST, QR_ECLEVEL_L, &code);
    if (e != ERR_OK)
        return e;
    code_raise_level(text, &code);
    e = secmem_alloc((size_t)code->width * (size_t)code->width, &modules);
    if (e != ERR_OK)
        return e;
    qr.size = code->width;
    qr.modules = modules;
    for (int i = 0; i < qr.size * qr.size; i++)
        qr.modules[i] = code->data[i] & MODULE_DARK;
    *ret = qr;
    return ERR_OK;
}

bool
qr_dark(const struct qr *qr, int x, int y)
{
    if (x < 0 || y < 0 || x >= qr->size || y >= qr->size)
        return false;
    return qr->modules[y * qr->size + x] != 0;
}

void
qr_wipe(struct qr *qr)
{
    secmem_free(qr->modules, (size_t)qr->size * (size_t)qr->size);
    *qr = (struct qr){0};
}

void
qr_drawing_wipe(struct qr_drawing *drawing)
{
    secmem_free(drawing->bytes, drawing->room);
    *drawing = (struct qr_drawing){0};
}

enum err
qr_drawing_alloc(size_t room, struct qr_drawing *ret)
{
    void *bytes = NULL;
    enum err e = secmem_alloc(room, &bytes);

    if (e != ERR_OK)
        return e;
    *ret = (struct qr_drawing){0, room, bytes};
    return ERR_OK;
}
