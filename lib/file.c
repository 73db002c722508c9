/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/log.h"
#include "lib/random.h"

enum {
    FIRST_FREE_FD = 3,
    TEMPORARY_NAME_BYTES = 24,
};

void
file_close(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd); /* what had to be durable was synced before */
    *fd = -1;
}

enum err
file_error(int error_number)
{
    switch (error_number) {
    case ENOENT:
        return ERR_NOT_FOUND;
    case EEXIST:
        return ERR_EXISTS;
    case ELOOP:
    case ENOTDIR:
    case EISDIR:
    case ENXIO:
        return ERR_UNSAFE;
    case EACCES:
    case EPERM:
        return ERR_PERMISSION;
    case ENOMEM:
        return ERR_NOMEM;
    case EMFILE:
    case EFBIG:
        return ERR_LIMIT;
    default:
        return ERR_IO;
    }
}

static enum err
refuse(const struct log *log, const char *path, const char *why)
{
    log_line(log, LOG_LEVEL_ERROR, "%s: %s", path, why);
    return ERR_UNSAFE;
}

static enum err
refuse_errno(const struct log *log, const char *path, int error_number)
{
    enum err e = file_error(error_number);

    log_line(log, LOG_LEVEL_ERROR, "%s: %s (errno %d)", path, err_text(e),
             error_number);
    return e;
}

