/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The key ring: master keys by id. One text file, owner-only, a line a key:
 *
 *   pawl keyring 1
 *   ID ALGORITHM CREATED ACTIVATES EXPIRES STATE KEY
 *   end COUNT
 *
 * ID a GUID, ALGORITHM as seal_algorithm_name, the three times seconds since
 * the epoch (EXPIRES may be "never"), STATE "live" or "revoked", KEY 64 bytes
 * in hex. Fields are parted by one space, and numbers have one spelling
 * (lib/decimal.h). A line that begins with '#' is a comment; there is no empty
 * one. The first line is the first, "end COUNT" the last, and every line ends
 * with a newline, so that a file cut short anywhere is seen to be. A ring that
 * cannot be read whole is refused whole; login code never writes one.
 */
#ifndef PAWL_LIB_KEYRING_H
#define PAWL_LIB_KEYRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/attrs.h"
#include "lib/err.h"
#include "lib/seal.h"
#include "lib/secmem.h"

struct log;

enum {
    KEYRING_KEYS = 64,
    KEYRING_FILE_MAX = 65536, /* bytes */
};

#define KEYRING_NEVER INT64_MAX

struct keyring_key {
    struct key_id id;
    enum seal_algorithm algorithm;
    int64_t created; /* seconds since the epoch */
    int64_t activates;
    int64_t expires; /* KEYRING_NEVER */
    bool revoked;
    struct key key;
};

/* Some 8 KiB of secrets: lives in memory of secmem_alloc. */
struct keyring {
    unsigned count;
    struct keyring_key keys[KEYRING_KEYS];
};

void keyring_wipe(struct keyring *keyring);

/*
 * Opens, judges and reads the file at path. owner as in file_open. What is
 * refused goes to log with file and line, never with a key. Errors of
 * file_open and keyring_parse. ret is wiped on failure.
 */
enum err keyring_load(const char *path, uid_t owner, const struct log *log,
                      struct keyring *ret) MUST_CHECK;

/*
 * Reads the text of a ring. ERR_INVALID (with the line in *ret_line, which
 * may be NULL), ERR_VERSION for a later format, ERR_EXISTS for two keys with
 * one id, ERR_SPACE for more than KEYRING_KEYS.
 */
enum err keyring_parse(const char *text, size_t length, struct keyring *ret,
                       unsigned *ret_line) MUST_CHECK;

/*
 * Writes the text of a ring, NUL-terminated, into room bytes. ERR_SPACE;
 * ERR_INVALID for a key that keyring_parse would refuse. ret is wiped on
 * failure.
 */
enum err keyring_format(const struct keyring *keyring, char *ret, size_t room)
    MUST_CHECK;

/*
 * Adds a new random key that is active from now and never expires.
 * ERR_SPACE, ERR_RANDOM, ERR_CLOCK for a time before the epoch,
 * ERR_UNSUPPORTED; the ring is then as it was.
 */
enum err keyring_add(struct keyring *keyring, enum seal_algorithm algorithm,
                     int64_t now) MUST_CHECK;

/*
 * The key that opens: any that the ring holds, expired or not.
 * ERR_KEY_UNKNOWN, ERR_KEY_REVOKED. *ret points into the ring.
 */
enum err keyring_find(const struct keyring *keyring, const struct key_id *id,
                      const struct keyring_key **ret) MUST_CHECK;

/* How a ring that several hosts share gets about. Zeros where one has it. */
struct keyring_spread {
    int64_t skew;        /* seconds that their clocks may differ */
    int64_t propagation; /* seconds until a new key has reached them all */
};

/*
 * The key that seals: of those that are active, the one that became so last
 * (then the lowest id). If that one is revoked or expired there is no default:
 * a newer key is the end of the older ones. Then the fallback, with
 * *ret_fallback true, so that no date locks everybody out: the newest other
 * unrevoked key whatever its dates; failing that, the expired one. ERR_NO_KEY
 * when all are revoked or there is none.
 */
enum err keyring_default(const struct keyring *keyring, int64_t now,
                         const struct keyring_key **ret, bool *ret_fallback)
    MUST_CHECK;

/*
 * The same for a ring on many hosts. A key is active up to spread->skew early.
 * Keys that were made less than spread->propagation ago are taken only where
 * no older one will do: as the default the one that became active first, as
 * the fallback the one that was made first.
 */
enum err keyring_choose(const struct keyring *keyring,
                        const struct keyring_spread *spread, int64_t now,
                        const struct keyring_key **ret, bool *ret_fallback)
    MUST_CHECK;

#endif
