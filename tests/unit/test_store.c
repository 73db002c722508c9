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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/attrs.h"
#include "lib/file.h"
#include "lib/store.h"
#include "lib/store_file.h"
#include "tests/support/folder.h"

static struct folder folder;
static struct store store;
static const struct store_name alice = {STORE_USER, "alice"};

/* How the next pwrite goes wrong: linked in by --wrap. */
static struct {
    unsigned fail_at; /* 0: never; 1: the next call; and every one after */
    unsigned calls;
    size_t partly; /* bytes written before it fails */
} fault;

ssize_t __real_pwrite(int fd, const void *bytes, size_t length, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t length, off_t offset);

ssize_t
__wrap_pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
    fault.calls++;
    if (fault.fail_at == 0 || fault.calls != fault.fail_at)
        return __real_pwrite(fd, bytes, length, offset);
    if (fault.partly > 0) {
        size_t part = fault.partly;

        fault.partly = 0;
        fault.fail_at++; /* the rest of it fails */
        return __real_pwrite(fd, bytes, part, offset);
    }
    errno = ENOSPC;
    return -1;
}

static struct store_update
update(uint64_t sequence, const char *enrolment, const char *state)
{
    return (struct store_update){
        .sequence = sequence,
        .enrolment = {(const uint8_t *)enrolment, strlen(enrolment)},
        .state = {(const uint8_t *)state, strlen(state)},
    };
}

static void
assert_version(const struct store_version *version, uint64_t sequence,
               const char *enrolment, const char *state)
{
    assert_true(version->framed);
    assert_true(version->sequence == sequence);
    assert_int_equal(version->enrolment.length, strlen(enrolment));
    assert_memory_equal(version->enrolment.at, enrolment, strlen(enrolment));
    assert_int_equal(version->state.length, strlen(state));
    assert_memory_equal(version->state.at, state, strlen(state));
}

static void
create(struct store_name name)
{
    const struct store_update updates[STORE_VERSIONS] = {
        update(1, "enrolment", "one"),
        update(2, "enrolment", "two"),
    };

    assert_int_equal(store_create(&store, name, updates, true), ERR_OK);
}

static int
set_up(void **context)
{
    (void)context;
    folder_make(&folder);
    memset(&fault, 0, sizeof(fault));
    return store_open(folder.path, 200, NULL, &store) == ERR_OK ? 0 : -1;
}

static int
tear_down(void **context)
{
    (void)context;
    store_close(&store);
    folder_remove(&folder);
    return 0;
}

static void
a_new_record_has_both_versions_newest_first(void **context)
{
    AUTO(store_end) struct store_entry entry = {0};
    bool exists = true;

    (void)context;
    assert_int_equal(store_exists(&store, alice, &exists), ERR_OK);
    assert_false(exists);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                     ERR_NOT_FOUND);
    create(alice);
    assert_int_equal(store_exists(&store, alice, &exists), ERR_OK);
    assert_true(exists);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry), ERR_OK);
    assert_version(&entry.versions[0], 2, "enrolment", "two");
    assert_version(&entry.versions[1], 1, "enrolment", "one");
}

static void
a_record_is_not_made_twice(void **context)
{
    const struct store_update updates[STORE_VERSIONS] = {update(1, "", ""),
                                                         update(2, "", "")};

    (void)context;
    create(alice);
    assert_int_equal(store_create(&store, alice, updates, true), ERR_EXISTS);
}

static void
a_commit_overwrites_the_version_that_is_not_kept(void **context)
{
    AUTO(store_end) struct store_entry entry = {0};
    struct store_update third = update(3, "enrolment", "three");
    struct store_update fourth = update(4, "other", "four");

    (void)context;
    create(alice);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry), ERR_OK);
    assert_int_equal(store_commit(&entry, 0, &third), ERR_OK);
    assert_version(&entry.versions[0], 3, "enrolment", "three");
    assert_version(&entry.versions[1], 2, "enrolment", "two");
    assert_int_equal(store_commit(&entry, 1, &fourth), ERR_OK);
    store_end(&entry);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry), ERR_OK);
    assert_version(&entry.versions[0], 4, "other", "four");
    assert_version(&entry.versions[1], 2, "enrolment", "two");
}

