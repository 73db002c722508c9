/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The store on a local disk: a folder with one file a user, each of a fixed
 * size, written in full when it is made and afterwards only in place.
 *
 *   0     slot 0, 4096 bytes          slot    0   8  "PWR1SLOT"
 *   4096  slot 1                              8   8  sequence number
 *                                            16   2  length of the enrolment
 *                                            18   2  length of the state
 *                                            20  12  zeros
 *                                            32   .  sealed enrolment
 *                                             .   .  sealed state
 *                                             .   .  zeros
 *
 * A commit is one 4 KiB pwrite through O_DSYNC over the older slot: no new
 * file, no rename, no folder write. So a full disk locks nobody out, and
 * owner, mode, label and inode never change.
 *
 * The lock is an open-file-description lock on the record itself: it goes
 * with the process that holds it, leaves nothing behind, and is one a user.
 *
 * A user's file is named by the account, every byte outside A-Z a-z 0-9 _ -
 * and an inner '.' as %HH. The store's own records begin with '+', which no
 * user's name can.
 */
#ifndef PAWL_LIB_STORE_FILE_H
#define PAWL_LIB_STORE_FILE_H

#include "lib/store.h"

enum {
    STORE_FILE_SLOT_BYTES = 4096,
    STORE_FILE_HEADER_BYTES = 32,
    STORE_FILE_MODE = 0600,
};

extern const struct store_backend store_file;

#endif
