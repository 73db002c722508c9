/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/attrs.h"
#include "lib/otpauth.h"
#include "lib/random.h"

#define SECRET "OBQXO3BNORSXG5BNNNSXSLJQGAYDAMBR"
#define KEY_A  "pawl-test-key-000001"
#define KEY_B  "pawl-key-16bytes"
#define KEY_C  "pawl-sha256-key-of-32-bytes-0003"

/* A URI and what it must be read as. */
struct taken {
    const char *uri;
    enum token_type type;
    enum hotp_algorithm algorithm;
    unsigned digits;
    unsigned period;
    uint64_t counter;
    const char *secret;
    const char *issuer;
    const char *account;
    unsigned notes;
};

/* The otpauth corpus: what is met in the wild and must be taken. */
/* clang-format off */
static const struct taken corpus_taken[] = {
    /* one of each kind */
    {"otpauth://totp/Acme:alice@bastion?secret=" SECRET "&issuer=Acme",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "Acme", "alice@bastion", 0},
    {"otpauth://totp/Acme%20Co:carol%40db?secret="
     "OBQXO3BNONUGCMRVGYWWWZLZFVXWMLJTGIWWE6LUMVZS2MBQGAZQ"
     "&issuer=Acme%20Co&algorithm=SHA256&digits=8&period=60",
     TOKEN_TOTP, HOTP_SHA256, 8, 60, 0, KEY_C, "Acme Co", "carol@db", 0},
    {"otpauth://hotp/bob?secret=OBQXO3BNNNSXSLJRGZRHS5DFOM&digits=8&counter=7",
     TOKEN_HOTP, HOTP_SHA1, 8, 0, 7, KEY_B, "", "bob", 0},
    {"otpauth://totp/Acme%3A%20dave?secret=obqx-o3bn%20orsx%20g5bn%20nnsx%20"
     "sljq%20gayd%20ambr%3D%3D&issuer=acme",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "acme", "dave",
     OTPAUTH_ISSUER_DIFFERS},
    /* either case, wherever it means nothing */
    {"OTPAUTH://TOTP/a?SECRET=" SECRET "&Digits=7&ALGORITHM=sha1",
     TOKEN_TOTP, HOTP_SHA1, 7, 30, 0, KEY_A, "", "a", 0},
    {"otpauth://totp/a?secret=" SECRET "&algorithm=HmacSHA256",
     TOKEN_TOTP, HOTP_SHA256, 6, 30, 0, KEY_A, "", "a", 0},
    {"otpauth://totp/a?secret=" SECRET "&algorithm=SHA-512",
     TOKEN_TOTP, HOTP_SHA512, 6, 30, 0, KEY_A, "", "a", 0},
    /* order, empty pieces, unknown and vendor parameters */
    {"otpauth://totp/a?period=15&&image=http%3A%2F%2Fx%2Fy.png&secret=" SECRET
     "&lock=false&",
     TOKEN_TOTP, HOTP_SHA1, 6, 15, 0, KEY_A, "", "a", OTPAUTH_SKIPPED},
    {"otpauth://totp/a?secret=" SECRET "&pin&color=A1B2C3&image=1&image=2",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "", "a", OTPAUTH_SKIPPED},
    /* parameters of the other type mean nothing */
    {"otpauth://totp/a?secret=" SECRET "&counter=9",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "", "a", 0},
    {"otpauth://hotp/a?secret=" SECRET "&counter=0&period=0",
     TOKEN_HOTP, HOTP_SHA1, 6, 0, 0, KEY_A, "", "a", 0},
    {"otpauth://hotp/a?secret=" SECRET "&counter=18446744073709551615",
     TOKEN_HOTP, HOTP_SHA1, 6, 0, UINT64_MAX, KEY_A, "", "a", 0},
    /* labels */
    {"otpauth://totp/?secret=" SECRET,
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "", "", 0},
    {"otpauth://totp?secret=" SECRET,
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "", "", 0},
    {"otpauth://totp/:alice?secret=" SECRET,
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "", "alice", 0},
    {"otpauth://totp/Acme:?secret=" SECRET,
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "Acme", "", 0},
    {"otpauth://totp/Acme:   alice?secret=" SECRET "&issuer=",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "Acme", "alice", 0},
    {"otpauth://totp/a/b@c?secret=" SECRET "&issuer=Acme",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "Acme", "a/b@c", 0},
    {"otpauth://totp/a%23b%2Fc%3Fd%20%C3%A9?secret=" SECRET,
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "", "a#b/c?d \u00e9", 0},
    {"otpauth://totp/\u00e9?secret=" SECRET,
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "", "\u00e9", 0},
    /* '+': itself in a path, a blank in a form */
    {"otpauth://totp/a+b?secret=" SECRET "&issuer=Acme+Co%2B",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "Acme Co+", "a+b", 0},
    {"otpauth://totp/a?secret=OBQX+O3BN+ORSX+G5BN+NNSX+SLJQ+GAYD+AMBR",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "", "a", 0},
    /* '=' and '?' later on are part of a value */
    {"otpauth://totp/a?secret=OBQXO3BNNNSXSLJRGZRHS5DFOM======&issuer=b?c=d",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_B, "b?c=d", "a", 0},
    {"otpauth://totp/a?secret=%4f%42QXO3BNORSXG5BNNNSXSLJQGAYDAMBR",
     TOKEN_TOTP, HOTP_SHA1, 6, 30, 0, KEY_A, "", "a", 0},
    {"otpauth://totp/a?secret=" SECRET "&period=300",
     TOKEN_TOTP, HOTP_SHA1, 6, 300, 0, KEY_A, "", "a", 0},
};

