/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/bytes.h"
#include "lib/credential.h"
#include "lib/secmem.h"
#include "lib/utf8.h"

enum {
    MAGIC_BYTES = 4, /* the last of them is the version */
    AUTHENTICATOR_BYTES = 144,
    AUTHENTICATOR_ZEROS = 14,
    TAIL_ZEROS = 56,

    FLAG_IMPORTED = 1, /* of the enrolment */
    FLAG_DISABLED = 1, /* of an authenticator */
};

static const uint8_t magic[MAGIC_BYTES] = {'P', 'W', 'E', '1'};

void
enrolment_wipe(struct enrolment *enrolment)
{
    secmem_wipe(enrolment, sizeof(*enrolment));
}

/* Reads every byte, so that time tells nothing of what a secret begins with. */
static bool
all_zeros(const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    uint8_t seen = 0;

    for (size_t i = 0; i < length; i++)
        seen |= at[i];
    return seen == 0;
}

static enum err
check_name(const char *name)
{
    size_t length = strnlen(name, CREDENTIAL_NAME_MAX);

    if (length == 0 || length == CREDENTIAL_NAME_MAX)
        return ERR_INVALID;
    return utf8_plain(name, length) ? ERR_OK : ERR_INVALID;
}

/* Whether authenticator differs in name and secret from the first count. */
static bool
stands_apart(const struct authenticator *authenticator,
             const struct authenticator *others, unsigned count)
{
    bool apart = true;

    for (unsigned i = 0; i < count; i++) {
        if (strcmp(authenticator->name, others[i].name) == 0)
            apart = false;
        if (secret_equal(&authenticator->token.secret, &others[i].token.secret))
            apart = false;
    }
    return apart;
}

static void
authenticator_wipe(struct authenticator *authenticator)
{
    secmem_wipe(authenticator, sizeof(*authenticator));
}

enum err
enrolment_add(struct enrolment *enrolment, const char *name,
              const struct token *token, int64_t now)
{
    AUTO(authenticator_wipe) struct authenticator added = {0};
    unsigned count = enrolment->authenticator_count;
    enum err e;

    if (enrolment->status == ENROLMENT_REVOKED)
        return ERR_INVALID;
    if (count >= CREDENTIAL_AUTHENTICATORS)
        return ERR_SPACE;
    if (now < 0)
        return ERR_CLOCK;
    e = check_name(name);
    if (e != ERR_OK)
        return e;
    e = token_check(token);
    if (e != ERR_OK)
        return e;
    memcpy(added.name, name, strlen(name));
    added.token = *token;
    added.created = now;
    if (!stands_apart(&added, enrolment->authenticators, count))
        return ERR_EXISTS;
    enrolment->authenticators[count] = added;
    enrolment->authenticator_count = count + 1;
    return ERR_OK;
}

static enum err
check_authenticators(const struct enrolment *enrolment)
{
    const struct authenticator *all = enrolment->authenticators;

    if (enrolment->authenticator_count > CREDENTIAL_AUTHENTICATORS)
        return ERR_INVALID;
    for (unsigned i = 0; i < enrolment->authenticator_count; i++) {
        if (check_name(all[i].name) != ERR_OK)
            return ERR_INVALID;
        if (token_check(&all[i].token) != ERR_OK)
            return ERR_INVALID;
        if (all[i].created < 0 || !stands_apart(&all[i], all, i))
            return ERR_INVALID;
    }
    return ERR_OK;
}

static enum err
check_recovery(const struct enrolment *enrolment)
{
    bool keyed = !all_zeros(enrolment->recovery_key, CREDENTIAL_HASH_BYTES);
    bool any = enrolment->recovery_count > 0;

    if (enrolment->recovery_count > CREDENTIAL_RECOVERY || keyed != any)
        return ERR_INVALID;
    return enrolment->recovery_imported && !any ? ERR_INVALID : ERR_OK;
}

static enum err
check_status(const struct enrolment *enrolment)
{
    if (enrolment->created < 0 || enrolment->deadline < 0)
        return ERR_INVALID;
    switch (enrolment->status) {
    case ENROLMENT_ACTIVE:
    case ENROLMENT_DISABLED:
        return ERR_OK;
    case ENROLMENT_PENDING:
        return enrolment->deadline > 0 ? ERR_OK : ERR_INVALID;
    case ENROLMENT_REVOKED:
        if (enrolment->authenticator_count > 0 ||
            enrolment->recovery_count > 0 || enrolment->deadline > 0)
            return ERR_INVALID;
        return ERR_OK;
    }
    return ERR_INVALID;
}

enum err
enrolment_check(const struct enrolment *enrolment)
{
    enum err e = check_status(enrolment);

    if (e != ERR_OK)
        return e;
    e = check_authenticators(enrolment);
    if (e != ERR_OK)
        return e;
    return check_recovery(enrolment);
}

static void
write_padded(struct writer *writer, const void *bytes, size_t length,
             size_t room)
{
    writer_bytes(writer, bytes, length);
    writer_zeros(writer, room - length);
}

static void
write_authenticator(struct writer *writer,
                    const struct authenticator *authenticator)
{
    const struct token *token = &authenticator->token;
    size_t name_length = strlen(authenticator->name);

    writer_u8(writer, (uint8_t)token->type);
    writer_u8(writer, (uint8_t)token->algorithm);
    writer_u8(writer, (uint8_t)token->digits);
    writer_u8(writer, authenticator->disabled ? FLAG_DISABLED : 0);
    writer_u32(writer, token->period);
    writer_u64(writer, (uint64_t)authenticator->created);
    writer_u8(writer, (uint8_t)name_length);
    writer_u8(writer, (uint8_t)token->secret.length);
    writer_zeros(writer, AUTHENTICATOR_ZEROS);
    write_padded(writer, authenticator->name, name_length, CREDENTIAL_NAME_MAX);
    write_padded(writer, token->secret.bytes, token->secret.length, SECRET_MAX);
}

