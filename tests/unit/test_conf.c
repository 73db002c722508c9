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

#include "lib/attrs.h"
#include "lib/conf.h"
#include "lib/log.h"

/* What was logged: how many lines, and the last of them. */
struct heard {
    unsigned count;
    char line[LOG_LINE_MAX];
};

static void
hear(void *context, enum log_level level, const char *line)
{
    struct heard *heard = context;

    assert_int_equal(level, LOG_LEVEL_ERROR);
    heard->count++;
    (void)snprintf(heard->line, sizeof(heard->line), "%s", line);
}

/* Reads text as service sees it; it has to be right. */
static void
read_conf(const char *text, const char *service, struct conf *ret)
{
    struct heard heard = {0};
    struct log log = {hear, &heard};

    if (conf_parse(text, "pawl.conf", service, &log, ret) != ERR_OK)
        fail_msg("refused: %s", heard.line);
    assert_int_equal(heard.count, 0);
}

/* Refused with one log line, which is "pawl.conf:" and expected. */
static void
refuse_conf(const char *text, const char *expected)
{
    struct heard heard = {0};
    struct log log = {hear, &heard};
    char whole[LOG_LINE_MAX];
    struct conf conf;

    memset(&conf, 0x5a, sizeof(conf));
    if (conf_parse(text, "pawl.conf", "sshd", &log, &conf) != ERR_INVALID)
        fail_msg("taken: %s", text);
    assert_int_equal(heard.count, 1);
    (void)snprintf(whole, sizeof(whole), "pawl.conf:%s", expected);
    assert_string_equal(heard.line, whole);
    for (size_t i = 0; i < sizeof(conf); i++)
        assert_int_equal(((const uint8_t *)&conf)[i], 0x5a);
}

static void
an_empty_file_means_the_defaults(void **context)
{
    static const char *const texts[] = {"", "\n", "# nothing\n; here\n \t\n",
                                        "[sshd]\n", "  # indented"};

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        struct conf conf;

        read_conf(texts[i], "sshd", &conf);
        assert_int_equal(conf.store[0], '/');
        assert_non_null(strstr(conf.store, "/pawl"));
        assert_int_equal(conf.keyring[0], '/');
        assert_non_null(strstr(conf.keyring, "/pawl/keyring"));
        assert_int_equal(conf.lock_wait, 5000);
        assert_string_equal(conf.issuer, "");
        assert_int_equal(conf.algorithm, HOTP_SHA1);
        assert_int_equal(conf.digits, 6);
        assert_int_equal(conf.period, 30);
        assert_int_equal(conf.window.past, 1);
        assert_int_equal(conf.window.future, 1);
        assert_false(conf.nullok);
        assert_string_equal(conf.prompt, "Verification code: ");
        assert_false(conf.echo);
        assert_false(conf.quiet);
        assert_int_equal(conf.fail_delay, 2000);
        assert_int_equal(conf.first_pass, CONF_FIRST_PASS_NO);
        assert_false(conf.forward_pass);
        assert_int_equal(conf.joined_digits, 6);
    }
}

static void
every_key_reaches_its_member(void **context)
{
    static const char text[] = "store = /srv/pawl\n"
                               "keyring=/srv/pawl.ring ; a comment\n"
                               "lock_wait = 100\n"
                               "issuer = Example Ltd\n"
                               "algorithm = SHA512\n"
                               "digits = 8\n"
                               "period = 300\n"
                               "past_steps = 10\n"
                               "future_steps = 0\n"
                               "nullok = yes\n"
                               "prompt = \"Code: \"\n"
                               "echo = yes\n"
                               "quiet = yes\n"
                               "fail_delay = 60000\n"
                               "first_pass = use\n"
                               "forward_pass = yes\n"
                               "joined_digits = 7";
    struct conf conf;

    (void)context;
    read_conf(text, NULL, &conf);
    assert_string_equal(conf.store, "/srv/pawl");
    assert_string_equal(conf.keyring, "/srv/pawl.ring");
    assert_int_equal(conf.lock_wait, 100);
    assert_string_equal(conf.issuer, "Example Ltd");
    assert_int_equal(conf.algorithm, HOTP_SHA512);
    assert_int_equal(conf.digits, 8);
    assert_int_equal(conf.period, 300);
    assert_int_equal(conf.window.past, 10);
    assert_int_equal(conf.window.future, 0);
    assert_true(conf.nullok);
    assert_string_equal(conf.prompt, "Code: ");
    assert_true(conf.echo);
    assert_true(conf.quiet);
    assert_int_equal(conf.fail_delay, 60000);
    assert_int_equal(conf.first_pass, CONF_FIRST_PASS_USE);
    assert_true(conf.forward_pass);
    assert_int_equal(conf.joined_digits, 7);
}

