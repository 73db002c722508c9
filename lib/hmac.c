/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "lib/hmac.h"
#include "lib/secmem.h"

/* By enum hmac_digest. */
static const struct {
    char name[8];
    size_t length;
} digests[] = {
    {"", 0},
    {"SHA1", 20},
    {"SHA256", 32},
    {"SHA512", 64},
};

void
hmac_tag_wipe(struct hmac_tag *tag)
{
    secmem_wipe(tag, sizeof(*tag));
}

size_t
hmac_length(enum hmac_digest digest)
{
    return (size_t)digest < ARRAY_LENGTH(digests) ? digests[digest].length : 0;
}

enum err
hmac_open(struct hmac *hmac, enum hmac_digest digest)
{
    AUTO(hmac_clear) struct hmac opened = {0};
    char name[sizeof(digests[0].name)];
    OSSL_PARAM params[2];

    opened.length = hmac_length(digest);
    if (opened.length == 0)
        return ERR_UNSUPPORTED;
    memcpy(name, digests[digest].name, sizeof(name));
    params[0] =
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0);
    params[1] = OSSL_PARAM_construct_end();
    /* The default library context: a guest brings no set-up of its own. */
    opened.mac = EVP_MAC_fetch(NULL, OSSL_MAC_NAME_HMAC, NULL);
    if (opened.mac == NULL)
        return ERR_CRYPTO;
    opened.context = EVP_MAC_CTX_new(opened.mac);
    if (opened.context == NULL)
        return ERR_CRYPTO;
    if (EVP_MAC_CTX_set_params(opened.context, params) != 1)
        return ERR_CRYPTO;
    *hmac = opened;
    opened = (struct hmac){0};
    return ERR_OK;
}

enum err
hmac_set_key(struct hmac *hmac, struct bytes key)
{
    /*
     * HMAC pads a key with zeros to the digest's block, so an empty key is
     * this one too, and no library refuses it for being too short: 112 bits.
     */
    static const uint8_t zeros[14];

    if (key.length == 0)
        key = (struct bytes){zeros, sizeof(zeros)};
    hmac->state = HMAC_UNKEYED;
    if (hmac->context == NULL)
        return ERR_CRYPTO;
    if (EVP_MAC_init(hmac->context, key.at, key.length, NULL) != 1)
        return ERR_CRYPTO;
    hmac->state = HMAC_READY;
    return ERR_OK;
}

enum err
hmac_start(struct hmac *hmac)
{
    switch (hmac->state) {
    case HMAC_UNKEYED:
        return ERR_CRYPTO;
    case HMAC_READY:
        hmac->state = HMAC_USED;
        return ERR_OK;
    case HMAC_USED:
        break;
    }
    /* Without a key: back to the state behind the key, from 3.0.3 on. */
    return EVP_MAC_init(hmac->context, NULL, 0, NULL) == 1 ? ERR_OK
                                                           : ERR_CRYPTO;
}

enum err
hmac_update(struct hmac *hmac, struct bytes bytes)
{
    if (hmac->state != HMAC_USED)
        return ERR_CRYPTO;
    if (bytes.length == 0)
        return ERR_OK;
    return EVP_MAC_update(hmac->context, bytes.at, bytes.length) == 1
               ? ERR_OK
               : ERR_CRYPTO;
}

enum err
hmac_final(struct hmac *hmac, uint8_t *ret)
{
    size_t written = 0;

    if (hmac->state != HMAC_USED ||
        EVP_MAC_final(hmac->context, ret, &written, hmac->length) != 1 ||
        written != hmac->length) {
        secmem_wipe(ret, hmac->length);
        return ERR_CRYPTO;
    }
    return ERR_OK;
}

void
hmac_clear(struct hmac *hmac)
{
    EVP_MAC_CTX_free(hmac->context);
    EVP_MAC_free(hmac->mac);
    secmem_wipe(hmac, sizeof(*hmac));
}
