/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/log.h"
#include "lib/store_file.h"
#include "lib/store_file_name.h"
#include "lib/store_file_slot.h"

enum {
    LOCK_POLL_MAX = 50, /* milliseconds between two tries */
    NANOSECONDS_A_MILLISECOND = 1000000,
};

/* The folder ------------------------------------------------------------- */

/*
 * File systems whose locks and syncs another machine or program answers for:
 * single use cannot be kept there.
 */
static bool
is_remote(const struct statfs *status)
{
    switch ((uint32_t)status->f_type) {
    case 0x6969:     /* NFS */
    case 0x517b:     /* SMB */
    case 0xff534d42: /* CIFS */
    case 0xfe534d42: /* SMB2 */
    case 0x00c36400: /* Ceph */
    case 0x5346414f: /* AFS */
    case 0x73757245: /* Coda */
    case 0x01021997: /* 9P */
    case 0x65735546: /* FUSE */
        return true;
    default:
        return false;
    }
}

static enum err
folder_open(const char *place, struct store *store)
{
    AUTO(file_close) int folder = -1;
    struct statfs status;
    enum err e;

    e = file_open_folder(place, true, store->log, &folder, &store->owner);
    if (e != ERR_OK)
        return e;
    if (fstatfs(folder, &status) != 0)
        return file_error(errno);
    if (is_remote(&status)) {
        log_line(store->log, LOG_LEVEL_ERROR,
                 "%s: lies on a network or user-space file system", place);
        return ERR_UNSAFE;
    }
    store->folder = folder;
    folder = -1;
    return ERR_OK;
}

static void
folder_close(struct store *store)
{
    file_close(&store->folder);
}

static enum err
folder_exists(struct store *store, struct store_name name, bool *ret)
{
    char file[STORE_FILE_NAME_BYTES];
    struct stat status;

    if (store_file_name_encode(name, file) != ERR_OK) {
        /* No file can have that name. Asking for one that cannot be there
           keeps the number of system calls the same. */
        file[0] = '+';
        file[1] = '\0';
    }
    if (fstatat(store->folder, file, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        *ret = true;
        return ERR_OK;
    }
    if (errno != ENOENT && errno != ENAMETOOLONG)
        return file_error(errno);
    *ret = false;
    return ERR_OK;
}

static enum err
folder_sync(struct store *store)
{
    return syncfs(store->folder) == 0 ? ERR_OK : ERR_IO;
}

static enum err
folder_list(struct store *store,
            enum err (*each)(void *context, const char *user), void *context)
{
    int again = openat(store->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder;
    struct dirent *entry;
    enum err e = ERR_OK;

    if (again < 0)
        return file_error(errno);
    folder = fdopendir(again);
    if (folder == NULL) {
        file_close(&again);
        return ERR_NOMEM;
    }
    errno = 0;
    while (e == ERR_OK && (entry = readdir(folder)) != NULL) {
        char user[STORE_FILE_NAME_BYTES];

        if (entry->d_name[0] == '+' || entry->d_name[0] == '.')
            continue;
        if (store_file_name_decode(entry->d_name, user))
            e = each(context, user);
        else
            log_line(store->log, LOG_LEVEL_WARNING,
                     "the store holds a file that is no record");
        errno = 0;
    }
    if (e == ERR_OK && errno != 0)
        e = ERR_IO;
    (void)closedir(folder); /* it was only read */
    return e;
}

/* One record ------------------------------------------------------------- */

static uint64_t
monotonic_milliseconds(void)
{
    struct timespec now = {0};

    /* Cannot fail for this clock; zeros would only end the wait early. */
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 +
           (uint64_t)now.tv_nsec / NANOSECONDS_A_MILLISECOND;
}

/*
 * Polls, because waiting in the kernel could be ended only by a signal, and a
 * guest in somebody's process sends itself none.
 */
static enum err
lock(int fd, unsigned wait)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    uint64_t deadline = 0;
    long pause = 1;

    while (fcntl(fd, F_OFD_SETLK, &whole) != 0) {
        struct timespec nap = {.tv_nsec = pause * NANOSECONDS_A_MILLISECOND};
        uint64_t now;

        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            return file_error(errno);
        now = monotonic_milliseconds();
        if (deadline == 0)
            deadline = now + wait;
        if (now >= deadline)
            return ERR_BUSY;
        (void)nanosleep(&nap, NULL); /* cut short, it is only one more try */
        pause = pause * 2 < LOCK_POLL_MAX ? pause * 2 : LOCK_POLL_MAX;
    }
    return ERR_OK;
}

/* A forked sibling of ours would keep the lock that a mere close leaves. */
static void
unlock(int fd)
{
    struct flock whole = {.l_type = F_UNLCK, .l_whence = SEEK_SET};

    (void)fcntl(fd, F_OFD_SETLK, &whole); /* the close that follows does too */
}

static enum err
read_all(int fd, uint8_t *ret, size_t length)
{
    size_t done = 0;

    while (done < length) {
        ssize_t got = pread(fd, ret + done, length - done, (off_t)done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return file_error(errno);
        if (got == 0)
            return ERR_SEALED; /* cut short */
        done += (size_t)got;
    }
    return ERR_OK;
}

/*
 * A write past the limit on file sizes raises a signal that ends the host:
 * better not to begin.
 */
static enum err
check_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return file_error(errno);
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < STORE_RECORD_BYTES)
        return ERR_LIMIT;
    return ERR_OK;
}

