/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One slot of a record file: a version in its frame. The layout is in
 * store_file.h.
 */
#ifndef PAWL_LIB_STORE_FILE_SLOT_H
#define PAWL_LIB_STORE_FILE_SLOT_H

#include <stdint.h>

#include "lib/store.h"
#include "lib/store_file.h"

/* The update's parts fit: store_commit and store_create have seen to that. */
void store_file_slot_write(const struct store_update *update,
                           uint8_t slot[STORE_FILE_SLOT_BYTES]);

/* What slot number holds; framed is false for whatever is not as it should. */
struct store_version
store_file_slot_read(const uint8_t slot[STORE_FILE_SLOT_BYTES],
                     unsigned number);

/* Reads both slots of entry->bytes into its versions, newest first. */
void store_file_slot_read_all(struct store_entry *entry);

#endif
