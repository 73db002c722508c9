/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the nine algorithm pairs are made of. For the seal*.c alone.
 */
#ifndef PAWL_LIB_SEAL_SUITE_H
#define PAWL_LIB_SEAL_SUITE_H

#include <stdbool.h>

#include "lib/hmac.h"
#include "lib/seal.h"

enum {
    SEAL_BLOCK_BYTES = 16, /* of AES */
};

struct seal_suite {
    const char *name;        /* as a key line writes it */
    const char *cipher;      /* as libcrypto names it */
    bool gcm;                /* else CBC and HMAC */
    enum hmac_digest digest; /* of CBC's HMAC */
    uint8_t key_bytes;       /* K_E */
    uint8_t mac_key_bytes;   /* K_H; none with GCM */
    uint8_t iv_bytes;
    uint8_t tag_bytes; /* MAC or tag at the end */
    uint8_t header_bytes;
    uint8_t header[SEAL_CONTEXT_HEADER_MAX];
};

/* NULL for an algorithm that is none of ours. */
const struct seal_suite *seal_suite(enum seal_algorithm algorithm);

/* Bytes of ciphertext of length bytes of plaintext, at most the maximum. */
size_t seal_suite_body_length(const struct seal_suite *suite, size_t length);

/* Bytes of a bare payload without its ciphertext. */
size_t seal_suite_frame_length(const struct seal_suite *suite);

/* Bytes of a bare payload; 0 for a plaintext over the maximum. */
size_t seal_suite_length(const struct seal_suite *suite, size_t length);

#endif
