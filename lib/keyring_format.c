/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/ct.h"
#include "lib/keyring.h"

enum {
    KEY_TEXT_BYTES = 2 * KEY_BYTES,
    TIME_TEXT_BYTES = 24,
    LINE_BYTES = 384, /* more than the longest line */
};

/* The digit of a value below 16, without branch or table. */
static char
hex_digit(uint64_t value)
{
    uint64_t over_nine = ct_mask_less(9, value);

    return (char)('0' + value + (over_nine & ('a' - '0' - 10)));
}

static void
format_hex(const struct key *key, char ret[KEY_TEXT_BYTES + 1])
{
    for (size_t i = 0; i < KEY_BYTES; i++) {
        ret[2 * i] = hex_digit(key->bytes[i] >> 4);
        ret[2 * i + 1] = hex_digit(key->bytes[i] & 15);
    }
    ret[KEY_TEXT_BYTES] = '\0';
}

/* Where the text is going, and how much of the room is taken. */
struct output {
    char *at;
    size_t left;
};

static enum err
output_line(struct output *output, const char *line)
{
    size_t length = strlen(line);

    if (length >= output->left)
        return ERR_SPACE;
    memcpy(output->at, line, length + 1);
    output->at += length;
    output->left -= length;
    return ERR_OK;
}

static void
line_wipe(char (*line)[LINE_BYTES])
{
    secmem_wipe(*line, sizeof(*line));
}

static enum err
output_key(struct output *output, const struct keyring_key *key)
{
    AUTO(line_wipe) char line[LINE_BYTES] = "";
    const char *algorithm = seal_algorithm_name(key->algorithm);
    char id[KEY_ID_TEXT_BYTES];
    char expires[TIME_TEXT_BYTES] = "never";
    int length;

    if (algorithm == NULL || key->created < 0 || key->activates < 0 ||
        key->expires < 0 || key->created == INT64_MAX ||
        key->activates == INT64_MAX)
        return ERR_INVALID;
    key_id_format(&key->id, id);
    if (key->expires != KEYRING_NEVER)
        (void)snprintf(expires, sizeof(expires), "%" PRId64,
                       key->expires); /* 19 digits at most */
    length =
        snprintf(line, sizeof(line), "%s %s %" PRId64 " %" PRId64 " %s %s ", id,
                 algorithm, key->created, key->activates, expires,
                 key->revoked ? "revoked" : "live");
    if (length < 0 || (size_t)length + KEY_TEXT_BYTES + 2 > sizeof(line))
        return ERR_SPACE;
    format_hex(&key->key, line + length);
    memcpy(line + length + KEY_TEXT_BYTES, "\n", 2);
    return output_line(output, line);
}

static enum err
output_keyring(struct output *output, const struct keyring *keyring)
{
    char end[TIME_TEXT_BYTES];
    enum err e = output_line(output, "pawl keyring 1\n");

    for (unsigned i = 0; i < keyring->count && e == ERR_OK; i++)
        e = output_key(output, &keyring->keys[i]);
    if (e != ERR_OK)
        return e;
    (void)snprintf(end, sizeof(end), "end %u\n",
                   keyring->count); /* two digits at most */
    return output_line(output, end);
}

enum err
keyring_format(const struct keyring *keyring, char *ret, size_t room)
{
    struct output output = {ret, room};
    enum err e;

    if (keyring->count > KEYRING_KEYS)
        return ERR_INVALID;
    e = output_keyring(&output, keyring);
    if (e != ERR_OK)
        secmem_wipe(ret, room);
    return e;
}
