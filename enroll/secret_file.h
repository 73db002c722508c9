/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A secret that exists already, from a file: never from the command line,
 * where every user of the host could read it.
 */
#ifndef PAWL_ENROLL_SECRET_FILE_H
#define PAWL_ENROLL_SECRET_FILE_H

#include "enroll/tool.h"
#include "lib/token.h"

/*
 * Reads the secret of path ("-" is standard input) into token: one line, base32
 * or an otpauth:// URI. With a URI, algorithm, digits and period are taken
 * from it too. EXIT_USAGE for anything else, EXIT_STORAGE when it cannot be
 * read; the reason is said on stderr.
 */
enum exit_code secret_file_read(const char *path, struct token *token)
    MUST_CHECK;

#endif
