/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A QR code as a picture file: PNG or SVG, ten pixels a module, the standard's
 * margin, black on white. The file is the secret in plain sight; it is made
 * for its owner alone.
 */
#ifndef PAWL_ENROLL_QR_FILE_H
#define PAWL_ENROLL_QR_FILE_H

#include "enroll/qr.h"
#include "lib/attrs.h"
#include "lib/err.h"

/* The picture in memory. ERR_NOMEM, or ERR_IO when libpng fails. */
enum err qr_file_png(const struct qr *qr, struct qr_drawing *ret) MUST_CHECK;
enum err qr_file_svg(const struct qr *qr, struct qr_drawing *ret) MUST_CHECK;

/*
 * Whether path ends in .png or .svg, in either case: ERR_UNSUPPORTED when not,
 * so that a command can say so before it asks anything.
 */
enum err qr_file_check(const char *path) MUST_CHECK;

/*
 * Writes the picture that path's ending names into a new file of mode 0600.
 * ERR_EXISTS when there is anything at path (a terminal, a link, a file):
 * nothing is ever written over. ERR_UNSUPPORTED as above; ERR_NOT_FOUND,
 * ERR_PERMISSION, ERR_IO and so on from the system. A file that could not be
 * written in full is removed.
 */
enum err qr_file_write(const struct qr *qr, const char *path) MUST_CHECK;

#endif
