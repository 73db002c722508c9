/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/bytes.h"
#include "lib/credential.h"
#include "lib/secmem.h"

enum {
    MAGIC_BYTES = 4, /* the last of them is the version */
    USAGE_ZEROS = 12,
    BUCKET_ZEROS = 16,
    SOURCE_ZEROS = 8,
    TAIL_ZEROS = 68,
};

static const uint8_t magic[MAGIC_BYTES] = {'P', 'W', 'S', '1'};

void
state_wipe(struct state *state)
{
    secmem_wipe(state, sizeof(*state));
}

static bool
source_fits(const struct source *source)
{
    static const struct source unused = {0};

    if (memcmp(source->tag, unused.tag, sizeof(unused.tag)) == 0)
        return source->last_use == 0;
    return source->last_use >= 0;
}

enum err
state_check(const struct state *state)
{
    if (state->written < 0 || state->first_failed < 0 ||
        state->last_success < 0)
        return ERR_INVALID;
    if (state->recovery_used >> CREDENTIAL_RECOVERY != 0)
        return ERR_INVALID;
    for (size_t i = 0; i < CREDENTIAL_AUTHENTICATORS; i++) {
        if (state->usage[i].last_use < 0)
            return ERR_INVALID;
    }
    for (size_t i = 0; i < CREDENTIAL_BUCKETS; i++) {
        if (state->buckets[i].share_since < 0 || state->buckets[i].last < 0)
            return ERR_INVALID;
    }
    for (size_t i = 0; i < CREDENTIAL_SOURCES; i++) {
        if (!source_fits(&state->sources[i]))
            return ERR_INVALID;
    }
    return ERR_OK;
}

static void
write_bucket(struct writer *writer, const struct failures *bucket)
{
    writer_u32(writer, bucket->consecutive);
    writer_u32(writer, bucket->share);
    writer_u64(writer, (uint64_t)bucket->share_since);
    writer_u64(writer, bucket->delay_until);
    writer_bytes(writer, bucket->boot_id, sizeof(bucket->boot_id));
    writer_u64(writer, (uint64_t)bucket->last);
    writer_zeros(writer, BUCKET_ZEROS);
}

static void
write_state(struct writer *writer, const struct state *state)
{
    writer_bytes(writer, magic, sizeof(magic));
    writer_u64(writer, state->sequence);
    writer_bytes(writer, state->enrolment_id, sizeof(state->enrolment_id));
    writer_u64(writer, (uint64_t)state->written);
    for (size_t i = 0; i < CREDENTIAL_AUTHENTICATORS; i++) {
        writer_u64(writer, state->usage[i].floor);
        writer_u64(writer, (uint64_t)state->usage[i].last_use);
        writer_u32(writer, (uint32_t)state->usage[i].drift);
        writer_zeros(writer, USAGE_ZEROS);
    }
    writer_u32(writer, state->recovery_used);
    writer_u32(writer, state->failed_since);
    writer_u64(writer, (uint64_t)state->first_failed);
    writer_u64(writer, (uint64_t)state->last_success);
    for (size_t i = 0; i < CREDENTIAL_BUCKETS; i++)
        write_bucket(writer, &state->buckets[i]);
    for (size_t i = 0; i < CREDENTIAL_SOURCES; i++) {
        writer_bytes(writer, state->sources[i].tag,
                     sizeof(state->sources[i].tag));
        writer_u64(writer, (uint64_t)state->sources[i].last_use);
        writer_zeros(writer, SOURCE_ZEROS);
    }
    writer_zeros(writer, TAIL_ZEROS);
}

enum err
state_encode(const struct state *state, uint8_t ret[STATE_BYTES])
{
    struct writer writer = {ret, STATE_BYTES, false};
    enum err e = state_check(state);

    if (e != ERR_OK)
        return e;
    write_state(&writer, state);
    if (writer.failed || writer.left != 0) {
        secmem_wipe(ret, STATE_BYTES);
        return ERR_SPACE;
    }
    return ERR_OK;
}

static void
read_bucket(struct reader *reader, struct failures *ret)
{
    ret->consecutive = reader_u32(reader);
    ret->share = reader_u32(reader);
    ret->share_since = (int64_t)reader_u64(reader);
    ret->delay_until = reader_u64(reader);
    reader_bytes(reader, ret->boot_id, sizeof(ret->boot_id));
    ret->last = (int64_t)reader_u64(reader);
    reader_zeros(reader, BUCKET_ZEROS);
}

/* All that follows the magic. */
static void
read_state(struct reader *reader, struct state *ret)
{
    ret->sequence = reader_u64(reader);
    reader_bytes(reader, ret->enrolment_id, sizeof(ret->enrolment_id));
    ret->written = (int64_t)reader_u64(reader);
    for (size_t i = 0; i < CREDENTIAL_AUTHENTICATORS; i++) {
        ret->usage[i].floor = reader_u64(reader);
        ret->usage[i].last_use = (int64_t)reader_u64(reader);
        ret->usage[i].drift = (int32_t)reader_u32(reader);
        reader_zeros(reader, USAGE_ZEROS);
    }
    ret->recovery_used = reader_u32(reader);
    ret->failed_since = reader_u32(reader);
    ret->first_failed = (int64_t)reader_u64(reader);
    ret->last_success = (int64_t)reader_u64(reader);
    for (size_t i = 0; i < CREDENTIAL_BUCKETS; i++)
        read_bucket(reader, &ret->buckets[i]);
    for (size_t i = 0; i < CREDENTIAL_SOURCES; i++) {
        reader_bytes(reader, ret->sources[i].tag, sizeof(ret->sources[i].tag));
        ret->sources[i].last_use = (int64_t)reader_u64(reader);
        reader_zeros(reader, SOURCE_ZEROS);
    }
    reader_zeros(reader, TAIL_ZEROS);
}

enum err
state_decode(const uint8_t bytes[STATE_BYTES], struct state *ret)
{
    struct reader reader = {bytes, STATE_BYTES, false};
    enum err e;

    state_wipe(ret);
    e = reader_magic(&reader, magic);
    if (e != ERR_OK)
        return e;
    read_state(&reader, ret);
    if (reader.failed || reader.left != 0 || state_check(ret) != ERR_OK) {
        state_wipe(ret);
        return ERR_INVALID;
    }
    return ERR_OK;
}
