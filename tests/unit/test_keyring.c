/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "lib/attrs.h"
#include "lib/keyring.h"
#include "lib/log.h"
#include "tests/support/golden.h"
#include "tests/support/vectors.h"

enum {
    NOW = 1700000000,
    TEXT_MAX = 32768,
};

#define HEX16 "00112233445566778899aabbccddeeff"
#define HEX64 HEX16 HEX16 HEX16 HEX16
#define ID_A  "9f2c44b1-0d5e-4a37-8c61-7be2f0a3d914"
#define ID_B  "00000000-0000-0000-0000-000000000001"
#define CBC   "AES_256_CBC+HMACSHA256"
#define KEY_A ID_A " " CBC " 100 200 never live " HEX64 "\n"
#define KEY_B ID_B " AES_128_GCM 0 0 300 revoked " HEX64 "\n"

static const char ring_text[] =
    "pawl keyring 1\n" KEY_A "# a comment, with \xc3\xa9 and\ttab\n" KEY_B "#\n"
    "end 2\n";

static void
assert_wiped(const struct keyring *keyring)
{
    const uint8_t *at = (const uint8_t *)keyring;

    for (size_t i = 0; i < sizeof(*keyring); i++)
        assert_int_equal(at[i], 0);
}

/* Refused whole, with that error on that line, and nothing left of a key. */
static void
refuse(const char *text, size_t length, enum err error, unsigned line)
{
    static struct keyring ring;
    unsigned found = 0;

    memset(&ring, 0xee, sizeof(ring));
    if (keyring_parse(text, length, &ring, &found) != error || found != line)
        fail_msg("not error %d in line %u but in line %u: %.*s", error, line,
                 found, (int)length, text);
    assert_wiped(&ring);
}

static void
a_ring_is_read(void **context)
{
    static struct keyring ring;
    const struct keyring_key *key = NULL;
    struct key_id id;
    unsigned line = 7;

    (void)context;
    assert_int_equal(
        keyring_parse(ring_text, sizeof(ring_text) - 1, &ring, &line), ERR_OK);
    assert_int_equal(line, 7);
    assert_int_equal(ring.count, 2);
    assert_int_equal(key_id_parse(ID_A, &id), ERR_OK);
    assert_int_equal(keyring_find(&ring, &id, &key), ERR_OK);
    assert_ptr_equal(key, &ring.keys[0]);
    assert_int_equal(key->algorithm, SEAL_AES_256_CBC_HMAC_SHA256);
    assert_int_equal(key->created, 100);
    assert_int_equal(key->activates, 200);
    assert_true(key->expires == KEYRING_NEVER);
    for (size_t i = 0; i < sizeof(key->key.bytes); i++)
        assert_int_equal(key->key.bytes[i], 0x11 * (i % 16));
    assert_int_equal(ring.keys[1].algorithm, SEAL_AES_128_GCM);
    assert_int_equal(ring.keys[1].expires, 300);
    assert_true(ring.keys[1].revoked);
}

static void
a_ring_without_keys_is_a_ring(void **context)
{
    static const char text[] = "pawl keyring 1\nend 0\n";
    static struct keyring ring;
    const struct keyring_key *key;
    bool fallback;

    (void)context;
    assert_int_equal(keyring_parse(text, sizeof(text) - 1, &ring, NULL),
                     ERR_OK);
    assert_int_equal(keyring_default(&ring, NOW, &key, &fallback), ERR_NO_KEY);
}

static void
what_is_written_is_read_and_written_alike(void **context)
{
    static struct keyring ring;
    static struct keyring back;
    static char text[TEXT_MAX];
    static char again[TEXT_MAX];

    (void)context;
    for (int i = 0; i < KEYRING_KEYS; i++) {
        assert_int_equal(
            keyring_add(&ring, (enum seal_algorithm)(i % 9), NOW + i), ERR_OK);
        ring.keys[i].revoked = i % 5 == 0;
        if (i % 7 == 0)
            ring.keys[i].expires = INT64_MAX - 1;
    }
    assert_int_equal(keyring_add(&ring, SEAL_DEFAULT, NOW), ERR_SPACE);
    assert_int_equal(keyring_format(&ring, text, sizeof(text)), ERR_OK);
    assert_int_equal(keyring_parse(text, strlen(text), &back, NULL), ERR_OK);
    assert_memory_equal(&back, &ring, sizeof(ring));
    assert_int_equal(keyring_format(&back, again, sizeof(again)), ERR_OK);
    assert_string_equal(again, text);
}