/* And what must not, with the reason that people are given. */
static const struct refused {
    const char *uri;
    enum err error;
    const char *why;
} corpus_refused[] = {
    {"", ERR_UNSUPPORTED, "not an otpauth:// URI"},
    {"otpauth:/", ERR_UNSUPPORTED, "not an otpauth:// URI"},
    {"https://totp/a?secret=" SECRET, ERR_UNSUPPORTED,
     "not an otpauth:// URI"},
    {" otpauth://totp/a?secret=" SECRET, ERR_UNSUPPORTED,
     "not an otpauth:// URI"},
    {"otpauth-migration://offline?data=CjEKFHBhd2w", ERR_UNSUPPORTED,
     "not an otpauth:// URI"},
    {"apple-otpauth://totp/a?secret=" SECRET, ERR_UNSUPPORTED,
     "not an otpauth:// URI"},
    {"otpauth://steam/x?secret=" SECRET, ERR_UNSUPPORTED,
     "neither totp nor hotp"},
    {"otpauth:///a?secret=" SECRET, ERR_UNSUPPORTED, "neither totp nor hotp"},
    {"otpauth://totp2/a?secret=" SECRET, ERR_UNSUPPORTED,
     "neither totp nor hotp"},
    {"otpauth://%74otp/a?secret=" SECRET, ERR_UNSUPPORTED,
     "neither totp nor hotp"},
    {"otpauth://totp/a", ERR_INVALID, "there is no secret"},
    {"otpauth://totp/a?", ERR_INVALID, "there is no secret"},
    {"otpauth://totp/a?issuer=b", ERR_INVALID, "there is no secret"},
    {"otpauth://totp/a?secret", ERR_INVALID, "there is no secret"},
    {"otpauth://totp/a?secret=", ERR_INVALID, "there is no secret"},
    {"otpauth://totp/a?secret====", ERR_INVALID, "there is no secret"},
    {"otpauth://totp/a?secrets=" SECRET, ERR_INVALID, "there is no secret"},
    {"otpauth://totp/a&secret=" SECRET, ERR_INVALID, "there is no secret"},
    {"otpauth://totp/a?secret=" SECRET "&secret=" SECRET, ERR_INVALID,
     "a parameter is given twice"},
    {"otpauth://totp/a?secret=" SECRET "&SECRET=", ERR_INVALID,
     "a parameter is given twice"},
    {"otpauth://totp/a?secret=" SECRET "&digits=6&digits=6", ERR_INVALID,
     "a parameter is given twice"},
    {"otpauth://totp/a?issuer=b&secret=" SECRET "&issuer=c", ERR_INVALID,
     "a parameter is given twice"},
    {"otpauth://hotp/a?secret=" SECRET, ERR_INVALID, "hotp without a counter"},
    {"otpauth://hotp/a?secret=" SECRET "&counter=", ERR_INVALID,
     "a number is malformed"},
    {"otpauth://hotp/a?secret=" SECRET "&counter=-1", ERR_INVALID,
     "a number is malformed"},
    {"otpauth://hotp/a?secret=" SECRET "&counter=18446744073709551616",
     ERR_RANGE, "a number is too large"},
    {"otpauth://hotp/a?secret=" SECRET "&counter=184467440737095516160",
     ERR_INVALID, "a number is malformed"},
    {"otpauth://totp/a?secret=" SECRET "&digits=5", ERR_RANGE,
     "a code must have 6 to 8 digits"},
    {"otpauth://totp/a?secret=" SECRET "&digits=9", ERR_RANGE,
     "a code must have 6 to 8 digits"},
    {"otpauth://totp/a?secret=" SECRET "&digits=10", ERR_RANGE,
     "a code must have 6 to 8 digits"},
    {"otpauth://totp/a?secret=" SECRET "&digits=4294967302", ERR_RANGE,
     "a number is too large"},
    {"otpauth://totp/a?secret=" SECRET "&digits=6x", ERR_INVALID,
     "a number is malformed"},
    {"otpauth://totp/a?secret=" SECRET "&digits= 6", ERR_INVALID,
     "a number is malformed"},
    {"otpauth://totp/a?secret=" SECRET "&period=0", ERR_RANGE,
     "the period is out of range"},
    {"otpauth://totp/a?secret=" SECRET "&period=14", ERR_RANGE,
     "the period is out of range"},
    {"otpauth://totp/a?secret=" SECRET "&period=301", ERR_RANGE,
     "the period is out of range"},
    {"otpauth://totp/a?secret=" SECRET "&period=4294967326", ERR_RANGE,
     "a number is too large"},
    {"otpauth://totp/a?secret=" SECRET "&algorithm=MD5", ERR_UNSUPPORTED,
     "the algorithm is not SHA1, SHA256 or SHA512"},
    {"otpauth://totp/a?secret=" SECRET "&algorithm=", ERR_UNSUPPORTED,
     "the algorithm is not SHA1, SHA256 or SHA512"},
    {"otpauth://totp/a?secret=" SECRET
     "&algorithm=SHA1SHA1SHA1SHA1SHA1SHA1SHA1SHA1", ERR_UNSUPPORTED,
     "the algorithm is not SHA1, SHA256 or SHA512"},
    {"otpauth://totp/a#b?secret=" SECRET, ERR_INVALID,
     "a '#' or a control character"},
    {"otpauth://totp/a?secret=" SECRET "&color=#fff", ERR_INVALID,
     "a '#' or a control character"},
    {"otpauth://totp/a?secret=" SECRET "\n", ERR_INVALID,
     "a '#' or a control character"},
    {"otpauth://totp/a\tb?secret=" SECRET, ERR_INVALID,
     "a '#' or a control character"},
    {"otpauth://totp/a\177?secret=" SECRET, ERR_INVALID,
     "a '#' or a control character"},
    {"otpauth://totp/a%?secret=" SECRET, ERR_INVALID,
     "bad percent-encoding in the label"},
    {"otpauth://totp/a%4?secret=" SECRET, ERR_INVALID,
     "bad percent-encoding in the label"},
    {"otpauth://totp/a%4G?secret=" SECRET, ERR_INVALID,
     "bad percent-encoding in the label"},
    {"otpauth://totp/a%00b?secret=" SECRET, ERR_INVALID,
     "bad percent-encoding in the label"},
    {"otpauth://totp/a?secret=" SECRET "&issuer=100%", ERR_INVALID,
     "bad percent-encoding in a parameter"},
    {"otpauth://totp/a?secret=" SECRET "%00", ERR_INVALID,
     "bad percent-encoding in a parameter"},
    {"otpauth://totp/a:b:c?secret=" SECRET, ERR_INVALID,
     "the label has a second ':'"},
    {"otpauth://totp/a%3Ab:c?secret=" SECRET, ERR_INVALID,
     "the label has a second ':'"},
    {"otpauth://totp/a?secret=" SECRET "&issuer=b%3Ac", ERR_INVALID,
     "a name holds a ':', a control character or bad UTF-8"},
    {"otpauth://totp/a%0Ab?secret=" SECRET, ERR_INVALID,
     "a name holds a ':', a control character or bad UTF-8"},
    {"otpauth://totp/%1b%5b2J?secret=" SECRET, ERR_INVALID,
     "a name holds a ':', a control character or bad UTF-8"},
    {"otpauth://totp/%ff:a?secret=" SECRET, ERR_INVALID,
     "a name holds a ':', a control character or bad UTF-8"},
    {"otpauth://totp/%C0%AF?secret=" SECRET, ERR_INVALID,
     "a name holds a ':', a control character or bad UTF-8"},
    {"otpauth://totp/a?secret=OBQXO3BNORSXG5BNNNSXSLJQGAYDAMB1", ERR_INVALID,
     "the secret is not base32"},
    {"otpauth://totp/a?secret=OBQXO3BNORSXG5BNNNSXSLJQGAYDAMB", ERR_INVALID,
     "the secret is not base32"},
    {"otpauth://totp/a?secret=OBQXO3BNORSXG5A", ERR_RANGE,
     "the secret is too short"},
    {"otpauth://totp/a?secret=" SECRET SECRET SECRET SECRET, ERR_RANGE,
     "the secret is too long"},
};
/* clang-format on */

