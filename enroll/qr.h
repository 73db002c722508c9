/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A QR code (ISO/IEC 18004) as a matrix of modules. This is the one room that
 * knows libqrencode. What is drawn of a matrix: qr_terminal.h, qr_file.h.
 *
 * The matrix says the same as the URI it is made of, so it is a secret: it
 * lies in locked memory and is wiped, and so is libqrencode's own copy of it.
 * What libqrencode keeps in between (the input as bits) is out of our reach.
 *
 *     AUTO(qr_wipe) struct qr qr = {0};
 *     e = qr_make(uri, &qr);
 */
#ifndef PAWL_ENROLL_QR_H
#define PAWL_ENROLL_QR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"

enum {
    QR_SIZE_MIN = 21,  /* modules a side, version 1 */
    QR_SIZE_MAX = 177, /* version 40 */
    QR_MARGIN = 4,     /* modules of light all round that the standard asks */
};

struct qr {
    int size;         /* modules a side, margin not counted; 17 + 4 version */
    uint8_t *modules; /* size rows of size, 1 is dark */
};

/* A drawing, as secret as what it shows: text for a terminal, or a file. */
struct qr_drawing {
    size_t length; /* bytes drawn */
    size_t room;   /* bytes allocated */
    uint8_t *bytes;
};

/*
 * Encodes text in the smallest version that level L allows, then raises the
 * level as far as that version has room: a screen has no dirt, so that large
 * modules are worth more than redundancy. Case is kept. ERR_SPACE when text
 * is too long for any QR code, ERR_INVALID when it is empty, ERR_NOMEM; ret
 * is then untouched.
 */
enum err qr_make(const char *text, struct qr *ret) MUST_CHECK;

/* Whether a module is dark. Everything outside the code is light. */
bool qr_dark(const struct qr *qr, int x, int y);

/* Wipe and free; take zeroed structs and leave such. */
void qr_wipe(struct qr *qr);
void qr_drawing_wipe(struct qr_drawing *drawing);

/* Empty, with room for so many bytes; for those who draw. */
enum err qr_drawing_alloc(size_t room, struct qr_drawing *ret) MUST_CHECK;

#endif
