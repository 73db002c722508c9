/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/conf_key.h"
#include "lib/decimal.h"
#include "lib/utf8.h"

static bool
read_number(const struct conf_key *key, const char *value, void *ret)
{
    unsigned *number = ret;
    uint64_t read = 0;

    if (decimal_parse(value, strlen(value), key->most, &read) != ERR_OK ||
        read < key->least)
        return false;
    *number = (unsigned)read;
    return true;
}

static bool
read_yes(const struct conf_key *key, const char *value, void *ret)
{
    bool *yes = ret;

    (void)key;
    if (strcmp(value, "yes") == 0)
        *yes = true;
    else if (strcmp(value, "no") == 0)
        *yes = false;
    else
        return false;
    return true;
}

static bool
read_algorithm(const struct conf_key *key, const char *value, void *ret)
{
    enum hotp_algorithm *algorithm = ret;
    enum hotp_algorithm parsed = HOTP_SHA1;

    (void)key;
    if (hotp_algorithm_parse(value, &parsed) != ERR_OK)
        return false;
    /* One spelling here, however many apps and people have. */
    if (strcmp(value, hotp_algorithm_name(parsed)) != 0)
        return false;
    *algorithm = parsed;
    return true;
}

static bool
read_first_pass(const struct conf_key *key, const char *value, void *ret)
{
    enum conf_first_pass *first_pass = ret;

    (void)key;
    if (strcmp(value, "no") == 0)
        *first_pass = CONF_FIRST_PASS_NO;
    else if (strcmp(value, "try") == 0)
        *first_pass = CONF_FIRST_PASS_TRY;
    else if (strcmp(value, "use") == 0)
        *first_pass = CONF_FIRST_PASS_USE;
    else
        return false;
    return true;
}

/* Whether value needs no quotes: printable ASCII, none of them, not empty. */
static bool
bare(const char *value)
{
    const char *at = value;

    while (*at >= ' ' && *at <= '~' && *at != '"')
        at++;
    return at > value && *at == '\0';
}

/*
 * Takes a text with or without double quotes. With them it keeps blanks at
 * either end, and may be empty or have bytes beyond ASCII in it: inih drops
 * blanks by the host's locale, where such a byte may be one.
 */
static bool
read_text(const struct conf_key *key, const char *value, void *ret)
{
    size_t length = strlen(value);

    if (length >= 2 && value[0] == '"' && value[length - 1] == '"') {
        value++;
        length -= 2;
        if (memchr(value, '"', length) != NULL)
            return false;
    } else if (!bare(value)) {
        return false;
    }
    if (length >= key->most || !utf8_plain(value, length))
        return false;
    memset(ret, 0, key->most);
    memcpy(ret, value, length);
    return true;
}

static bool
read_issuer(const struct conf_key *key, const char *value, void *ret)
{
    /* A URI's label ends the issuer with one. */
    if (strchr(value, ':') != NULL)
        return false;
    return read_text(key, value, ret);
}

static bool
read_path(const struct conf_key *key, const char *value, void *ret)
{
    if (value[0] != '/' && strncmp(value, "\"/", 2) != 0)
        return false;
    return read_text(key, value, ret);
}

#define MEMBER(member) offsetof(struct conf, member)
#define NUMBER(least, most)                                                    \
    read_number, "a whole number from " #least " to " #most, least, most
#define YES        read_yes, "yes or no", 0, 0
#define PATH       read_path, "an absolute path", 0, PATH_MAX
#define ALGORITHM  read_algorithm, "SHA1, SHA256 or SHA512", 0, 0
#define FIRST_PASS read_first_pass, "no, try or use", 0, 0
#define TEXT       read_text, TEXT_WANTED, 0, CONF_TEXT_MAX
#define ISSUER     read_issuer, TEXT_WANTED " and no colon", 0, CONF_TEXT_MAX
#define TEXT_WANTED                                                            \
    "UTF-8 of at most 127 bytes, in double quotes if it has blanks at an "     \
    "end, bytes beyond ASCII or nothing in it"

_Static_assert(CONF_TEXT_MAX == 128, "TEXT_WANTED names the limit");
_Static_assert(HOTP_DIGITS_MIN == 6 && HOTP_DIGITS_MAX == 8, "see digits");
_Static_assert(TOTP_PERIOD_MIN == 15 && TOTP_PERIOD_MAX == 300, "see period");
_Static_assert(TOTP_WINDOW_MAX == 10, "see past_steps");

/* clang-format off */
static const struct conf_key keys[] = {
    {"store", MEMBER(store), PATH, true},
    {"keyring", MEMBER(keyring), PATH, true},
    {"lock_wait", MEMBER(lock_wait), NUMBER(100, 30000), true},
    {"issuer", MEMBER(issuer), ISSUER, true},
    {"algorithm", MEMBER(algorithm), ALGORITHM, true},
    {"digits", MEMBER(digits), NUMBER(6, 8), true},
    {"period", MEMBER(period), NUMBER(15, 300), true},

    {"past_steps", MEMBER(window.past), NUMBER(0, 10), false},
    {"future_steps", MEMBER(window.future), NUMBER(0, 10), false},
    {"nullok", MEMBER(nullok), YES, false},
    {"prompt", MEMBER(prompt), TEXT, false},
    {"echo", MEMBER(echo), YES, false},
    {"quiet", MEMBER(quiet), YES, false},
    {"fail_delay", MEMBER(fail_delay), NUMBER(0, 60000), false},
    {"first_pass", MEMBER(first_pass), FIRST_PASS, false},
    {"forward_pass", MEMBER(forward_pass), YES, false},
    {"joined_digits", MEMBER(joined_digits), NUMBER(6, 8), false},
};
/* clang-format on */

_Static_assert(ARRAY_LENGTH(keys) == CONF_KEY_COUNT, "see conf_key.h");

size_t
conf_key_find(const char *name)
{
    size_t number = 0;

    while (number < CONF_KEY_COUNT && strcmp(keys[number].name, name) != 0)
        number++;
    return number;
}

const struct conf_key *
conf_key_at(size_t number)
{
    return &keys[number];
}
