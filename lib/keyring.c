/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/keyring.h"
#include "lib/log.h"
#include "lib/random.h"

void
keyring_wipe(struct keyring *keyring)
{
    secmem_wipe(keyring, sizeof(*keyring));
}

/* Memory for the text of a ring. For AUTO. */
static void
text_free(void *text)
{
    secmem_free(*(void **)text, KEYRING_FILE_MAX);
}

static const char *
refusal_text(enum err error)
{
    if (error == ERR_EXISTS)
        return "a second key with this id";
    if (error == ERR_SPACE)
        return "more keys than a ring can hold";
    if (error == ERR_VERSION)
        return "a key ring of a later version";
    return "not a line of a key ring, or not the right one here";
}

enum err
keyring_load(const char *path, uid_t owner, const struct log *log,
             struct keyring *ret)
{
    AUTO(file_close) int fd = -1;
    AUTO(text_free) void *text = NULL;
    size_t length = 0;
    unsigned line = 0;
    enum err e;

    keyring_wipe(ret);
    e = file_open(path, true, owner, log, &fd);
    if (e != ERR_OK)
        return e;
    e = secmem_alloc(KEYRING_FILE_MAX, &text);
    if (e != ERR_OK)
        return e;
    e = file_read(fd, text, KEYRING_FILE_MAX, &length);
    if (e != ERR_OK) {
        log_line(log, LOG_LEVEL_ERROR, "%s: %s", path, err_text(e));
        return e;
    }
    e = keyring_parse(text, length, ret, &line);
    if (e != ERR_OK)
        log_line(log, LOG_LEVEL_ERROR, "%s:%u: %s", path, line,
                 refusal_text(e));
    return e;
}

/* A random GUID: RFC 9562 section 5.4. */
static enum err
random_id(struct key_id *ret)
{
    struct key_id id;
    enum err e = random_bytes(id.bytes, sizeof(id.bytes));

    if (e != ERR_OK)
        return e;
    id.bytes[6] = (uint8_t)((id.bytes[6] & 0x0f) | 0x40); /* version 4 */
    id.bytes[8] = (uint8_t)((id.bytes[8] & 0x3f) | 0x80); /* its variant */
    *ret = id;
    return ERR_OK;
}

enum err
keyring_add(struct keyring *keyring, enum seal_algorithm algorithm, int64_t now)
{
    struct keyring_key *added;
    struct key_id id;
    enum err e;

    if (keyring->count >= KEYRING_KEYS)
        return ERR_SPACE;
    if (now < 0)
        return ERR_CLOCK;
    if (seal_algorithm_name(algorithm) == NULL)
        return ERR_UNSUPPORTED;
    e = random_id(&id);
    if (e != ERR_OK)
        return e;
    added = &keyring->keys[keyring->count];
    e = random_bytes(added->key.bytes, sizeof(added->key.bytes));
    if (e != ERR_OK)
        return e;
    added->id = id;
    added->algorithm = algorithm;
    added->created = now;
    added->activates = now;
    added->expires = KEYRING_NEVER;
    added->revoked = false;
    keyring->count++;
    return ERR_OK;
}

static int
compare_ids(const struct key_id *a, const struct key_id *b)
{
    return memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

enum err
keyring_find(const struct keyring *keyring, const struct key_id *id,
             const struct keyring_key **ret)
{
    for (unsigned i = 0; i < keyring->count; i++) {
        const struct keyring_key *key = &keyring->keys[i];

        if (compare_ids(&key->id, id) != 0)
            continue;
        if (key->revoked)
            return ERR_KEY_REVOKED;
        *ret = key;
        return ERR_OK;
    }
    return ERR_KEY_UNKNOWN;
}

/*
 * Whether a goes before b. Keys that have spread come first, the latest of
 * them first; then the others, the earliest of them first; then ids decide.
 */
static bool
goes_before(const struct keyring_key *a, int64_t a_time,
            const struct keyring_key *b, int64_t b_time, int64_t cutoff)
{
    bool a_spread = a->created <= cutoff;
    bool b_spread = b->created <= cutoff;

    if (a_spread != b_spread)
        return a_spread;
    if (a_time != b_time)
        return a_spread ? a_time > b_time : a_time < b_time;
    return compare_ids(&a->id, &b->id) < 0;
}

/* First by activation of those that are active; NULL for none. */
static const struct keyring_key *
first_active(const struct keyring *keyring, int64_t latest, int64_t cutoff)
{
    const struct keyring_key *first = NULL;

    for (unsigned i = 0; i < keyring->count; i++) {
        const struct keyring_key *key = &keyring->keys[i];

        if (key->activates > latest)
            continue;
        if (first == NULL ||
            goes_before(key, key->activates, first, first->activates, cutoff))
            first = key;
    }
    return first;
}

/*
 * First by creation of those that are not revoked; NULL for none. rejected,
 * which has expired or is NULL, is taken only when it is the last one left.
 */
static const struct keyring_key *
first_unrevoked(const struct keyring *keyring, int64_t cutoff,
                const struct keyring_key *rejected)
{
    const struct keyring_key *first = NULL;

    for (unsigned i = 0; i < keyring->count; i++) {
        const struct keyring_key *key = &keyring->keys[i];

        if (key->revoked || key == rejected)
            continue;
        if (first == NULL ||
            goes_before(key, key->created, first, first->created, cutoff))
            first = key;
    }
    if (first == NULL && rejected != NULL && !rejected->revoked)
        return rejected;
    return first;
}

static int64_t
add_bounded(int64_t a, int64_t b)
{
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

enum err
keyring_choose(const struct keyring *keyring,
               const struct keyring_spread *spread, int64_t now,
               const struct keyring_key **ret, bool *ret_fallback)
{
    int64_t latest = add_bounded(now, spread->skew);
    int64_t cutoff = add_bounded(now, -spread->propagation);
    const struct keyring_key *key = first_active(keyring, latest, cutoff);
    bool fallback = key == NULL || key->revoked || key->expires <= now;

    if (fallback)
        key = first_unrevoked(keyring, cutoff, key);
    if (key == NULL)
        return ERR_NO_KEY;
    *ret = key;
    *ret_fallback = fallback;
    return ERR_OK;
}

enum err
keyring_default(const struct keyring *keyring, int64_t now,
                const struct keyring_key **ret, bool *ret_fallback)
{
    static const struct keyring_spread one_host = {0};

    return keyring_choose(keyring, &one_host, now, ret, ret_fallback);
}
