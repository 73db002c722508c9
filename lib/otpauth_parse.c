/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/base32.h"
#include "lib/bytes.h"
#include "lib/decimal.h"
#include "lib/otpauth.h"

enum {
    LABEL_BYTES = 2 * OTPAUTH_NAME_MAX + 1,
    NUMBER_BYTES = 21,     /* digits of the largest counter, and the NUL */
    WORD_BYTES = 24,       /* an algorithm's name in its longest spelling */
    SECRET_TEXT_MAX = 512, /* base32 with all its separators */
};

/* The text of a secret is as secret as its bytes. */
struct secret_text {
    char text[SECRET_TEXT_MAX];
};

static void
secret_text_wipe(struct secret_text *text)
{
    secmem_wipe(text, sizeof(*text));
}

/* A URI being read. */
struct parser {
    struct otpauth otpauth;
    unsigned seen; /* one bit a known parameter, as in parameters[] */
    char prefix[OTPAUTH_NAME_MAX]; /* the issuer that the label names */
    const char *why;
};

static void
parser_wipe(struct parser *parser)
{
    secmem_wipe(parser, sizeof(*parser));
}

static enum err
refuse(struct parser *parser, enum err e, const char *why)
{
    parser->why = why;
    return e;
}

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_word(struct bytes part, const char *word)
{
    if (part.length != strlen(word))
        return false;
    for (size_t i = 0; i < part.length; i++)
        if (lower((char)part.at[i]) != word[i])
            return false;
    return true;
}

/* Takes what comes before end off rest, and end itself. */
static struct bytes
cut(struct bytes *rest, char end)
{
    const uint8_t *found =
        rest->length == 0 ? NULL : memchr(rest->at, end, rest->length);
    struct bytes part = *rest;

    if (found == NULL) {
        rest->at += rest->length;
        rest->length = 0;
        return part;
    }
    part.length = (size_t)(found - rest->at);
    rest->at += part.length + 1;
    rest->length -= part.length + 1;
    return part;
}

/* The value of a hex digit, 16 for anything else. */
static unsigned
hex_value(uint8_t byte)
{
    char c = lower((char)byte);

    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    return 16;
}

/*
 * Undoes percent-encoding (RFC 3986 section 2.1) into a text of at most room
 * bytes; plus is what a '+' means. ERR_INVALID for a '%' that encodes nothing,
 * or NUL; ERR_SPACE.
 */
static enum err
decode(struct bytes part, char plus, char *ret, size_t room)
{
    while (part.length > 0) {
        uint8_t byte = part.at[0];
        size_t taken = 1;

        if (byte == '%') {
            unsigned high = part.length < 3 ? 16 : hex_value(part.at[1]);
            unsigned low = part.length < 3 ? 16 : hex_value(part.at[2]);

            byte = (uint8_t)(high << 4 | low);
            taken = 3;
            if (high > 15 || low > 15 || byte == 0)
                return ERR_INVALID;
        } else if (byte == '+') {
            byte = (uint8_t)plus;
        }
        if (room < 2)
            return ERR_SPACE;
        *ret++ = (char)byte;
        room--;
        part.at += taken;
        part.length -= taken;
    }
    *ret = '\0';
    return ERR_OK;
}

static enum err
decode_value(struct parser *parser, struct bytes value, char *ret, size_t room)
{
    enum err e = decode(value, ' ', ret, room);

    if (e == ERR_SPACE)
        return refuse(parser, e, "a parameter is too long");
    if (e != ERR_OK)
        return refuse(parser, e, "bad percent-encoding in a parameter");
    return ERR_OK;
}

static enum err
read_number(struct parser *parser, struct bytes value, uint64_t max,
            uint64_t *ret)
{
    char text[NUMBER_BYTES];
    enum err e;

    e = decode(value, ' ', text, sizeof(text));
    if (e != ERR_OK)
        return refuse(parser, ERR_INVALID, "a number is malformed");
    e = decimal_parse(text, strlen(text), max, ret);
    if (e == ERR_RANGE)
        return refuse(parser, e, "a number is too large");
    if (e != ERR_OK)
        return refuse(parser, e, "a number is malformed");
    return ERR_OK;
}