static void
a_commit_changes_neither_inode_nor_size_nor_mode_nor_owner(void **context)
{
    AUTO(store_end) struct store_entry entry = {0};
    struct store_update third = update(3, "enrolment", "three");
    struct stat before, after;

    (void)context;
    create(alice);
    assert_int_equal(stat(folder_path(&folder, "alice"), &before), 0);
    assert_int_equal(before.st_mode, S_IFREG | 0600);
    assert_int_equal(before.st_size, STORE_RECORD_BYTES);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry), ERR_OK);
    assert_int_equal(store_commit(&entry, 0, &third), ERR_OK);
    assert_int_equal(stat(folder_path(&folder, "alice"), &after), 0);
    assert_true(before.st_ino == after.st_ino);
    assert_true(before.st_size == after.st_size);
    assert_true(before.st_mode == after.st_mode);
    assert_true(before.st_uid == after.st_uid);
    assert_true(before.st_blocks == after.st_blocks);
}

static void
a_failed_write_leaves_the_record_as_it_was(void **context)
{
    struct store_update third = update(3, "enrolment", "three");

    (void)context;
    create(alice);
    for (size_t partly = 0; partly < 4096; partly += 1365) {
        AUTO(store_end) struct store_entry entry = {0};

        assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                         ERR_OK);
        fault.calls = 0;
        fault.fail_at = 1;
        fault.partly = partly;
        assert_int_equal(store_commit(&entry, 0, &third), ERR_IO);
        assert_true(fault.calls > 1); /* it was put back */
        fault.fail_at = 0;
        store_end(&entry);
        assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                         ERR_OK);
        assert_version(&entry.versions[0], 2, "enrolment", "two");
        assert_version(&entry.versions[1], 1, "enrolment", "one");
    }
}

static void
every_damaged_byte_outside_the_parts_is_noticed(void **context)
{
    static const size_t parts = sizeof("enrolment") - 1 + sizeof("two") - 1;
    char path[PATH_MAX];

    (void)context;
    create(alice);
    (void)snprintf(path, sizeof(path), "%s", folder_path(&folder, "alice"));
    for (size_t at = 4096; at < 8192; at++) {
        AUTO(store_end) struct store_entry entry = {0};
        AUTO(file_close) int fd = open(path, O_RDWR | O_CLOEXEC);
        uint8_t byte;
        bool in_sequence = at >= 4096 + 8 && at < 4096 + 16;
        bool in_parts = at >= 4096 + 32 && at < 4096 + 32 + parts;
        bool in_lengths = at >= 4096 + 16 && at < 4096 + 20;

        assert_int_equal(pread(fd, &byte, 1, (off_t)at), 1);
        byte ^= 0x10;
        assert_int_equal(__real_pwrite(fd, &byte, 1, (off_t)at), 1);
        assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                         ERR_OK);
        if (!in_sequence && !in_parts && !in_lengths) {
            assert_version(&entry.versions[0], 1, "enrolment", "one");
            assert_false(entry.versions[1].framed);
        }
        byte ^= 0x10;
        assert_int_equal(__real_pwrite(fd, &byte, 1, (off_t)at), 1);
    }
}

static void
a_record_of_another_length_is_damaged(void **context)
{
    AUTO(store_end) struct store_entry entry = {0};

    (void)context;
    create(alice);
    for (off_t length = STORE_RECORD_BYTES + 1; length >= 0; length--) {
        if (length == STORE_RECORD_BYTES)
            continue;
        assert_int_equal(truncate(folder_path(&folder, "alice"), length), 0);
        assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                         ERR_SEALED);
    }
}

static void
a_record_of_another_length_can_be_replaced(void **context)
{
    static const off_t lengths[] = {0, 4096, 8193, 100000};
    struct stat status;

    (void)context;
    create(alice);
    for (size_t i = 0; i < ARRAY_LENGTH(lengths); i++) {
        AUTO(store_end) struct store_entry entry = {0};
        struct store_update third = update(3 + 2 * i, "new", "three");
        struct store_update fourth = update(4 + 2 * i, "new", "four");

        assert_int_equal(truncate(folder_path(&folder, "alice"), lengths[i]),
                         0);
        assert_int_equal(store_begin(&store, alice, STORE_REPLACE, &entry),
                         ERR_OK);
        assert_int_equal(store_commit(&entry, 0, &third), ERR_OK);
        assert_int_equal(store_commit(&entry, 0, &fourth), ERR_OK);
        store_end(&entry);
        assert_int_equal(stat(folder_path(&folder, "alice"), &status), 0);
        assert_int_equal(status.st_size, STORE_RECORD_BYTES);
        assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                         ERR_OK);
        assert_version(&entry.versions[0], 4 + 2 * i, "new", "four");
        assert_version(&entry.versions[1], 3 + 2 * i, "new", "three");
    }
}

