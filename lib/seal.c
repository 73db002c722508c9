/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include <openssl/evp.h>

#include "lib/crypto.h"
#include "lib/kdf.h"
#include "lib/seal.h"
#include "lib/seal_suite.h"
#include "lib/secmem.h"

enum {
    CIPHER_KEY_MAX = 32,
};

/* K_E || K_H, as one derivation gives them. */
struct subkeys {
    uint8_t bytes[CIPHER_KEY_MAX + HMAC_BYTES_MAX];
};

static void
subkeys_wipe(struct subkeys *subkeys)
{
    secmem_wipe(subkeys, sizeof(*subkeys));
}

/* Opened and closed ---------------------------------------------------- */

static enum err
seal_open_cipher(struct seal *seal)
{
    seal->cipher = EVP_CIPHER_fetch(NULL, seal->suite->cipher, NULL);
    if (seal->cipher == NULL)
        return ERR_CRYPTO;
    seal->context = EVP_CIPHER_CTX_new();
    if (seal->context == NULL)
        return ERR_CRYPTO;
    if (EVP_CipherInit_ex2(seal->context, seal->cipher, NULL, NULL, 1, NULL) !=
        1)
        return ERR_CRYPTO;
    return ERR_OK;
}

enum err
seal_open(struct seal *seal, enum seal_algorithm algorithm)
{
    CRYPTO_GUEST;
    AUTO(seal_clear) struct seal opened = {.suite = seal_suite(algorithm)};
    enum err e;

    if (opened.suite == NULL)
        return ERR_UNSUPPORTED;
    e = hmac_open(&opened.prf, HMAC_SHA512);
    if (e != ERR_OK)
        return e;
    if (!opened.suite->gcm) {
        e = hmac_open(&opened.mac, opened.suite->digest);
        if (e != ERR_OK)
            return e;
    }
    e = seal_open_cipher(&opened);
    if (e != ERR_OK)
        return e;
    *seal = opened;
    opened = (struct seal){0};
    return ERR_OK;
}

enum err
seal_set_key(struct seal *seal, struct bytes key)
{
    CRYPTO_GUEST;

    return hmac_set_key(&seal->prf, key);
}

void
seal_clear(struct seal *seal)
{
    EVP_CIPHER_CTX_free(seal->context);
    EVP_CIPHER_free(seal->cipher);
    hmac_clear(&seal->mac);
    hmac_clear(&seal->prf);
    secmem_wipe(seal, sizeof(*seal));
}

/* Steps that both directions take ---------------------------------------- */

static enum err
seal_derive(struct seal *seal, struct bytes aad, const uint8_t *modifier,
            struct subkeys *ret)
{
    const struct seal_suite *suite = seal->suite;
    uint8_t context[SEAL_CONTEXT_HEADER_MAX + SEAL_MODIFIER_BYTES];
    struct writer writer = {context, sizeof(context), false};

    writer_bytes(&writer, suite->header, suite->header_bytes);
    writer_bytes(&writer, modifier, SEAL_MODIFIER_BYTES);
    return kdf_derive_with(
        &seal->prf, aad, (struct bytes){context, sizeof(context) - writer.left},
        ret->bytes, (size_t)suite->key_bytes + suite->mac_key_bytes);
}

/* HMAC(K_H, IV || ciphertext), which stand one behind the other. */
static enum err
seal_mac(struct seal *seal, const struct subkeys *subkeys,
         struct bytes authenticated, uint8_t *ret)
{
    const struct bytes key = {subkeys->bytes + seal->suite->key_bytes,
                              seal->suite->mac_key_bytes};
    enum err e;

    e = hmac_set_key(&seal->mac, key);
    if (e != ERR_OK)
        return e;
    e = hmac_start(&seal->mac);
    if (e != ERR_OK)
        return e;
    e = hmac_update(&seal->mac, authenticated);
    if (e != ERR_OK)
        return e;
    return hmac_final(&seal->mac, ret);
}

/* The direction is 1 to encrypt, 0 to decrypt. */
static enum err
seal_key_cipher(struct seal *seal, const struct subkeys *subkeys,
                const uint8_t *iv, int direction)
{
    return EVP_CipherInit_ex2(seal->context, NULL, subkeys->bytes, iv,
                              direction, NULL) == 1
               ? ERR_OK
               : ERR_CRYPTO;
}

/* ERR_SEALED when the end does not fit: padding, or GCM's tag. */
static enum err
seal_run_cipher(struct seal *seal, struct bytes in, uint8_t *ret,
                size_t *ret_length)
{
    int done = 0;
    int rest = 0;

    if (in.length > 0 &&
        EVP_CipherUpdate(seal->context, ret, &done, in.at, (int)in.length) != 1)
        return ERR_CRYPTO;
    if (EVP_CipherFinal_ex(seal->context, ret + done, &rest) != 1)
        return ERR_SEALED;
    *ret_length = (size_t)done + (size_t)rest;
    return ERR_OK;
}

/* The bare encryptor ----------------------------------------------------- */

/* What stands where in a bare payload whose length was checked. */
struct layout {
    size_t iv;
    size_t body;
    size_t body_length;
    size_t tag;
};