static enum err
read_secret(struct parser *parser, struct bytes value)
{
    AUTO(secret_text_wipe) struct secret_text text = {0};
    struct secret *secret = &parser->otpauth.token.secret;
    enum err e;

    e = decode_value(parser, value, text.text, sizeof(text.text));
    if (e != ERR_OK)
        return e;
    e = base32_decode(text.text, strlen(text.text), secret);
    if (e == ERR_SPACE)
        return refuse(parser, ERR_RANGE, "the secret is too long");
    if (e != ERR_OK)
        return refuse(parser, e, "the secret is not base32");
    if (secret->length == 0)
        return refuse(parser, ERR_INVALID, "there is no secret");
    if (secret->length < TOKEN_SECRET_MIN)
        return refuse(parser, ERR_RANGE, "the secret is too short");
    return ERR_OK;
}

static enum err
read_issuer(struct parser *parser, struct bytes value)
{
    return decode_value(parser, value, parser->otpauth.issuer,
                        sizeof(parser->otpauth.issuer));
}

static enum err
read_algorithm(struct parser *parser, struct bytes value)
{
    static const char why[] = "the algorithm is not SHA1, SHA256 or SHA512";
    char name[WORD_BYTES];

    if (decode(value, ' ', name, sizeof(name)) != ERR_OK ||
        hotp_algorithm_parse(name, &parser->otpauth.token.algorithm) != ERR_OK)
        return refuse(parser, ERR_UNSUPPORTED, why);
    return ERR_OK;
}

static enum err
read_digits(struct parser *parser, struct bytes value)
{
    uint64_t digits;
    enum err e;

    e = read_number(parser, value, UINT32_MAX, &digits);
    if (e != ERR_OK)
        return e;
    if (digits < HOTP_DIGITS_MIN || digits > HOTP_DIGITS_MAX)
        return refuse(parser, ERR_RANGE, "a code must have 6 to 8 digits");
    parser->otpauth.token.digits = (unsigned)digits;
    return ERR_OK;
}

/* Its range is judged later: with HOTP it means nothing. */
static enum err
read_period(struct parser *parser, struct bytes value)
{
    uint64_t period;
    enum err e;

    e = read_number(parser, value, UINT32_MAX, &period);
    if (e != ERR_OK)
        return e;
    parser->otpauth.token.period = (unsigned)period;
    return ERR_OK;
}

static enum err
read_counter(struct parser *parser, struct bytes value)
{
    return read_number(parser, value, UINT64_MAX, &parser->otpauth.counter);
}

enum {
    PARAMETER_SECRET,
    PARAMETER_ISSUER,
    PARAMETER_ALGORITHM,
    PARAMETER_DIGITS,
    PARAMETER_PERIOD,
    PARAMETER_COUNTER,
};

static const struct parameter {
    const char *name; /* lower case */
    enum err (*read)(struct parser *parser, struct bytes value);
} parameters[] = {
    [PARAMETER_SECRET] = {"secret", read_secret},
    [PARAMETER_ISSUER] = {"issuer", read_issuer},
    [PARAMETER_ALGORITHM] = {"algorithm", read_algorithm},
    [PARAMETER_DIGITS] = {"digits", read_digits},
    [PARAMETER_PERIOD] = {"period", read_period},
    [PARAMETER_COUNTER] = {"counter", read_counter},
};

static bool
has_seen(const struct parser *parser, unsigned parameter)
{
    return (parser->seen & 1U << parameter) != 0;
}

static enum err
read_parameter(struct parser *parser, struct bytes part)
{
    struct bytes name = cut(&part, '=');

    for (unsigned i = 0; i < ARRAY_LENGTH(parameters); i++) {
        if (!is_word(name, parameters[i].name))
            continue;
        if (has_seen(parser, i))
            return refuse(parser, ERR_INVALID, "a parameter is given twice");
        parser->seen |= 1U << i;
        return parameters[i].read(parser, part);
    }
    parser->otpauth.notes |= OTPAUTH_SKIPPED;
    return ERR_OK;
}

static enum err
read_query(struct parser *parser, struct bytes query)
{
    while (query.length > 0) {
        struct bytes part = cut(&query, '&');
        enum err e;

        if (part.length == 0)
            continue;
        e = read_parameter(parser, part);
        if (e != ERR_OK)
            return e;
    }
    if (!has_seen(parser, PARAMETER_SECRET))
        return refuse(parser, ERR_INVALID, "there is no secret");
    return ERR_OK;
}

static enum err
copy_name(struct parser *parser, const char *name, char *ret)
{
    size_t length = strnlen(name, OTPAUTH_NAME_MAX);

    if (length == OTPAUTH_NAME_MAX)
        return refuse(parser, ERR_SPACE, "a name is too long");
    memcpy(ret, name, length + 1);
    return ERR_OK;
}