static void
write_enrolment(struct writer *writer, const struct enrolment *enrolment)
{
    unsigned count = enrolment->authenticator_count;

    writer_bytes(writer, magic, sizeof(magic));
    writer_bytes(writer, enrolment->id, sizeof(enrolment->id));
    writer_u8(writer, (uint8_t)enrolment->status);
    writer_u8(writer, (uint8_t)count);
    writer_u8(writer, (uint8_t)enrolment->recovery_count);
    writer_u8(writer, enrolment->recovery_imported ? FLAG_IMPORTED : 0);
    writer_u64(writer, (uint64_t)enrolment->created);
    writer_u64(writer, (uint64_t)enrolment->deadline);
    writer_bytes(writer, enrolment->recovery_key, CREDENTIAL_HASH_BYTES);
    write_padded(writer, enrolment->recovery,
                 (size_t)enrolment->recovery_count * CREDENTIAL_HASH_BYTES,
                 sizeof(enrolment->recovery));
    for (unsigned i = 0; i < count; i++)
        write_authenticator(writer, &enrolment->authenticators[i]);
    writer_zeros(writer, (CREDENTIAL_AUTHENTICATORS - (size_t)count) *
                             AUTHENTICATOR_BYTES);
    writer_zeros(writer, TAIL_ZEROS);
}

enum err
enrolment_encode(const struct enrolment *enrolment,
                 uint8_t ret[ENROLMENT_BYTES])
{
    struct writer writer = {ret, ENROLMENT_BYTES, false};
    enum err e = enrolment_check(enrolment);

    if (e != ERR_OK)
        return e;
    write_enrolment(&writer, enrolment);
    if (writer.failed || writer.left != 0) {
        secmem_wipe(ret, ENROLMENT_BYTES);
        return ERR_SPACE;
    }
    return ERR_OK;
}

/* A byte that is one flag or none. */
static bool
read_flag(struct reader *reader, uint8_t flag)
{
    uint8_t byte = reader_u8(reader);

    if ((byte & ~flag) != 0)
        reader->failed = true;
    return byte == flag;
}

/* A length or count of at most max; 0 where it is more. */
static uint8_t
read_count(struct reader *reader, size_t max)
{
    uint8_t count = reader_u8(reader);

    if (count <= max)
        return count;
    reader->failed = true;
    return 0;
}

static void
read_padded(struct reader *reader, void *ret, size_t length, size_t room)
{
    reader_bytes(reader, ret, length);
    reader_zeros(reader, room - length);
}

static void
read_authenticator(struct reader *reader, struct authenticator *ret)
{
    struct token *token = &ret->token;
    size_t name_length;

    token->type = (enum token_type)reader_u8(reader);
    token->algorithm = (enum hotp_algorithm)reader_u8(reader);
    token->digits = reader_u8(reader);
    ret->disabled = read_flag(reader, FLAG_DISABLED);
    token->period = reader_u32(reader);
    ret->created = (int64_t)reader_u64(reader);
    name_length = read_count(reader, CREDENTIAL_NAME_MAX - 1);
    token->secret.length = read_count(reader, SECRET_MAX);
    reader_zeros(reader, AUTHENTICATOR_ZEROS);
    read_padded(reader, ret->name, name_length, CREDENTIAL_NAME_MAX);
    if (strlen(ret->name) != name_length)
        reader->failed = true; /* a NUL inside */
    read_padded(reader, token->secret.bytes, token->secret.length, SECRET_MAX);
}

/* All that follows the magic, into an empty enrolment. */
static void
read_enrolment(struct reader *reader, struct enrolment *ret)
{
    unsigned count;

    reader_bytes(reader, ret->id, sizeof(ret->id));
    ret->status = (enum enrolment_status)reader_u8(reader);
    count = read_count(reader, CREDENTIAL_AUTHENTICATORS);
    ret->authenticator_count = count;
    ret->recovery_count = read_count(reader, CREDENTIAL_RECOVERY);
    ret->recovery_imported = read_flag(reader, FLAG_IMPORTED);
    ret->created = (int64_t)reader_u64(reader);
    ret->deadline = (int64_t)reader_u64(reader);
    reader_bytes(reader, ret->recovery_key, CREDENTIAL_HASH_BYTES);
    read_padded(reader, ret->recovery,
                (size_t)ret->recovery_count * CREDENTIAL_HASH_BYTES,
                sizeof(ret->recovery));
    for (unsigned i = 0; i < count; i++)
        read_authenticator(reader, &ret->authenticators[i]);
    reader_zeros(reader, (CREDENTIAL_AUTHENTICATORS - (size_t)count) *
                             AUTHENTICATOR_BYTES);
    reader_zeros(reader, TAIL_ZEROS);
}

enum err
enrolment_decode(const uint8_t bytes[ENROLMENT_BYTES], struct enrolment *ret)
{
    struct reader reader = {bytes, ENROLMENT_BYTES, false};
    enum err e;

    enrolment_wipe(ret);
    e = reader_magic(&reader, magic);
    if (e != ERR_OK)
        return e;
    read_enrolment(&reader, ret);
    if (reader.failed || reader.left != 0 || enrolment_check(ret) != ERR_OK) {
        enrolment_wipe(ret);
        return ERR_INVALID;
    }
    return ERR_OK;
}