static void
assert_taken(const struct taken *taken)
{
    AUTO(otpauth_wipe) struct otpauth otpauth;
    const struct token *token = &otpauth.token;
    const char *why = "not asked";

    memset(&otpauth, 0xa5, sizeof(otpauth));
    if (otpauth_parse(taken->uri, &otpauth, &why) != ERR_OK)
        fail_msg("%s: %s", taken->uri, why);
    assert_null(why);
    assert_int_equal(token->type, taken->type);
    assert_int_equal(token->algorithm, taken->algorithm);
    assert_int_equal(token->digits, taken->digits);
    assert_int_equal(token->period, taken->period);
    assert_true(otpauth.counter == taken->counter);
    assert_int_equal(token->secret.length, strlen(taken->secret));
    assert_memory_equal(token->secret.bytes, taken->secret,
                        token->secret.length);
    assert_string_equal(otpauth.issuer, taken->issuer);
    assert_string_equal(otpauth.account, taken->account);
    assert_int_equal(otpauth.notes, taken->notes);
}

static void
assert_refused(const char *uri, enum err error, const char *why)
{
    static const struct otpauth empty;
    struct otpauth otpauth;
    const char *said = NULL;
    enum err e;

    memset(&otpauth, 0xa5, sizeof(otpauth));
    e = otpauth_parse(uri, &otpauth, &said);
    if (e != error || said == NULL || strcmp(said, why) != 0)
        fail_msg("%s: %s (%s)", uri, err_text(e), said);
    assert_memory_equal(&otpauth, &empty, sizeof(empty));
    assert_int_equal(otpauth_parse(uri, &otpauth, NULL), error);
}

