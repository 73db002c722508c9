/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file names of records, and back: every byte outside A-Z a-z 0-9 _ - and
 * an inner '.' as %HH; the store's own records with a '+' in front, which no
 * user's name can have.
 */
#ifndef PAWL_LIB_STORE_FILE_NAME_H
#define PAWL_LIB_STORE_FILE_NAME_H

#include <limits.h>
#include <stdbool.h>

#include "lib/attrs.h"
#include "lib/err.h"
#include "lib/store.h"

enum {
    STORE_FILE_NAME_BYTES = NAME_MAX + 1,
};

/* ERR_SPACE for a name that no file can have; ERR_INVALID for an empty one. */
enum err store_file_name_encode(struct store_name name,
                                char ret[STORE_FILE_NAME_BYTES]) MUST_CHECK;

/* The user of a file, if encoding that user's name would make just this one. */
bool store_file_name_decode(const char *file, char ret[STORE_FILE_NAME_BYTES]);

#endif
