/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The otpauth:// key URI, both ways: what a QR code for an authenticator app
 * holds. Output is strict and as short as is correct; input is lenient where
 * apps are.
 *
 *   otpauth://totp/ISSUER:ACCOUNT?secret=BASE32&issuer=ISSUER
 *                  [&algorithm=SHA256][&digits=8][&period=60]
 *   otpauth://hotp/ISSUER:ACCOUNT?secret=BASE32&issuer=ISSUER&counter=N
 */
#ifndef PAWL_LIB_OTPAUTH_H
#define PAWL_LIB_OTPAUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"
#include "lib/token.h"

enum {
    OTPAUTH_NAME_MAX = 128, /* bytes of an issuer or account, with the NUL */
    OTPAUTH_URI_MAX = 1344, /* bytes of any URI we write, with the NUL */
};

/* What a reader should hear of a URI that was taken; bits. */
enum otpauth_note {
    OTPAUTH_ISSUER_DIFFERS = 1, /* the label names another issuer */
    OTPAUTH_SKIPPED = 2,        /* it had parameters that we do not know */
};

/* One URI: a token and the names that an app shows for it. */
struct otpauth {
    struct token token;
    uint64_t counter;              /* HOTP: the next one */
    char issuer[OTPAUTH_NAME_MAX]; /* UTF-8, may be empty */
    char account[OTPAUTH_NAME_MAX];
    unsigned notes; /* of otpauth_parse */
};

void otpauth_wipe(struct otpauth *otpauth);

/*
 * Whether a name may stand as issuer or account: valid UTF-8 without control
 * characters and without ':' (which would end the issuer). ERR_INVALID,
 * ERR_SPACE (OTPAUTH_NAME_MAX). An account is not empty and does not begin
 * with a blank (which apps drop): ERR_INVALID.
 */
enum err otpauth_check_issuer(const char *issuer) MUST_CHECK;
enum err otpauth_check_account(const char *account) MUST_CHECK;

/*
 * Writes the shortest correct URI: parameters in the order secret, issuer,
 * algorithm, digits, period, counter, those at their default left out; every
 * byte outside A-Z a-z 0-9 - . _ ~ percent-encoded in upper-case hex. Names
 * are checked as above, the token as token_check does. ERR_SPACE when room
 * (bytes) is too small; ret is wiped on failure.
 */
enum err otpauth_format(const struct otpauth *otpauth, char *ret, size_t room)
    MUST_CHECK;

/*
 * Reads a URI. Scheme, type, parameter names and algorithm in either case;
 * the secret as base32_decode takes it; '+' in a parameter is a blank, as
 * forms write it. An issuer parameter wins over the label's prefix. A label
 * may be missing: the account is then empty, for the caller to name.
 *
 * Refused (ERR_INVALID, ERR_UNSUPPORTED, ERR_RANGE or ERR_SPACE, with a text
 * for people in *ret_why, a constant string): another scheme or type, no
 * secret or one given twice, any known parameter given twice, hotp without a
 * counter, digits outside 6 to 8, a period outside totp.h, a secret outside
 * token.h, an unknown algorithm, a '#' or a control character, bad
 * percent-encoding, a second ':' in the label, a name that could not be
 * written. Unknown parameters (image, lock, ...) are skipped.
 *
 * The URI is searched for its delimiters with branches: what shows of the
 * secret is where it begins and ends. ret is wiped on failure; *ret_why is
 * NULL on success. ret_why may be NULL.
 */
enum err otpauth_parse(const char *uri, struct otpauth *ret,
                       const char **ret_why) MUST_CHECK;

#endif
