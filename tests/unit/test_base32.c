/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "lib/attrs.h"
#include "lib/base32.h"
#include "lib/random.h"

static int
vectors_open(void **context)
{
    char path[4096];
    const char *srcdir = getenv("srcdir");
    json_t *vectors;

    snprintf(path, sizeof(path), "%s/tests/vectors/base32.json",
             srcdir == NULL ? "." : srcdir);
    vectors = json_load_file(path, 0, NULL);
    *context = vectors;
    return vectors == NULL ? -1 : 0;
}

static int
vectors_close(void **context)
{
    json_decref(*context);
    return 0;
}

static const char *
string_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    assert_non_null(text);
    return text;
}

/* Reads the hex of a vector; returns its length in bytes. */
static size_t
bytes_of(const json_t *object, uint8_t *ret, size_t room)
{
    const char *hex = string_of(object, "bytes");
    size_t length = strlen(hex) / 2;

    assert_true(length <= room);
    for (size_t i = 0; i < length; i++) {
        char two[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        char *end;

        ret[i] = (uint8_t)strtoul(two, &end, 16);
        assert_true(*end == '\0');
    }
    return length;
}

static void
assert_decodes(const char *text, const uint8_t *bytes, size_t length)
{
    struct secret secret;

    memset(&secret, 0xa5, sizeof(secret));
    assert_int_equal(base32_decode(text, strlen(text), &secret), ERR_OK);
    assert_int_equal(secret.length, length);
    assert_memory_equal(secret.bytes, bytes, length);
}

static void
assert_refused(const char *text, size_t length, enum err expected)
{
    static const struct secret empty;
    struct secret secret;

    memset(&secret, 0xa5, sizeof(secret));
    assert_int_equal(base32_decode(text, length, &secret), expected);
    assert_memory_equal(&secret, &empty, sizeof(secret));
}

static void
known_answers_hold_both_ways(void **context)
{
    const json_t *cases = json_object_get(*context, "encode");
    const json_t *item;
    size_t i;

    assert_true(json_array_size(cases) >= 19);
    json_array_foreach(cases, i, item)
    {
        uint8_t bytes[SECRET_MAX];
        char text[BASE32_TEXT_BYTES(SECRET_MAX)];
        size_t length = bytes_of(item, bytes, sizeof(bytes));

        base32_encode(bytes, length, text);
        assert_string_equal(text, string_of(item, "unpadded"));
        assert_int_equal(strlen(text) + 1, BASE32_TEXT_BYTES(length));
        assert_decodes(string_of(item, "unpadded"), bytes, length);
        assert_decodes(string_of(item, "padded"), bytes, length);
    }
}

/*
 * Identity's decoder looks at no more characters than it needs. Of what it
 * takes, the vectors' note has us refuse odd lengths, spare bits that are not
 * zero, and foreign characters wherever they stand.
 */
static void
of_what_identity_takes_only_the_unambiguous_is_taken(void **context)
{
    const json_t *cases = json_object_get(
        json_object_get(*context, "identity_decoder"), "accepts");
    const json_t *item;
    size_t i;
    size_t refused = 0;

    assert_true(json_array_size(cases) >= 9);
    json_array_foreach(cases, i, item)
    {
        static const char *const refuses[] = {"MZXW6YTBOJ", "A", "1", "AA1"};
        const char *text = string_of(item, "text");
        bool refuse = false;
        uint8_t bytes[SECRET_MAX];

        for (size_t j = 0; j < ARRAY_LENGTH(refuses); j++)
            refuse = refuse || strcmp(text, refuses[j]) == 0;
        refused += refuse;
        if (refuse)
            assert_refused(text, strlen(text), ERR_INVALID);
        else
            assert_decodes(text, bytes, bytes_of(item, bytes, sizeof(bytes)));
    }
    assert_int_equal(refused, 4);
}

/* And takes the groups that Identity refuses, but nothing else of those. */
static void
of_what_identity_refuses_only_groups_are_taken(void **context)
{
    const json_t *cases = json_object_get(
        json_object_get(*context, "identity_decoder"), "refuses");
    const json_t *item;
    size_t i;
    size_t taken = 0;

    assert_true(json_array_size(cases) >= 8);
    json_array_foreach(cases, i, item)
    {
        const char *text = json_string_value(item);
        bool take =
            strcmp(text, "MZXW 6YTB") == 0 || strcmp(text, "MZXW-6YTB") == 0;

        taken += take;
        if (take)
            assert_decodes(text, (const uint8_t *)"fooba", 5);
        else
            assert_refused(text, strlen(text), ERR_INVALID);
    }
    assert_int_equal(taken, 2);
}

static void
separators_may_stand_anywhere(void **context)
{
    static const char *const texts[] = {
        " mzxw 6ytb oi ",
        "-M-Z-X-W-6-Y-T-B-O-I-",
        "\tMZXW\r\n6YTB\r\nOI\r\n",
        "MZXW6YTBOI = = = = = =\n",
        "MZXW6YTBOI------",
        "                                                                    "
        "                                                       MZXW6YTBOI",
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
        assert_decodes(texts[i], (const uint8_t *)"foobar", 6);
}

/* 32 + 32 in either case, and nothing else of the 256. */
static void
every_byte_is_judged(void **context)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    static const char separators[] = " \t\r\n-";

    (void)context;
    for (int c = 0; c < 256; c++) {
        char text[8] = {'A', 'A', 'A', 'A', 'A', 'A', 'A', (char)c};
        int upper = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
        const char *at = c == 0 ? NULL : strchr(alphabet, upper);
        struct secret secret;

        if (at != NULL) {
            assert_int_equal(base32_decode(text, 8, &secret), ERR_OK);
            assert_int_equal(secret.length, 5);
            assert_int_equal(secret.bytes[4], at - alphabet);
        } else if (c == '=' || (c != 0 && strchr(separators, c) != NULL)) {
            assert_int_equal(base32_decode(text, 8, &secret), ERR_OK);
            assert_int_equal(secret.length, 4);
        } else {
            assert_refused(text, 8, ERR_INVALID);
        }
    }
}

static void
lengths_that_hold_no_whole_byte_are_refused(void **context)
{
    static const char text[] = "AAAAAAAAAAAAAAAAAAAAAAAA";

    (void)context;
    for (size_t length = 0; length <= 24; length++) {
        struct secret secret;

        if (length % 8 == 1 || length % 8 == 3 || length % 8 == 6) {
            assert_refused(text, length, ERR_INVALID);
        } else {
            assert_int_equal(base32_decode(text, length, &secret), ERR_OK);
            assert_int_equal(secret.length, length * 5 / 8);
        }
    }
}

static void
padding_is_for_the_end(void **context)
{
    static const char *const texts[] = {
        "=MZXW6YTB", "MZXW=6YTB", "MY======MY======", "MZXW6YTBO=I", "MY = Y",
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
        assert_refused(texts[i], strlen(texts[i]), ERR_INVALID);
}

static void
spare_bits_are_zero(void **context)
{
    static const char *const texts[] = {
        "MZ", "MYA5", "MZXR", "MZXW7", "MZXW6YR", "MZXW6YTBOJ", "AB", "AAAAB",
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
        assert_refused(texts[i], strlen(texts[i]), ERR_INVALID);
}

static void
a_secret_holds_64_bytes_and_no_more(void **context)
{
    char text[BASE32_TEXT_BYTES(SECRET_MAX + 1)];
    uint8_t bytes[SECRET_MAX + 1];

    (void)context;
    memset(bytes, 0x5a, sizeof(bytes));
    base32_encode(bytes, SECRET_MAX, text);
    assert_decodes(text, bytes, SECRET_MAX);
    base32_encode(bytes, SECRET_MAX + 1, text);
    assert_refused(text, strlen(text), ERR_SPACE);
    text[0] = '!';
    assert_refused(text, strlen(text), ERR_INVALID);
}

/* 64 KiB of anything ends, and ends well. */
static void
a_long_text_is_refused_or_read_through(void **context)
{
    enum {
        LONG = 65536
    };
    char *text = test_malloc(LONG);

    (void)context;
    memset(text, 'A', LONG);
    assert_refused(text, LONG, ERR_SPACE);
    memset(text, '=', LONG);
    memcpy(text, "MZXW6YTB", 8);
    text[LONG - 1] = '\0';
    assert_decodes(text, (const uint8_t *)"fooba", 5);
    test_free(text);
}

static void
random_bytes_come_back(void **context)
{
    (void)context;
    for (size_t round = 0; round < 2000; round++) {
        uint8_t bytes[SECRET_MAX];
        char text[BASE32_TEXT_BYTES(SECRET_MAX)];
        size_t length = round % (SECRET_MAX + 1);

        assert_int_equal(random_bytes(bytes, sizeof(bytes)), ERR_OK);
        base32_encode(bytes, length, text);
        assert_decodes(text, bytes, length);
    }
}

/* What "base32 -w0" of coreutils makes of the file; without its padding. */
static void
coreutils_line(const char *path, char *ret, int room)
{
    char command[128];
    FILE *pipe;

    snprintf(command, sizeof(command), "base32 -w0 %s && echo", path);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(ret, room, pipe));
    assert_int_equal(pclose(pipe), 0);
    ret[strcspn(ret, "=\n")] = '\0';
}

static void
coreutils_agrees(void **context)
{
    char path[] = "/tmp/test_base32.XXXXXX";
    int fd;

    (void)context;
    if (system("base32 --version >/dev/null 2>&1") != 0)
        skip();
    fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t length = 1; length <= SECRET_MAX; length++) {
        uint8_t bytes[SECRET_MAX];
        char ours[BASE32_TEXT_BYTES(SECRET_MAX)];
        char theirs[256];

        assert_int_equal(random_bytes(bytes, length), ERR_OK);
        assert_int_equal(pwrite(fd, bytes, length, 0), (int)length);
        coreutils_line(path, theirs, sizeof(theirs));
        base32_encode(bytes, length, ours);
        assert_string_equal(ours, theirs);
        assert_decodes(theirs, bytes, length);
    }
    close(fd);
    unlink(path);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers_hold_both_ways),
        cmocka_unit_test(of_what_identity_takes_only_the_unambiguous_is_taken),
        cmocka_unit_test(of_what_identity_refuses_only_groups_are_taken),
        cmocka_unit_test(separators_may_stand_anywhere),
        cmocka_unit_test(every_byte_is_judged),
        cmocka_unit_test(lengths_that_hold_no_whole_byte_are_refused),
        cmocka_unit_test(padding_is_for_the_end),
        cmocka_unit_test(spare_bits_are_zero),
        cmocka_unit_test(a_secret_holds_64_bytes_and_no_more),
        cmocka_unit_test(a_long_text_is_refused_or_read_through),
        cmocka_unit_test(random_bytes_come_back),
        cmocka_unit_test(coreutils_agrees),
    };

    return cmocka_run_group_tests_name("base32", tests, vectors_open,
                                       vectors_close);
}
