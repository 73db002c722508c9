/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

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
