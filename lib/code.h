/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a person typed: is it something that could be a code at all? An answer
 * that cannot be one is never judged, never counted and never logged.
 */
#ifndef PAWL_LIB_CODE_H
#define PAWL_LIB_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"

/* A typed code: a number, and how many digits it was written with. */
struct code {
    unsigned digits;
    uint32_t value;
};

/*
 * Reads exactly HOTP_DIGITS_MIN to HOTP_DIGITS_MAX ASCII digits and nothing
 * else: no sign, blank, NUL or other script's digits. length is that of text
 * in bytes. ERR_INVALID for anything else; ret is then untouched. Whether it
 * has as many digits as a token shows is for the caller to compare.
 */
enum err code_parse(const char *text, size_t length, struct code *ret)
    MUST_CHECK;

void code_wipe(struct code *code);

#endif
