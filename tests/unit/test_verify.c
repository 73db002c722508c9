/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/attrs.h"
#include "lib/file.h"
#include "lib/store_file.h"
#include "lib/verify.h"
#include "tests/support/scratch.h"

/* T0 is 20 s into step 56666666. Codes of key A around it, by oathtool. */
#define T0    INT64_C(1700000000)
#define KEY_A "7061776c2d746573742d6b65792d303030303031"
#define KEY_B "7061776c2d6b65792d31366279746573"
#define KEY_C "7061776c2d7368613235362d6b65792d6f662d33322d62797465732d30303033"
#define KEY_D                                                                  \
    "7061776c2d7368613531322d6b65792d746861742d69732d73697874792d666f7572"     \
    "2d62797465732d6c6f6e672d666f722d686d61632d626c6f636b2d303034"

static struct scratch scratch;
static struct vault_place place;

static struct {
    int64_t now;
    bool broken;
} test_time;

static enum err
read_clock(void *context, struct moment *ret)
{
    (void)context;
    if (test_time.broken)
        return ERR_CLOCK;
    *ret = (struct moment){.wall = test_time.now};
    return ERR_OK;
}

static const struct clock test_clock = {.read = read_clock};

/* Writes that fail on demand: linked in by --wrap. */
static bool disk_full;
static unsigned writes;

ssize_t __real_pwrite(int fd, const void *bytes, size_t length, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t length, off_t offset);

ssize_t
__wrap_pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
    writes++;
    if (!disk_full)
        return __real_pwrite(fd, bytes, length, offset);
    errno = ENOSPC;
    return -1;
}

static void
enrol(const char *user, const char *key, enum hotp_algorithm algorithm,
      unsigned digits, unsigned period)
{
    AUTO(token_wipe)
    struct token token = {.type = TOKEN_TOTP,
                          .algorithm = algorithm,
                          .digits = digits,
                          .period = period};

    scratch_read_secret(key, &token.secret);
    scratch_enrol(&scratch, user, &token, 0);
}

static struct outcome
judge(const char *user, const char *answer, enum verify_mode mode)
{
    struct outcome outcome;

    verify_code(&(struct verify_request){.place = &place,
                                         .clock = &test_clock,
                                         .user = user,
                                         .answer = answer,
                                         .answer_length = strlen(answer),
                                         .window = {1, 1},
                                         .widest_future = 1,
                                         .mode = mode},
                &outcome);
    assert_true((outcome.verdict == VERDICT_ACCEPTED) ==
                (outcome.reason == REASON_ACCEPTED));
    return outcome;
}

static enum reason
login(const char *user, const char *answer)
{
    return judge(user, answer, VERIFY_LOGIN).reason;
}

static int
set_up(void **context)
{
    (void)context;
    test_time.now = T0;
    test_time.broken = false;
    disk_full = false;
    scratch_make(&scratch, &test_clock);
    place = (struct vault_place){scratch.store, scratch.keyring, 200};
    enrol("alice", KEY_A, HOTP_SHA1, 6, 30);
    return 0;
}

static int
tear_down(void **context)
{
    (void)context;
    scratch_remove(&scratch);
    return 0;
}

static void
each_algorithm_length_and_period_opens(void **context)
{
    (void)context;
    enrol("a8", KEY_A, HOTP_SHA1, 8, 30);
    enrol("b", KEY_B, HOTP_SHA1, 6, 30);
    enrol("b60", KEY_B, HOTP_SHA1, 6, 60);
    enrol("c", KEY_C, HOTP_SHA256, 6, 30);
    enrol("c8", KEY_C, HOTP_SHA256, 8, 30);
    enrol("d8", KEY_D, HOTP_SHA512, 8, 30);
    assert_int_equal(login("alice", "954954"), REASON_ACCEPTED);
    assert_int_equal(login("a8", "77954954"), REASON_ACCEPTED);
    assert_int_equal(login("b", "721618"), REASON_ACCEPTED);
    assert_int_equal(login("b60", "323651"), REASON_ACCEPTED);
    assert_int_equal(login("c", "944720"), REASON_ACCEPTED);
    assert_int_equal(login("c8", "46944720"), REASON_ACCEPTED);
    assert_int_equal(login("d8", "03291252"), REASON_ACCEPTED);
}

