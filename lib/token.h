/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A token: what an authenticator holds, and what we hold to check it.
 */
#ifndef PAWL_LIB_TOKEN_H
#define PAWL_LIB_TOKEN_H

#include "lib/attrs.h"
#include "lib/code.h"
#include "lib/err.h"
#include "lib/hotp.h"
#include "lib/secmem.h"
#include "lib/totp.h"

enum token_type {
    TOKEN_TOTP = 1, /* time steps, RFC 6238 */
    TOKEN_HOTP = 2, /* event counter, RFC 4226 */
};

struct token {
    enum token_type type;
    enum hotp_algorithm algorithm;
    unsigned digits;
    unsigned period; /* seconds; 0 with HOTP */
    struct secret secret;
};

enum {
    TOKEN_SECRET_MIN = 10,  /* bytes; less is refused anywhere */
    TOKEN_SECRET_WEAK = 16, /* bytes; less deserves a warning on import */
    TOKEN_DIGITS = 6,       /* what apps take when a URI is silent */
    TOKEN_PERIOD = 30,
};

void token_wipe(struct token *token);

/*
 * Whether two tokens count the same steps or events under the same secret: a
 * code that one has spent opens the other. Digits make no difference, since
 * fewer are the end of more.
 */
bool token_same(const struct token *a, const struct token *b);

/*
 * ERR_UNSUPPORTED for an unknown type or algorithm, ERR_RANGE for digits,
 * period or a secret's length outside the limits.
 */
enum err token_check(const struct token *token) MUST_CHECK;

/*
 * Looks for a typed code in the window of a TOTP token round step, as
 * totp_match does; a code of another length than the token's is not found.
 * ERR_UNSUPPORTED for a HOTP token, and the errors of hotp_open,
 * hotp_set_secret and totp_match.
 */
enum err token_search(const struct token *token, uint64_t step,
                      struct totp_window window, const struct code *code,
                      struct hotp_match *ret) MUST_CHECK;

/*
 * A new secret of the length that suits the algorithm, from the kernel. The
 * other members are left as they are.
 */
enum err token_generate_secret(struct token *token) MUST_CHECK;

#endif
