/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/attrs.h"
#include "lib/file.h"
#include "tests/support/folder.h"

#define NOBODY_ELSE ((uid_t)-1)

static struct folder folder;

static int
set_up(void **context)
{
    (void)context;
    folder_make(&folder);
    return 0;
}

static int
tear_down(void **context)
{
    (void)context;
    folder_remove(&folder);
    return 0;
}

static const char *
make(const char *name, mode_t mode, const char *text)
{
    const char *path = folder_path(&folder, name);
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(file_write(fd, text, strlen(text)), ERR_OK);
    assert_int_equal(fchmod(fd, mode), 0);
    assert_int_equal(close(fd), 0);
    return path;
}

static enum err
try_open(const char *path, bool secret)
{
    AUTO(file_close) int fd = -1;

    return file_open(path, secret, NOBODY_ELSE, NULL, &fd);
}

static void
a_plain_file_of_ours_is_read_whole(void **context)
{
    AUTO(file_close) int fd = -1;
    char text[16];
    size_t length;

    (void)context;
    assert_int_equal(
        file_open(make("plain", 0600, "hello"), true, NOBODY_ELSE, NULL, &fd),
        ERR_OK);
    assert_int_equal(file_read(fd, text, sizeof(text), &length), ERR_OK);
    assert_int_equal(length, 5);
    assert_memory_equal(text, "hello", 5);
}

static void
a_file_longer_than_the_room_is_refused(void **context)
{
    AUTO(file_close) int fd = -1;
    char text[5];
    size_t length = 99;

    (void)context;
    assert_int_equal(
        file_open(make("long", 0600, "hello!"), true, NOBODY_ELSE, NULL, &fd),
        ERR_OK);
    assert_int_equal(file_read(fd, text, sizeof(text), &length), ERR_SPACE);
    assert_int_equal(length, 99);
}

static void
modes_that_let_others_in_are_refused(void **context)
{
    (void)context;
    assert_int_equal(try_open(make("a", 0620, ""), false), ERR_UNSAFE);
    assert_int_equal(try_open(make("b", 0602, ""), false), ERR_UNSAFE);
    assert_int_equal(try_open(make("c", 0640, ""), true), ERR_UNSAFE);
    assert_int_equal(try_open(make("d", 0604, ""), true), ERR_UNSAFE);
    assert_int_equal(try_open(make("e", 0644, ""), false), ERR_OK);
    assert_int_equal(try_open(make("f", 0400, ""), true), ERR_OK);
}

static void
what_is_no_plain_file_is_refused_at_once(void **context)
{
    char target[PATH_MAX];

    (void)context;
    (void)snprintf(target, sizeof(target), "%s", make("target", 0600, "x"));
    assert_int_equal(symlink(target, folder_path(&folder, "link")), 0);
    assert_int_equal(try_open(folder_path(&folder, "link"), true), ERR_UNSAFE);
    assert_int_equal(link(target, folder_path(&folder, "hard")), 0);
    assert_int_equal(try_open(target, true), ERR_UNSAFE);
    assert_int_equal(mkfifo(folder_path(&folder, "fifo"), 0600), 0);
    assert_int_equal(try_open(folder_path(&folder, "fifo"), true), ERR_UNSAFE);
    assert_int_equal(mkdir(folder_path(&folder, "folder"), 0700), 0);
    assert_int_equal(try_open(folder_path(&folder, "folder"), true),
                     ERR_UNSAFE);
}

static void
an_absent_file_is_told_from_one_that_cannot_be_reached(void **context)
{
    (void)context;
    assert_int_equal(try_open(folder_path(&folder, "absent"), true),
                     ERR_NOT_FOUND);
    (void)make("plain", 0600, "x");
    assert_int_equal(try_open(folder_path(&folder, "plain/absent"), true),
                     ERR_UNSAFE);
}

static void
a_relative_path_is_refused(void **context)
{
    (void)context;
    assert_int_equal(try_open("keyring", true), ERR_UNSAFE);
    assert_int_equal(try_open("", true), ERR_UNSAFE);
    assert_int_equal(try_open("/", true), ERR_UNSAFE);
}

