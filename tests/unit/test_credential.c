/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/attrs.h"
#include "lib/credential.h"

enum {
    ROUNDS = 1000,
    NOW = 1700000000,
};

/* Numbers that look random and are the same in every run: xorshift64*. */
static uint64_t
draw(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15;

    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1d;
}

static unsigned
draw_below(unsigned limit)
{
    return (unsigned)(draw() >> 33) % limit;
}

static void
draw_bytes(uint8_t *ret, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ret[i] = (uint8_t)(draw() >> 56);
}

static int64_t
draw_time(void)
{
    return (int64_t)(draw() >> (1 + draw_below(63)));
}

/* A name that ends in its number, so that no two are alike. */
static void
draw_name(unsigned number, char ret[CREDENTIAL_NAME_MAX])
{
    static const char *const characters[] = {
        "a", " ", "~", "\u00e9", "\u07ff", "\uffff", "\U0010ffff"};
    size_t length = 0;
    size_t limit = draw_below(CREDENTIAL_NAME_MAX - 2);

    memset(ret, 0, CREDENTIAL_NAME_MAX);
    for (;;) {
        const char *next = characters[draw_below(ARRAY_LENGTH(characters))];

        if (length + strlen(next) > limit)
            break;
        memcpy(ret + length, next, strlen(next));
        length += strlen(next);
    }
    ret[length] = (char)('0' + number);
}

static void
draw_token(struct token *ret)
{
    memset(ret, 0, sizeof(*ret));
    ret->type = draw_below(2) == 0 ? TOKEN_TOTP : TOKEN_HOTP;
    ret->algorithm = (enum hotp_algorithm)(1 + draw_below(3));
    ret->digits = 6 + draw_below(3);
    if (ret->type == TOKEN_TOTP)
        ret->period = TOTP_PERIOD_MIN + draw_below(286);
    ret->secret.length = TOKEN_SECRET_MIN + draw_below(55);
    draw_bytes(ret->secret.bytes, ret->secret.length);
}

static void
draw_enrolment(struct enrolment *ret)
{
    memset(ret, 0, sizeof(*ret));
    draw_bytes(ret->id, sizeof(ret->id));
    ret->status = (enum enrolment_status)(1 + draw_below(4));
    ret->created = draw_time();
    if (ret->status == ENROLMENT_REVOKED)
        return;
    if (ret->status == ENROLMENT_PENDING || draw_below(2) == 0)
        ret->deadline = draw_time() | 1;
    ret->authenticator_count = draw_below(CREDENTIAL_AUTHENTICATORS + 1);
    for (unsigned i = 0; i < ret->authenticator_count; i++) {
        draw_name(i, ret->authenticators[i].name);
        draw_token(&ret->authenticators[i].token);
        ret->authenticators[i].created = draw_time();
        ret->authenticators[i].disabled = draw_below(2) == 0;
    }
    ret->recovery_count = draw_below(CREDENTIAL_RECOVERY + 1);
    if (ret->recovery_count == 0)
        return;
    ret->recovery_imported = draw_below(2) == 0;
    draw_bytes(ret->recovery_key, sizeof(ret->recovery_key));
    draw_bytes(ret->recovery[0],
               (size_t)ret->recovery_count * CREDENTIAL_HASH_BYTES);
}

static void
draw_state(struct state *ret)
{
    memset(ret, 0, sizeof(*ret));
    ret->sequence = draw();
    draw_bytes(ret->enrolment_id, sizeof(ret->enrolment_id));
    ret->written = draw_time();
    for (size_t i = 0; i < CREDENTIAL_AUTHENTICATORS; i++) {
        ret->usage[i].floor = draw();
        ret->usage[i].last_use = draw_time();
        ret->usage[i].drift = (int32_t)draw();
    }
    ret->recovery_used = (uint32_t)draw() & 0xffff;
    ret->failed_since = (uint32_t)draw();
    ret->first_failed = draw_time();
    ret->last_success = draw_time();
    for (size_t i = 0; i < CREDENTIAL_BUCKETS; i++) {
        ret->buckets[i].consecutive = (uint32_t)draw();
        ret->buckets[i].share = (uint32_t)draw();
        ret->buckets[i].share_since = draw_time();
        ret->buckets[i].delay_until = draw();
        draw_bytes(ret->buckets[i].boot_id, CREDENTIAL_BOOT_ID_BYTES);
        ret->buckets[i].last = draw_time();
    }
    for (size_t i = 0; i < draw_below(CREDENTIAL_SOURCES + 1); i++) {
        draw_bytes(ret->sources[i].tag, sizeof(ret->sources[i].tag));
        ret->sources[i].last_use = draw_time();
    }
}

