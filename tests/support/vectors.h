/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the known answers in tests/vectors. Whatever is missing or malformed
 * there fails the running test, so that no case is skipped in silence.
 */
#ifndef PAWL_TESTS_VECTORS_H
#define PAWL_TESTS_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "lib/attrs.h"
#include "lib/bytes.h"

/* Bytes of a vector, in a block of exactly their length. */
struct vector {
    uint8_t *at;
    size_t length;
};

/* $srcdir/tests/vectors/name; vectors_close is for AUTO. */
json_t *vectors_open(const char *name);
void vectors_close(json_t **vectors);

/* The member of object, which must be there. */
json_t *vectors_get(const json_t *object, const char *member);
const char *vectors_text(const json_t *object, const char *member);
uint64_t vectors_number(const json_t *object, const char *member);
bool vectors_flag(const json_t *object, const char *member);

/* A member that is an array of at least one element. */
json_t *vectors_list(const json_t *object, const char *member);

/* A member in hex. vector_free is for AUTO and takes a zeroed struct. */
struct vector vectors_hex(const json_t *object, const char *member);
struct vector vector_new(size_t length);
void vector_free(struct vector *vector);

static inline struct bytes
vector_bytes(const struct vector *vector)
{
    return (struct bytes){vector->at, vector->length};
}

#endif
