/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/bytes.h"

static bool
reader_take(struct reader *reader, size_t length)
{
    if (reader->failed || reader->left < length) {
        reader->failed = true;
        return false;
    }
    return true;
}

static uint64_t
reader_number(struct reader *reader, size_t length)
{
    uint64_t value = 0;

    if (!reader_take(reader, length))
        return 0;
    for (size_t i = 0; i < length; i++)
        value = value << 8 | reader->at[i];
    reader->at += length;
    reader->left -= length;
    return value;
}

uint8_t
reader_u8(struct reader *reader)
{
    return (uint8_t)reader_number(reader, 1);
}

uint16_t
reader_u16(struct reader *reader)
{
    return (uint16_t)reader_number(reader, 2);
}

uint32_t
reader_u32(struct reader *reader)
{
    return (uint32_t)reader_number(reader, 4);
}

uint64_t
reader_u64(struct reader *reader)
{
    return reader_number(reader, 8);
}

void
reader_bytes(struct reader *reader, void *ret, size_t length)
{
    if (!reader_take(reader, length)) {
        memset(ret, 0, length);
        return;
    }
    memcpy(ret, reader->at, length);
    reader->at += length;
    reader->left -= length;
}

void
reader_zeros(struct reader *reader, size_t length)
{
    uint8_t seen = 0;

    if (!reader_take(reader, length))
        return;
    for (size_t i = 0; i < length; i++)
        seen |= reader->at[i];
    if (seen != 0)
        reader->failed = true;
    reader->at += length;
    reader->left -= length;
}

enum err
reader_magic(struct reader *reader, const uint8_t magic[4])
{
    uint8_t found[4];

    reader_bytes(reader, found, sizeof(found));
    if (memcmp(found, magic, sizeof(found) - 1) != 0 || found[3] < magic[3])
        return ERR_INVALID;
    return found[3] > magic[3] ? ERR_VERSION : ERR_OK;
}

static bool
writer_take(struct writer *writer, size_t length)
{
    if (writer->failed || writer->left < length) {
        writer->failed = true;
        return false;
    }
    return true;
}

static void
writer_number(struct writer *writer, uint64_t value, size_t length)
{
    if (!writer_take(writer, length))
        return;
    for (size_t i = length; i > 0; i--) {
        writer->at[i - 1] = (uint8_t)value;
        value >>= 8;
    }
    writer->at += length;
    writer->left -= length;
}

void
writer_u8(struct writer *writer, uint8_t value)
{
    writer_number(writer, value, 1);
}

void
writer_u16(struct writer *writer, uint16_t value)
{
    writer_number(writer, value, 2);
}

void
writer_u32(struct writer *writer, uint32_t value)
{
    writer_number(writer, value, 4);
}

void
writer_u64(struct writer *writer, uint64_t value)
{
    writer_number(writer, value, 8);
}

void
writer_bytes(struct writer *writer, const void *bytes, size_t length)
{
    if (!writer_take(writer, length))
        return;
    if (length > 0)
        memcpy(writer->at, bytes, length);
    writer->at += length;
    writer->left -= length;
}

void
writer_zeros(struct writer *writer, size_t length)
{
    if (!writer_take(writer, length))
        return;
    memset(writer->at, 0, length);
    writer->at += length;
    writer->left -= length;
}
