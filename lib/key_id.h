/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A key id: a GUID. People read it as text; payloads carry it in the byte
 * order of .NET, whose first three fields are little-endian.
 */
#ifndef PAWL_LIB_KEY_ID_H
#define PAWL_LIB_KEY_ID_H

#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"

enum {
    KEY_ID_BYTES = 16,
    KEY_ID_TEXT_BYTES = 37, /* 8-4-4-4-12 lower-case hex and a NUL */
};

/* In the byte order of its text form. */
struct key_id {
    uint8_t bytes[KEY_ID_BYTES];
};

/* Upper- or lower-case 8-4-4-4-12 hex, nothing else. ERR_INVALID. */
enum err key_id_parse(const char *text, struct key_id *ret) MUST_CHECK;
void key_id_format(const struct key_id *id, char ret[KEY_ID_TEXT_BYTES]);

/* As a payload carries it, and back. */
void key_id_encode(const struct key_id *id, uint8_t ret[KEY_ID_BYTES]);
void key_id_decode(const uint8_t bytes[KEY_ID_BYTES], struct key_id *ret);

#endif