static void
the_window_is_one_step_each_way(void **context)
{
    static const struct {
        const char *code;
        enum reason reason;
        int offset;
    } cases[] = {
        {"805203", REASON_WRONG, 0},    {"660604", REASON_ACCEPTED, -1},
        {"954954", REASON_ACCEPTED, 0}, {"392604", REASON_ACCEPTED, 1},
        {"288677", REASON_WRONG, 0},
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct outcome outcome;

        scratch_set_floor(&scratch, "alice", 0);
        outcome = judge("alice", cases[i].code, VERIFY_LOGIN);
        assert_int_equal(outcome.reason, cases[i].reason);
        assert_int_equal(outcome.offset, cases[i].offset);
    }
}

static void
a_code_opens_once_and_nothing_older_after_it(void **context)
{
    (void)context;
    assert_int_equal(login("alice", "954954"), REASON_ACCEPTED);
    assert_int_equal(login("alice", "954954"), REASON_REPLAYED);
    test_time.now = T0 + 30;
    assert_int_equal(login("alice", "954954"), REASON_REPLAYED);
    assert_int_equal(login("alice", "392604"), REASON_ACCEPTED);
    assert_int_equal(login("alice", "660604"), REASON_WRONG);
    test_time.now = T0;
    assert_int_equal(login("alice", "660604"), REASON_REPLAYED);
    assert_int_equal(login("alice", "954954"), REASON_REPLAYED);
    assert_int_equal(login("alice", "392604"), REASON_REPLAYED);
}

static void
a_code_of_the_wrong_length_is_wrong(void **context)
{
    (void)context;
    assert_int_equal(login("alice", "0954954"), REASON_WRONG);
    assert_int_equal(login("alice", "00954954"), REASON_WRONG);
    assert_int_equal(login("alice", "954954"), REASON_ACCEPTED);
}

static void
what_cannot_be_a_code_touches_nothing(void **context)
{
    static const char *const answers[] = {
        "",       "12345",   "123456789",
        "12345a", " 954954", "954954 ",
        "+95495", "954 954", "\xd9\xa1\xd9\xa2\xd9\xa3",
        "s3cr3t", "-1",      "954954\n",
    };
    struct vault_place nowhere = {"/nonexistent", "/nonexistent", 1};

    (void)context;
    place = nowhere; /* would be a storage error if it were looked at */
    writes = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(answers); i++)
        assert_int_equal(login("alice", answers[i]), REASON_MALFORMED);
    assert_int_equal(writes, 0);
    assert_int_equal(login("alice", "954954"), REASON_STORAGE);
}

static void
every_verdict_on_a_code_is_one_write(void **context)
{
    static const struct {
        const char *user, *code;
    } logins[] = {
        {"alice", "123456"},
        {"alice", "954954"},
        {"alice", "954954"},
        {"nobody", "123456"},
    };

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(logins); i++) {
        writes = 0;
        (void)login(logins[i].user, logins[i].code);
        assert_int_equal(writes, 1);
    }
}

static void
a_verdict_that_cannot_be_stored_is_not_given(void **context)
{
    struct outcome outcome;

    (void)context;
    disk_full = true;
    outcome = judge("alice", "954954", VERIFY_LOGIN);
    assert_int_equal(outcome.reason, REASON_STORAGE);
    assert_int_equal(outcome.error, ERR_IO);
    assert_int_equal(outcome.offset, 0);
    assert_int_equal(outcome.authenticator[0], '\0');
    disk_full = false;
    assert_int_equal(login("alice", "954954"), REASON_ACCEPTED);
}

static void
who_is_not_enrolled_is_refused_whatever_they_type(void **context)
{
    static const char *const names[] = {"nobody", "",     "..",       "a/b",
                                        "\n",     "%n%n", "+sentinel"};

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        assert_int_equal(login(names[i], "954954"), REASON_NOT_ENROLLED);
        assert_int_equal(login(names[i], "12345678"), REASON_NOT_ENROLLED);
        assert_int_equal(login(names[i], "x"), REASON_MALFORMED);
    }
}