static void
writing_into_too_little_room_leaves_nothing(void **context)
{
    static struct keyring ring;
    char text[TEXT_MAX];
    size_t length;

    (void)context;
    assert_int_equal(keyring_add(&ring, SEAL_DEFAULT, NOW), ERR_OK);
    assert_int_equal(keyring_format(&ring, text, sizeof(text)), ERR_OK);
    length = strlen(text);
    for (size_t room = 0; room <= length; room++) {
        memset(text, 7, sizeof(text));
        assert_int_equal(keyring_format(&ring, text, room), ERR_SPACE);
        for (size_t i = 0; i < room; i++)
            assert_int_equal(text[i], 0);
        assert_int_equal(text[room], 7);
    }
    assert_int_equal(keyring_format(&ring, text, length + 1), ERR_OK);
    ring.keys[0].algorithm = (enum seal_algorithm)99;
    assert_int_equal(keyring_format(&ring, text, sizeof(text)), ERR_INVALID);
    ring.keys[0].algorithm = SEAL_DEFAULT;
    ring.keys[0].created = -1;
    assert_int_equal(keyring_format(&ring, text, sizeof(text)), ERR_INVALID);
}

static void
hex_is_read_in_either_case_and_nothing_else(void **context)
{
    char text[sizeof(ring_text)];
    char *hex;
    static struct keyring ring;

    (void)context;
    memcpy(text, ring_text, sizeof(text));
    hex = strstr(text, HEX64);
    assert_non_null(hex);
    for (unsigned c = 0; c < 256; c++) {
        const char *digits = "0123456789abcdefABCDEF";
        const char *at = c != 0 ? strchr(digits, (int)c) : NULL;

        hex[1] = (char)c;
        if (at == NULL) {
            refuse(text, sizeof(text) - 1, ERR_INVALID, 2);
            continue;
        }
        assert_int_equal(keyring_parse(text, sizeof(text) - 1, &ring, NULL),
                         ERR_OK);
        assert_int_equal(ring.keys[0].key.bytes[0],
                         at - digits < 16 ? at - digits : at - digits - 6);
    }
}

static void
a_ring_cut_short_anywhere_is_refused(void **context)
{
    unsigned line = 1;

    (void)context;
    for (size_t length = 0; length < sizeof(ring_text) - 1; length++) {
        /* A whole line is missed as the next one. */
        refuse(ring_text, length, ERR_INVALID, line);
        line += ring_text[length] == '\n';
    }
}

static void
a_ring_with_anything_behind_its_end_is_refused(void **context)
{
    char text[sizeof(ring_text) + 1];

    (void)context;
    memcpy(text, ring_text, sizeof(ring_text));
    for (unsigned c = 0; c < 256; c++) {
        text[sizeof(ring_text) - 1] = (char)c;
        refuse(text, sizeof(ring_text), ERR_INVALID, 6);
    }
}

/* Whether the byte at that place stands in a comment, its '#' left out. */
static bool
in_comment(size_t at)
{
    size_t start = at;

    while (start > 0 && ring_text[start - 1] != '\n')
        start--;
    return ring_text[start] == '#' && at > start && ring_text[at] != '\n';
}

/* A byte that no field can have, in the place of every byte in turn. */
static void
an_altered_byte_is_refused_and_its_line_named(void **context)
{
    static const char wrong[] = {'\0', '!', ' ', '\r', '\n', '-', '\t', 'z'};
    char text[sizeof(ring_text)];

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        unsigned line = 1;

        for (size_t at = 0; at < sizeof(text) - 1; at++) {
            static struct keyring ring;
            unsigned found = 0;

            memcpy(text, ring_text, sizeof(text));
            text[at] = wrong[i];
            if (ring_text[at] != wrong[i] && !in_comment(at)) {
                memset(&ring, 0xee, sizeof(ring));
                assert_int_not_equal(
                    keyring_parse(text, sizeof(text) - 1, &ring, &found),
                    ERR_OK);
                assert_wiped(&ring);
                /* Only a key that a comment swallowed is missed at the end. */
                assert_in_range(found, line, line == 3 ? 5 : line + 1);
            }
            line += ring_text[at] == '\n';
        }
    }
}