static void
what_apps_write_is_taken(void **context)
{
    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(corpus_taken); i++)
        assert_taken(&corpus_taken[i]);
}

/* The codes that an independent implementation gives at 1700000000. */
static void
the_samples_give_their_codes(void **context)
{
    static const struct {
        uint64_t counter;
        uint32_t code;
    } expected[] = {{56666666, 954954},
                    {28333333, 84844427},
                    {7, 59796524},
                    {56666666, 954954}};

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
        AUTO(otpauth_wipe) struct otpauth otpauth = {0};
        const struct token *token = &otpauth.token;
        uint32_t code;

        assert_int_equal(otpauth_parse(corpus_taken[i].uri, &otpauth, NULL),
                         ERR_OK);
        if (token->type == TOKEN_HOTP)
            assert_true(otpauth.counter == expected[i].counter);
        assert_int_equal(hotp_generate(token->algorithm, &token->secret,
                                       expected[i].counter, token->digits,
                                       &code),
                         ERR_OK);
        assert_int_equal(code, expected[i].code);
    }
}

static void
what_could_mislead_is_refused_with_a_reason(void **context)
{
    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(corpus_refused); i++)
        assert_refused(corpus_refused[i].uri, corpus_refused[i].error,
                       corpus_refused[i].why);
}

