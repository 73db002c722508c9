/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opening only what is safe to trust.
 *
 * A path is safe when nobody but root and ourselves could have put something
 * else there: every folder on the way, from "/" down, belongs to root or to
 * our effective user and is writable by nobody else (a folder with the sticky
 * bit may be, since there nobody can replace an entry of ours), and no
 * component is a symbolic link. Checked from the top, each answer stays true,
 * because only those who are trusted could change what was checked.
 *
 * Then the object itself is opened without following a link, and judged by
 * its descriptor, not by its name.
 */
#ifndef PAWL_LIB_FILE_H
#define PAWL_LIB_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/attrs.h"
#include "lib/err.h"

struct log;

/* Closes *fd unless it is negative, and makes it -1. For AUTO. */
void file_close(int *fd);

/* Maps errno of a failed system call to an error. */
enum err file_error(int error_number);

/*
 * Opens an absolute path for reading: a plain file with one link, writable by
 * its owner alone, owned by root, by us, or by owner (as given; (uid_t)-1 for
 * no third). secret demands that its owner alone can read it too. The path
 * that is refused goes to log with its reason.
 *
 * ERR_NOT_FOUND when the path is proven absent; ERR_UNSAFE, ERR_PERMISSION,
 * ERR_IO. The caller closes *ret, which is never 0, 1 or 2.
 */
enum err file_open(const char *path, bool secret, uid_t owner,
                   const struct log *log, int *ret) MUST_CHECK;

/*
 * Opens a folder: for its owner alone when secret. Its owner may be anybody
 * root chose: where only root can put an entry there, who owns the entry was
 * root's decision. *ret_owner is that owner. Errors as with file_open.
 */
enum err file_open_folder(const char *path, bool secret, const struct log *log,
                          int *ret, uid_t *ret_owner) MUST_CHECK;

/*
 * Moves a descriptor that a caller with closed standard streams would get as
 * 0, 1 or 2 out of their way, where nobody writes a message into it.
 */
enum err file_raise(int *fd) MUST_CHECK;

/*
 * Judges an open descriptor as file_open does, and gives its length in bytes.
 * path is for the log alone.
 */
enum err file_check(int fd, const char *path, bool secret, uid_t owner,
                    const struct log *log, off_t *ret_length) MUST_CHECK;

/*
 * Reads a whole file of at most room bytes. ERR_SPACE when there are more.
 */
enum err file_read(int fd, void *ret, size_t room, size_t *ret_length)
    MUST_CHECK;

/* Writes all length bytes, or says why not. */
enum err file_write(int fd, const void *bytes, size_t length) MUST_CHECK;

/*
 * Makes a new file in an open folder, all or nothing: an unnamed file,
 * written, synced, then linked, and the folder synced. It gets this mode and
 * the owner of the folder. sync false leaves all syncing to the caller, who
 * makes many. ERR_EXISTS when the name is taken.
 */
enum err file_create(int folder, const char *name, mode_t mode,
                     const void *bytes, size_t length, bool sync) MUST_CHECK;

#endif
