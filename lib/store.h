/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A place for sealed records: begin, read, commit, end. This is the contract;
 * store_file.h is the one on a local disk. Nothing above this room may assume
 * a file: the parts are opaque here, and who may open them is decided above.
 *
 * A record holds one or two versions. A commit writes a new version beside
 * the one it was made from and never over it, so that whatever is cut short
 * leaves the other one whole. Which versions are intact only the vault can
 * tell, who holds the keys: the store hands out all there are.
 */
#ifndef PAWL_LIB_STORE_H
#define PAWL_LIB_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/attrs.h"
#include "lib/bytes.h"
#include "lib/err.h"

struct log;

/* No commit counts further; a version that claims to is damaged. */
#define STORE_SEQUENCE_MAX (UINT64_C(1) << 56)

enum {
    STORE_VERSIONS = 2,
    STORE_RECORD_BYTES = 8192, /* of all versions of a record */
    STORE_PARTS_MAX = 4064,    /* bytes of both sealed parts of a version */
    STORE_NAME_MAX = 256,      /* bytes of a user's name with its NUL */
};

/* One version of a record, as it lies there. The bytes belong to the entry. */
struct store_version {
    bool framed; /* false: the framing itself is damaged, nothing else set */
    uint64_t sequence;
    struct bytes enrolment;
    struct bytes state;
    unsigned slot; /* the backend's: where it lies */
};

/* What a commit writes. */
struct store_update {
    uint64_t sequence;
    struct bytes enrolment;
    struct bytes state;
};

/*
 * Whose record. Users are one name space; the store's own records (the
 * sentinel, the decoys) are another, so that no user name reaches them.
 */
enum store_kind {
    STORE_USER,
    STORE_OWN,
};

struct store_name {
    enum store_kind kind;
    const char *name;
};

struct store;       /* an open store */
struct store_entry; /* one record of it, locked by us */

/* What a record is begun for. */
enum store_purpose {
    STORE_PEEK,    /* read, without its lock */
    STORE_CHANGE,  /* read and commit */
    STORE_REPLACE, /* commit over whatever is there, however damaged */
};

/* How a backend does it. One constant struct each. */
struct store_backend {
    enum err (*open)(const char *place, struct store *store);
    void (*close)(struct store *store);
    enum err (*exists)(struct store *store, struct store_name name, bool *ret);
    enum err (*begin)(struct store *store, struct store_name name,
                      enum store_purpose purpose, struct store_entry *entry);
    enum err (*commit)(struct store_entry *entry, unsigned keep,
                       const struct store_update *update);
    void (*end)(struct store_entry *entry);
    enum err (*create)(struct store *store, struct store_name name,
                       const struct store_update updates[STORE_VERSIONS],
                       bool sync);
    enum err (*sync)(struct store *store);
    enum err (*forget)(struct store_entry *entry);
    enum err (*list)(struct store *store,
                     enum err (*each)(void *context, const char *user),
                     void *context);
};

struct store {
    const struct store_backend *backend; /* NULL: not open */
    const struct log *log;
    unsigned lock_wait; /* milliseconds that begin waits at most */
    int folder;         /* the file backend's descriptor */
    uid_t owner;        /* who owns the folder, and every file in it */
};

struct store_entry {
    struct store *store; /* NULL: not begun */
    struct store_name name;
    bool locked;
    int fd;                                        /* the file backend's */
    struct store_version versions[STORE_VERSIONS]; /* newest first; the
                                                      damaged last */
    uint8_t bytes[STORE_RECORD_BYTES]; /* what the versions point into */
};

/*
 * Opens the store at place (for the file backend: a folder's absolute path).
 * ERR_NOT_FOUND, ERR_UNSAFE, ERR_PERMISSION, ERR_IO: none of them says
 * anything about any user.
 */
enum err store_open(const char *place, unsigned lock_wait,
                    const struct log *log, struct store *ret) MUST_CHECK;
void store_close(struct store *store); /* takes a zeroed struct */

/*
 * Whether a record of that name is there, locked or not. *ret false is a
 * proof that none is.
 */
enum err store_exists(struct store *store, struct store_name name, bool *ret)
    MUST_CHECK;

/*
 * Opens one record and reads every version of it. Unless it is only to be
 * peeked at it is locked, which is waited for at most store->lock_wait:
 * ERR_BUSY. ERR_NOT_FOUND when no such record exists, ERR_LIMIT when our
 * resource limits would make the commit fail, ERR_SEALED when its framing is
 * lost as a whole (not with STORE_REPLACE), ERR_UNSAFE, ERR_IO. name and store
 * must outlive the entry. Ended by store_end.
 *
 * STORE_PEEK is for what never changes but by the administrator: a commit that
 * goes on meanwhile may make one version, never both, look damaged.
 */
enum err store_begin(struct store *store, struct store_name name,
                     enum store_purpose purpose, struct store_entry *ret)
    MUST_CHECK;

/*
 * Writes a version, durably before it returns, in the place of the one that
 * is not versions[keep]; it is then versions[0], and the one kept versions[1].
 * On failure the old bytes are back and the record is as it was: ERR_IO.
 * ERR_RANGE for a sequence over STORE_SEQUENCE_MAX.
 */
enum err store_commit(struct store_entry *entry, unsigned keep,
                      const struct store_update *update) MUST_CHECK;

/* Unlocks and forgets; takes a zeroed entry. */
void store_end(struct store_entry *entry);

/*
 * Makes a new record with both versions, durably unless sync is false (then
 * store_sync at the end of a batch). ERR_EXISTS.
 */
enum err store_create(struct store *store, struct store_name name,
                      const struct store_update updates[STORE_VERSIONS],
                      bool sync) MUST_CHECK;

/* Makes everything that was created without sync durable. */
enum err store_sync(struct store *store) MUST_CHECK;

/* Takes a locked record out of the store for good; still ended after. */
enum err store_forget(struct store_entry *entry) MUST_CHECK;

/*
 * Calls each for every user's record, in no order, stopping at its first
 * error, which is returned.
 */
enum err store_list(struct store *store,
                    enum err (*each)(void *context, const char *user),
                    void *context) MUST_CHECK;

#endif