static void
failures_are_counted_until_a_success_tells_of_them(void **context)
{
    struct outcome outcome;

    (void)context;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(login("alice", "000000"), REASON_WRONG);
        test_time.now++;
    }
    assert_int_equal(login("alice", "12345"), REASON_MALFORMED);
    outcome = judge("alice", "954954", VERIFY_LOGIN);
    assert_int_equal(outcome.reason, REASON_ACCEPTED);
    assert_int_equal(outcome.failed_since, 3);
    assert_true(outcome.first_failed == T0);
    assert_string_equal(outcome.authenticator, "phone");
    assert_int_equal(login("alice", "954954"), REASON_REPLAYED);
    outcome = judge("alice", "392604", VERIFY_LOGIN);
    assert_int_equal(outcome.failed_since, 0); /* a replay is no guess */
}

static void
trying_a_code_does_not_spend_it(void **context)
{
    struct outcome outcome;

    (void)context;
    assert_int_equal(judge("alice", "954954", VERIFY_TRY).reason,
                     REASON_ACCEPTED);
    assert_int_equal(judge("alice", "000000", VERIFY_TRY).reason, REASON_WRONG);
    writes = 0;
    assert_int_equal(judge("alice", "000000", VERIFY_TRY_UNCOUNTED).reason,
                     REASON_WRONG);
    assert_int_equal(judge("alice", "954954", VERIFY_TRY_UNCOUNTED).reason,
                     REASON_ACCEPTED);
    assert_int_equal(writes, 0);
    outcome = judge("alice", "954954", VERIFY_LOGIN);
    assert_int_equal(outcome.reason, REASON_ACCEPTED);
    assert_int_equal(outcome.failed_since, 1);
    assert_int_equal(judge("alice", "954954", VERIFY_TRY).reason,
                     REASON_REPLAYED);
}

static void
a_clock_that_is_not_to_be_trusted_refuses(void **context)
{
    (void)context;
    test_time.broken = true;
    assert_int_equal(login("alice", "954954"), REASON_CLOCK);
    test_time.broken = false;
    test_time.now = -1;
    assert_int_equal(login("alice", "954954"), REASON_CLOCK);
    test_time.now = T0;
    assert_int_equal(login("alice", "954954"), REASON_ACCEPTED);
}

static void
revoked_and_disabled_enrolments_refuse(void **context)
{
    AUTO(vault_close) struct vault *vault = NULL;
    AUTO(credential_wipe) struct credential credential;
    enum vault_condition condition;

    (void)context;
    assert_int_equal(vault_open(&place, &test_clock, NULL, &vault), ERR_OK);
    assert_int_equal(vault_begin(vault, "alice", false, 1, &condition), ERR_OK);
    credential = *vault_credential(vault);
    credential.enrolment.status = ENROLMENT_DISABLED;
    assert_int_equal(
        vault_overwrite(vault, "alice", &credential, VAULT_OVER_ANYTHING, 1),
        ERR_OK);
    assert_int_equal(login("alice", "954954"), REASON_POLICY);
    credential.enrolment.status = ENROLMENT_ACTIVE;
    credential.enrolment.authenticators[0].disabled = true;
    assert_int_equal(
        vault_overwrite(vault, "alice", &credential, VAULT_OVER_ANYTHING, 1),
        ERR_OK);
    assert_int_equal(login("alice", "954954"), REASON_WRONG);
    assert_int_equal(credential_tombstone(T0, &credential), ERR_OK);
    assert_int_equal(
        vault_overwrite(vault, "alice", &credential, VAULT_OVER_ANYTHING, 1),
        ERR_OK);
    assert_int_equal(login("alice", "954954"), REASON_NOT_ENROLLED);
}

static void
a_torn_record_costs_one_login_and_spends_the_window(void **context)
{
    AUTO(file_close) int fd = -1;
    char path[PATH_MAX + 8];
    uint8_t byte;

    (void)context;
    (void)snprintf(path, sizeof(path), "%s/alice", scratch.store);
    fd = open(path, O_RDWR | O_CLOEXEC);
    assert_int_equal(pread(fd, &byte, 1, STORE_FILE_SLOT_BYTES + 200), 1);
    byte ^= 1;
    assert_int_equal(__real_pwrite(fd, &byte, 1, STORE_FILE_SLOT_BYTES + 200),
                     1);
    assert_int_equal(login("alice", "954954"), REASON_INTEGRITY);
    assert_int_equal(login("alice", "954954"), REASON_REPLAYED);
    assert_int_equal(login("alice", "392604"), REASON_REPLAYED);
    test_time.now = T0 + 30;
    assert_int_equal(login("alice", "288677"), REASON_ACCEPTED);
}