/* Everything filled; the last authenticator has the longest of all. */
static void
full_enrolment(struct enrolment *ret)
{
    do
        draw_enrolment(ret);
    while (ret->authenticator_count < CREDENTIAL_AUTHENTICATORS ||
           ret->recovery_count < CREDENTIAL_RECOVERY);
    ret->authenticators[7].token.secret.length = SECRET_MAX;
    draw_bytes(ret->authenticators[7].token.secret.bytes, SECRET_MAX);
    memset(ret->authenticators[7].name, 'x', CREDENTIAL_NAME_MAX - 1);
}

static void
random_enrolments_come_back_whole(void **context)
{
    (void)context;
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t bytes[ENROLMENT_BYTES];
        uint8_t again[ENROLMENT_BYTES];
        struct enrolment value;
        struct enrolment back;

        draw_enrolment(&value);
        memset(bytes, 0xee, sizeof(bytes));
        memset(&back, 0, sizeof(back));
        assert_int_equal(enrolment_encode(&value, bytes), ERR_OK);
        assert_int_equal(enrolment_decode(bytes, &back), ERR_OK);
        /* Both were zeroed, so that the padding agrees as well. */
        assert_memory_equal(&back, &value, sizeof(value));
        assert_int_equal(enrolment_encode(&back, again), ERR_OK);
        assert_memory_equal(again, bytes, sizeof(bytes));
    }
}

static void
random_states_come_back_whole(void **context)
{
    (void)context;
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t bytes[STATE_BYTES];
        uint8_t again[STATE_BYTES];
        struct state value;
        struct state back;

        draw_state(&value);
        memset(bytes, 0xee, sizeof(bytes));
        memset(&back, 0, sizeof(back));
        assert_int_equal(state_encode(&value, bytes), ERR_OK);
        assert_int_equal(state_decode(bytes, &back), ERR_OK);
        assert_memory_equal(&back, &value, sizeof(value));
        assert_int_equal(state_encode(&back, again), ERR_OK);
        assert_memory_equal(again, bytes, sizeof(bytes));
    }
}

static void
assert_wiped(const void *bytes, size_t length)
{
    const uint8_t *at = bytes;

    for (size_t i = 0; i < length; i++)
        assert_int_equal(at[i], 0);
}