static void
names_too_long_are_refused(void **context)
{
    char name[2 * OTPAUTH_NAME_MAX + 8];
    char uri[1024];

    (void)context;
    memset(name, 'n', sizeof(name));
    name[OTPAUTH_NAME_MAX] = '\0';
    snprintf(uri, sizeof(uri), "otpauth://totp/%s?secret=" SECRET, name);
    assert_refused(uri, ERR_SPACE, "a name is too long");
    snprintf(uri, sizeof(uri), "otpauth://totp/%s:a?secret=" SECRET, name);
    assert_refused(uri, ERR_SPACE, "a name is too long");
    snprintf(uri, sizeof(uri), "otpauth://totp/a?secret=" SECRET "&issuer=%s",
             name);
    assert_refused(uri, ERR_SPACE, "a parameter is too long");
    name[OTPAUTH_NAME_MAX] = 'n';
    name[sizeof(name) - 1] = '\0';
    snprintf(uri, sizeof(uri), "otpauth://totp/%s?secret=" SECRET, name);
    assert_refused(uri, ERR_SPACE, "a name is too long");
}

static struct otpauth
example(const char *issuer, const char *account)
{
    struct otpauth otpauth = {
        .token = {TOKEN_TOTP, HOTP_SHA1, 6, 30, {20, KEY_A}},
    };

    snprintf(otpauth.issuer, sizeof(otpauth.issuer), "%s", issuer);
    snprintf(otpauth.account, sizeof(otpauth.account), "%s", account);
    return otpauth;
}

static void
assert_formats(const struct otpauth *otpauth, const char *expected)
{
    char uri[OTPAUTH_URI_MAX];

    assert_int_equal(otpauth_format(otpauth, uri, sizeof(uri)), ERR_OK);
    assert_string_equal(uri, expected);
}

static void
the_shortest_correct_uri_is_written(void **context)
{
    struct otpauth otpauth = example("bastion", "alice");

    (void)context;
    assert_formats(&otpauth, "otpauth://totp/bastion:alice?secret=" SECRET
                             "&issuer=bastion");
    otpauth.issuer[0] = '\0';
    assert_formats(&otpauth, "otpauth://totp/alice?secret=" SECRET);
    otpauth.token.type = TOKEN_HOTP;
    otpauth.token.period = 0;
    otpauth.token.algorithm = HOTP_SHA512;
    otpauth.token.digits = 7;
    assert_formats(&otpauth, "otpauth://hotp/alice?secret=" SECRET
                             "&algorithm=SHA512&digits=7&counter=0");
}

static void
every_odd_byte_is_percent_encoded(void **context)
{
    struct otpauth otpauth = example("Ex&Co +1", "a#b/c?d \u00e9");

    (void)context;
    otpauth.token.algorithm = HOTP_SHA256;
    otpauth.token.digits = 8;
    otpauth.token.period = 60;
    assert_formats(&otpauth,
                   "otpauth://totp/Ex%26Co%20%2B1:a%23b%2Fc%3Fd%20%C3%A9"
                   "?secret=" SECRET "&issuer=Ex%26Co%20%2B1"
                   "&algorithm=SHA256&digits=8&period=60");
    otpauth = example("", "Az09-._~!\"#$%&'()*+,/;<=>?@[\\]^`{|}");
    assert_formats(&otpauth,
                   "otpauth://totp/Az09-._~%21%22%23%24%25%26%27%28%29%2A%2B"
                   "%2C%2F%3B%3C%3D%3E%3F%40%5B%5C%5D%5E%60%7B%7C%7D"
                   "?secret=" SECRET);
}