static void
a_held_lock_delays_nobody_for_ever_and_nobody_else(void **context)
{
    AUTO(store_end) struct store_entry held = {0};
    AUTO(store_end) struct store_entry waiting = {0};
    AUTO(store_end) struct store_entry other = {0};
    struct store_name bob = {STORE_USER, "bob"};

    (void)context;
    create(alice);
    create(bob);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &held), ERR_OK);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &waiting),
                     ERR_BUSY);
    assert_int_equal(store_begin(&store, bob, STORE_CHANGE, &other), ERR_OK);
    store_end(&held);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &waiting),
                     ERR_OK);
}

static void
a_forked_sibling_does_not_keep_the_lock(void **context)
{
    AUTO(store_end) struct store_entry entry = {0};
    AUTO(store_end) struct store_entry again = {0};
    int done[2];
    char byte;
    pid_t child;

    (void)context;
    create(alice);
    assert_int_equal(pipe(done), 0);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry), ERR_OK);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(done[1]);
        /* until the parent is through */
        _exit(read(done[0], &byte, 1) == 0 ? 0 : 1);
    }
    store_end(&entry);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &again), ERR_OK);
    (void)close(done[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    (void)close(done[0]);
}

static void
peeking_waits_for_no_lock_and_cannot_commit(void **context)
{
    AUTO(store_end) struct store_entry held = {0};
    AUTO(store_end) struct store_entry peeked = {0};
    struct store_update third = update(3, "", "");

    (void)context;
    create(alice);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &held), ERR_OK);
    assert_int_equal(store_begin(&store, alice, STORE_PEEK, &peeked), ERR_OK);
    assert_version(&peeked.versions[0], 2, "enrolment", "two");
    assert_int_equal(store_commit(&peeked, 0, &third), ERR_INVALID);
}

static void
a_limit_on_file_sizes_refuses_before_anything_is_written(void **context)
{
    AUTO(store_end) struct store_entry entry = {0};
    struct rlimit before, tight;
    enum err e;

    (void)context;
    create(alice);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = before;
    tight.rlim_cur = STORE_RECORD_BYTES - 1;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    e = store_begin(&store, alice, STORE_CHANGE, &entry);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(e, ERR_LIMIT);
}

static void
what_is_no_record_file_is_refused(void **context)
{
    AUTO(store_end) struct store_entry entry = {0};
    const char *path = folder_path(&folder, "alice");
    bool exists = false;

    (void)context;
    assert_int_equal(symlink("/etc/passwd", path), 0);
    assert_int_equal(store_exists(&store, alice, &exists), ERR_OK);
    assert_true(exists);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                     ERR_UNSAFE);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                     ERR_UNSAFE);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                     ERR_UNSAFE);
    assert_int_equal(rmdir(path), 0);
    create(alice);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry),
                     ERR_UNSAFE);
}

static void
hostile_names_stay_inside_and_stay_apart(void **context)
{
    static const char *const names[] = {
        "..",     ".",         "a/b",      "../../etc/passwd",
        " ",      "-x",        "%2E",      "%",
        "+decoy", "+sentinel", "é",        "\xff\xfe",
        "a\nb",   "a\tb",      ".hid",     "ALICE",
        "a%",     "a.",        "sentinel", "a b",
        "\\",     "\x1b[31m",
    };
    struct stat status;

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        AUTO(store_end) struct store_entry entry = {0};
        struct store_name name = {STORE_USER, names[i]};
        bool exists = true;

        assert_int_equal(store_exists(&store, name, &exists), ERR_OK);
        assert_false(exists);
        create(name);
        assert_int_equal(store_begin(&store, name, STORE_CHANGE, &entry),
                         ERR_OK);
    }
    assert_int_equal(stat(folder_path(&folder, "%2E."), &status), 0);
    assert_int_equal(stat(folder_path(&folder, "a%2Fb"), &status), 0);
    assert_int_equal(stat(folder_path(&folder, "%2Bsentinel"), &status), 0);
}