/* How many of the flipped bits were refused. */
static unsigned
flip_enrolment(const struct enrolment *value)
{
    uint8_t bytes[ENROLMENT_BYTES];
    uint8_t again[ENROLMENT_BYTES];
    unsigned refused = 0;

    assert_int_equal(enrolment_encode(value, bytes), ERR_OK);
    for (size_t bit = 0; bit < 8 * sizeof(bytes); bit++) {
        struct enrolment back;

        bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
        memset(&back, 0xee, sizeof(back));
        if (enrolment_decode(bytes, &back) != ERR_OK) {
            assert_wiped(&back, sizeof(back));
            refused++;
        } else {
            assert_int_equal(enrolment_encode(&back, again), ERR_OK);
            assert_memory_equal(again, bytes, sizeof(bytes));
        }
        bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
    return refused;
}

static unsigned
flip_state(const struct state *value)
{
    uint8_t bytes[STATE_BYTES];
    uint8_t again[STATE_BYTES];
    unsigned refused = 0;

    assert_int_equal(state_encode(value, bytes), ERR_OK);
    for (size_t bit = 0; bit < 8 * sizeof(bytes); bit++) {
        struct state back;

        bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
        memset(&back, 0xee, sizeof(back));
        if (state_decode(bytes, &back) != ERR_OK) {
            assert_wiped(&back, sizeof(back));
            refused++;
        } else {
            assert_int_equal(state_encode(&back, again), ERR_OK);
            assert_memory_equal(again, bytes, sizeof(bytes));
        }
        bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
    return refused;
}

static void
a_flipped_bit_is_refused_or_kept(void **context)
{
    struct enrolment enrolment;
    struct credential new;
    struct state state;

    (void)context;
    full_enrolment(&enrolment);
    assert_true(flip_enrolment(&enrolment) > 8 * (56 + 8 * 14));
    assert_int_equal(credential_tombstone(NOW, &new), ERR_OK);
    /* Everything but id and created, and of that the sign; and one status. */
    assert_true(flip_enrolment(&new.enrolment) >=
                8 * (ENROLMENT_BYTES - 16 - 8));
    draw_state(&state);
    assert_true(flip_state(&state) > 8 * (4 + 8 * 12 + 2 * 16 + 68));
    assert_true(flip_state(&new.state) > 8 * (4 + 8 * 12 + 2 * 16 + 68));
}

static void
later_versions_are_told_from_garbage(void **context)
{
    uint8_t bytes[ENROLMENT_BYTES];
    struct credential c;

    (void)context;
    assert_int_equal(credential_new(NOW, &c), ERR_OK);
    assert_int_equal(enrolment_encode(&c.enrolment, bytes), ERR_OK);
    for (unsigned version = 0; version < 256; version++) {
        enum err expected = version > '1' ? ERR_VERSION : ERR_INVALID;

        bytes[3] = (uint8_t)version;
        assert_int_equal(enrolment_decode(bytes, &c.enrolment),
                         version == '1' ? ERR_OK : expected);
    }
    assert_int_equal(credential_new(NOW, &c), ERR_OK);
    assert_int_equal(state_encode(&c.state, bytes), ERR_OK);
    for (unsigned version = 0; version < 256; version++) {
        enum err expected = version > '1' ? ERR_VERSION : ERR_INVALID;

        bytes[3] = (uint8_t)version;
        assert_int_equal(state_decode(bytes, &c.state),
                         version == '1' ? ERR_OK : expected);
    }
    memcpy(bytes, "PWS2", 4);
    assert_int_equal(enrolment_decode(bytes, &c.enrolment), ERR_INVALID);
}

/* One byte of a valid part, and a value that it must not have. */
struct bad_byte {
    size_t at;
    uint8_t value;
};

static void
enrolment_bytes_out_of_range_are_refused(void **context)
{
    enum {
        FIRST = 584
    };
    static const struct bad_byte bad[] = {
        {20, 0},
        {20, 5},
        {20, 255}, /* status */
        {21, 9},
        {21, 255},
        {21, 7},
        {21, 0}, /* authenticators: there are 8 */
        {22, 17},
        {22, 255},
        {22, 15}, /* recovery: there are 16 */
        {23, 2},
        {23, 3},
        {23, 128}, /* flags */
        {24, 128},
        {32, 128}, /* times */
        {FIRST, 0},
        {FIRST, 3}, /* type */
        {FIRST + 1, 0},
        {FIRST + 1, 4}, /* algorithm */
        {FIRST + 2, 5},
        {FIRST + 2, 9}, /* digits */
        {FIRST + 3, 2},
        {FIRST + 3, 255}, /* flags */
        {FIRST + 4, 1},
        {FIRST + 7, 14},  /* period */
        {FIRST + 8, 128}, /* created */
        {FIRST + 16, 0},
        {FIRST + 16, 48}, /* length of the name */
        {FIRST + 16, 4},
        {FIRST + 16, 6}, /* it is 5 */
        {FIRST + 17, 9},
        {FIRST + 17, 65}, /* length of the secret */
        {FIRST + 17, 19}, /* it is 20 */
        {FIRST + 18, 1},
        {FIRST + 31, 1}, /* zeros */
        {FIRST + 32, 0},
        {FIRST + 34, 0}, /* NUL in the name */
        {FIRST + 32, '\n'},
        {FIRST + 32, 27}, /* control characters */
        {FIRST + 32, 127},
        {FIRST + 32, 255},
        {FIRST + 36, 0xc3},
        {FIRST + 37, 1},
        {FIRST + 79, 1},      /* behind the name */
        {FIRST + 80 + 20, 1}, /* behind the secret */
        {1736, 1},
        {1791, 1}, /* zeros */
    };
    uint8_t bytes[ENROLMENT_BYTES];
    uint8_t good[ENROLMENT_BYTES];
    struct enrolment value;

    (void)context;
    full_enrolment(&value);
    value.status = ENROLMENT_ACTIVE;
    value.authenticators[0].token.type = TOKEN_TOTP;
    value.authenticators[0].token.period = 30;
    value.authenticators[0].token.secret.length = 20;
    value.authenticators[0].token.secret.bytes[19] = 1;
    memcpy(value.authenticators[0].name, "phone", 6);
    assert_int_equal(enrolment_encode(&value, good), ERR_OK);
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        memcpy(bytes, good, sizeof(bytes));
        bytes[bad[i].at] = bad[i].value;
        if (enrolment_decode(bytes, &value) != ERR_INVALID)
            fail_msg("byte %zu as %u is taken", bad[i].at, bad[i].value);
        assert_wiped(&value, sizeof(value));
    }
}

static void
state_bytes_out_of_range_are_refused(void **context)
{
    static const struct bad_byte bad[] = {
        {28, 128},              /* written */
        {44, 128},              /* last use */
        {56, 1},    {67, 1},    /* zeros of the first usage */
        {291, 1},               /* and of the last */
        {292, 1},   {293, 128}, /* recovery codes past the sixteenth */
        {300, 128}, {308, 128}, {324, 128}, {356, 128}, {364, 1}, {379, 1},
        {443, 1},   {467, 1}, /* a use of a source without a tag */
        {460, 128}, {468, 1},   {475, 1},   {955, 1},   {956, 1}, {1023, 1},
    };
    uint8_t bytes[STATE_BYTES];
    struct credential c;

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        assert_int_equal(credential_new(NOW, &c), ERR_OK);
        assert_int_equal(state_encode(&c.state, bytes), ERR_OK);
        bytes[bad[i].at] = bad[i].value;
        if (state_decode(bytes, &c.state) != ERR_INVALID)
            fail_msg("byte %zu as %u is taken", bad[i].at, bad[i].value);
        assert_wiped(&c.state, sizeof(c.state));
    }
}