enum err
file_raise(int *fd)
{
    int raised;

    if (*fd >= FIRST_FREE_FD)
        return ERR_OK;
    raised = fcntl(*fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    if (raised < 0)
        return file_error(errno);
    file_close(fd);
    *fd = raised;
    return ERR_OK;
}

static bool
is_trusted(uid_t uid)
{
    return uid == 0 || uid == geteuid();
}

/* Whether nobody but its owner can put, replace or remove an entry there. */
static bool
is_exclusive(const struct stat *folder)
{
    return (folder->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/*
 * Judges one folder on the way to path; *ret says how it may be written to.
 */
static enum err
check_step(const char *step, const struct log *log, bool *ret_exclusive)
{
    struct stat status;

    if (lstat(step, &status) != 0)
        return refuse_errno(log, step, errno);
    if (S_ISLNK(status.st_mode))
        return refuse(log, step, "is a symbolic link: name the real path");
    if (!S_ISDIR(status.st_mode))
        return refuse(log, step, "is not a folder");
    if (!is_trusted(status.st_uid))
        return refuse(log, step, "belongs to somebody else");
    if (!is_exclusive(&status) && (status.st_mode & S_ISVTX) == 0)
        return refuse(log, step, "can be written to by others");
    *ret_exclusive = is_exclusive(&status);
    return ERR_OK;
}

/*
 * Judges every folder above the last component of path, from the top.
 * *ret_exclusive tells of the last of them.
 */
static enum err
check_way(const char *path, const struct log *log, bool *ret_exclusive)
{
    char step[PATH_MAX];
    size_t length = strlen(path);
    enum err e;

    if (path[0] != '/' || length < 2 || path[length - 1] == '/')
        return refuse(log, path, "is not an absolute path");
    if (length >= sizeof(step))
        return ERR_SPACE;
    memcpy(step, path, length + 1);
    e = check_step("/", log, ret_exclusive);
    if (e != ERR_OK)
        return e;
    for (size_t i = 1; i < length; i++) {
        if (path[i] != '/')
            continue;
        step[i] = '\0';
        e = check_step(step, log, ret_exclusive);
        if (e != ERR_OK)
            return e;
        step[i] = '/';
    }
    return ERR_OK;
}

enum err
file_check(int fd, const char *path, bool secret, uid_t owner,
           const struct log *log, off_t *ret_length)
{
    struct stat status;

    if (fstat(fd, &status) != 0)
        return refuse_errno(log, path, errno);
    if (!S_ISREG(status.st_mode))
        return refuse(log, path, "is not a plain file");
    if (status.st_nlink != 1)
        return refuse(log, path, "has a second name (a hard link)");
    if (!is_trusted(status.st_uid) && status.st_uid != owner)
        return refuse(log, path, "belongs to somebody else");
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return refuse(log, path, "can be written to by others");
    if (secret && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return refuse(log, path, "is not its owner's alone (chmod 600)");
    *ret_length = status.st_size;
    return ERR_OK;
}

enum err
file_open(const char *path, bool secret, uid_t owner, const struct log *log,
          int *ret)
{
    AUTO(file_close) int fd = -1;
    bool exclusive;
    off_t length;
    enum err e;

    e = check_way(path, log, &exclusive);
    if (e != ERR_OK)
        return e;
    fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return refuse_errno(log, path, errno);
    e = file_raise(&fd);
    if (e != ERR_OK)
        return e;
    e = file_check(fd, path, secret, owner, log, &length);
    if (e != ERR_OK)
        return e;
    *ret = fd;
    fd = -1;
    return ERR_OK;
}

enum err
file_open_folder(const char *path, bool secret, const struct log *log, int *ret,
                 uid_t *ret_owner)
{
    AUTO(file_close) int fd = -1;
    bool exclusive;
    struct stat status;
    enum err e;

    e = check_way(path, log, &exclusive);
    if (e != ERR_OK)
        return e;
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return refuse_errno(log, path, errno);
    e = file_raise(&fd);
    if (e != ERR_OK)
        return e;
    if (fstat(fd, &status) != 0)
        return refuse_errno(log, path, errno);
    if (!exclusive && !is_trusted(status.st_uid))
        return refuse(log, path, "belongs to somebody else");
    if (!is_exclusive(&status))
        return refuse(log, path, "can be written to by others");
    if (secret && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return refuse(log, path, "is not its owner's alone (chmod 700)");
    *ret = fd;
    *ret_owner = status.st_uid;
    fd = -1;
    return ERR_OK;
}

enum err
file_read(int fd, void *ret, size_t room, size_t *ret_length)
{
    uint8_t *at = ret;
    size_t done = 0;

    for (;;) {
        uint8_t beyond;
        bool full = done == room;
        ssize_t got =
            read(fd, full ? &beyond : at + done, full ? 1 : room - done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return file_error(errno);
        if (got == 0)
            break;
        if (full)
            return ERR_SPACE;
        done += (size_t)got;
    }
    *ret_length = done;
    return ERR_OK;
}

enum err
file_write(int fd, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;

    while (length > 0) {
        ssize_t put = write(fd, at, length);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return put < 0 ? file_error(errno) : ERR_IO;
        at += put;
        length -= (size_t)put;
    }
    return ERR_OK;
}

/* Fills a new file and gives it its owner and mode. */
static enum err
fill(int fd, int folder, mode_t mode, const void *bytes, size_t length,
     bool sync)
{
    struct stat status;
    enum err e;

    if (fstat(folder, &status) != 0)
        return file_error(errno);
    if (status.st_uid != geteuid() &&
        fchown(fd, status.st_uid, status.st_gid) != 0)
        return file_error(errno);
    if (fchmod(fd, mode) != 0)
        return file_error(errno);
    e = file_write(fd, bytes, length);
    if (e != ERR_OK)
        return e;
    if (sync && fsync(fd) != 0)
        return ERR_IO;
    return ERR_OK;
}

/*
 * Gives an unnamed file its name. Without the privilege to link by the
 * descriptor itself the way goes through /proc.
 */
static enum err
link_unnamed(int fd, int folder, const char *name)
{
    char path[32];
    int length;

    if (linkat(fd, "", folder, name, AT_EMPTY_PATH) == 0)
        return ERR_OK;
    if (errno == EEXIST)
        return ERR_EXISTS;
    length = snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (length < 0 || (size_t)length >= sizeof(path))
        return ERR_SPACE;
    if (linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) != 0)
        return file_error(errno);
    return ERR_OK;
}

/* For file systems without unnamed files: a name of its own in between. */
static enum err
create_by_temporary_name(int folder, const char *name, mode_t mode,
                         const void *bytes, size_t length, bool sync)
{
    AUTO(file_close) int fd = -1;
    uint64_t number;
    char temporary[TEMPORARY_NAME_BYTES];
    enum err e;

    e = random_bytes(&number, sizeof(number));
    if (e != ERR_OK)
        return e;
    if (snprintf(temporary, sizeof(temporary), "+new.%016llx",
                 (unsigned long long)number) < 0)
        return ERR_INVALID;
    fd = openat(folder, temporary,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return file_error(errno);
    e = file_raise(&fd);
    if (e == ERR_OK)
        e = fill(fd, folder, mode, bytes, length, sync);
    if (e == ERR_OK && linkat(folder, temporary, folder, name, 0) != 0)
        e = file_error(errno);
    (void)unlinkat(folder, temporary, 0); /* left over, it is only in the way */
    return e;
}

static enum err
create_unnamed(int folder, const char *name, mode_t mode, const void *bytes,
               size_t length, bool sync)
{
    AUTO(file_close) int fd = -1;
    enum err e;

    fd = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno == EOPNOTSUPP || errno == EISDIR ? ERR_UNSUPPORTED
                                                      : file_error(errno);
    e = file_raise(&fd);
    if (e != ERR_OK)
        return e;
    e = fill(fd, folder, mode, bytes, length, sync);
    if (e != ERR_OK)
        return e;
    return link_unnamed(fd, folder, name);
}

enum err
file_create(int folder, const char *name, mode_t mode, const void *bytes,
            size_t length, bool sync)
{
    enum err e = create_unnamed(folder, name, mode, bytes, length, sync);

    if (e == ERR_UNSUPPORTED)
        e = create_by_temporary_name(folder, name, mode, bytes, length, sync);
    if (e != ERR_OK)
        return e;
    if (sync && fsync(folder) != 0)
        return ERR_IO;
    return ERR_OK;
}
