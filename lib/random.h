/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random bytes from the kernel, and from nowhere else.
 */
#ifndef PAWL_LIB_RANDOM_H
#define PAWL_LIB_RANDOM_H

#include <stddef.h>

#include "lib/attrs.h"
#include "lib/err.h"

/* Fills ret with length bytes, or wipes it and returns ERR_RANDOM. */
enum err random_bytes(void *ret, size_t length) MUST_CHECK;

#endif
