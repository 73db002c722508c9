/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for secrets: types of their own, wiped when they go out of scope,
 * locked where they live longer than a moment.
 *
 * Wiping cannot reach what the compiler spilled to registers or what the
 * kernel kept of a page; the tests look for what is left.
 */
#ifndef PAWL_LIB_SECMEM_H
#define PAWL_LIB_SECMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"

enum {
    SECRET_MAX = 64, /* bytes of the longest token secret */
    KEY_BYTES = 64,  /* bytes of a master key */
};

/* What a token and pawl share: the key of its HMAC. */
struct secret {
    size_t length;
    uint8_t bytes[SECRET_MAX];
};

/* A master key of the key ring. */
struct key {
    uint8_t bytes[KEY_BYTES];
};

/* Overwrites length bytes with zeros; never optimised away. */
void secmem_wipe(void *bytes, size_t length);

/* Compares length bytes in time that depends on length alone. */
bool secmem_equal(const void *a, const void *b, size_t length);

void secret_wipe(struct secret *secret);

/*
 * Whether two secrets make the same HMAC, in constant time. RFC 2104 pads a
 * key with zeros to the block, so zeros at the end make no difference.
 */
bool secret_equal(const struct secret *a, const struct secret *b);

void key_wipe(struct key *key);

/*
 * Whole pages of zeros, left out of core files and of forked children, and
 * locked into memory where the caller's limit allows it: failing to lock is
 * not an error. secmem_free wipes and takes NULL.
 */
enum err secmem_alloc(size_t length, void **ret) MUST_CHECK;
void secmem_free(void *bytes, size_t length);

#endif
