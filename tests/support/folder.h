/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A scratch folder for one test, removed with everything in it.
 */
#ifndef PAWL_TESTS_FOLDER_H
#define PAWL_TESTS_FOLDER_H

#include <limits.h>

struct folder {
    char path[PATH_MAX - 256]; /* room for a name behind it */
};

/* Makes a folder of mode 0700 below $TMPDIR or /tmp; exits the test if not. */
void folder_make(struct folder *folder);
void folder_remove(struct folder *folder);

/* Removes whatever is at path, and all below it. */
void folder_remove_tree(const char *path);

/* The path of name inside, in a buffer that the next call overwrites. */
const char *folder_path(const struct folder *folder, const char *name);

#endif
