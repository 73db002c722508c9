/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "lib/ct.h"
#include "lib/random.h"
#include "lib/token.h"

void
token_wipe(struct token *token)
{
    secmem_wipe(token, sizeof(*token));
}

bool
token_same(const struct token *a, const struct token *b)
{
    return a->type == b->type && a->algorithm == b->algorithm &&
           a->period == b->period && secret_equal(&a->secret, &b->secret);
}

static enum err
token_check_period(const struct token *token)
{
    switch (token->type) {
    case TOKEN_TOTP:
        if (token->period < TOTP_PERIOD_MIN || token->period > TOTP_PERIOD_MAX)
            return ERR_RANGE;
        return ERR_OK;
    case TOKEN_HOTP:
        return token->period == 0 ? ERR_OK : ERR_RANGE;
    }
    return ERR_UNSUPPORTED;
}

enum err
token_check(const struct token *token)
{
    if (hotp_algorithm_name(token->algorithm) == NULL)
        return ERR_UNSUPPORTED;
    if (token->digits < HOTP_DIGITS_MIN || token->digits > HOTP_DIGITS_MAX)
        return ERR_RANGE;
    if (token->secret.length < TOKEN_SECRET_MIN ||
        token->secret.length > SECRET_MAX)
        return ERR_RANGE;
    return token_check_period(token);
}

enum err
token_search(const struct token *token, uint64_t step,
             struct totp_window window, const struct code *code,
             struct hotp_match *ret)
{
    AUTO(hotp_clear) struct hotp hotp = {0};
    struct hotp_match match;
    enum err e;

    if (token->type != TOKEN_TOTP)
        return ERR_UNSUPPORTED;
    e = hotp_open(&hotp, token->algorithm);
    if (e != ERR_OK)
        return e;
    e = hotp_set_secret(&hotp, &token->secret);
    if (e != ERR_OK)
        return e;
    e = totp_match(&hotp, step, window, token->digits, code->value, &match);
    if (e != ERR_OK)
        return e;
    match.found &= ct_mask_equal(code->digits, token->digits);
    *ret = match;
    return ERR_OK;
}

enum err
token_generate_secret(struct token *token)
{
    size_t length = hotp_secret_length(token->algorithm);
    enum err e;

    if (length == 0)
        return ERR_UNSUPPORTED;
    secret_wipe(&token->secret);
    e = random_bytes(token->secret.bytes, length);
    if (e != ERR_OK)
        return e;
    token->secret.length = length;
    return ERR_OK;
}
