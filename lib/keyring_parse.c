/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/ct.h"
#include "lib/decimal.h"
#include "lib/keyring.h"

enum {
    KEY_TEXT_BYTES = 2 * KEY_BYTES,
    FIELD_MAX = 40, /* bytes of any field but the key, with a NUL */
};

static const char headline[] = "pawl keyring ";
static const char endline[] = "end ";

/* A line that is read from its front; at points into the text. */
struct line {
    const char *at;
    size_t left;
};

/* What is left of the text, and how far we are. */
struct text {
    const char *at;
    size_t left;
    unsigned line; /* the one that was read last, from 1 */
};

/* The next line without its newline. ERR_INVALID if none is there. */
static enum err
next_line(struct text *text, struct line *ret)
{
    const char *end = NULL;

    text->line++;
    if (text->left > 0)
        end = memchr(text->at, '\n', text->left);
    if (end == NULL)
        return ERR_INVALID;
    ret->at = text->at;
    ret->left = (size_t)(end - text->at);
    text->at = end + 1;
    text->left -= ret->left + 1;
    return ERR_OK;
}

/* Steps over prefix if the line begins with it. */
static bool
take_prefix(struct line *line, const char *prefix)
{
    size_t length = strlen(prefix);

    if (line->left < length || memcmp(line->at, prefix, length) != 0)
        return false;
    line->at += length;
    line->left -= length;
    return true;
}

/* Takes the text before the next space, and the space. */
static enum err
take_field(struct line *line, char ret[FIELD_MAX])
{
    const char *space = memchr(line->at, ' ', line->left);
    size_t length;

    if (space == NULL)
        return ERR_INVALID;
    length = (size_t)(space - line->at);
    if (length == 0 || length >= FIELD_MAX)
        return ERR_INVALID;
    memcpy(ret, line->at, length);
    ret[length] = '\0';
    line->at += length + 1;
    line->left -= length + 1;
    return strlen(ret) == length ? ERR_OK : ERR_INVALID;
}

static enum err
take_time(struct line *line, int64_t *ret)
{
    char field[FIELD_MAX];
    uint64_t value = 0;
    enum err e = take_field(line, field);

    if (e != ERR_OK)
        return e;
    if (decimal_parse(field, strlen(field), INT64_MAX - 1, &value) != ERR_OK)
        return ERR_INVALID;
    *ret = (int64_t)value;
    return ERR_OK;
}

static enum err
take_expiry(struct line *line, int64_t *ret)
{
    if (!take_prefix(line, "never "))
        return take_time(line, ret);
    *ret = KEYRING_NEVER;
    return ERR_OK;
}

static enum err
take_state(struct line *line, bool *ret_revoked)
{
    if (take_prefix(line, "live ")) {
        *ret_revoked = false;
        return ERR_OK;
    }
    if (!take_prefix(line, "revoked "))
        return ERR_INVALID;
    *ret_revoked = true;
    return ERR_OK;
}

/* The value of a hex digit, without branch or table; *valid loses its bits. */
static uint64_t
hex_value(char digit, uint64_t *valid)
{
    uint64_t number = (uint64_t)(uint8_t)digit - '0';
    uint64_t letter = (uint64_t)((uint8_t)digit | 0x20) - 'a';
    uint64_t is_number = ct_mask_less(number, 10);
    uint64_t is_letter = ct_mask_less(letter, 6);

    *valid &= is_number | is_letter;
    return (number & is_number) | ((letter + 10) & is_letter);
}

static enum err
take_key(struct line *line, struct key *ret)
{
    uint64_t valid = ~(uint64_t)0;

    if (line->left != KEY_TEXT_BYTES)
        return ERR_INVALID;
    for (size_t i = 0; i < KEY_BYTES; i++) {
        uint64_t high = hex_value(line->at[2 * i], &valid);
        uint64_t low = hex_value(line->at[2 * i + 1], &valid);

        ret->bytes[i] = (uint8_t)(high << 4 | low);
    }
    line->left = 0;
    return valid != 0 ? ERR_OK : ERR_INVALID;
}

