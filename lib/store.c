/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/store.h"
#include "lib/store_file.h"

enum err
store_open(const char *place, unsigned lock_wait, const struct log *log,
           struct store *ret)
{
    struct store store = {
        .backend = &store_file,
        .log = log,
        .lock_wait = lock_wait,
    };
    enum err e = store.backend->open(place, &store);

    if (e != ERR_OK)
        return e;
    *ret = store;
    return ERR_OK;
}

void
store_close(struct store *store)
{
    if (store->backend != NULL)
        store->backend->close(store);
    memset(store, 0, sizeof(*store));
}

enum err
store_exists(struct store *store, struct store_name name, bool *ret)
{
    return store->backend->exists(store, name, ret);
}

enum err
store_begin(struct store *store, struct store_name name,
            enum store_purpose purpose, struct store_entry *ret)
{
    enum err e;

    memset(ret, 0, sizeof(*ret));
    ret->store = store;
    ret->name = name;
    e = store->backend->begin(store, name, purpose, ret);
    if (e != ERR_OK)
        memset(ret, 0, sizeof(*ret));
    return e;
}

enum err
store_commit(struct store_entry *entry, unsigned keep,
             const struct store_update *update)
{
    if (entry->store == NULL || !entry->locked || keep >= STORE_VERSIONS)
        return ERR_INVALID;
    if (update->sequence > STORE_SEQUENCE_MAX)
        return ERR_RANGE;
    if (update->enrolment.length > STORE_PARTS_MAX ||
        update->state.length > STORE_PARTS_MAX - update->enrolment.length)
        return ERR_SPACE;
    return entry->store->backend->commit(entry, keep, update);
}

void
store_end(struct store_entry *entry)
{
    if (entry->store != NULL)
        entry->store->backend->end(entry);
    memset(entry, 0, sizeof(*entry));
}

enum err
store_create(struct store *store, struct store_name name,
             const struct store_update updates[STORE_VERSIONS], bool sync)
{
    for (unsigned i = 0; i < STORE_VERSIONS; i++) {
        if (updates[i].enrolment.length > STORE_PARTS_MAX ||
            updates[i].state.length >
                STORE_PARTS_MAX - updates[i].enrolment.length)
            return ERR_SPACE;
    }
    return store->backend->create(store, name, updates, sync);
}

enum err
store_sync(struct store *store)
{
    return store->backend->sync(store);
}

enum err
store_forget(struct store_entry *entry)
{
    if (entry->store == NULL || !entry->locked)
        return ERR_INVALID;
    return entry->store->backend->forget(entry);
}

enum err
store_list(struct store *store,
           enum err (*each)(void *context, const char *user), void *context)
{
    return store->backend->list(store, each, context);
}
