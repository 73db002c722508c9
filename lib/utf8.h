/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names that people choose: UTF-8 (RFC 3629), and nothing in it that moves a
 * cursor or ends a line.
 */
#ifndef PAWL_LIB_UTF8_H
#define PAWL_LIB_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether length bytes are well-formed UTF-8 (no overlong form, no surrogate,
 * nothing past U+10FFFF, nothing cut off) without control characters: NUL,
 * U+0001 to U+001F, U+007F to U+009F and the separators U+2028 and U+2029.
 * The empty text is fine.
 */
bool utf8_plain(const char *text, size_t length);

#endif