static void
a_folder_on_the_way_that_others_write_to_is_refused(void **context)
{
    (void)context;
    assert_int_equal(mkdir(folder_path(&folder, "open"), 0700), 0);
    (void)make("open/file", 0600, "x");
    assert_int_equal(try_open(folder_path(&folder, "open/file"), true), ERR_OK);
    assert_int_equal(chmod(folder_path(&folder, "open"), 0777), 0);
    assert_int_equal(try_open(folder_path(&folder, "open/file"), true),
                     ERR_UNSAFE);
    assert_int_equal(chmod(folder_path(&folder, "open"), 01777), 0);
    assert_int_equal(try_open(folder_path(&folder, "open/file"), true), ERR_OK);
}

static void
a_link_on_the_way_is_refused(void **context)
{
    char target[PATH_MAX];

    (void)context;
    assert_int_equal(mkdir(folder_path(&folder, "real"), 0700), 0);
    (void)make("real/file", 0600, "x");
    (void)snprintf(target, sizeof(target), "%s", folder_path(&folder, "real"));
    assert_int_equal(symlink(target, folder_path(&folder, "alias")), 0);
    assert_int_equal(try_open(folder_path(&folder, "alias/file"), true),
                     ERR_UNSAFE);
}

static void
somebody_elses_file_is_refused_unless_named(void **context)
{
    AUTO(file_close) int fd = -1;
    const char *path = make("theirs", 0600, "x");

    (void)context;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(path, 12345, 12345), 0);
    assert_int_equal(try_open(path, true), ERR_UNSAFE);
    assert_int_equal(file_open(path, true, 12345, NULL, &fd), ERR_OK);
}

static void
a_folder_of_records_is_its_owners_alone(void **context)
{
    AUTO(file_close) int fd = -1;
    uid_t owner = 0;
    const char *path = folder_path(&folder, "store");

    (void)context;
    assert_int_equal(mkdir(path, 0755), 0);
    assert_int_equal(file_open_folder(path, true, NULL, &fd, &owner),
                     ERR_UNSAFE);
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(file_open_folder(path, true, NULL, &fd, &owner), ERR_OK);
    assert_int_equal(owner, geteuid());
}

static void
descriptors_stay_out_of_the_standard_streams(void **context)
{
    int saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    int fd = -1;
    const char *path = make("plain", 0600, "x");
    enum err e;

    (void)context;
    (void)close(STDIN_FILENO);
    e = file_open(path, true, NOBODY_ELSE, NULL, &fd);
    if (saved >= 0) {
        (void)dup2(saved, STDIN_FILENO);
        (void)close(saved);
    }
    assert_int_equal(e, ERR_OK);
    assert_true(fd > STDERR_FILENO);
    assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    file_close(&fd);
    assert_int_equal(fd, -1);
}

static void
a_new_file_is_whole_and_never_replaces_one(void **context)
{
    AUTO(file_close) int at = open(folder.path, O_RDONLY | O_DIRECTORY);
    struct stat status;

    (void)context;
    assert_int_equal(file_create(at, "new", 0640, "hello", 5, true), ERR_OK);
    assert_int_equal(stat(folder_path(&folder, "new"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    assert_int_equal(status.st_size, 5);
    assert_int_equal(status.st_nlink, 1);
    assert_int_equal(file_create(at, "new", 0600, "other", 5, true),
                     ERR_EXISTS);
    assert_int_equal(stat(folder_path(&folder, "new"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
}

#define FILE_TEST(function)                                                    \
    cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        FILE_TEST(a_plain_file_of_ours_is_read_whole),
        FILE_TEST(a_file_longer_than_the_room_is_refused),
        FILE_TEST(modes_that_let_others_in_are_refused),
        FILE_TEST(what_is_no_plain_file_is_refused_at_once),
        FILE_TEST(an_absent_file_is_told_from_one_that_cannot_be_reached),
        FILE_TEST(a_relative_path_is_refused),
        FILE_TEST(a_folder_on_the_way_that_others_write_to_is_refused),
        FILE_TEST(a_link_on_the_way_is_refused),
        FILE_TEST(somebody_elses_file_is_refused_unless_named),
        FILE_TEST(a_folder_of_records_is_its_owners_alone),
        FILE_TEST(descriptors_stay_out_of_the_standard_streams),
        FILE_TEST(a_new_file_is_whole_and_never_replaces_one),
    };

    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