static struct layout
suite_layout(const struct seal_suite *suite, size_t body_length)
{
    struct layout at = {.iv = SEAL_MODIFIER_BYTES, .body_length = body_length};

    at.body = at.iv + suite->iv_bytes;
    at.tag = at.body + body_length;
    return at;
}

static enum err
encrypt_into(struct seal *seal, struct bytes aad,
             const struct seal_random *random, struct bytes plaintext,
             uint8_t *ret)
{
    AUTO(subkeys_wipe) struct subkeys subkeys = {0};
    const struct seal_suite *suite = seal->suite;
    const struct layout at =
        suite_layout(suite, seal_suite_body_length(suite, plaintext.length));
    size_t written = 0;
    enum err e;

    memcpy(ret, random->modifier, SEAL_MODIFIER_BYTES);
    memcpy(ret + at.iv, random->iv, suite->iv_bytes);
    e = seal_derive(seal, aad, random->modifier, &subkeys);
    if (e != ERR_OK)
        return e;
    e = seal_key_cipher(seal, &subkeys, random->iv, 1);
    if (e != ERR_OK)
        return e;
    e = seal_run_cipher(seal, plaintext, ret + at.body, &written);
    if (e != ERR_OK || written != at.body_length)
        return ERR_CRYPTO;
    if (suite->gcm)
        return EVP_CIPHER_CTX_ctrl(seal->context, EVP_CTRL_AEAD_GET_TAG,
                                   suite->tag_bytes, ret + at.tag) == 1
                   ? ERR_OK
                   : ERR_CRYPTO;
    return seal_mac(seal, &subkeys, (struct bytes){ret + at.iv, at.tag - at.iv},
                    ret + at.tag);
}

enum err
seal_encrypt(struct seal *seal, struct bytes aad,
             const struct seal_random *random, struct bytes plaintext,
             uint8_t *ret)
{
    CRYPTO_GUEST;
    enum err e;

    if (seal->suite == NULL)
        return ERR_CRYPTO;
    if (plaintext.length > SEAL_PLAINTEXT_MAX)
        return ERR_RANGE;
    e = encrypt_into(seal, aad, random, plaintext, ret);
    if (e != ERR_OK)
        secmem_wipe(ret, seal_suite_length(seal->suite, plaintext.length));
    return e;
}

/* Whether the payload may be decrypted: the MAC of CBC, GCM's tag to be. */
static enum err
seal_authenticate(struct seal *seal, const struct subkeys *subkeys,
                  struct bytes payload, const struct layout *at)
{
    AUTO(hmac_tag_wipe) struct hmac_tag tag = {0};
    enum err e;

    if (seal->suite->gcm) {
        memcpy(tag.bytes, payload.at + at->tag, seal->suite->tag_bytes);
        return EVP_CIPHER_CTX_ctrl(seal->context, EVP_CTRL_AEAD_SET_TAG,
                                   seal->suite->tag_bytes, tag.bytes) == 1
                   ? ERR_OK
                   : ERR_CRYPTO;
    }
    e = seal_mac(seal, subkeys,
                 (struct bytes){payload.at + at->iv, at->tag - at->iv},
                 tag.bytes);
    if (e != ERR_OK)
        return e;
    if (!secmem_equal(tag.bytes, payload.at + at->tag, seal->suite->tag_bytes))
        return ERR_SEALED;
    return ERR_OK;
}

static enum err
decrypt_into(struct seal *seal, struct bytes aad, struct bytes payload,
             uint8_t *ret, size_t *ret_length)
{
    AUTO(subkeys_wipe) struct subkeys subkeys = {0};
    const struct seal_suite *suite = seal->suite;
    struct layout at;
    enum err e;

    if (payload.length < seal_suite_frame_length(suite) ||
        payload.length > SEAL_PLAINTEXT_MAX + SEAL_OVERHEAD_MAX)
        return ERR_SEALED;
    at = suite_layout(suite, payload.length - seal_suite_frame_length(suite));
    if (!suite->gcm &&
        (at.body_length == 0 || at.body_length % SEAL_BLOCK_BYTES != 0))
        return ERR_SEALED;
    e = seal_derive(seal, aad, payload.at, &subkeys);
    if (e != ERR_OK)
        return e;
    e = seal_key_cipher(seal, &subkeys, payload.at + at.iv, 0);
    if (e != ERR_OK)
        return e;
    e = seal_authenticate(seal, &subkeys, payload, &at);
    if (e != ERR_OK)
        return e;
    return seal_run_cipher(seal,
                           (struct bytes){payload.at + at.body, at.body_length},
                           ret, ret_length);
}

enum err
seal_decrypt(struct seal *seal, struct bytes aad, struct bytes payload,
             uint8_t *ret, size_t *ret_length)
{
    CRYPTO_GUEST;
    enum err e = ERR_CRYPTO;

    if (seal->suite != NULL)
        e = decrypt_into(seal, aad, payload, ret, ret_length);
    if (e != ERR_OK) {
        secmem_wipe(ret, payload.length);
        *ret_length = 0;
    }
    return e;
}
