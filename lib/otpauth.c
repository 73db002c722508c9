/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base32.h"
#include "lib/bytes.h"
#include "lib/otpauth.h"
#include "lib/utf8.h"

enum {
    NUMBER_BYTES = 21, /* digits of the largest counter, and the NUL */
};

/* The text of a secret is as secret as its bytes. */
struct secret_text {
    char text[BASE32_TEXT_BYTES(SECRET_MAX)];
};

static void
secret_text_wipe(struct secret_text *text)
{
    secmem_wipe(text, sizeof(*text));
}

void
otpauth_wipe(struct otpauth *otpauth)
{
    secmem_wipe(otpauth, sizeof(*otpauth));
}

enum err
otpauth_check_issuer(const char *issuer)
{
    size_t length = strnlen(issuer, OTPAUTH_NAME_MAX);

    if (length == OTPAUTH_NAME_MAX)
        return ERR_SPACE;
    if (!utf8_plain(issuer, length) || memchr(issuer, ':', length) != NULL)
        return ERR_INVALID;
    return ERR_OK;
}

enum err
otpauth_check_account(const char *account)
{
    if (account[0] == '\0' || account[0] == ' ')
        return ERR_INVALID;
    return otpauth_check_issuer(account);
}

static void
write_text(struct writer *writer, const char *text)
{
    writer_bytes(writer, text, strlen(text));
}

/* RFC 3986 section 2.3: these alone mean themselves everywhere. */
static bool
unreserved(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
           c == '~';
}

static void
write_name(struct writer *writer, const char *name)
{
    static const char hex[] = "0123456789ABCDEF";

    for (; *name != '\0'; name++) {
        uint8_t byte = (uint8_t)*name;

        if (unreserved(*name)) {
            writer_u8(writer, byte);
            continue;
        }
        writer_u8(writer, '%');
        writer_u8(writer, (uint8_t)hex[byte >> 4]);
        writer_u8(writer, (uint8_t)hex[byte & 0xf]);
    }
}

static void
write_number(struct writer *writer, const char *name, uint64_t value)
{
    char text[NUMBER_BYTES];

    (void)snprintf(text, sizeof(text), "%" PRIu64, value); /* always fits */
    write_text(writer, name);
    write_text(writer, text);
}

static void
write_secret(struct writer *writer, const struct secret *secret)
{
    AUTO(secret_text_wipe) struct secret_text text = {0};

    base32_encode(secret->bytes, secret->length, text.text);
    write_text(writer, "?secret=");
    writer_bytes(writer, text.text, BASE32_TEXT_BYTES(secret->length) - 1);
}

static void
write_uri(struct writer *writer, const struct otpauth *otpauth)
{
    const struct token *token = &otpauth->token;
    bool hotp = token->type == TOKEN_HOTP;

    write_text(writer, hotp ? "otpauth://hotp/" : "otpauth://totp/");
    if (otpauth->issuer[0] != '\0') {
        write_name(writer, otpauth->issuer);
        write_text(writer, ":");
    }
    write_name(writer, otpauth->account);
    write_secret(writer, &token->secret);
    if (otpauth->issuer[0] != '\0') {
        write_text(writer, "&issuer=");
        write_name(writer, otpauth->issuer);
    }
    if (token->algorithm != HOTP_SHA1) {
        write_text(writer, "&algorithm=");
        write_text(writer, hotp_algorithm_name(token->algorithm));
    }
    if (token->digits != TOKEN_DIGITS)
        write_number(writer, "&digits=", token->digits);
    if (!hotp && token->period != TOKEN_PERIOD)
        write_number(writer, "&period=", token->period);
    if (hotp)
        write_number(writer, "&counter=", otpauth->counter);
    writer_u8(writer, '\0');
}

enum err
otpauth_format(const struct otpauth *otpauth, char *ret, size_t room)
{
    struct writer writer = {(uint8_t *)ret, room, false};
    enum err e;

    secmem_wipe(ret, room);
    e = token_check(&otpauth->token);
    if (e != ERR_OK)
        return e;
    e = otpauth_check_issuer(otpauth->issuer);
    if (e != ERR_OK)
        return e;
    e = otpauth_check_account(otpauth->account);
    if (e != ERR_OK)
        return e;
    write_uri(&writer, otpauth);
    if (writer.failed) {
        secmem_wipe(ret, room);
        return ERR_SPACE;
    }
    return ERR_OK;
}