static void
a_source_was_not_seen_before_the_epoch(void **context)
{
    uint8_t bytes[STATE_BYTES];
    struct credential c;

    (void)context;
    assert_int_equal(credential_new(NOW, &c), ERR_OK);
    c.state.sources[15].tag[15] = 1;
    assert_int_equal(state_encode(&c.state, bytes), ERR_OK);
    c.state.sources[15].last_use = -1;
    assert_int_equal(state_encode(&c.state, bytes), ERR_INVALID);
}

/* Valid to begin with: two authenticators, two recovery codes. */
static void
small_enrolment(struct enrolment *ret)
{
    memset(ret, 0, sizeof(*ret));
    ret->status = ENROLMENT_ACTIVE;
    ret->authenticator_count = 2;
    for (unsigned i = 0; i < 2; i++) {
        draw_name(i, ret->authenticators[i].name);
        draw_token(&ret->authenticators[i].token);
    }
    ret->recovery_count = 2;
    draw_bytes(ret->recovery_key, sizeof(ret->recovery_key));
    draw_bytes(ret->recovery[0], sizeof(ret->recovery[0]) * 2);
}

/* Neither may be encoded, nor decoded where somebody else did encode it. */
static void
assert_refused(const struct enrolment *value)
{
    uint8_t bytes[ENROLMENT_BYTES] = {7};

    assert_int_equal(enrolment_check(value), ERR_INVALID);
    assert_int_equal(enrolment_encode(value, bytes), ERR_INVALID);
    assert_int_equal(bytes[0], 7);
}

static void
parts_that_contradict_each_other_are_refused(void **context)
{
    struct enrolment good;
    struct enrolment bad;

    (void)context;
    small_enrolment(&good);
    assert_int_equal(enrolment_check(&good), ERR_OK);

    bad = good;
    memcpy(bad.authenticators[1].name, bad.authenticators[0].name,
           CREDENTIAL_NAME_MAX);
    assert_refused(&bad);

    bad = good;
    bad.authenticators[1].token.secret = bad.authenticators[0].token.secret;
    assert_refused(&bad);

    bad = good;
    bad.status = ENROLMENT_PENDING; /* without a deadline */
    assert_refused(&bad);

    bad = good;
    memset(bad.recovery_key, 0, sizeof(bad.recovery_key));
    assert_refused(&bad);

    bad = good;
    bad.recovery_count = 0; /* but a key */
    assert_refused(&bad);

    bad = good;
    bad.authenticator_count = CREDENTIAL_AUTHENTICATORS + 1;
    assert_refused(&bad);

    bad = good;
    bad.recovery_count = CREDENTIAL_RECOVERY + 1;
    assert_refused(&bad);

    bad = good;
    bad.recovery_count = 0;
    memset(bad.recovery_key, 0, sizeof(bad.recovery_key));
    assert_int_equal(enrolment_check(&bad), ERR_OK);
    bad.recovery_imported = true; /* of what? */
    assert_refused(&bad);
}