static void
names_that_apps_misread_are_not_written(void **context)
{
    static const char *const bad[] = {
        "a:b", ":", "a\nb", "\033[2J", "\x7f", "\xff", "\xc3", "\xc2\x85",
    };
    char longest[OTPAUTH_NAME_MAX + 1];
    char uri[OTPAUTH_URI_MAX];

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        struct otpauth issuer = example(bad[i], "alice");
        struct otpauth account = example("bastion", bad[i]);

        memset(uri, 'u', sizeof(uri));
        assert_int_equal(otpauth_check_issuer(bad[i]), ERR_INVALID);
        assert_int_equal(otpauth_check_account(bad[i]), ERR_INVALID);
        assert_int_equal(otpauth_format(&issuer, uri, sizeof(uri)),
                         ERR_INVALID);
        assert_int_equal(uri[0] | uri[sizeof(uri) - 1], 0);
        assert_int_equal(otpauth_format(&account, uri, sizeof(uri)),
                         ERR_INVALID);
    }
    assert_int_equal(otpauth_check_issuer(""), ERR_OK);
    assert_int_equal(otpauth_check_account(""), ERR_INVALID);
    assert_int_equal(otpauth_check_account(" a"), ERR_INVALID);
    memset(longest, 'n', sizeof(longest));
    longest[OTPAUTH_NAME_MAX] = '\0';
    assert_int_equal(otpauth_check_issuer(longest), ERR_SPACE);
    longest[OTPAUTH_NAME_MAX - 1] = '\0';
    assert_int_equal(otpauth_check_account(longest), ERR_OK);
}

static void
a_token_outside_the_limits_is_not_written(void **context)
{
    struct otpauth otpauth = example("", "a");
    char uri[OTPAUTH_URI_MAX];

    (void)context;
    otpauth.token.digits = 9;
    assert_int_equal(otpauth_format(&otpauth, uri, sizeof(uri)), ERR_RANGE);
    otpauth = example("", "a");
    otpauth.token.algorithm = (enum hotp_algorithm)4;
    assert_int_equal(otpauth_format(&otpauth, uri, sizeof(uri)),
                     ERR_UNSUPPORTED);
    otpauth = example("", "a");
    otpauth.token.secret.length = SECRET_MAX + 1;
    assert_int_equal(otpauth_format(&otpauth, uri, sizeof(uri)), ERR_RANGE);
}

static void
the_longest_uri_fits_and_no_room_is_overrun(void **context)
{
    struct otpauth otpauth = example("", "");
    char uri[OTPAUTH_URI_MAX + 1];
    size_t length;

    (void)context;
    for (size_t i = 0; i + 1 < OTPAUTH_NAME_MAX; i++)
        otpauth.issuer[i] = otpauth.account[i] = '%';
    otpauth.token.type = TOKEN_HOTP;
    otpauth.token.period = 0;
    otpauth.token.algorithm = HOTP_SHA512;
    otpauth.token.digits = 8;
    otpauth.token.secret.length = SECRET_MAX;
    otpauth.counter = UINT64_MAX;
    assert_int_equal(otpauth_format(&otpauth, uri, OTPAUTH_URI_MAX), ERR_OK);
    length = strlen(uri);
    for (size_t room = 0; room <= length; room++) {
        memset(uri, 'u', sizeof(uri));
        assert_int_equal(otpauth_format(&otpauth, uri, room), ERR_SPACE);
        assert_int_equal(uri[room], 'u');
        if (room > 0)
            assert_int_equal(uri[0] | uri[room - 1], 0);
    }
    assert_int_equal(otpauth_format(&otpauth, uri, length + 1), ERR_OK);
}

static uint32_t
random_below(uint32_t end)
{
    uint32_t value;

    assert_int_equal(random_bytes(&value, sizeof(value)), ERR_OK);
    return value % end;
}

/* At most OTPAUTH_NAME_MAX - 1 bytes of characters of every length. */
static void
random_name(char *ret, size_t least)
{
    static const char *const characters[] = {
        "a",      "Z",      "7",          "-",  ".",  "_", "~", "@",
        "/",      "?",      "#",          "&",  "%",  "+", "=", " ",
        "\u00e9", "\u20ac", "\U0001f512", "\"", "\\", "'", "|", "<",
    };
    size_t length = 0;
    size_t end = least + random_below(OTPAUTH_NAME_MAX - 4 - (uint32_t)least);

    for (bool first = true; length < end; first = false) {
        const char *c = characters[random_below(ARRAY_LENGTH(characters))];

        if (first && *c == ' ')
            c = "x";
        memcpy(ret + length, c, strlen(c));
        length += strlen(c);
    }
    ret[length] = '\0';
}