/* "account" or "issuer:account", blanks before the account dropped. */
static enum err
read_label(struct parser *parser, struct bytes part)
{
    char label[LABEL_BYTES];
    char *account = label;
    char *colon;
    enum err e;

    e = decode(part, '+', label, sizeof(label));
    if (e == ERR_SPACE)
        return refuse(parser, e, "a name is too long");
    if (e != ERR_OK)
        return refuse(parser, e, "bad percent-encoding in the label");
    colon = strchr(label, ':');
    if (colon != NULL) {
        *colon = '\0';
        account = colon + 1;
        if (strchr(account, ':') != NULL)
            return refuse(parser, ERR_INVALID, "the label has a second ':'");
        e = copy_name(parser, label, parser->prefix);
        if (e != ERR_OK)
            return e;
    }
    account += strspn(account, " ");
    return copy_name(parser, account, parser->otpauth.account);
}

static enum err
read_type(struct parser *parser, struct bytes type)
{
    if (is_word(type, "totp"))
        parser->otpauth.token.type = TOKEN_TOTP;
    else if (is_word(type, "hotp"))
        parser->otpauth.token.type = TOKEN_HOTP;
    else
        return refuse(parser, ERR_UNSUPPORTED, "neither totp nor hotp");
    return ERR_OK;
}

/* What depends on several parts. */
static enum err
settle(struct parser *parser)
{
    struct otpauth *otpauth = &parser->otpauth;
    struct token *token = &otpauth->token;

    if (token->type == TOKEN_HOTP) {
        if (!has_seen(parser, PARAMETER_COUNTER))
            return refuse(parser, ERR_INVALID, "hotp without a counter");
        token->period = 0;
    } else {
        otpauth->counter = 0;
    }
    if (otpauth->issuer[0] == '\0')
        memcpy(otpauth->issuer, parser->prefix, sizeof(otpauth->issuer));
    else if (parser->prefix[0] != '\0' &&
             strcmp(otpauth->issuer, parser->prefix) != 0)
        otpauth->notes |= OTPAUTH_ISSUER_DIFFERS;
    if (otpauth_check_issuer(otpauth->issuer) != ERR_OK ||
        (otpauth->account[0] != '\0' &&
         otpauth_check_account(otpauth->account) != ERR_OK))
        return refuse(parser, ERR_INVALID,
                      "a name holds a ':', a control character or bad UTF-8");
    /* All else was judged where it was read. */
    if (token_check(token) != ERR_OK)
        return refuse(parser, ERR_RANGE, "the period is out of range");
    return ERR_OK;
}

/* What may not stand in a URI unencoded, and would hide what follows it. */
static bool
is_clean(const char *uri)
{
    for (; *uri != '\0'; uri++) {
        uint8_t byte = (uint8_t)*uri;

        if (byte < 0x20 || byte == 0x7f || byte == '#')
            return false;
    }
    return true;
}

static enum err
parse(struct parser *parser, const char *uri)
{
    static const char scheme[] = "otpauth://";
    struct bytes rest = {(const uint8_t *)uri, strlen(uri)};
    struct bytes start = {rest.at, sizeof(scheme) - 1};
    struct bytes path;
    enum err e;

    if (rest.length < start.length || !is_word(start, scheme))
        return refuse(parser, ERR_UNSUPPORTED, "not an otpauth:// URI");
    if (!is_clean(uri))
        return refuse(parser, ERR_INVALID, "a '#' or a control character");
    rest.at += start.length;
    rest.length -= start.length;
    path = cut(&rest, '?');
    e = read_type(parser, cut(&path, '/'));
    if (e != ERR_OK)
        return e;
    e = read_label(parser, path);
    if (e != ERR_OK)
        return e;
    e = read_query(parser, rest);
    if (e != ERR_OK)
        return e;
    return settle(parser);
}

enum err
otpauth_parse(const char *uri, struct otpauth *ret, const char **ret_why)
{
    AUTO(parser_wipe) struct parser parser = {0};
    enum err e;

    otpauth_wipe(ret);
    parser.otpauth.token.algorithm = HOTP_SHA1;
    parser.otpauth.token.digits = TOKEN_DIGITS;
    parser.otpauth.token.period = TOKEN_PERIOD;
    e = parse(&parser, uri);
    if (ret_why != NULL)
        *ret_why = parser.why;
    if (e != ERR_OK)
        return e;
    *ret = parser.otpauth;
    return ERR_OK;
}
