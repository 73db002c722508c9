/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/seal.h"
#include "lib/seal_suite.h"
#include "lib/secmem.h"

enum {
    VERSION_MASK = 0x0f, /* of the magic */
};

static const uint32_t magic = 0x09f0c9f0; /* of version 0 */

static void
write_header(struct writer *writer, const struct key_id *id)
{
    uint8_t encoded[KEY_ID_BYTES];

    key_id_encode(id, encoded);
    writer_u32(writer, magic);
    writer_bytes(writer, encoded, sizeof(encoded));
}

/* Seven bits a byte, the low ones first; the top bit says that more follow. */
static void
write_varint(struct writer *writer, size_t value)
{
    for (; value > 0x7f; value >>= 7)
        writer_u8(writer, (uint8_t)(value | 0x80));
    writer_u8(writer, (uint8_t)value);
}

enum err
seal_aad(const struct key_id *id, const char *const *purposes,
         size_t purpose_count, uint8_t *ret, size_t room, size_t *ret_length)
{
    struct writer writer = {ret, room, false};

    if (purpose_count > UINT32_MAX)
        return ERR_SPACE;
    write_header(&writer, id);
    writer_u32(&writer, (uint32_t)purpose_count);
    for (size_t i = 0; i < purpose_count && !writer.failed; i++) {
        size_t length = strlen(purposes[i]);

        write_varint(&writer, length);
        writer_bytes(&writer, purposes[i], length);
    }
    if (writer.failed)
        return ERR_SPACE;
    *ret_length = room - writer.left;
    return ERR_OK;
}

enum err
seal_key_id(struct bytes payload, struct key_id *ret)
{
    struct reader reader = {payload.at, payload.length, false};
    uint8_t encoded[KEY_ID_BYTES];
    uint32_t start = reader_u32(&reader);

    reader_bytes(&reader, encoded, sizeof(encoded));
    if (reader.failed || (start ^ magic) > VERSION_MASK)
        return ERR_MAGIC;
    if (start != magic)
        return ERR_VERSION;
    key_id_decode(encoded, ret);
    return ERR_OK;
}

static enum err
protect_into(struct seal *seal, const struct key_id *id,
             const char *const *purposes, size_t purpose_count,
             const struct seal_random *random, struct bytes plaintext,
             uint8_t *ret)
{
    struct writer header = {ret, SEAL_HEADER_BYTES, false};
    uint8_t aad[SEAL_AAD_MAX];
    size_t aad_length = 0;
    enum err e;

    e = seal_aad(id, purposes, purpose_count, aad, sizeof(aad), &aad_length);
    if (e != ERR_OK)
        return e;
    write_header(&header, id);
    return seal_encrypt(seal, (struct bytes){aad, aad_length}, random,
                        plaintext, ret + SEAL_HEADER_BYTES);
}

enum err
seal_protect_with(struct seal *seal, const struct key_id *id,
                  const char *const *purposes, size_t purpose_count,
                  const struct seal_random *random, struct bytes plaintext,
                  uint8_t *ret)
{
    enum err e;

    if (seal->suite == NULL)
        return ERR_CRYPTO;
    if (plaintext.length > SEAL_PLAINTEXT_MAX)
        return ERR_RANGE;
    e = protect_into(seal, id, purposes, purpose_count, random, plaintext, ret);
    if (e != ERR_OK)
        secmem_wipe(ret, SEAL_HEADER_BYTES +
                             seal_suite_length(seal->suite, plaintext.length));
    return e;
}

static enum err
unprotect_into(struct seal *seal, const struct key_id *id,
               const char *const *purposes, size_t purpose_count,
               struct bytes payload, uint8_t *ret, size_t *ret_length)
{
    struct key_id named = {0};
    uint8_t aad[SEAL_AAD_MAX];
    size_t aad_length = 0;
    enum err e;

    e = seal_key_id(payload, &named);
    if (e != ERR_OK)
        return e;
    if (memcmp(named.bytes, id->bytes, sizeof(named.bytes)) != 0)
        return ERR_KEY_UNKNOWN;
    e = seal_aad(id, purposes, purpose_count, aad, sizeof(aad), &aad_length);
    if (e != ERR_OK)
        return e;
    return seal_decrypt(seal, (struct bytes){aad, aad_length},
                        (struct bytes){payload.at + SEAL_HEADER_BYTES,
                                       payload.length - SEAL_HEADER_BYTES},
                        ret, ret_length);
}

enum err
seal_unprotect_with(struct seal *seal, const struct key_id *id,
                    const char *const *purposes, size_t purpose_count,
                    struct bytes payload, uint8_t *ret, size_t *ret_length)
{
    enum err e = unprotect_into(seal, id, purposes, purpose_count, payload, ret,
                                ret_length);

    if (e != ERR_OK) {
        secmem_wipe(ret, payload.length);
        *ret_length = 0;
    }
    return e;
}

static enum err
open_keyed(struct seal *seal, enum seal_algorithm algorithm, struct bytes key)
{
    enum err e = seal_open(seal, algorithm);

    if (e != ERR_OK)
        return e;
    return seal_set_key(seal, key);
}

enum err
seal_protect(enum seal_algorithm algorithm, const struct key_id *id,
             struct bytes key, const char *const *purposes,
             size_t purpose_count, const struct seal_random *random,
             struct bytes plaintext, uint8_t *ret)
{
    AUTO(seal_clear) struct seal seal = {0};
    enum err e = open_keyed(&seal, algorithm, key);

    if (e != ERR_OK) {
        secmem_wipe(ret, seal_protected_length(algorithm, plaintext.length));
        return e;
    }
    return seal_protect_with(&seal, id, purposes, purpose_count, random,
                             plaintext, ret);
}

enum err
seal_unprotect(enum seal_algorithm algorithm, const struct key_id *id,
               struct bytes key, const char *const *purposes,
               size_t purpose_count, struct bytes payload, uint8_t *ret,
               size_t *ret_length)
{
    AUTO(seal_clear) struct seal seal = {0};
    enum err e = open_keyed(&seal, algorithm, key);

    if (e != ERR_OK) {
        secmem_wipe(ret, payload.length);
        *ret_length = 0;
        return e;
    }
    return seal_unprotect_with(&seal, id, purposes, purpose_count, payload, ret,
                               ret_length);
}
