/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A bounded big-endian reader and writer. Running out of bytes or room sets
 * failed for good; reads then give zeros, so that a parser reads straight
 * through and asks once at the end.
 */
#ifndef PAWL_LIB_BYTES_H
#define PAWL_LIB_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"

/* Bytes that belong to somebody else. */
struct bytes {
    const uint8_t *at;
    size_t length;
};

struct reader {
    const uint8_t *at;
    size_t left;
    bool failed;
};

struct writer {
    uint8_t *at;
    size_t left;
    bool failed;
};

uint8_t reader_u8(struct reader *reader);
uint16_t reader_u16(struct reader *reader);
uint32_t reader_u32(struct reader *reader);
uint64_t reader_u64(struct reader *reader);
void reader_bytes(struct reader *reader, void *ret, size_t length);

/* Steps over length bytes, all of which must be zero. */
void reader_zeros(struct reader *reader, size_t length);

/*
 * Reads the four bytes that name a format, the last of which counts its
 * versions: ERR_VERSION for a later one, ERR_INVALID for another format.
 */
enum err reader_magic(struct reader *reader, const uint8_t magic[4]) MUST_CHECK;

void writer_u8(struct writer *writer, uint8_t value);
void writer_u16(struct writer *writer, uint16_t value);
void writer_u32(struct writer *writer, uint32_t value);
void writer_u64(struct writer *writer, uint64_t value);
void writer_bytes(struct writer *writer, const void *bytes, size_t length);
void writer_zeros(struct writer *writer, size_t length);

#endif