static void
a_part_holds_for_its_service_alone(void **context)
{
    static const char text[] = "nullok = yes\n"
                               "past_steps = 2\n"
                               "[sshd] ; comment\n"
                               "past_steps = 3\n"
                               "prompt = sshd\n"
                               "[sudo]\n"
                               "nullok = no\n"
                               "past_steps = 4\n"
                               "first_pass = try\n";
    struct conf conf;

    (void)context;
    read_conf(text, "sshd", &conf);
    assert_true(conf.nullok);
    assert_int_equal(conf.window.past, 3);
    assert_string_equal(conf.prompt, "sshd");
    assert_int_equal(conf.first_pass, CONF_FIRST_PASS_NO);
    read_conf(text, "sudo", &conf);
    assert_false(conf.nullok);
    assert_int_equal(conf.window.past, 4);
    assert_string_equal(conf.prompt, "Verification code: ");
    assert_int_equal(conf.first_pass, CONF_FIRST_PASS_TRY);
    read_conf(text, "login", &conf);
    assert_true(conf.nullok);
    assert_int_equal(conf.window.past, 2);
    read_conf(text, NULL, &conf);
    assert_int_equal(conf.window.past, 2);
    read_conf(text, "ssh", &conf);
    assert_int_equal(conf.window.past, 2);
}

static void
quotes_keep_what_stands_in_them(void **context)
{
    struct conf conf;

    (void)context;
    read_conf("prompt = \"  two  \"", NULL, &conf);
    assert_string_equal(conf.prompt, "  two  ");
    read_conf("prompt = \"\"", NULL, &conf);
    assert_string_equal(conf.prompt, "");
    read_conf("prompt = \"C\xc3\xb3"
              "digo: \"",
              NULL, &conf);
    assert_string_equal(conf.prompt, "C\xc3\xb3"
                                     "digo: ");
    read_conf("prompt =   bare  text  ", NULL, &conf);
    assert_string_equal(conf.prompt, "bare  text");
    read_conf("prompt = a=b;c#d", NULL, &conf);
    assert_string_equal(conf.prompt, "a=b;c#d");
    read_conf("store = \"/srv/with blank\"", NULL, &conf);
    assert_string_equal(conf.store, "/srv/with blank");
}

#define TEN   "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define ISSUER                                                                 \
    "UTF-8 of at most 127 bytes, in double quotes if it has "                  \
    "blanks at an end, bytes beyond ASCII or nothing in it"

static void
the_longest_text_fits_and_one_byte_more_does_not(void **context)
{
    struct conf conf;

    (void)context;
    read_conf("issuer = " FIFTY FIFTY TEN TEN "0123456", NULL, &conf);
    assert_int_equal(strlen(conf.issuer), 127);
    refuse_conf("issuer = " FIFTY FIFTY TEN TEN "01234567",
                "1: issuer takes " ISSUER
                " and no colon, not " FIFTY FIFTY TEN TEN "01234567");
}

static void
an_unknown_key_in_line_7_is_named_with_its_line(void **context)
{
    (void)context;
    refuse_conf("# pawl.conf\n"
                "\n"
                "digits = 6\n"
                "\n"
                "[sshd]\n"
                "; the window\n"
                "windw = 1\n",
                "7: unknown key windw");
}

struct bad_conf {
    const char *text;
    const char *expected;
};

