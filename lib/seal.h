/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The authenticated encryptor: the payload format of ASP.NET Core Data
 * Protection, byte for byte, so that an independent implementation with the
 * same key can open and make our payloads.
 *
 *   protected payload                       bare payload, CBC
 *    0   4  09 F0 C9 F0                      0  16  key modifier, random
 *    4  16  key id                          16  16  IV, random
 *   20   .  bare payload                    32   .  AES-CBC, PKCS#7 padding
 *                                            .   D  HMAC(K_H, IV || ciphertext)
 *   bare payload, GCM
 *    0  16  key modifier, random
 *   16  12  nonce, random
 *   28   n  ciphertext
 *    .  16  tag
 *
 * K_E || K_H = kdf_derive(master key, label = AAD, context = context header ||
 * key modifier), cut to the cipher's and the digest's key length. The AAD
 * names the key and the purposes, so that a payload opens only where it
 * belongs. The MAC is checked, in constant time, before anything is
 * decrypted, and everything that does not open is one error.
 */
#ifndef PAWL_LIB_SEAL_H
#define PAWL_LIB_SEAL_H

#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/bytes.h"
#include "lib/err.h"
#include "lib/hmac.h"
#include "lib/key_id.h"

enum seal_algorithm {
    SEAL_AES_128_CBC_HMAC_SHA256,
    SEAL_AES_192_CBC_HMAC_SHA256,
    SEAL_AES_256_CBC_HMAC_SHA256,
    SEAL_AES_128_CBC_HMAC_SHA512,
    SEAL_AES_192_CBC_HMAC_SHA512,
    SEAL_AES_256_CBC_HMAC_SHA512,
    SEAL_AES_128_GCM,
    SEAL_AES_192_GCM,
    SEAL_AES_256_GCM,

    SEAL_DEFAULT = SEAL_AES_256_CBC_HMAC_SHA256,
};

enum {
    SEAL_HEADER_BYTES = 20, /* magic and key id */
    SEAL_MODIFIER_BYTES = 16,
    SEAL_IV_MAX = 16, /* CBC takes 16 of them, GCM the first 12 */
    SEAL_OVERHEAD_MAX = 20 + 16 + 16 + 16 + 64,
    SEAL_CONTEXT_HEADER_MAX = 98,
    SEAL_AAD_MAX = 512,
    SEAL_PLAINTEXT_MAX = 1 << 20,
};

/* The random part of a payload. The caller fills it anew for every one. */
struct seal_random {
    uint8_t modifier[SEAL_MODIFIER_BYTES];
    uint8_t iv[SEAL_IV_MAX];
};

/* "AES_256_CBC+HMACSHA256" and so on, as a key line writes them; else NULL. */
const char *seal_algorithm_name(enum seal_algorithm algorithm);
enum err seal_algorithm_parse(const char *name, enum seal_algorithm *ret)
    MUST_CHECK;

/*
 * The algorithm pair's thumbprint that goes into every derivation: a constant
 * of 34, 66 or 98 bytes. The tests compute it anew.
 */
struct bytes seal_context_header(enum seal_algorithm algorithm);

/*
 * Bytes of the bare and of the protected payload of length bytes of plaintext;
 * 0 for an unknown algorithm or a length over SEAL_PLAINTEXT_MAX.
 */
size_t seal_encrypted_length(enum seal_algorithm algorithm, size_t length);
size_t seal_protected_length(enum seal_algorithm algorithm, size_t length);

/*
 * AAD of a protected payload: magic || key id || purpose count || each
 * purpose, its length in bytes as a 7-bit varint before it. purposes are
 * UTF-8; ret has room bytes of room. ERR_SPACE when they do not fit.
 */
enum err seal_aad(const struct key_id *id, const char *const *purposes,
                  size_t purpose_count, uint8_t *ret, size_t room,
                  size_t *ret_length) MUST_CHECK;

/*
 * Reads the header of a protected payload and gives the key id it names.
 * ERR_MAGIC (also when shorter than the header), ERR_VERSION.
 */
enum err seal_key_id(struct bytes payload, struct key_id *ret) MUST_CHECK;

/*
 * One payload by itself: header and bare payload.
 *
 * ret of seal_protect takes seal_protected_length(algorithm, plaintext.length)
 * bytes and may not overlap the plaintext; it is wiped on failure. ERR_RANGE
 * for a plaintext over SEAL_PLAINTEXT_MAX, ERR_SPACE for purposes that make an
 * AAD over SEAL_AAD_MAX, ERR_UNSUPPORTED for an unknown algorithm, ERR_CRYPTO.
 *
 * ret of seal_unprotect takes payload.length bytes; the plaintext is shorter.
 * The errors of seal_key_id; ERR_KEY_UNKNOWN when the payload names another
 * key than id; ERR_SEALED for whatever does not open behind the header; and
 * those of seal_protect. ret is then wiped and *ret_length is 0.
 */
enum err seal_protect(enum seal_algorithm algorithm, const struct key_id *id,
                      struct bytes key, const char *const *purposes,
                      size_t purpose_count, const struct seal_random *random,
                      struct bytes plaintext, uint8_t *ret) MUST_CHECK;
enum err seal_unprotect(enum seal_algorithm algorithm, const struct key_id *id,
                        struct bytes key, const char *const *purposes,
                        size_t purpose_count, struct bytes payload,
                        uint8_t *ret, size_t *ret_length) MUST_CHECK;

/*
 * Several payloads under one key, or a few: everything is fetched once, and
 * the derivation stays keyed, which is most of the cost of a small payload.
 * Start from zeros. It holds the master key and the last payload's subkeys
 * until seal_clear, so it lives no longer than one operation.
 */
struct seal {
    const struct seal_suite *suite;
    struct hmac prf; /* of the derivation, keyed with the master key */
    struct hmac mac;
    struct evp_cipher_st *cipher;
    struct evp_cipher_ctx_st *context;
};

/* Called once on a zeroed struct. ERR_UNSUPPORTED, ERR_CRYPTO. */
enum err seal_open(struct seal *seal, enum seal_algorithm algorithm) MUST_CHECK;

/* Sets the master key; after a failure there is none. */
enum err seal_set_key(struct seal *seal, struct bytes key) MUST_CHECK;

/* As seal_protect and seal_unprotect, under the key that was set last. */
enum err seal_protect_with(struct seal *seal, const struct key_id *id,
                           const char *const *purposes, size_t purpose_count,
                           const struct seal_random *random,
                           struct bytes plaintext, uint8_t *ret) MUST_CHECK;
enum err seal_unprotect_with(struct seal *seal, const struct key_id *id,
                             const char *const *purposes, size_t purpose_count,
                             struct bytes payload, uint8_t *ret,
                             size_t *ret_length) MUST_CHECK;

/*
 * The bare encryptor: the same without header, under any AAD. ret of
 * seal_encrypt takes seal_encrypted_length(algorithm, plaintext.length) bytes.
 */
enum err seal_encrypt(struct seal *seal, struct bytes aad,
                      const struct seal_random *random, struct bytes plaintext,
                      uint8_t *ret) MUST_CHECK;
enum err seal_decrypt(struct seal *seal, struct bytes aad, struct bytes payload,
                      uint8_t *ret, size_t *ret_length) MUST_CHECK;

/* Frees what libcrypto holds, the keys with it. Takes a zeroed struct. */
void seal_clear(struct seal *seal);

#endif
