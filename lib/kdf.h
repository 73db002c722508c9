/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NIST SP 800-108 key derivation in counter mode with HMAC: the subkeys of
 * every sealed payload come from here.
 *
 * The loop is our own over one keyed HMAC that is re-armed for each block.
 * libcrypto's KBKDF gives the same bytes at about twice the instructions; the
 * tests hold one against the other.
 */
#ifndef PAWL_LIB_KDF_H
#define PAWL_LIB_KDF_H

#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/bytes.h"
#include "lib/err.h"

struct hmac;

/*
 * Section 4.1 with the fixed input data given whole, as parts that are hashed
 * one after another: for block i, PRF(key, [i] || parts), [i] big-endian in
 * counter_bits (8, 16, 24 or 32). prf is keyed already and stays so. Fills ret
 * with length bytes, or wipes it. ERR_RANGE for a bad counter width or more
 * blocks than it can count, ERR_CRYPTO.
 */
enum err kdf_counter(struct hmac *prf, unsigned counter_bits,
                     const struct bytes *parts, size_t part_count, uint8_t *ret,
                     size_t length) MUST_CHECK;

/*
 * The form that sealing uses: a 32-bit counter, and fixed input
 * label || 00 || context || [length in bits, 32 bits, big-endian].
 */
enum err kdf_derive_with(struct hmac *prf, struct bytes label,
                         struct bytes context, uint8_t *ret, size_t length)
    MUST_CHECK;

/*
 * The same for one derivation from key, with HMAC-SHA512. An empty key is
 * taken as HMAC takes it: as zeros.
 */
enum err kdf_derive(struct bytes key, struct bytes label, struct bytes context,
                    uint8_t *ret, size_t length) MUST_CHECK;

#endif
