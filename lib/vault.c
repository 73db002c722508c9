/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "lib/kdf.h"
#include "lib/log.h"
#include "lib/secmem.h"
#include "lib/totp.h"
#include "lib/vault_inside.h"

/* Opening and closing ---------------------------------------------------- */

enum err
vault_open(const struct vault_place *place, const struct clock *clock,
           const struct log *log, struct vault **ret)
{
    AUTO(vault_close) struct vault *vault = NULL;
    void *memory;
    enum err e;

    e = secmem_alloc(sizeof(*vault), &memory);
    if (e != ERR_OK)
        return e;
    vault = memory;
    vault->log = log;
    vault->clock = clock;
    e = store_open(place->store, place->lock_wait, log, &vault->store);
    if (e != ERR_OK)
        return e;
    e = keyring_load(place->keyring, vault->store.owner, log, &vault->keyring);
    if (e != ERR_OK)
        return e;
    *ret = vault;
    vault = NULL;
    return ERR_OK;
}

void
vault_close(struct vault **vault)
{
    if (*vault == NULL)
        return;
    vault_end(*vault);
    store_close(&(*vault)->store);
    secmem_free(*vault, sizeof(**vault));
    *vault = NULL;
}

/* Decoys ----------------------------------------------------------------- */

enum err
vault_name_decoy(struct vault *vault, unsigned number)
{
    int length =
        snprintf(vault->decoy, sizeof(vault->decoy), "decoy.%02x", number);

    return length < 0 || (size_t)length >= sizeof(vault->decoy) ? ERR_INVALID
                                                                : ERR_OK;
}

/*
 * Which decoy stands in for a name: a keyed hash, so that nobody outside can
 * tell which names share one.
 */
static enum err
choose_decoy(struct vault *vault, const char *user)
{
    static const char label[] = "pawl decoy";
    uint8_t choice = 0;
    enum err e;

    if (vault->keyring.count == 0)
        return ERR_NO_KEY;
    e = kdf_derive((struct bytes){vault->keyring.keys[0].key.bytes, KEY_BYTES},
                   (struct bytes){(const uint8_t *)label, sizeof(label) - 1},
                   (struct bytes){(const uint8_t *)user, strlen(user)}, &choice,
                   1);
    if (e != ERR_OK)
        return e;
    return vault_name_decoy(vault, choice);
}

/* Beginning and ending --------------------------------------------------- */

/* A clock that went back since the record was written is not believed. */
static int64_t
latest(const struct vault *vault)
{
    int64_t written = vault->credential.state.written;

    return vault->moment.wall > written ? vault->moment.wall : written;
}

enum err
vault_spend_window(struct vault *vault, unsigned future_steps)
{
    struct credential *credential = &vault->credential;

    for (unsigned i = 0; i < credential->enrolment.authenticator_count; i++) {
        const struct token *token =
            &credential->enrolment.authenticators[i].token;
        struct usage *usage = &credential->state.usage[i];
        uint64_t step, end;
        enum err e;

        if (token->type != TOKEN_TOTP)
            continue;
        e = totp_step(latest(vault), token->period, &step);
        if (e != ERR_OK)
            return e;
        end = step + (uint64_t)(int64_t)usage->drift + future_steps + 1;
        if (usage->floor < end)
            usage->floor = end;
    }
    return ERR_OK;
}

enum err
vault_enrolled(struct vault *vault, const char *user, bool *ret)
{
    struct store_name sentinel = {STORE_OWN, VAULT_SENTINEL};
    bool exists, torn;
    enum err e;

    e = store_exists(&vault->store, (struct store_name){STORE_USER, user},
                     &exists);
    if (e != ERR_OK)
        return e;
    if (exists) {
        *ret = true;
        return ERR_OK;
    }
    e = store_begin(&vault->store, sentinel, STORE_PEEK, &vault->entry);
    if (e == ERR_OK)
        e = vault_unseal(vault, &torn);
    if (e == ERR_NOT_FOUND)
        e = ERR_SEALED; /* not our store, or no longer whole */
    if (e != ERR_OK)
        log_line(vault->log, LOG_LEVEL_ERROR, "the store's sentinel: %s",
                 err_text(e));
    vault_end(vault);
    if (e != ERR_OK)
        return e;
    *ret = false;
    return ERR_OK;
}

static enum err
begin(struct vault *vault, struct store_name name, unsigned future_steps,
      bool *ret_torn)
{
    enum err e = store_begin(&vault->store, name, STORE_CHANGE, &vault->entry);

    if (e != ERR_OK)
        return e;
    e = vault->clock->read(vault->clock->context, &vault->moment);
    if (e != ERR_OK)
        return e;
    e = vault_unseal(vault, ret_torn);
    if (e != ERR_OK || !*ret_torn)
        return e;
    log_line(vault->log, LOG_LEVEL_ERROR,
             "integrity: one version of a record is damaged; "
             "the other one is taken, and its codes count as used");
    return vault_spend_window(vault, future_steps);
}

enum err
vault_begin(struct vault *vault, const char *user, bool stand_in,
            unsigned future_steps, enum vault_condition *ret)
{
    struct store_name name = {STORE_USER, vault->user};
    size_t length = strlen(user);
    bool exists, torn = false;
    enum err e;

    vault_end(vault);
    if (length >= sizeof(vault->user))
        length = 0; /* no record can have that name: as good as no name */
    memcpy(vault->user, user, length);
    vault->user[length] = '\0';
    /* Chosen and looked up for everybody, so that nobody's work differs. */
    e = choose_decoy(vault, user);
    if (e != ERR_OK)
        return e;
    e = store_exists(&vault->store, name, &exists);
    if (e != ERR_OK)
        return e;
    if (!exists && !stand_in)
        return ERR_NOT_FOUND;
    if (!exists)
        name = (struct store_name){STORE_OWN, vault->decoy};
    e = begin(vault, name, future_steps, &torn);
    if (e == ERR_NOT_FOUND)
        e = ERR_SEALED; /* it was there a moment ago, or a decoy is missing */
    if (e != ERR_OK) {
        vault_end(vault);
        return e;
    }
    *ret = !exists ? VAULT_STAND_IN : torn ? VAULT_TORN : VAULT_WHOLE;
    return ERR_OK;
}

struct credential *
vault_credential(struct vault *vault)
{
    return &vault->credential;
}

struct moment
vault_moment(const struct vault *vault)
{
    return vault->moment;
}

void
vault_end(struct vault *vault)
{
    store_end(&vault->entry);
    seal_clear(&vault->seal);
    vault->sealer = NULL;
    credential_wipe(&vault->credential);
    credential_wipe(&vault->other);
    secmem_wipe(vault->plain, sizeof(vault->plain));
}

enum err
vault_commit(struct vault *vault)
{
    if (vault->entry.store == NULL)
        return ERR_INVALID;
    return vault_store(vault, vault->credential.state.sequence, false);
}

enum err
vault_list(struct vault *vault,
           enum err (*each)(void *context, const char *user), void *context)
{
    return store_list(&vault->store, each, context);
}