static enum err
open_record(struct store *store, const char *file, int flags, int *ret,
            off_t *ret_length)
{
    AUTO(file_close) int fd = -1;
    enum err e;

    fd = openat(store->folder, file,
                flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return file_error(errno);
    e = file_raise(&fd);
    if (e != ERR_OK)
        return e;
    e = file_check(fd, file, true, store->owner, store->log, ret_length);
    if (e != ERR_OK)
        return e;
    *ret = fd;
    fd = -1;
    return ERR_OK;
}

/*
 * A record never changes its length; one that did is damaged beyond its slots.
 * Only who writes all of it anew may set it right.
 */
static enum err
check_length(const struct store *store, const char *file, int fd, off_t length,
             enum store_purpose purpose)
{
    if (length == STORE_RECORD_BYTES)
        return ERR_OK;
    log_line(store->log, LOG_LEVEL_ERROR, "%s: has %lld bytes, not %d", file,
             (long long)length, STORE_RECORD_BYTES);
    if (purpose != STORE_REPLACE)
        return ERR_SEALED;
    if (ftruncate(fd, STORE_RECORD_BYTES) != 0 || fsync(fd) != 0)
        return ERR_IO;
    return ERR_OK;
}

/*
 * Who waited for the lock of a record that is taken out of the store meanwhile
 * holds a file that nobody will look at again.
 */
static enum err
check_linked(int fd, enum store_purpose purpose)
{
    struct stat status;

    if (purpose != STORE_REPLACE)
        return ERR_OK; /* finds a tombstone, and refuses by that */
    if (fstat(fd, &status) != 0)
        return file_error(errno);
    return status.st_nlink > 0 ? ERR_OK : ERR_NOT_FOUND;
}

static enum err
record_begin(struct store *store, struct store_name name,
             enum store_purpose purpose, struct store_entry *entry)
{
    AUTO(file_close) int fd = -1;
    char file[STORE_FILE_NAME_BYTES];
    bool locked = purpose != STORE_PEEK;
    off_t length;
    enum err e;

    if (store_file_name_encode(name, file) != ERR_OK)
        return ERR_NOT_FOUND;
    e = locked ? check_limit() : ERR_OK;
    if (e != ERR_OK)
        return e;
    e = open_record(store, file, locked ? O_RDWR | O_DSYNC : O_RDONLY, &fd,
                    &length);
    if (e != ERR_OK)
        return e;
    e = locked ? lock(fd, store->lock_wait) : ERR_OK;
    if (e == ERR_OK)
        e = check_linked(fd, purpose);
    if (e == ERR_OK)
        e = check_length(store, file, fd, length, purpose);
    if (e == ERR_OK)
        e = read_all(fd, entry->bytes, STORE_RECORD_BYTES);
    if (e != ERR_OK) {
        if (locked)
            unlock(fd); /* not held, it is only one call too many */
        return e;
    }
    store_file_slot_read_all(entry);
    entry->locked = locked;
    entry->fd = fd;
    fd = -1;
    return ERR_OK;
}

static enum err
write_slot(int fd, unsigned slot, const uint8_t bytes[STORE_FILE_SLOT_BYTES])
{
    off_t offset = (off_t)slot * STORE_FILE_SLOT_BYTES;
    size_t done = 0;

    while (done < STORE_FILE_SLOT_BYTES) {
        ssize_t put = pwrite(fd, bytes + done, STORE_FILE_SLOT_BYTES - done,
                             offset + (off_t)done);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return ERR_IO;
        done += (size_t)put;
    }
    return ERR_OK;
}

static enum err
record_commit(struct store_entry *entry, unsigned keep,
              const struct store_update *update)
{
    unsigned slot = entry->versions[keep].slot == 0 ? 1 : 0;
    uint8_t *former = entry->bytes + (size_t)slot * STORE_FILE_SLOT_BYTES;
    uint8_t bytes[STORE_FILE_SLOT_BYTES];
    enum err e;

    store_file_slot_write(update, bytes);
    e = write_slot(entry->fd, slot, bytes);
    if (e != ERR_OK) {
        /* What is half written is undone; if that fails too, the slot is torn
           and the next login takes the other one. */
        if (write_slot(entry->fd, slot, former) != ERR_OK)
            log_line(entry->store->log, LOG_LEVEL_ERROR,
                     "a record could not be put back after a failed write");
        return e;
    }
    memcpy(former, bytes, sizeof(bytes));
    entry->versions[1] = entry->versions[keep];
    entry->versions[0] = store_file_slot_read(former, slot);
    return ERR_OK;
}

static void
record_end(struct store_entry *entry)
{
    if (entry->locked)
        unlock(entry->fd);
    file_close(&entry->fd);
}

static enum err
record_create(struct store *store, struct store_name name,
              const struct store_update updates[STORE_VERSIONS], bool sync)
{
    char file[STORE_FILE_NAME_BYTES];
    uint8_t bytes[STORE_RECORD_BYTES];
    enum err e;

    e = store_file_name_encode(name, file);
    if (e != ERR_OK)
        return e;
    e = check_limit();
    if (e != ERR_OK)
        return e;
    for (unsigned i = 0; i < STORE_VERSIONS; i++)
        store_file_slot_write(&updates[i],
                              bytes + (size_t)i * STORE_FILE_SLOT_BYTES);
    return file_create(store->folder, file, STORE_FILE_MODE, bytes,
                       sizeof(bytes), sync);
}

static enum err
record_forget(struct store_entry *entry)
{
    char file[STORE_FILE_NAME_BYTES];
    enum err e = store_file_name_encode(entry->name, file);

    if (e != ERR_OK)
        return e;
    if (unlinkat(entry->store->folder, file, 0) != 0)
        return file_error(errno);
    return fsync(entry->store->folder) == 0 ? ERR_OK : ERR_IO;
}

const struct store_backend store_file = {
    .open = folder_open,
    .close = folder_close,
    .exists = folder_exists,
    .begin = record_begin,
    .commit = record_commit,
    .end = record_end,
    .create = record_create,
    .sync = folder_sync,
    .forget = record_forget,
    .list = folder_list,
};
