/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/folder.h"

enum {
    OPEN_FOLDERS = 16,
};

void
folder_make(struct folder *folder)
{
    const char *base = getenv("TMPDIR");
    char real[PATH_MAX];

    if (realpath(base != NULL ? base : "/tmp", real) == NULL ||
        snprintf(folder->path, sizeof(folder->path), "%s/pawl-test.XXXXXX",
                 real) >= (int)sizeof(folder->path) ||
        mkdtemp(folder->path) == NULL) {
        perror("scratch folder");
        exit(1);
    }
}

static int
remove_one(const char *path, const struct stat *status, int type,
           struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

void
folder_remove_tree(const char *path)
{
    (void)nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

void
folder_remove(struct folder *folder)
{
    folder_remove_tree(folder->path);
}

const char *
folder_path(const struct folder *folder, const char *name)
{
    static char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", folder->path, name) >=
        (int)sizeof(path)) {
        fputs("scratch path too long\n", stderr);
        exit(1);
    }
    return path;
}
