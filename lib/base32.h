/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RFC 4648 base32, as authenticator apps read and show secrets. The text is
 * the secret: no branch and no table look-up depends on it, only on its
 * length and on whether it is valid.
 */
#ifndef PAWL_LIB_BASE32_H
#define PAWL_LIB_BASE32_H

#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"
#include "lib/secmem.h"

/* Characters of length bytes without padding, plus the NUL. */
#define BASE32_TEXT_BYTES(length) (((length)*8 + 4) / 5 + 1)

/* Writes upper case without padding, and a NUL. */
void base32_encode(const uint8_t *bytes, size_t length, char *ret);

/*
 * Reads base32 as people type it: either case; blanks, tabs, carriage returns,
 * newlines and hyphens anywhere are dropped, and '=' at the end. ERR_INVALID
 * for any other character, for lengths 1, 3 and 6 modulo 8 (of what is left),
 * and for unused bits that are not zero; ERR_SPACE when it does not fit into
 * SECRET_MAX bytes; ret is then wiped. An empty text gives an empty secret:
 * what is too short for a token is for the caller to say.
 */
enum err base32_decode(const char *text, size_t length, struct secret *ret)
    MUST_CHECK;

#endif
