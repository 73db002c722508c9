/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "lib/crypto.h"
#include "lib/ct.h"
#include "lib/hotp.h"

enum {
    COUNTER_BYTES = 8,
    OFFSET_MAX = 15, /* of the truncation: four bits */
};

/* A code that has not been typed yet opens a login. */
static void
candidate_wipe(uint32_t *candidate)
{
    secmem_wipe(candidate, sizeof(*candidate));
}

const char *
hotp_algorithm_name(enum hotp_algorithm algorithm)
{
    switch (algorithm) {
    case HOTP_SHA1:
        return "SHA1";
    case HOTP_SHA256:
        return "SHA256";
    case HOTP_SHA512:
        return "SHA512";
    }
    return NULL;
}

/* 0 for an algorithm that is none of ours. */
static enum hmac_digest
hotp_digest(enum hotp_algorithm algorithm)
{
    switch (algorithm) {
    case HOTP_SHA1:
        return HMAC_SHA1;
    case HOTP_SHA256:
        return HMAC_SHA256;
    case HOTP_SHA512:
        return HMAC_SHA512;
    }
    return (enum hmac_digest)0;
}

/* Steps over word at *text if it stands there, in either case of ASCII. */
static bool
skip_word(const char **text, const char *lower)
{
    const char *at = *text;

    for (; *lower != '\0'; at++, lower++) {
        char c = *at;

        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != *lower)
            return false;
    }
    *text = at;
    return true;
}

enum err
hotp_algorithm_parse(const char *name, enum hotp_algorithm *ret)
{
    if (skip_word(&name, "hmac"))
        (void)skip_word(&name, "-"); /* may stand there or not */
    if (!skip_word(&name, "sha"))
        return ERR_UNSUPPORTED;
    (void)skip_word(&name, "-"); /* here too */
    if (strcmp(name, "1") == 0)
        *ret = HOTP_SHA1;
    else if (strcmp(name, "256") == 0)
        *ret = HOTP_SHA256;
    else if (strcmp(name, "512") == 0)
        *ret = HOTP_SHA512;
    else
        return ERR_UNSUPPORTED;
    return ERR_OK;
}

size_t
hotp_secret_length(enum hotp_algorithm algorithm)
{
    /* RFC 4226 section 4, R6, and RFC 6238 section 5.1: the MAC's length. */
    return hmac_length(hotp_digest(algorithm));
}

enum err
hotp_open(struct hotp *hotp, enum hotp_algorithm algorithm)
{
    CRYPTO_GUEST;

    return hmac_open(&hotp->hmac, hotp_digest(algorithm));
}

enum err
hotp_set_secret(struct hotp *hotp, const struct secret *secret)
{
    CRYPTO_GUEST;

    hotp->hmac.state = HMAC_UNKEYED;
    if (secret->length == 0 || secret->length > SECRET_MAX)
        return ERR_RANGE;
    return hmac_set_key(&hotp->hmac,
                        (struct bytes){secret->bytes, secret->length});
}

static enum err
compute_code(struct hotp *hotp, uint64_t counter, unsigned digits,
             uint32_t *ret_code)
{
    AUTO(hmac_tag_wipe) struct hmac_tag mac = {0};
    uint8_t message[COUNTER_BYTES];
    struct writer writer = {message, sizeof(message), false};
    enum err e;

    if (digits < HOTP_DIGITS_MIN || digits > HOTP_DIGITS_MAX)
        return ERR_RANGE;
    writer_u64(&writer, counter);
    e = hmac_start(&hotp->hmac);
    if (e != ERR_OK)
        return e;
    e = hmac_update(&hotp->hmac, (struct bytes){message, sizeof(message)});
    if (e != ERR_OK)
        return e;
    e = hmac_final(&hotp->hmac, mac.bytes);
    if (e != ERR_OK)
        return e;
    *ret_code =
        hotp_decimal(hotp_truncate(mac.bytes, hotp->hmac.length), digits);
    return ERR_OK;
}

enum err
hotp_code(struct hotp *hotp, uint64_t counter, unsigned digits,
          uint32_t *ret_code)
{
    CRYPTO_GUEST;

    return compute_code(hotp, counter, digits, ret_code);
}

enum err
hotp_search(struct hotp *hotp, uint64_t first, unsigned count, unsigned digits,
            uint32_t code, struct hotp_match *ret)
{
    CRYPTO_GUEST;
    struct hotp_match match = {0, 0};

    if (count == 0 || count > HOTP_SEARCH_MAX ||
        first > UINT64_MAX - (count - 1))
        return ERR_RANGE;
    for (unsigned i = 0; i < count; i++) {
        AUTO(candidate_wipe) uint32_t candidate = 0;
        enum err e = compute_code(hotp, first + i, digits, &candidate);
        uint64_t same;

        if (e != ERR_OK)
            return e;
        same = ct_mask_equal(candidate, code);
        match.found |= same;
        match.counter = ct_select(same, first + i, match.counter);
    }
    *ret = match;
    return ERR_OK;
}

void
hotp_clear(struct hotp *hotp)
{
    hmac_clear(&hotp->hmac);
}

enum err
hotp_generate(enum hotp_algorithm algorithm, const struct secret *secret,
              uint64_t counter, unsigned digits, uint32_t *ret_code)
{
    AUTO(hotp_clear) struct hotp hotp = {0};
    enum err e;

    e = hotp_open(&hotp, algorithm);
    if (e != ERR_OK)
        return e;
    e = hotp_set_secret(&hotp, secret);
    if (e != ERR_OK)
        return e;
    return hotp_code(&hotp, counter, digits, ret_code);
}

uint32_t
hotp_truncate(const uint8_t *mac, size_t length)
{
    uint64_t offset = mac[length - 1] & OFFSET_MAX;
    uint32_t word = (uint32_t)mac[0] << 16 | (uint32_t)mac[1] << 8 | mac[2];
    uint64_t truncated = 0;

    /* Reads every position: which one counts is part of the secret. */
    for (size_t i = 0; i <= OFFSET_MAX; i++) {
        word = word << 8 | mac[i + 3];
        truncated |= ct_mask_equal(i, offset) & word;
    }
    return (uint32_t)truncated & 0x7fffffff;
}

uint32_t
hotp_decimal(uint32_t truncated, unsigned digits)
{
    /*
     * By constants, so that the compiler multiplies: the time of a division
     * instruction depends on its operands on many processors.
     */
    switch (digits) {
    case 6:
        return truncated % 1000000;
    case 7:
        return truncated % 10000000;
    case 8:
        return truncated % 100000000;
    default:
        return UINT32_MAX;
    }
}