static void
names_that_no_file_can_have_are_absent(void **context)
{
    AUTO(store_end) struct store_entry entry = {0};
    const struct store_update updates[STORE_VERSIONS] = {update(1, "", ""),
                                                         update(2, "", "")};
    char long_name[STORE_NAME_MAX];
    const char *const names[] = {"", long_name};

    (void)context;
    memset(long_name, '/', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        struct store_name name = {STORE_USER, names[i]};
        bool exists = true;

        assert_int_equal(store_exists(&store, name, &exists), ERR_OK);
        assert_false(exists);
        assert_int_equal(store_begin(&store, name, STORE_CHANGE, &entry),
                         ERR_NOT_FOUND);
        assert_int_not_equal(store_create(&store, name, updates, true), ERR_OK);
    }
}

static enum err
collect(void *context, const char *user)
{
    char *seen = context;

    (void)strcat(seen, "<");
    (void)strcat(seen, user);
    (void)strcat(seen, ">");
    return ERR_OK;
}

static void
a_list_has_the_users_and_nothing_of_the_stores_own(void **context)
{
    char seen[256] = "";

    (void)context;
    create((struct store_name){STORE_USER, "a/b"});
    create((struct store_name){STORE_OWN, "sentinel"});
    assert_int_equal(mkdir(folder_path(&folder, "not%2a record"), 0700), 0);
    assert_int_equal(store_list(&store, collect, seen), ERR_OK);
    assert_string_equal(seen, "<a/b>");
}

static void
a_forgotten_record_is_gone(void **context)
{
    AUTO(store_end) struct store_entry entry = {0};
    bool exists = true;

    (void)context;
    create(alice);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry), ERR_OK);
    assert_int_equal(store_forget(&entry), ERR_OK);
    assert_int_equal(store_exists(&store, alice, &exists), ERR_OK);
    assert_false(exists);
}

static void
an_update_that_does_not_fit_is_refused(void **context)
{
    static char large[STORE_PARTS_MAX + 2];
    AUTO(store_end) struct store_entry entry = {0};
    struct store_update too_large;

    (void)context;
    memset(large, 'x', STORE_PARTS_MAX + 1);
    too_large = update(3, large, "");
    create(alice);
    assert_int_equal(store_begin(&store, alice, STORE_CHANGE, &entry), ERR_OK);
    assert_int_equal(store_commit(&entry, 0, &too_large), ERR_SPACE);
    large[STORE_PARTS_MAX] = '\0';
    too_large = update(3, large, "");
    assert_int_equal(store_commit(&entry, 0, &too_large), ERR_OK);
    too_large = update(4, large, "x");
    assert_int_equal(store_commit(&entry, 0, &too_large), ERR_SPACE);
}

#define STORE_TEST(function)                                                   \
    cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        STORE_TEST(a_new_record_has_both_versions_newest_first),
        STORE_TEST(a_record_is_not_made_twice),
        STORE_TEST(a_commit_overwrites_the_version_that_is_not_kept),
        STORE_TEST(a_commit_changes_neither_inode_nor_size_nor_mode_nor_owner),
        STORE_TEST(a_failed_write_leaves_the_record_as_it_was),
        STORE_TEST(every_damaged_byte_outside_the_parts_is_noticed),
        STORE_TEST(a_record_of_another_length_is_damaged),
        STORE_TEST(a_record_of_another_length_can_be_replaced),
        STORE_TEST(a_held_lock_delays_nobody_for_ever_and_nobody_else),
        STORE_TEST(a_forked_sibling_does_not_keep_the_lock),
        STORE_TEST(peeking_waits_for_no_lock_and_cannot_commit),
        STORE_TEST(a_limit_on_file_sizes_refuses_before_anything_is_written),
        STORE_TEST(what_is_no_record_file_is_refused),
        STORE_TEST(hostile_names_stay_inside_and_stay_apart),
        STORE_TEST(names_that_no_file_can_have_are_absent),
        STORE_TEST(a_list_has_the_users_and_nothing_of_the_stores_own),
        STORE_TEST(a_forgotten_record_is_gone),
        STORE_TEST(an_update_that_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
