/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "lib/crypto.h"
#include "lib/hmac.h"
#include "lib/kdf.h"
#include "lib/secmem.h"

enum {
    COUNTER_BYTES_MAX = 4,
    LENGTH_BYTES = 4,
};

/* Block i, [i] in the last counter_bytes of four. */
static enum err
kdf_block(struct hmac *prf, uint32_t i, size_t counter_bytes,
          const struct bytes *parts, size_t part_count, struct hmac_tag *ret)
{
    uint8_t counter[COUNTER_BYTES_MAX];
    struct writer writer = {counter, sizeof(counter), false};
    enum err e;

    writer_u32(&writer, i);
    e = hmac_start(prf);
    if (e != ERR_OK)
        return e;
    e = hmac_update(prf,
                    (struct bytes){counter + sizeof(counter) - counter_bytes,
                                   counter_bytes});
    if (e != ERR_OK)
        return e;
    for (size_t part = 0; part < part_count; part++) {
        e = hmac_update(prf, parts[part]);
        if (e != ERR_OK)
            return e;
    }
    return hmac_final(prf, ret->bytes);
}

/* Whether length bytes are no more blocks than the counter can number. */
static bool
kdf_countable(const struct hmac *prf, unsigned counter_bits, size_t length)
{
    size_t blocks;

    if (counter_bits == 0 || counter_bits > 8 * COUNTER_BYTES_MAX ||
        counter_bits % 8 != 0 || prf->length == 0)
        return false;
    blocks = length / prf->length + (length % prf->length != 0);
    return blocks < (uint64_t)1 << counter_bits;
}

enum err
kdf_counter(struct hmac *prf, unsigned counter_bits, const struct bytes *parts,
            size_t part_count, uint8_t *ret, size_t length)
{
    uint32_t i = 0;

    if (!kdf_countable(prf, counter_bits, length)) {
        secmem_wipe(ret, length);
        return ERR_RANGE;
    }
    for (size_t done = 0; done < length;) {
        AUTO(hmac_tag_wipe) struct hmac_tag block = {0};
        size_t take = length - done;
        enum err e =
            kdf_block(prf, ++i, counter_bits / 8, parts, part_count, &block);

        if (e != ERR_OK) {
            secmem_wipe(ret, length);
            return e;
        }
        if (take > prf->length)
            take = prf->length;
        memcpy(ret + done, block.bytes, take);
        done += take;
    }
    return ERR_OK;
}

enum err
kdf_derive_with(struct hmac *prf, struct bytes label, struct bytes context,
                uint8_t *ret, size_t length)
{
    static const uint8_t separator[1] = {0};
    uint8_t bits[LENGTH_BYTES];
    struct writer writer = {bits, sizeof(bits), false};
    const struct bytes parts[] = {
        label,
        {separator, sizeof(separator)},
        context,
        {bits, sizeof(bits)},
    };

    if (length > UINT32_MAX / 8) {
        secmem_wipe(ret, length);
        return ERR_RANGE;
    }
    writer_u32(&writer, (uint32_t)length * 8);
    return kdf_counter(prf, 32, parts, ARRAY_LENGTH(parts), ret, length);
}

enum err
kdf_derive(struct bytes key, struct bytes label, struct bytes context,
           uint8_t *ret, size_t length)
{
    CRYPTO_GUEST;
    AUTO(hmac_clear) struct hmac prf = {0};
    enum err e;

    e = hmac_open(&prf, HMAC_SHA512);
    if (e == ERR_OK)
        e = hmac_set_key(&prf, key);
    if (e != ERR_OK) {
        secmem_wipe(ret, length);
        return e;
    }
    return kdf_derive_with(&prf, label, context, ret, length);
}