static void
a_tombstone_holds_nothing(void **context)
{
    struct credential c;
    struct enrolment good;
    struct enrolment bad;

    (void)context;
    assert_int_equal(credential_tombstone(NOW, &c), ERR_OK);
    assert_int_equal(c.enrolment.status, ENROLMENT_REVOKED);
    assert_int_equal(c.enrolment.created, NOW);
    assert_int_equal(enrolment_check(&c.enrolment), ERR_OK);
    assert_int_equal(state_check(&c.state), ERR_OK);
    assert_memory_equal(c.enrolment.id, c.state.enrolment_id,
                        CREDENTIAL_ID_BYTES);
    small_enrolment(&good);

    bad = c.enrolment;
    bad.authenticator_count = 1;
    bad.authenticators[0] = good.authenticators[0];
    assert_refused(&bad);

    bad = c.enrolment;
    bad.recovery_count = 1;
    memset(bad.recovery_key, 1, sizeof(bad.recovery_key));
    assert_refused(&bad);

    bad = c.enrolment;
    bad.deadline = 1;
    assert_refused(&bad);

    assert_int_equal(
        credential_add(&c, "phone", &good.authenticators[0].token, 0, NOW),
        ERR_INVALID);
}

static void
a_new_credential_is_active_and_empty(void **context)
{
    struct credential a;
    struct credential b;

    (void)context;
    memset(&a, 0xee, sizeof(a));
    assert_int_equal(credential_new(NOW, &a), ERR_OK);
    assert_int_equal(credential_new(NOW, &b), ERR_OK);
    assert_int_equal(a.enrolment.status, ENROLMENT_ACTIVE);
    assert_int_equal(a.enrolment.created, NOW);
    assert_int_equal(a.enrolment.authenticator_count, 0);
    assert_int_equal(a.state.written, NOW);
    assert_memory_equal(a.enrolment.id, a.state.enrolment_id,
                        CREDENTIAL_ID_BYTES);
    assert_memory_not_equal(a.enrolment.id, b.enrolment.id,
                            CREDENTIAL_ID_BYTES);
    assert_int_equal(credential_new(-1, &a), ERR_CLOCK);
    assert_wiped(&a, sizeof(a));
}

static void
adding_sets_the_floor_and_nothing_else(void **context)
{
    struct credential c;
    struct token token;

    (void)context;
    draw_token(&token);
    assert_int_equal(credential_new(NOW, &c), ERR_OK);
    c.state.usage[0].drift = 3;
    assert_int_equal(credential_add(&c, "phone", &token, 42, NOW + 1), ERR_OK);
    assert_int_equal(c.enrolment.authenticator_count, 1);
    assert_string_equal(c.enrolment.authenticators[0].name, "phone");
    assert_int_equal(c.enrolment.authenticators[0].created, NOW + 1);
    assert_false(c.enrolment.authenticators[0].disabled);
    assert_memory_equal(c.enrolment.authenticators[0].token.secret.bytes,
                        token.secret.bytes, token.secret.length);
    assert_int_equal(c.state.usage[0].floor, 42);
    assert_int_equal(c.state.usage[0].last_use, 0);
    assert_int_equal(c.state.usage[0].drift, 0);
}

static void
eight_authenticators_fit_and_no_more(void **context)
{
    struct credential c;
    struct token token;
    char name[] = "phone 0";

    (void)context;
    assert_int_equal(credential_new(NOW, &c), ERR_OK);
    for (int i = 0; i < CREDENTIAL_AUTHENTICATORS; i++) {
        draw_token(&token);
        name[6] = (char)('0' + i);
        assert_int_equal(credential_add(&c, name, &token, 0, NOW), ERR_OK);
    }
    draw_token(&token);
    assert_int_equal(credential_add(&c, "ninth", &token, 0, NOW), ERR_SPACE);
    assert_int_equal(c.enrolment.authenticator_count,
                     CREDENTIAL_AUTHENTICATORS);
    assert_int_equal(enrolment_check(&c.enrolment), ERR_OK);
}

