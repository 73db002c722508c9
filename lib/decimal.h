/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whole numbers as files write them. One spelling a number: ASCII digits, no
 * sign, no blank, no leading zero.
 */
#ifndef PAWL_LIB_DECIMAL_H
#define PAWL_LIB_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"

/*
 * Reads all length bytes of text. ERR_INVALID for any other spelling,
 * ERR_RANGE for a number over max; ret is untouched on failure.
 */
enum err decimal_parse(const char *text, size_t length, uint64_t max,
                       uint64_t *ret) MUST_CHECK;

#endif
