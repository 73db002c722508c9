/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HMAC (FIPS 198-1, RFC 2104) from libcrypto: fetched once, keyed once, then
 * re-armed for one message after another. The one place that knows how to do
 * this cheaply and rightly: setting up costs several times a short message,
 * and a context that is duplicated or not re-armed gives wrong bytes without
 * an error on some versions.
 */
#ifndef PAWL_LIB_HMAC_H
#define PAWL_LIB_HMAC_H

#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/bytes.h"
#include "lib/err.h"

enum hmac_digest {
    HMAC_SHA1 = 1,
    HMAC_SHA256 = 2,
    HMAC_SHA512 = 3,
};

enum {
    HMAC_BYTES_MAX = 64, /* bytes of the longest MAC */
};

enum hmac_state {
    HMAC_UNKEYED = 0,
    HMAC_READY, /* keyed just now: the first message needs no re-arming */
    HMAC_USED,
};

/*
 * Start from zeros. It keeps a copy of the key until hmac_clear, so it lives
 * no longer than one operation. Whoever opens one stands CRYPTO_GUEST
 * (lib/crypto.h) round its use: here it would cost as much as the re-arming.
 */
struct hmac {
    struct evp_mac_st *mac;
    struct evp_mac_ctx_st *context;
    size_t length; /* bytes of a MAC */
    enum hmac_state state;
};

/* A MAC nobody should learn: the right one for a message not ours. */
struct hmac_tag {
    uint8_t bytes[HMAC_BYTES_MAX];
};

void hmac_tag_wipe(struct hmac_tag *tag);

/* Bytes of a MAC; 0 for an unknown digest. */
size_t hmac_length(enum hmac_digest digest);

/*
 * Fetches the HMAC and sets its digest; called once on a zeroed struct, which
 * may then be given one key after another. ERR_UNSUPPORTED, ERR_CRYPTO.
 */
enum err hmac_open(struct hmac *hmac, enum hmac_digest digest) MUST_CHECK;

/*
 * Sets the key; after a failure there is none. An empty key is taken as HMAC
 * takes it: as zeros.
 */
enum err hmac_set_key(struct hmac *hmac, struct bytes key) MUST_CHECK;

/*
 * One message: start, any number of updates, final, which gives hmac->length
 * bytes or wipes as many. ERR_CRYPTO, also without a key; start over then.
 */
enum err hmac_start(struct hmac *hmac) MUST_CHECK;
enum err hmac_update(struct hmac *hmac, struct bytes bytes) MUST_CHECK;
enum err hmac_final(struct hmac *hmac, uint8_t *ret) MUST_CHECK;

/* Frees what libcrypto holds, the key with it. Takes a zeroed struct. */
void hmac_clear(struct hmac *hmac);

#endif