static void
names_that_cannot_be_shown_are_not_added(void **context)
{
    static const char longest[] =
        "12345678901234567890123456789012345678901234567";
    static const char *const bad[] = {
        "",
        "123456789012345678901234567890123456789012345678",
        "a\nb",
        "\x1b[2J",
        "\x7f",
        "\xc2\x85",         /* NEL, U+0085 */
        "\xe2\x80\xa8",     /* line separator */
        "\xc3",             /* cut off */
        "\xc0\x80",         /* overlong */
        "\xed\xa0\x80",     /* surrogate */
        "\xf4\x90\x80\x80", /* past the last character */
    };
    struct credential c;
    struct token token;

    (void)context;
    draw_token(&token);
    assert_int_equal(credential_new(NOW, &c), ERR_OK);
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        assert_int_equal(credential_add(&c, bad[i], &token, 0, NOW),
                         ERR_INVALID);
    assert_int_equal(c.enrolment.authenticator_count, 0);
    assert_int_equal(credential_add(&c, longest, &token, 0, NOW), ERR_OK);
    assert_int_equal(enrolment_check(&c.enrolment), ERR_OK);
}

static void
a_name_or_secret_is_added_once(void **context)
{
    struct credential c;
    struct token token;
    struct token other;

    (void)context;
    draw_token(&token);
    draw_token(&other);
    token.secret.length = 20;
    token.secret.bytes[19] = 1;
    memset(token.secret.bytes + 20, 0, SECRET_MAX - 20);
    assert_int_equal(credential_new(NOW, &c), ERR_OK);
    assert_int_equal(credential_add(&c, "phone", &token, 0, NOW), ERR_OK);
    assert_int_equal(credential_add(&c, "phone", &other, 0, NOW), ERR_EXISTS);
    assert_int_equal(credential_add(&c, "watch", &token, 0, NOW), ERR_EXISTS);
    token.digits = token.digits == 6 ? 7 : 6;
    assert_int_equal(credential_add(&c, "watch", &token, 0, NOW), ERR_EXISTS);
    token.secret.length = 21; /* a zero more: the same HMAC key */
    assert_int_equal(credential_add(&c, "watch", &token, 0, NOW), ERR_EXISTS);
    token.secret.bytes[20] = 1;
    assert_int_equal(credential_add(&c, "watch", &token, 0, NOW), ERR_OK);
    token.secret.length = 20; /* what lies behind it does not matter */
    token.secret.bytes[20] = 9;
    assert_int_equal(credential_add(&c, "third", &token, 0, NOW), ERR_EXISTS);
    assert_int_equal(c.enrolment.authenticator_count, 2);
}

static void
tokens_out_of_range_are_not_added(void **context)
{
    struct credential c;
    struct token token;

    (void)context;
    assert_int_equal(credential_new(NOW, &c), ERR_OK);
    draw_token(&token);
    token.secret.length = TOKEN_SECRET_MIN - 1;
    assert_int_equal(credential_add(&c, "phone", &token, 0, NOW), ERR_RANGE);
    token.secret.length = SECRET_MAX + 1;
    assert_int_equal(credential_add(&c, "phone", &token, 0, NOW), ERR_RANGE);
    draw_token(&token);
    token.digits = 9;
    assert_int_equal(credential_add(&c, "phone", &token, 0, NOW), ERR_RANGE);
    draw_token(&token);
    token.algorithm = (enum hotp_algorithm)4;
    assert_int_equal(credential_add(&c, "phone", &token, 0, NOW),
                     ERR_UNSUPPORTED);
    draw_token(&token);
    assert_int_equal(credential_add(&c, "phone", &token, 0, -1), ERR_CLOCK);
    assert_int_equal(c.enrolment.authenticator_count, 0);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_enrolments_come_back_whole),
        cmocka_unit_test(random_states_come_back_whole),
        cmocka_unit_test(a_flipped_bit_is_refused_or_kept),
        cmocka_unit_test(later_versions_are_told_from_garbage),
        cmocka_unit_test(enrolment_bytes_out_of_range_are_refused),
        cmocka_unit_test(state_bytes_out_of_range_are_refused),
        cmocka_unit_test(a_source_was_not_seen_before_the_epoch),
        cmocka_unit_test(parts_that_contradict_each_other_are_refused),
        cmocka_unit_test(a_tombstone_holds_nothing),
        cmocka_unit_test(a_new_credential_is_active_and_empty),
        cmocka_unit_test(adding_sets_the_floor_and_nothing_else),
        cmocka_unit_test(eight_authenticators_fit_and_no_more),
        cmocka_unit_test(names_that_cannot_be_shown_are_not_added),
        cmocka_unit_test(a_name_or_secret_is_added_once),
        cmocka_unit_test(tokens_out_of_range_are_not_added),
    };

    return cmocka_run_group_tests_name("credential", tests, NULL, NULL);
}