static void
values_out_of_range_are_refused(void **context)
{
    static const struct bad_conf bad[] = {
        {"digits = 5", "1: digits takes a whole number from 6 to 8, not 5"},
        {"digits = 9", "1: digits takes a whole number from 6 to 8, not 9"},
        {"digits = 06", "1: digits takes a whole number from 6 to 8, not 06"},
        {"digits = +6", "1: digits takes a whole number from 6 to 8, not +6"},
        {"digits = 6 7",
         "1: digits takes a whole number from 6 to 8, not 6\\x207"},
        {"digits =", "1: digits takes a whole number from 6 to 8, not nothing"},
        {"digits = \"6\"",
         "1: digits takes a whole number from 6 to 8, not \\x226\\x22"},
        {"past_steps = abc",
         "1: past_steps takes a whole number from 0 to 10, not abc"},
        {"past_steps = 11",
         "1: past_steps takes a whole number from 0 to 10, not 11"},
        {"future_steps = -1",
         "1: future_steps takes a whole number from 0 to 10, not -1"},
        {"period = 14",
         "1: period takes a whole number from 15 to 300, not 14"},
        {"period = 301",
         "1: period takes a whole number from 15 to 300, not 301"},
        {"lock_wait = 99",
         "1: lock_wait takes a whole number from 100 to 30000, not 99"},
        {"lock_wait = 30001",
         "1: lock_wait takes a whole number from 100 to 30000, not 30001"},
        {"fail_delay = 60001",
         "1: fail_delay takes a whole number from 0 to 60000, not 60001"},
        {"fail_delay = 4294967296",
         "1: fail_delay takes a whole number from 0 to 60000, not 4294967296"},
        {"fail_delay = 18446744073709551616",
         "1: fail_delay takes a whole number from 0 to 60000, not "
         "18446744073709551616"},
        {"joined_digits = 5",
         "1: joined_digits takes a whole number from 6 to 8, not 5"},
        {"nullok = true", "1: nullok takes yes or no, not true"},
        {"nullok = YES", "1: nullok takes yes or no, not YES"},
        {"nullok = 1", "1: nullok takes yes or no, not 1"},
        {"echo =", "1: echo takes yes or no, not nothing"},
        {"algorithm = MD5",
         "1: algorithm takes SHA1, SHA256 or SHA512, not MD5"},
        {"algorithm = sha1",
         "1: algorithm takes SHA1, SHA256 or SHA512, not sha1"},
        {"first_pass = yes", "1: first_pass takes no, try or use, not yes"},
        {"store = pawl", "1: store takes an absolute path, not pawl"},
        {"store =", "1: store takes an absolute path, not nothing"},
        {"store = \"/a", "1: store takes an absolute path, not \\x22/a"},
        {"keyring = ./k", "1: keyring takes an absolute path, not ./k"},
        {"issuer = a:b", "1: issuer takes " ISSUER " and no colon, not a:b"},
        {"issuer =", "1: issuer takes " ISSUER " and no colon, not nothing"},
        {"prompt = \"a", "1: prompt takes " ISSUER ", not \\x22a"},
        {"prompt = a\"", "1: prompt takes " ISSUER ", not a\\x22"},
        {"prompt = \"", "1: prompt takes " ISSUER ", not \\x22"},
        {"prompt = \"a\"b\"",
         "1: prompt takes " ISSUER ", not \\x22a\\x22b\\x22"},
        {"prompt = \"a ; b\"", "1: prompt takes " ISSUER ", not \\x22a"},
        {"prompt = \xc3\xb3", "1: prompt takes " ISSUER ", not \\xc3\\xb3"},
        {"prompt = \"\xc3\"",
         "1: prompt takes " ISSUER ", not \\x22\\xc3\\x22"},
        {"prompt = \"\xc2\x9b\"",
         "1: prompt takes " ISSUER ", not \\x22\\xc2\\x9b\\x22"},
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        refuse_conf(bad[i].text, bad[i].expected);
}

static void
keys_stand_where_they_may_and_once(void **context)
{
    static const struct bad_conf bad[] = {
        {"digits = 6\ndigits = 6\n", "2: a second time in this part: digits"},
        {"[sshd]\necho = no\necho = no\n",
         "3: a second time in this part: echo"},
        {"[sudo]\necho = no\necho = no\n",
         "3: a second time in this part: echo"},
        {"[sshd]\nstore = /a\n", "2: only before the first [service]: store"},
        {"[sshd]\nkeyring = /a\n",
         "2: only before the first [service]: keyring"},
        {"[sshd]\nlock_wait = 100\n",
         "2: only before the first [service]: lock_wait"},
        {"[sshd]\nissuer = a\n", "2: only before the first [service]: issuer"},
        {"[sshd]\nalgorithm = SHA1\n",
         "2: only before the first [service]: algorithm"},
        {"[sudo]\ndigits = 6\n", "2: only before the first [service]: digits"},
        {"[sudo]\nperiod = 30\n", "2: only before the first [service]: period"},
        {"Digits = 6\n", "1: unknown key Digits"},
        {"digits\xc2\xa0 = 6\n", "1: unknown key digits\\xc2\\xa0"},
        {"dig its = 6\n", "1: unknown key dig\\x20its"},
        /* What other services' parts say is checked as well. */
        {"[sudo]\npast_steps = 11\n",
         "2: past_steps takes a whole number from 0 to 10, not 11"},
        {"[sudo]\nfoo = 11\n", "2: unknown key foo"},
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        refuse_conf(bad[i].text, bad[i].expected);
}

static void
lines_that_inih_would_guess_about_are_refused(void **context)
{
    static const struct bad_conf bad[] = {
        {"digits\n", "1: not KEY \x3d VALUE: digits"},
        {"text before\ndigits = 6\n", "1: not KEY = VALUE: text\\x20before"},
        {"digits : 6\n", "1: not KEY = VALUE: digits\\x20:\\x206"},
        {"digits : 6 = 7\n",
         "1: not KEY = VALUE: digits\\x20:\\x206\\x20\\x3d\\x207"},
        {"digits ; = 6\n", "1: not KEY = VALUE: digits\\x20;\\x20\\x3d\\x206"},
        {"= 6\n", "1: not KEY = VALUE: \\x3d\\x206"},
        {"\xef\xbb\xbf"
         "digits = 6\n",
         "1: not KEY = VALUE: \\xef\\xbb\\xbfdigits\\x20\\x3d\\x206"},
        {"prompt = a\n  b\n", "2: a blank before b"},
        {"prompt = a\n\tdigits = 6\n",
         "2: a blank before digits\\x20\\x3d\\x206"},
        {" digits = 6\n", "1: a blank before digits\\x20\\x3d\\x206"},
        {" [sshd]\n", "1: a blank before [sshd]"},
        {"digits = 6\r\n",
         "1: a control character in digits\\x20\\x3d\\x206\\x0d"},
        {"# a\x1b[2J\n", "1: a control character in #\\x20a\\x1b[2J"},
        {"prompt = a\x7f"
         "b\n",
         "1: a control character in prompt\\x20\\x3d\\x20a\\x7fb"},
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        refuse_conf(bad[i].text, bad[i].expected);
}

#define PART "not [service], in lower case, and nothing behind it: "

static void
parts_are_named_once_and_rightly(void **context)
{
    static const struct bad_conf bad[] = {
        {"[sshd]\n[sudo]\n[sshd]\n", "3: a second part of the name sshd"},
        {"[sshd]\n[sshd]\n", "2: a second part of the name sshd"},
        {"[sshd\n", "1: " PART "[sshd"},
        {"[sshd]x\n", "1: " PART "[sshd]x"},
        {"[sshd];x\n", "1: " PART "[sshd];x"},
        {"[sshd]digits = 6\n", "1: " PART "[sshd]digits\\x20\\x3d\\x206"},
        {"[SSHD]\n", "1: " PART "[SSHD]"},
        {"[ sshd ]\n", "1: " PART "[\\x20sshd\\x20]"},
        {"[a/b]\n", "1: " PART "[a/b]"},
        {"[]\n", "1: a service's name of 1 to 47 bytes is needed"},
        {"[" FIFTY "]\n", "1: a service's name of 1 to 47 bytes is needed"},
    };
    struct conf conf;
    char text[2048] = "";

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        refuse_conf(bad[i].text, bad[i].expected);
    read_conf("[a-b_c.d+e@9]\npast_steps = 5\n", "a-b_c.d+e@9", &conf);
    assert_int_equal(conf.window.past, 5);
    read_conf("[" TEN TEN TEN TEN "0123456]\npast_steps = 5\n",
              TEN TEN TEN TEN "0123456", &conf);
    assert_int_equal(conf.window.past, 5);
    for (int i = 0; i < 64; i++)
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
                       "[s%d]\npast_steps = 7\n", i);
    read_conf(text, "s63", &conf);
    assert_int_equal(conf.window.past, 7);
    strcat(text, "[more]\n");
    refuse_conf(text, "129: more than 64 parts");
}

static void
a_line_has_190_bytes_at_most(void **context)
{
    char text[512];
    struct conf conf;

    (void)context;
    memset(text, 'x', sizeof(text));
    memcpy(text, "digits = 7 ; ", 13);
    text[CONF_LINE_MAX] = '\0';
    read_conf(text, NULL, &conf);
    assert_int_equal(conf.digits, 7);
    for (size_t length = CONF_LINE_MAX + 1; length < 450; length++) {
        memset(text, 'x', sizeof(text));
        memcpy(text, "# ", 2);
        text[length] = '\n';
        strcpy(text + length + 1, "digits = 7\n");
        refuse_conf(text, "1: a line of more than 190 bytes");
    }
}

/* Nothing of the parser's own may fall over what somebody typed. */
static void
every_text_is_taken_or_refused_with_a_line(void **context)
{
    static const char good[] = "store = /a\nissuer = \"b \"\n# c\n[sshd]\n"
                               "echo = yes ; d\n[sudo]\npast_steps = 2\n";
    char text[sizeof(good)];
    unsigned taken = 0;

    (void)context;
    for (size_t at = 0; at < sizeof(good) - 1; at++) {
        for (unsigned c = 1; c < 256; c++) {
            struct heard heard = {0};
            struct log log = {hear, &heard};
            struct conf conf;
            enum err e;

            memcpy(text, good, sizeof(text));
            text[at] = (char)c;
            e = conf_parse(text, "f", "sshd", &log, &conf);
            assert_true(e == ERR_OK || e == ERR_INVALID);
            assert_int_equal(heard.count, e == ERR_OK ? 0 : 1);
            taken += e == ERR_OK;
        }
        memcpy(text, good, sizeof(text));
        text[at] = '\0';
        (void)!conf_parse(text, "f", "sshd", NULL, &(struct conf){0});
    }
    assert_in_range(taken, sizeof(good), 255 * sizeof(good) / 2);
}

struct place {
    char folder[64];
    char path[96];
};

static void
make_place(struct place *ret)
{
    strcpy(ret->folder, "/tmp/pawl-conf-XXXXXX");
    assert_non_null(mkdtemp(ret->folder));
    (void)snprintf(ret->path, sizeof(ret->path), "%s/pawl.conf", ret->folder);
}

static void
write_conf(const struct place *place, const char *text, size_t length,
           mode_t mode)
{
    int fd = open(place->path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, length), length);
    assert_int_equal(fchmod(fd, mode), 0);
    assert_int_equal(close(fd), 0);
}

/* Loaded from the file with that result and, if refused, that log line. */
static void
load_conf(const struct place *place, enum err error, const char *expected)
{
    struct heard heard = {0};
    struct log log = {hear, &heard};
    char whole[LOG_LINE_MAX];
    struct conf conf;

    assert_int_equal(conf_load(place->path, "sshd", &log, &conf), error);
    (void)snprintf(whole, sizeof(whole), "%s:%s", place->path, expected);
    if (expected != NULL)
        assert_string_equal(heard.line, whole);
    if (error == ERR_OK)
        assert_int_equal(conf.digits, 7);
}

static void
a_file_is_loaded_only_when_it_is_safe_and_right(void **context)
{
    static const char good[] = "digits = 7\n";
    static const char nul[] = "digits = 7\n#\n# \0\nwindw = 1\n";
    struct place place;
    char *big = malloc(CONF_FILE_MAX + 1);

    (void)context;
    assert_non_null(big);
    make_place(&place);
    load_conf(&place, ERR_NOT_FOUND, NULL);
    write_conf(&place, good, strlen(good), 0644);
    load_conf(&place, ERR_OK, NULL);
    write_conf(&place, good, strlen(good), 0664);
    load_conf(&place, ERR_UNSAFE, NULL);
    write_conf(&place, "windw = 1\n", 10, 0644);
    load_conf(&place, ERR_INVALID, "1: unknown key windw");
    write_conf(&place, nul, sizeof(nul) - 1, 0644);
    load_conf(&place, ERR_INVALID, "3: a NUL byte");

    memset(big, '\n', CONF_FILE_MAX + 1);
    memcpy(big, good, strlen(good));
    write_conf(&place, big, CONF_FILE_MAX, 0644);
    load_conf(&place, ERR_OK, NULL);
    write_conf(&place, big, CONF_FILE_MAX + 1, 0644);
    load_conf(&place, ERR_INVALID, " too long");
    assert_int_equal(unlink(place.path), 0);
    assert_int_equal(rmdir(place.folder), 0);
    free(big);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_file_means_the_defaults),
        cmocka_unit_test(every_key_reaches_its_member),
        cmocka_unit_test(a_part_holds_for_its_service_alone),
        cmocka_unit_test(quotes_keep_what_stands_in_them),
        cmocka_unit_test(the_longest_text_fits_and_one_byte_more_does_not),
        cmocka_unit_test(an_unknown_key_in_line_7_is_named_with_its_line),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(keys_stand_where_they_may_and_once),
        cmocka_unit_test(lines_that_inih_would_guess_about_are_refused),
        cmocka_unit_test(parts_are_named_once_and_rightly),
        cmocka_unit_test(a_line_has_190_bytes_at_most),
        cmocka_unit_test(every_text_is_taken_or_refused_with_a_line),
        cmocka_unit_test(a_file_is_loaded_only_when_it_is_safe_and_right),
    };

    return cmocka_run_group_tests_name("conf", tests, NULL, NULL);
}