static void
comments_hide_no_line(void **context)
{
    static const char *const bad[] = {
        "pawl keyring 1\n# a\rb\nend 0\n",
        "pawl keyring 1\n#\x1b[2K\nend 0\n",
        "pawl keyring 1\n#\x7f\nend 0\n",
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        refuse(bad[i], strlen(bad[i]), ERR_INVALID, 2);
    refuse("pawl keyring 1\n#\0\nend 0\n", 24, ERR_INVALID, 2);
}

struct bad_ring {
    const char *text;
    enum err error;
    unsigned line;
};

#define HEAD           "pawl keyring 1\n"
#define FIELDS(fields) HEAD ID_A " " fields " " HEX64 "\nend 1\n"

static void
bad_lines_are_refused(void **context)
{
    static const struct bad_ring bad[] = {
        {"", ERR_INVALID, 1},
        {"\n", ERR_INVALID, 1},
        {"end 0\n", ERR_INVALID, 1},
        {"# first\n" HEAD "end 0\n", ERR_INVALID, 1},
        {"pawl keyring 0\nend 0\n", ERR_INVALID, 1},
        {"pawl keyring 2\nend 0\n", ERR_VERSION, 1},
        {"pawl keyring 10\nend 0\n", ERR_VERSION, 1},
        {"pawl keyring 01\nend 0\n", ERR_INVALID, 1},
        {"pawl keyring 1 \nend 0\n", ERR_INVALID, 1},
        {"pawl keyring 1\r\nend 0\r\n", ERR_INVALID, 1},
        {"\xef\xbb\xbfpawl keyring 1\nend 0\n", ERR_INVALID, 1},
        {HEAD "\nend 0\n", ERR_INVALID, 2},
        {HEAD " # indented\nend 0\n", ERR_INVALID, 2},
        {HEAD "end 1\n", ERR_INVALID, 2},
        {HEAD KEY_A "end 0\n", ERR_INVALID, 3},
        {HEAD KEY_A "end 2\n", ERR_INVALID, 3},
        {HEAD KEY_A "end 01\n", ERR_INVALID, 3},
        {HEAD KEY_A "end -1\n", ERR_INVALID, 3},
        {HEAD KEY_A "end\n", ERR_INVALID, 3},
        {HEAD KEY_A "end 1", ERR_INVALID, 3},
        {HEAD KEY_A "end 1\n\n", ERR_INVALID, 3},
        {HEAD KEY_A "end 1\n# more\n", ERR_INVALID, 3},
        {HEAD KEY_A "end 1\nend 1\n", ERR_INVALID, 3},
        {HEAD KEY_A, ERR_INVALID, 3},
        {HEAD KEY_A KEY_B KEY_A "end 3\n", ERR_EXISTS, 4},
        {FIELDS("AES_256_CBC 1 2 never live"), ERR_INVALID, 2},
        {FIELDS("aes_256_cbc+hmacsha256 1 2 never live"), ERR_INVALID, 2},
        {FIELDS("3DES_192_CBC+HMACSHA1 1 2 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 2 never dead"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 2 never LIVE"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 2 Never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 never never live"), ERR_INVALID, 2},
        {FIELDS(CBC " never 2 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " -1 2 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " +1 2 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 01 2 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 0x1 2 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1.0 2 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 9223372036854775807 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 18446744073709551617 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 2 9223372036854775807 live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 2 live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 2 never"), ERR_INVALID, 2},
        {FIELDS(CBC "  1 2 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1\t2 never live"), ERR_INVALID, 2},
        {FIELDS(CBC " 1 2 never live "), ERR_INVALID, 2},
        {FIELDS(CBC " 1 2 never live 3"), ERR_INVALID, 2},
        {HEAD " " KEY_A "end 1\n", ERR_INVALID, 2},
        {HEAD ID_A " " CBC " 1 2 never live\nend 1\n", ERR_INVALID, 2},
        {HEAD ID_A " " CBC " 1 2 never live \nend 1\n", ERR_INVALID, 2},
        {HEAD ID_A " " CBC " 1 2 never live " HEX16 "\nend 1\n", ERR_INVALID,
         2},
        {HEAD ID_A " " CBC " 1 2 never live " HEX64 "0\nend 1\n", ERR_INVALID,
         2},
        {HEAD ID_A " " CBC " 1 2 never live " HEX64 " \nend 1\n", ERR_INVALID,
         2},
        {HEAD ID_A " " CBC " 1 2 never live " HEX64 "\r\nend 1\r\n",
         ERR_INVALID, 2},
        {HEAD "{" ID_A "} " CBC " 1 2 never live " HEX64 "\nend 1\n",
         ERR_INVALID, 2},
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        refuse(bad[i].text, strlen(bad[i].text), bad[i].error, bad[i].line);
}

static void
more_keys_than_fit_are_refused(void **context)
{
    static struct keyring ring;
    static char text[TEXT_MAX];
    char *end;

    (void)context;
    for (int i = 0; i < KEYRING_KEYS; i++)
        assert_int_equal(keyring_add(&ring, SEAL_DEFAULT, NOW), ERR_OK);
    assert_int_equal(keyring_format(&ring, text, sizeof(text)), ERR_OK);
    end = strstr(text, "end 64\n");
    assert_non_null(end);
    strcpy(end, KEY_A "end 65\n");
    refuse(text, strlen(text), ERR_SPACE, 66);
}

static void
a_swapped_or_dropped_or_doubled_line_is_refused(void **context)
{
    static const char *const lines[] = {HEAD, KEY_A, KEY_B, "end 2\n"};
    char text[TEXT_MAX];
    unsigned line;

    (void)context;
    for (size_t dropped = 0; dropped < ARRAY_LENGTH(lines); dropped++) {
        struct keyring *ring = calloc(1, sizeof(*ring));

        assert_non_null(ring);
        text[0] = '\0';
        for (size_t i = 0; i < ARRAY_LENGTH(lines); i++)
            strcat(text, i == dropped ? "" : lines[i]);
        assert_int_not_equal(keyring_parse(text, strlen(text), ring, &line),
                             ERR_OK);
        text[0] = '\0';
        for (size_t i = 0; i < ARRAY_LENGTH(lines); i++) {
            strcat(text, lines[i]);
            strcat(text, i == dropped ? lines[i] : "");
        }
        assert_int_not_equal(keyring_parse(text, strlen(text), ring, &line),
                             ERR_OK);
        assert_wiped(ring);
        free(ring);
    }
}

static void
a_new_key_is_random_and_active_from_now(void **context)
{
    static struct keyring ring;
    const struct keyring_key *a = &ring.keys[0];
    const struct keyring_key *b = &ring.keys[1];
    const struct keyring_key *found = NULL;
    bool fallback = true;

    (void)context;
    assert_int_equal(keyring_add(&ring, SEAL_AES_256_GCM, NOW), ERR_OK);
    assert_int_equal(keyring_add(&ring, SEAL_DEFAULT, NOW + 1), ERR_OK);
    assert_int_equal(ring.count, 2);
    assert_int_equal(a->algorithm, SEAL_AES_256_GCM);
    assert_int_equal(a->created, NOW);
    assert_int_equal(a->activates, NOW);
    assert_true(a->expires == KEYRING_NEVER);
    assert_false(a->revoked);
    assert_memory_not_equal(&a->id, &b->id, sizeof(a->id));
    assert_memory_not_equal(&a->key, &b->key, sizeof(a->key));
    assert_int_equal(a->id.bytes[6] >> 4, 4);
    assert_int_equal(a->id.bytes[8] >> 6, 2);
    assert_int_equal(keyring_default(&ring, NOW, &found, &fallback), ERR_OK);
    assert_ptr_equal(found, a);
    assert_false(fallback);
    assert_int_equal(keyring_default(&ring, NOW + 1, &found, &fallback),
                     ERR_OK);
    assert_ptr_equal(found, b);
    assert_int_equal(keyring_add(&ring, SEAL_DEFAULT, -1), ERR_CLOCK);
    assert_int_equal(keyring_add(&ring, (enum seal_algorithm)9, NOW),
                     ERR_UNSUPPORTED);
    assert_int_equal(ring.count, 2);
}

static void
only_unknown_and_revoked_keys_do_not_open(void **context)
{
    static struct keyring ring;
    const struct keyring_key *found = NULL;
    struct key_id id;

    (void)context;
    assert_int_equal(keyring_add(&ring, SEAL_DEFAULT, NOW), ERR_OK);
    id = ring.keys[0].id;
    ring.keys[0].expires = 1;
    ring.keys[0].activates = INT64_MAX - 1;
    assert_int_equal(keyring_find(&ring, &id, &found), ERR_OK);
    assert_ptr_equal(found, &ring.keys[0]);
    found = NULL;
    ring.keys[0].revoked = true;
    assert_int_equal(keyring_find(&ring, &id, &found), ERR_KEY_REVOKED);
    id.bytes[15] ^= 1;
    assert_int_equal(keyring_find(&ring, &id, &found), ERR_KEY_UNKNOWN);
    assert_null(found);
}

static void
read_ring(const json_t *keys, struct keyring *ret)
{
    const json_t *json;
    size_t i;

    memset(ret, 0, sizeof(*ret));
    assert_true(json_array_size(keys) <= KEYRING_KEYS);
    json_array_foreach(keys, i, json)
    {
        struct keyring_key *key = &ret->keys[ret->count++];

        assert_int_equal(key_id_parse(vectors_text(json, "id"), &key->id),
                         ERR_OK);
        key->created = golden_signed(json, "creation");
        key->activates = golden_signed(json, "activation");
        key->expires = golden_signed(json, "expiration");
        /* An unreadable key counts like a revoked one when choosing. */
        key->revoked =
            vectors_flag(json, "revoked") || !vectors_flag(json, "readable");
    }
}

/* Holds what was chosen against the id in JSON, which may be null. */
static void
assert_chosen(const json_t *c, const char *member, bool chosen,
              const struct keyring_key *key)
{
    char id[KEY_ID_TEXT_BYTES] = "none";
    const json_t *expected = vectors_get(c, member);
    const char *text =
        json_is_null(expected) ? "none" : json_string_value(expected);

    if (chosen)
        key_id_format(&key->id, id);
    if (strcmp(id, text) != 0)
        fail_msg("%s: %s is %s, not %s", vectors_text(c, "id"), member, id,
                 text);
}

/*
 * The vectors stop where a host would make a key. Ours seals on: with the
 * expired key, when no other one is left.
 */
static bool
last_resort(const json_t *c)
{
    return strcmp(vectors_text(c, "id"), "own-expires-now") == 0;
}

static void
the_vectors_choose_their_keys(void **context)
{
    json_t *vectors = vectors_open("keyring.json");
    const json_t *constants = vectors_get(vectors, "constants");
    struct keyring_spread spread = {
        .skew = golden_signed(constants, "clock_skew"),
        .propagation = golden_signed(constants, "propagation"),
    };
    const json_t *cases = vectors_get(vectors, "cases");
    const json_t *c;
    size_t i;

    (void)context;
    assert_true(json_array_size(cases) >= 28);
    json_array_foreach(cases, i, c)
    {
        static struct keyring ring;
        const struct keyring_key *key = NULL;
        bool fallback = false;
        bool found;

        read_ring(vectors_get(c, "keys"), &ring);
        found = keyring_choose(&ring, &spread, golden_signed(c, "now"), &key,
                               &fallback) == ERR_OK;
        assert_chosen(c, "default", found && !fallback, key);
        if (last_resort(c))
            assert_true(found && fallback && key == &ring.keys[0]);
        else
            assert_chosen(c, "fallback", found && fallback, key);
    }
    json_decref(vectors);
}

/* As in the vectors, less clock skew and propagation. */
static void
one_host_takes_new_keys_at_once_and_none_early(void **context)
{
    static const char *const apart[] = {
        /* a key that becomes active within the skew is not active yet */
        "skew-straddle", "skew-all-future", "future-in-skew", "future-bad-ones",
        "own-skew-300",
        /* a key made just now is as good as an old one */
        "fallback-revoked", "fallback-unreadable", "fallback-none-propagated",
        "propagated-preferred", "older-unpropagated-preferred",
        "own-cutoff-plus-1"};
    json_t *vectors = vectors_open("keyring.json");
    const json_t *cases = vectors_get(vectors, "cases");
    const json_t *c;
    size_t i;

    (void)context;
    json_array_foreach(cases, i, c)
    {
        static struct keyring ring;
        const struct keyring_key *key = NULL;
        bool fallback = false;
        bool differs = false;
        bool found;

        for (size_t a = 0; a < ARRAY_LENGTH(apart); a++)
            differs = differs || strcmp(vectors_text(c, "id"), apart[a]) == 0;
        if (differs)
            continue;
        read_ring(vectors_get(c, "keys"), &ring);
        found = keyring_default(&ring, golden_signed(c, "now"), &key,
                                &fallback) == ERR_OK;
        assert_chosen(c, "default", found && !fallback, key);
        if (last_resort(c))
            assert_true(found && fallback && key == &ring.keys[0]);
        else
            assert_chosen(c, "fallback", found && fallback, key);
    }
    json_decref(vectors);
}

static void
no_date_locks_everybody_out(void **context)
{
    static struct keyring ring;
    const struct keyring_key *key = NULL;
    bool fallback = false;

    (void)context;
    for (int i = 0; i < 3; i++)
        assert_int_equal(keyring_add(&ring, SEAL_DEFAULT, NOW + i), ERR_OK);
    ring.keys[2].revoked = true; /* the newest: no default */
    assert_int_equal(keyring_default(&ring, NOW + 9, &key, &fallback), ERR_OK);
    assert_ptr_equal(key, &ring.keys[1]);
    assert_true(fallback);
    ring.keys[1].expires = 1;
    assert_int_equal(keyring_default(&ring, NOW + 9, &key, &fallback), ERR_OK);
    assert_ptr_equal(key, &ring.keys[1]);
    assert_true(fallback);
    ring.keys[2].revoked = false; /* the newest, but expired */
    ring.keys[2].expires = NOW + 9;
    assert_int_equal(keyring_default(&ring, NOW + 9, &key, &fallback), ERR_OK);
    assert_ptr_equal(key, &ring.keys[1]);
    assert_true(fallback);
    assert_int_equal(keyring_default(&ring, NOW + 8, &key, &fallback), ERR_OK);
    assert_ptr_equal(key, &ring.keys[2]);
    assert_false(fallback);
    ring.keys[0].revoked = true;
    ring.keys[1].revoked = true; /* nothing but the expired one is left */
    assert_int_equal(keyring_default(&ring, NOW + 9, &key, &fallback), ERR_OK);
    assert_ptr_equal(key, &ring.keys[2]);
    assert_true(fallback);
    /* The clock fell back to the epoch, or says a time past all reason. */
    assert_int_equal(keyring_default(&ring, 0, &key, &fallback), ERR_OK);
    assert_true(fallback);
    assert_int_equal(keyring_default(&ring, INT64_MIN, &key, &fallback),
                     ERR_OK);
    assert_int_equal(keyring_default(&ring, INT64_MAX, &key, &fallback),
                     ERR_OK);
    for (int i = 0; i < 3; i++)
        ring.keys[i].revoked = true;
    key = NULL;
    assert_int_equal(keyring_default(&ring, NOW, &key, &fallback), ERR_NO_KEY);
    assert_null(key);
}

static void
times_past_all_reason_do_not_wrap(void **context)
{
    static const struct keyring_spread spread = {300, 172800};
    static struct keyring ring;
    const struct keyring_key *key = NULL;
    bool fallback = true;

    (void)context;
    assert_int_equal(keyring_add(&ring, SEAL_DEFAULT, NOW), ERR_OK);
    assert_int_equal(
        keyring_choose(&ring, &spread, INT64_MAX - 1, &key, &fallback), ERR_OK);
    assert_ptr_equal(key, &ring.keys[0]);
    assert_false(fallback);
    ring.keys[0].activates = 0;
    assert_int_equal(
        keyring_choose(&ring, &spread, INT64_MIN + 1, &key, &fallback), ERR_OK);
    assert_true(fallback);
    /* Neither has spread by then, so that the one made first is taken. */
    assert_int_equal(keyring_add(&ring, SEAL_DEFAULT, 0), ERR_OK);
    ring.keys[0].activates = NOW;
    ring.keys[0].created = -1;
    ring.keys[1].created = -2;
    assert_int_equal(
        keyring_choose(&ring, &spread, INT64_MIN + 1, &key, &fallback), ERR_OK);
    assert_ptr_equal(key, &ring.keys[1]);
}

/* Keeps the last line that was logged. */
struct heard {
    char line[LOG_LINE_MAX];
};

static void
hear(void *context, enum log_level level, const char *line)
{
    struct heard *heard = context;

    (void)level;
    (void)snprintf(heard->line, sizeof(heard->line), "%s", line);
}

struct place {
    char folder[64];
    char path[96];
};

static void
write_ring(const struct place *place, const char *text, mode_t mode)
{
    int fd = open(place->path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(fchmod(fd, mode), 0);
    assert_int_equal(close(fd), 0);
}

static void
make_place(struct place *ret)
{
    strcpy(ret->folder, "/tmp/pawl-keyring-XXXXXX");
    assert_non_null(mkdtemp(ret->folder));
    (void)snprintf(ret->path, sizeof(ret->path), "%s/keyring", ret->folder);
}

static void
a_ring_is_loaded_only_when_it_is_safe_and_whole(void **context)
{
    static struct keyring ring;
    struct heard heard = {""};
    struct log log = {hear, &heard};
    struct place place;
    char expected[128];

    (void)context;
    make_place(&place);
    assert_int_equal(keyring_load(place.path, (uid_t)-1, &log, &ring),
                     ERR_NOT_FOUND);
    write_ring(&place, ring_text, 0600);
    assert_int_equal(keyring_load(place.path, (uid_t)-1, &log, &ring), ERR_OK);
    assert_int_equal(ring.count, 2);

    write_ring(&place, ring_text, 0640);
    assert_int_equal(keyring_load(place.path, (uid_t)-1, &log, &ring),
                     ERR_UNSAFE);
    assert_wiped(&ring);

    write_ring(&place, HEAD KEY_A KEY_B KEY_A "end 3\n", 0600);
    memset(&ring, 0xee, sizeof(ring));
    assert_int_equal(keyring_load(place.path, (uid_t)-1, &log, &ring),
                     ERR_EXISTS);
    assert_wiped(&ring);
    (void)snprintf(expected, sizeof(expected), "%s:4: ", place.path);
    assert_memory_equal(heard.line, expected, strlen(expected));
    assert_null(strstr(heard.line, HEX16));

    assert_int_equal(unlink(place.path), 0);
    assert_int_equal(rmdir(place.folder), 0);
}

static void
a_file_of_more_than_64_kib_is_no_ring(void **context)
{
    static struct keyring ring;
    struct heard heard = {""};
    struct log log = {hear, &heard};
    struct place place;
    char *text = calloc(1, KEYRING_FILE_MAX + 2);

    (void)context;
    assert_non_null(text);
    make_place(&place);
    memset(text, '#', KEYRING_FILE_MAX + 1);
    memcpy(text, HEAD, strlen(HEAD));
    write_ring(&place, text, 0600);
    assert_int_equal(keyring_load(place.path, (uid_t)-1, &log, &ring),
                     ERR_SPACE);
    assert_non_null(strstr(heard.line, place.path));
    assert_wiped(&ring);
    assert_int_equal(unlink(place.path), 0);
    assert_int_equal(rmdir(place.folder), 0);
    free(text);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_is_read),
        cmocka_unit_test(a_ring_without_keys_is_a_ring),
        cmocka_unit_test(what_is_written_is_read_and_written_alike),
        cmocka_unit_test(writing_into_too_little_room_leaves_nothing),
        cmocka_unit_test(hex_is_read_in_either_case_and_nothing_else),
        cmocka_unit_test(a_ring_cut_short_anywhere_is_refused),
        cmocka_unit_test(a_ring_with_anything_behind_its_end_is_refused),
        cmocka_unit_test(an_altered_byte_is_refused_and_its_line_named),
        cmocka_unit_test(comments_hide_no_line),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(more_keys_than_fit_are_refused),
        cmocka_unit_test(a_swapped_or_dropped_or_doubled_line_is_refused),
        cmocka_unit_test(a_new_key_is_random_and_active_from_now),
        cmocka_unit_test(only_unknown_and_revoked_keys_do_not_open),
        cmocka_unit_test(the_vectors_choose_their_keys),
        cmocka_unit_test(one_host_takes_new_keys_at_once_and_none_early),
        cmocka_unit_test(no_date_locks_everybody_out),
        cmocka_unit_test(times_past_all_reason_do_not_wrap),
        cmocka_unit_test(a_ring_is_loaded_only_when_it_is_safe_and_whole),
        cmocka_unit_test(a_file_of_more_than_64_kib_is_no_ring),
    };

    return cmocka_run_group_tests_name("keyring", tests, NULL, NULL);
}