static struct otpauth
random_otpauth(void)
{
    struct otpauth otpauth = {0};
    struct token *token = &otpauth.token;

    token->type = random_below(2) == 0 ? TOKEN_TOTP : TOKEN_HOTP;
    token->algorithm = (enum hotp_algorithm)(1 + random_below(3));
    token->digits = 6 + random_below(3);
    token->secret.length =
        TOKEN_SECRET_MIN + random_below(SECRET_MAX - TOKEN_SECRET_MIN + 1);
    assert_int_equal(random_bytes(token->secret.bytes, token->secret.length),
                     ERR_OK);
    if (token->type == TOKEN_TOTP)
        token->period = random_below(2) == 0 ? 30 : 15 + random_below(286);
    else
        assert_int_equal(
            random_bytes(&otpauth.counter, sizeof(otpauth.counter)), ERR_OK);
    if (random_below(5) != 0)
        random_name(otpauth.issuer, 0);
    random_name(otpauth.account, 1);
    return otpauth;
}

static void
what_is_written_is_read_back(void **context)
{
    (void)context;
    for (int round = 0; round < 500; round++) {
        struct otpauth written = random_otpauth();
        struct otpauth read;
        char uri[OTPAUTH_URI_MAX];
        const char *why;

        assert_int_equal(otpauth_format(&written, uri, sizeof(uri)), ERR_OK);
        if (otpauth_parse(uri, &read, &why) != ERR_OK)
            fail_msg("%s: %s", uri, why);
        assert_int_equal(read.token.type, written.token.type);
        assert_int_equal(read.token.algorithm, written.token.algorithm);
        assert_int_equal(read.token.digits, written.token.digits);
        assert_int_equal(read.token.period, written.token.period);
        assert_memory_equal(&read.token.secret, &written.token.secret,
                            sizeof(struct secret));
        assert_true(read.counter == written.counter);
        assert_string_equal(read.issuer, written.issuer);
        assert_string_equal(read.account, written.account);
        assert_int_equal(read.notes, 0);
    }
}

/* Every cut and every changed byte of a URI: read or refused, never worse,
 * and what was read can be written. */
static void
a_damaged_uri_is_read_or_refused(void **context)
{
    static const char good[] =
        "otpauth://hotp/Ac%20me:b%C3%A9b?secret=" SECRET
        "&issuer=Ac%20me&algorithm=SHA256&digits=8&counter=42";
    enum {
        LENGTH = sizeof(good) - 1
    };

    (void)context;
    for (size_t at = 0; at < LENGTH; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char uri[sizeof(good)];
            char again[OTPAUTH_URI_MAX];
            struct otpauth read;
            const char *why = NULL;

            memcpy(uri, good, sizeof(good));
            uri[at] = (char)byte; /* 0 cuts it off */
            if (otpauth_parse(uri, &read, &why) != ERR_OK)
                assert_non_null(why);
            else if (read.account[0] != '\0')
                assert_int_equal(otpauth_format(&read, again, sizeof(again)),
                                 ERR_OK);
        }
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_apps_write_is_taken),
        cmocka_unit_test(the_samples_give_their_codes),
        cmocka_unit_test(what_could_mislead_is_refused_with_a_reason),
        cmocka_unit_test(names_too_long_are_refused),
        cmocka_unit_test(the_shortest_correct_uri_is_written),
        cmocka_unit_test(every_odd_byte_is_percent_encoded),
        cmocka_unit_test(names_that_apps_misread_are_not_written),
        cmocka_unit_test(a_token_outside_the_limits_is_not_written),
        cmocka_unit_test(the_longest_uri_fits_and_no_room_is_overrun),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(a_damaged_uri_is_read_or_refused),
    };

    return cmocka_run_group_tests_name("otpauth", tests, NULL, NULL);
}