/* The fields before the times. */
static enum err
take_name(struct line *line, struct keyring_key *ret)
{
    char field[FIELD_MAX];
    enum err e = take_field(line, field);

    if (e != ERR_OK)
        return e;
    if (key_id_parse(field, &ret->id) != ERR_OK)
        return ERR_INVALID;
    e = take_field(line, field);
    if (e != ERR_OK)
        return e;
    if (seal_algorithm_parse(field, &ret->algorithm) != ERR_OK)
        return ERR_INVALID;
    return ERR_OK;
}

static enum err
parse_key(struct line line, struct keyring_key *ret)
{
    enum err e = take_name(&line, ret);

    if (e != ERR_OK)
        return e;
    e = take_time(&line, &ret->created);
    if (e != ERR_OK)
        return e;
    e = take_time(&line, &ret->activates);
    if (e != ERR_OK)
        return e;
    e = take_expiry(&line, &ret->expires);
    if (e != ERR_OK)
        return e;
    e = take_state(&line, &ret->revoked);
    if (e != ERR_OK)
        return e;
    return take_key(&line, &ret->key);
}

static enum err
add_key(struct line line, struct keyring *keyring)
{
    const struct keyring_key *other;
    struct keyring_key *added;
    enum err e;

    if (keyring->count == KEYRING_KEYS)
        return ERR_SPACE;
    added = &keyring->keys[keyring->count];
    e = parse_key(line, added);
    if (e != ERR_OK)
        return e;
    if (keyring_find(keyring, &added->id, &other) != ERR_KEY_UNKNOWN)
        return ERR_EXISTS;
    keyring->count++;
    return ERR_OK;
}

static enum err
parse_headline(struct line line)
{
    uint64_t version = 0;

    if (!take_prefix(&line, headline))
        return ERR_INVALID;
    if (decimal_parse(line.at, line.left, UINT32_MAX, &version) != ERR_OK)
        return ERR_INVALID;
    if (version > 1)
        return ERR_VERSION;
    return version == 1 ? ERR_OK : ERR_INVALID;
}

/* What follows "end ", and that nothing follows it. */
static enum err
parse_end(struct line line, const struct text *text, unsigned count)
{
    uint64_t value = 0;

    if (decimal_parse(line.at, line.left, KEYRING_KEYS, &value) != ERR_OK)
        return ERR_INVALID;
    return value == count && text->left == 0 ? ERR_OK : ERR_INVALID;
}

/* A comment may hold what it likes, but nothing that hides a line. */
static enum err
check_comment(struct line line)
{
    for (size_t i = 0; i < line.left; i++) {
        uint8_t c = (uint8_t)line.at[i];

        if ((c < ' ' && c != '\t') || c == 0x7f)
            return ERR_INVALID;
    }
    return ERR_OK;
}

static enum err
parse_lines(struct text *text, struct keyring *ret)
{
    struct line line = {NULL, 0};
    enum err e = next_line(text, &line);

    if (e != ERR_OK)
        return e;
    e = parse_headline(line);
    while (e == ERR_OK) {
        e = next_line(text, &line);
        if (e != ERR_OK)
            return e;
        if (take_prefix(&line, endline))
            return parse_end(line, text, ret->count);
        if (take_prefix(&line, "#"))
            e = check_comment(line);
        else
            e = add_key(line, ret);
    }
    return e;
}

enum err
keyring_parse(const char *text, size_t length, struct keyring *ret,
              unsigned *ret_line)
{
    struct text rest = {text, length, 0};
    enum err e;

    keyring_wipe(ret);
    e = parse_lines(&rest, ret);
    if (e == ERR_OK)
        return ERR_OK;
    keyring_wipe(ret);
    if (ret_line != NULL)
        *ret_line = rest.line;
    return e;
}
