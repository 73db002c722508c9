/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/store_file_slot.h"

static const uint8_t slot_magic[8] = {'P', 'W', 'R', '1', 'S', 'L', 'O', 'T'};

void
store_file_slot_write(const struct store_update *update,
                      uint8_t slot[STORE_FILE_SLOT_BYTES])
{
    struct writer writer = {slot, STORE_FILE_SLOT_BYTES, false};

    writer_bytes(&writer, slot_magic, sizeof(slot_magic));
    writer_u64(&writer, update->sequence);
    writer_u16(&writer, (uint16_t)update->enrolment.length);
    writer_u16(&writer, (uint16_t)update->state.length);
    writer_zeros(&writer, 12);
    writer_bytes(&writer, update->enrolment.at, update->enrolment.length);
    writer_bytes(&writer, update->state.at, update->state.length);
    writer_zeros(&writer, writer.left);
}

struct store_version
store_file_slot_read(const uint8_t slot[STORE_FILE_SLOT_BYTES], unsigned number)
{
    struct reader reader = {slot, STORE_FILE_SLOT_BYTES, false};
    struct store_version version = {.slot = number};
    uint8_t magic[sizeof(slot_magic)];

    reader_bytes(&reader, magic, sizeof(magic));
    version.sequence = reader_u64(&reader);
    version.enrolment.length = reader_u16(&reader);
    version.state.length = reader_u16(&reader);
    reader_zeros(&reader, 12);
    if (version.enrolment.length + version.state.length > reader.left)
        return (struct store_version){.slot = number};
    version.enrolment.at = reader.at;
    version.state.at = reader.at + version.enrolment.length;
    reader.at += version.enrolment.length + version.state.length;
    reader.left -= version.enrolment.length + version.state.length;
    reader_zeros(&reader, reader.left);
    if (reader.failed || memcmp(magic, slot_magic, sizeof(magic)) != 0 ||
        version.sequence > STORE_SEQUENCE_MAX)
        return (struct store_version){.slot = number};
    version.framed = true;
    return version;
}

static bool
is_newer(const struct store_version *a, const struct store_version *b)
{
    if (a->framed != b->framed)
        return a->framed;
    return a->sequence > b->sequence;
}

void
store_file_slot_read_all(struct store_entry *entry)
{
    struct store_version first = store_file_slot_read(entry->bytes, 0);
    struct store_version second =
        store_file_slot_read(entry->bytes + STORE_FILE_SLOT_BYTES, 1);
    bool swap = is_newer(&second, &first);

    entry->versions[0] = swap ? second : first;
    entry->versions[1] = swap ? first : second;
}
