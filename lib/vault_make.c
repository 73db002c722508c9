/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records that are made, written over or taken away: the tool's work.
 */
#include "config.h"

#include <string.h>

#include "lib/random.h"
#include "lib/vault_inside.h"

enum {
    DECOYS = 256,
};

/* Makes a record of credential; both versions, as sequence 1 and 2. */
static enum err
create(struct vault *vault, struct store_name name,
       const struct credential *credential, bool sync)
{
    struct store_update updates[STORE_VERSIONS];
    uint8_t states[STORE_VERSIONS][STATE_BYTES + SEAL_OVERHEAD_MAX];
    const struct keyring_key *key;
    enum err e;

    e = vault->clock->read(vault->clock->context, &vault->moment);
    if (e != ERR_OK)
        return e;
    e = vault_choose_key(vault, &key);
    if (e != ERR_OK)
        return e;
    vault->entry.name = name; /* what the parts are sealed for */
    vault->credential = *credential;
    e = vault_seal_enrolment(vault, key, &updates[0].enrolment);
    if (e != ERR_OK)
        return e;
    for (unsigned i = 0; i < STORE_VERSIONS; i++) {
        updates[i].enrolment = updates[0].enrolment;
        updates[i].sequence = i + 1;
        e = vault_seal_state(vault, key, updates[i].sequence,
                             &updates[i].state);
        if (e != ERR_OK)
            return e;
        memcpy(states[i], updates[i].state.at, updates[i].state.length);
        updates[i].state.at = states[i];
    }
    return store_create(&vault->store, name, updates, sync);
}

enum err
vault_create(struct vault *vault, const char *user,
             const struct credential *credential)
{
    enum err e;

    vault_end(vault);
    if (strlen(user) >= STORE_NAME_MAX)
        return ERR_SPACE;
    e = create(vault, (struct store_name){STORE_USER, user}, credential, true);
    vault_end(vault);
    return e;
}

/*
 * A secret that stays keeps its floor: what it has opened, it does not open
 * again for being enrolled anew.
 */
static void
keep_floors(const struct credential *former, struct credential *ret)
{
    for (unsigned i = 0; i < ret->enrolment.authenticator_count; i++) {
        const struct token *token = &ret->enrolment.authenticators[i].token;

        for (unsigned j = 0; j < former->enrolment.authenticator_count; j++) {
            uint64_t floor = former->state.usage[j].floor;

            if (token_same(token, &former->enrolment.authenticators[j].token) &&
                ret->state.usage[i].floor < floor)
                ret->state.usage[i].floor = floor;
        }
    }
}

/*
 * Lays credential over what the record holds: the floors that can be read
 * stay, and where one version cannot be read the window counts as used.
 */
static enum err
lay_over(struct vault *vault, const struct credential *credential,
         enum vault_over over, unsigned future_steps)
{
    bool torn = false;
    bool opened = vault_unseal(vault, &torn) == ERR_OK;

    if (over == VAULT_OVER_REVOKED &&
        (!opened || vault->credential.enrolment.status != ENROLMENT_REVOKED))
        return ERR_EXISTS;
    vault->other = vault->credential;
    vault->credential = *credential;
    if (opened) {
        keep_floors(&vault->other, &vault->credential);
        vault->credential.state.written = vault->other.state.written;
    } else {
        vault->kept = 0; /* one is as good as the other */
    }
    return torn || !opened ? vault_spend_window(vault, future_steps) : ERR_OK;
}

/*
 * Writes credential into both versions of the record that is locked: first
 * beside the one that is whole, then over that one too.
 */
static enum err
overwrite(struct vault *vault, const struct credential *credential,
          enum vault_over over, unsigned future_steps)
{
    uint64_t sequence = vault->entry.versions[0].sequence;
    enum err e;

    e = vault->clock->read(vault->clock->context, &vault->moment);
    if (e == ERR_OK)
        e = lay_over(vault, credential, over, future_steps);
    if (e != ERR_OK)
        return e;
    for (unsigned i = 0; i < STORE_VERSIONS; i++) {
        e = vault_store(vault, sequence + i, true);
        if (e != ERR_OK)
            return e;
    }
    return ERR_OK;
}

enum err
vault_overwrite(struct vault *vault, const char *user,
                const struct credential *credential, enum vault_over over,
                unsigned future_steps)
{
    enum err e;

    vault_end(vault);
    e = store_begin(&vault->store, (struct store_name){STORE_USER, user},
                    STORE_REPLACE, &vault->entry);
    if (e == ERR_OK)
        e = overwrite(vault, credential, over, future_steps);
    vault_end(vault);
    return e;
}

enum err
vault_forget(struct vault *vault, const char *user,
             const struct credential *tombstone)
{
    enum err e;

    vault_end(vault);
    e = store_begin(&vault->store, (struct store_name){STORE_USER, user},
                    STORE_REPLACE, &vault->entry);
    if (e == ERR_OK)
        e = overwrite(vault, tombstone, VAULT_OVER_ANYTHING, 0);
    if (e == ERR_OK)
        e = store_forget(&vault->entry);
    vault_end(vault);
    return e;
}

/* One that an init left behind when it was cut short: good if it opens. */
static enum err
check_decoy(struct vault *vault)
{
    struct store_name name = {STORE_OWN, vault->decoy};
    bool torn;
    enum err e = store_begin(&vault->store, name, STORE_PEEK, &vault->entry);

    if (e == ERR_OK)
        e = vault_unseal(vault, &torn);
    vault_end(vault);
    return e;
}

static enum err
create_decoy(struct vault *vault, unsigned number, int64_t now)
{
    AUTO(credential_wipe) struct credential credential = {0};
    AUTO(token_wipe)
    struct token token = {
        .type = TOKEN_TOTP,
        .algorithm = HOTP_SHA1,
        .digits = TOKEN_DIGITS,
        .period = TOKEN_PERIOD,
    };
    enum err e;

    e = credential_new(now, &credential);
    if (e != ERR_OK)
        return e;
    e = token_generate_secret(&token);
    if (e != ERR_OK)
        return e;
    e = credential_add(&credential, "decoy", &token, 0, now);
    if (e != ERR_OK)
        return e;
    e = vault_name_decoy(vault, number);
    if (e != ERR_OK)
        return e;
    e = create(vault, (struct store_name){STORE_OWN, vault->decoy}, &credential,
               false);
    return e == ERR_EXISTS ? check_decoy(vault) : e;
}

enum err
vault_init(struct vault *vault)
{
    AUTO(credential_wipe) struct credential nobody = {0};
    struct store_name sentinel = {STORE_OWN, VAULT_SENTINEL};
    struct moment now;
    bool exists;
    enum err e;

    vault_end(vault);
    e = store_exists(&vault->store, sentinel, &exists);
    if (e != ERR_OK)
        return e;
    if (exists)
        return ERR_EXISTS;
    e = vault->clock->read(vault->clock->context, &now);
    if (e != ERR_OK)
        return e;
    for (unsigned i = 0; i < DECOYS && e == ERR_OK; i++)
        e = create_decoy(vault, i, now.wall);
    if (e == ERR_OK)
        e = store_sync(&vault->store);
    if (e == ERR_OK)
        e = credential_new(now.wall, &nobody);
    /* The sentinel last: it stands for a store that is whole. */
    if (e == ERR_OK)
        e = create(vault, sentinel, &nobody, true);
    vault_end(vault);
    return e;
}
