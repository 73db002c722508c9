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
};

enum {
    SEAL_DEFAULT = SEAL_AES_256_CBC_HMAC_SHA256,
    SEAL_HEADER_BYTES = 20, /* magic and key id */
    SEAL_MODIFIER_BYTES = 16,
    SEAL_IV_MAX = 16, /* CBC takes 16 of them, GCM the first 12 */
    SEAL_OVERHEAD_MAX = 20 + 16 + 16 + 16 + 64,
    SEAL_CONTEXT_HEADER_MAX = 98,
    SEAL_AAD_MAX = 512,
    SEAL_PLAINTEXT_MAX = 1 << 20,
};

/* A key id: a GUID, in the byte order of its text form. */
struct key_id {
    uint8_t bytes[16];
};

enum {
    KEY_ID_TEXT_BYTES = 37, /* 8-4-4-4-12 lower-case hex and a NUL */
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

/* Upper- or lower-case 8-4-4-4-12 hex, nothing else. ERR_INVALID. */
enum err key_id_parse(const char *text, struct key_id *ret) MUST_CHECK;
void key_id_format(const struct key_id *id, char ret[KEY_ID_TEXT_BYTES]);

/*
 * The algorithm pair's thumbprint that goes into every derivation: a constant
 * of 34, 66 or 98 bytes. The tests compute it anew.
 */
struct bytes seal_context_header(enum seal_algorithm algorithm);

/* Bytes of the bare payload of length bytes of plaintext. */
size_t seal_encrypted_length(enum seal_algorithm algorithm, size_t length);

/*
 * The bare encryptor. ret takes seal_encrypted_length(algorithm,
 * plaintext.length) bytes and may not overlap the plaintext; it is wiped on
 * failure. ERR_RANGE for a plaintext over SEAL_PLAINTEXT_MAX, ERR_CRYPTO.
 */
enum err seal_encrypt(enum seal_algorithm algorithm, struct bytes key,
                      struct bytes aad, const struct seal_random *random,
                      struct bytes plaintext, uint8_t *ret) MUST_CHECK;

/*
 * ret takes payload.length bytes; the plaintext is shorter. ERR_SEALED for
 * whatever does not open, ERR_CRYPTO if libcrypto fails; ret is then wiped
 * and *ret_length is 0.
 */
enum err seal_decrypt(enum seal_algorithm algorithm, struct bytes key,
                      struct bytes aad, struct bytes payload, uint8_t *ret,
                      size_t *ret_length) MUST_CHECK;

/*
 * AAD of a protected payload: magic || key id || purpose count || each
 * purpose, its length in bytes as a 7-bit varint before it. purposes are
 * UTF-8; ret has SEAL_AAD_MAX bytes of room. ERR_SPACE when they do not fit.
 */
enum err seal_aad(const struct key_id *id, const char *const *purposes,
                  size_t purpose_count, uint8_t *ret, size_t *ret_length)
    MUST_CHECK;

/*
 * Reads the header of a protected payload and gives the key id it names.
 * ERR_MAGIC (also when shorter than the header), ERR_VERSION.
 */
enum err seal_key_id(struct bytes payload, struct key_id *ret) MUST_CHECK;

/* Bytes of the protected payload of length bytes of plaintext. */
size_t seal_protected_length(enum seal_algorithm algorithm, size_t length);

/*
 * Header and bare payload in one. Buffers and errors as with seal_encrypt and
 * seal_decrypt; unprotect adds those of seal_key_id, and ERR_KEY_UNKNOWN when
 * the payload names another key than id.
 */
enum err seal_protect(enum seal_algorithm algorithm, const struct key_id *id,
                      struct bytes key, const char *const *purposes,
                      size_t purpose_count, const struct seal_random *random,
                      struct bytes plaintext, uint8_t *ret) MUST_CHECK;
enum err seal_unprotect(enum seal_algorithm algorithm, const struct key_id *id,
                        struct bytes key, const char *const *purposes,
                        size_t purpose_count, struct bytes payload,
                        uint8_t *ret, size_t *ret_length) MUST_CHECK;

#endif