static void
a_lock_that_is_held_refuses_with_a_reason(void **context)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    AUTO(file_close) int fd = -1;
    char path[PATH_MAX + 8];
    struct outcome outcome;

    (void)context;
    (void)snprintf(path, sizeof(path), "%s/alice", scratch.store);
    fd = open(path, O_RDWR | O_CLOEXEC);
    assert_int_equal(fcntl(fd, F_OFD_SETLK, &whole), 0);
    outcome = judge("alice", "954954", VERIFY_LOGIN);
    assert_int_equal(outcome.reason, REASON_STORAGE);
    assert_int_equal(outcome.error, ERR_BUSY);
    file_close(&fd);
    assert_int_equal(login("alice", "954954"), REASON_ACCEPTED);
}

static void
missing_stores_and_rings_refuse_and_are_not_made(void **context)
{
    char gone[PATH_MAX + 8];
    bool enrolled = false;

    (void)context;
    (void)snprintf(gone, sizeof(gone), "%s.gone", scratch.keyring);
    assert_int_equal(rename(scratch.keyring, gone), 0);
    assert_int_equal(login("alice", "954954"), REASON_STORAGE);
    assert_int_not_equal(
        verify_enrolled(&place, &test_clock, NULL, "nobody", &enrolled),
        ERR_OK);
    assert_int_equal(access(scratch.keyring, F_OK), -1);
    assert_int_equal(rename(gone, scratch.keyring), 0);
    (void)snprintf(gone, sizeof(gone), "%s.gone", scratch.store);
    assert_int_equal(rename(scratch.store, gone), 0);
    assert_int_equal(login("alice", "954954"), REASON_STORAGE);
    assert_int_equal(mkdir(scratch.store, 0700), 0); /* an empty mount point */
    assert_int_not_equal(login("alice", "954954"), REASON_NOT_ENROLLED);
    assert_int_not_equal(
        verify_enrolled(&place, &test_clock, NULL, "nobody", &enrolled),
        ERR_OK);
    assert_int_equal(rmdir(scratch.store), 0);
    assert_int_equal(rename(gone, scratch.store), 0);
    assert_int_equal(
        verify_enrolled(&place, &test_clock, NULL, "nobody", &enrolled),
        ERR_OK);
    assert_false(enrolled);
    assert_int_equal(login("alice", "954954"), REASON_ACCEPTED);
}

static void
an_outcome_of_zeros_denies(void **context)
{
    struct outcome outcome = {0};

    (void)context;
    assert_int_not_equal(outcome.verdict, VERDICT_ACCEPTED);
    assert_true(__builtin_popcount((unsigned)VERDICT_ACCEPTED ^
                                   (unsigned)VERDICT_REFUSED) >= 16);
}

#define VERIFY_TEST(function)                                                  \
    cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        VERIFY_TEST(each_algorithm_length_and_period_opens),
        VERIFY_TEST(the_window_is_one_step_each_way),
        VERIFY_TEST(a_code_opens_once_and_nothing_older_after_it),
        VERIFY_TEST(a_code_of_the_wrong_length_is_wrong),
        VERIFY_TEST(what_cannot_be_a_code_touches_nothing),
        VERIFY_TEST(every_verdict_on_a_code_is_one_write),
        VERIFY_TEST(a_verdict_that_cannot_be_stored_is_not_given),
        VERIFY_TEST(who_is_not_enrolled_is_refused_whatever_they_type),
        VERIFY_TEST(failures_are_counted_until_a_success_tells_of_them),
        VERIFY_TEST(trying_a_code_does_not_spend_it),
        VERIFY_TEST(a_clock_that_is_not_to_be_trusted_refuses),
        VERIFY_TEST(revoked_and_disabled_enrolments_refuse),
        VERIFY_TEST(a_torn_record_costs_one_login_and_spends_the_window),
        VERIFY_TEST(a_lock_that_is_held_refuses_with_a_reason),
        VERIFY_TEST(missing_stores_and_rings_refuse_and_are_not_made),
        VERIFY_TEST(an_outcome_of_zeros_denies),
    };

    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
