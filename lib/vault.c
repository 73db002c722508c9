/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "lib/kdf.h"
#include "lib/keyring.h"
#include "lib/log.h"
#include "lib/random.h"
#include "lib/seal.h"
#include "lib/secmem.h"
#include "lib/store.h"
#include "lib/totp.h"
#include "lib/vault.h"

enum {
    DECOYS = 256,
    OWN_NAME_BYTES = 16,
    PURPOSES_MAX = 4,
};

static const char sentinel_name[] = "sentinel";
static const char enrolment_purpose[] = "enrolment.v1";
static const char state_purpose[] = "state.v1";

/* Lies in locked memory, the key ring and the open credential with it. */
struct vault {
    const struct log *log;
    const struct clock *clock;
    struct store store;
    struct keyring keyring;
    struct seal seal; /* keyed with sealer's key; nobody's while that is NULL */
    const struct keyring_key *sealer;

    struct store_entry entry;
    char user[STORE_NAME_MAX];
    char decoy[OWN_NAME_BYTES];
    struct moment moment;
    unsigned kept; /* which version the credential came from */
    struct key_id enrolment_key;
    struct credential credential;

    /* Where parts are encoded, decoded and sealed. */
    uint8_t plain[ENROLMENT_BYTES + SEAL_OVERHEAD_MAX];
    uint8_t sealed_enrolment[ENROLMENT_BYTES + SEAL_OVERHEAD_MAX];
    uint8_t sealed_state[STATE_BYTES + SEAL_OVERHEAD_MAX];
    struct credential other;
};

_Static_assert(ENROLMENT_BYTES + STATE_BYTES + 2 * SEAL_OVERHEAD_MAX <=
                   STORE_PARTS_MAX,
               "both parts fit into one version in every algorithm");

/* Opening and closing ---------------------------------------------------- */

static void
close_half_open(struct vault **vault)
{
    vault_close(vault);
}

enum err
vault_open(const struct vault_place *place, const struct clock *clock,
           const struct log *log, struct vault **ret)
{
    AUTO(close_half_open) struct vault *vault = NULL;
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

/* Names ------------------------------------------------------------------ */

/*
 * The purposes of one part of one record. The store's own records have one
 * purpose more than a user's, so that no user name reaches them.
 */
struct purposes {
    const char *list[PURPOSES_MAX];
    size_t count;
};

static struct purposes
purposes_of(const char *part, struct store_name name)
{
    if (name.kind == STORE_OWN)
        return (struct purposes){{"pawl", part, "own", name.name}, 4};
    return (struct purposes){{"pawl", part, name.name}, 3};
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
    if (snprintf(vault->decoy, sizeof(vault->decoy), "decoy.%02x", choice) < 0)
        return ERR_INVALID;
    return ERR_OK;
}

/* Unsealing -------------------------------------------------------------- */

/*
 * Makes vault->seal one of key. All parts of a login are nearly always sealed
 * under one key, and keying is most of what a part costs.
 */
static enum err
use_key(struct vault *vault, const struct keyring_key *key)
{
    enum err e;

    if (vault->sealer == key)
        return ERR_OK;
    seal_clear(&vault->seal);
    vault->sealer = NULL;
    e = seal_open(&vault->seal, key->algorithm);
    if (e != ERR_OK)
        return e;
    e = seal_set_key(&vault->seal, (struct bytes){key->key.bytes, KEY_BYTES});
    if (e != ERR_OK)
        return e;
    vault->sealer = key;
    return ERR_OK;
}

/*
 * Opens one sealed part into vault->plain. ERR_SEALED for whatever does not
 * open, ERR_KEY_UNKNOWN and ERR_KEY_REVOKED for a key that is gone.
 */
static enum err
open_part(struct vault *vault, const char *part, struct bytes sealed,
          size_t length, struct key_id *ret_key)
{
    struct purposes purposes = purposes_of(part, vault->entry.name);
    const struct keyring_key *key;
    size_t opened;
    enum err e;

    if (sealed.length > sizeof(vault->plain))
        return ERR_SEALED;
    if (seal_key_id(sealed, ret_key) != ERR_OK)
        return ERR_SEALED;
    e = keyring_find(&vault->keyring, ret_key, &key);
    if (e != ERR_OK)
        return e;
    e = seal_unprotect(key->algorithm, &key->id,
                       (struct bytes){key->key.bytes, KEY_BYTES}, purposes.list,
                       purposes.count, sealed, vault->plain, &opened);
    if (e != ERR_OK)
        return e;
    return opened == length ? ERR_OK : ERR_SEALED;
}

static bool
is_key_gone(enum err e)
{
    return e == ERR_KEY_UNKNOWN || e == ERR_KEY_REVOKED;
}

/*
 * Opens one version whole. Both parts of a version are always sealed under
 * one key, so a single unknown key id is damage to it, not a missing key.
 */
static enum err
open_version(struct vault *vault, const struct store_version *version,
             struct credential *ret, struct key_id *ret_key)
{
    struct key_id state_key;
    enum err enrolment, state;

    if (!version->framed)
        return ERR_SEALED;
    enrolment = open_part(vault, enrolment_purpose, version->enrolment,
                          ENROLMENT_BYTES, ret_key);
    if (enrolment == ERR_OK)
        enrolment = enrolment_decode(vault->plain, &ret->enrolment);
    state = open_part(vault, state_purpose, version->state, STATE_BYTES,
                      &state_key);
    if (state == ERR_OK)
        state = state_decode(vault->plain, &ret->state);
    secmem_wipe(vault->plain, sizeof(vault->plain));

    if (is_key_gone(enrolment) && is_key_gone(state))
        return memcmp(ret_key, &state_key, sizeof(state_key)) == 0 ? enrolment
                                                                   : ERR_SEALED;
    if (enrolment == ERR_KEY_UNKNOWN || state == ERR_KEY_UNKNOWN)
        return ERR_SEALED;
    if (enrolment != ERR_OK)
        return enrolment == ERR_INVALID ? ERR_SEALED : enrolment;
    if (state != ERR_OK)
        return state == ERR_INVALID ? ERR_SEALED : state;
    if (ret->state.sequence != version->sequence ||
        memcmp(ret->state.enrolment_id, ret->enrolment.id,
               CREDENTIAL_ID_BYTES) != 0)
        return ERR_SEALED;
    return ERR_OK;
}

/*
 * Opens both versions and takes the newest that counts: see "torn" in
 * vault.h. Both are opened every time, because the header that says which is
 * newer is only proven by the state it stands before.
 */
static enum err
open_record(struct vault *vault, bool *ret_torn)
{
    const struct store_version *versions = vault->entry.versions;
    struct key_id other_key;
    enum err newest = open_version(vault, &versions[0], &vault->credential,
                                   &vault->enrolment_key);
    enum err oldest =
        open_version(vault, &versions[1], &vault->other, &other_key);

    if (newest != ERR_OK && newest != ERR_SEALED)
        return newest;
    if (oldest != ERR_OK && oldest != ERR_SEALED && !is_key_gone(oldest))
        return oldest;
    if (newest == ERR_OK && oldest == ERR_OK &&
        versions[0].sequence == versions[1].sequence)
        return ERR_SEALED;
    if (newest == ERR_OK) {
        vault->kept = 0;
        *ret_torn = oldest == ERR_SEALED;
        return ERR_OK;
    }
    if (oldest != ERR_OK)
        return oldest;
    vault->credential = vault->other;
    vault->enrolment_key = other_key;
    vault->kept = 1;
    *ret_torn = true;
    return ERR_OK;
}

/*
 * The damaged version may have been the newer one and have spent a code: what
 * it can have spent lies inside the window, so all of the window is used up.
 */
static enum err
raise_floors(struct credential *credential, int64_t now,
             struct totp_window window)
{
    for (unsigned i = 0; i < credential->enrolment.authenticator_count; i++) {
        const struct token *token =
            &credential->enrolment.authenticators[i].token;
        struct usage *usage = &credential->state.usage[i];
        uint64_t step, end;
        enum err e;

        if (token->type != TOKEN_TOTP)
            continue;
        e = totp_step(now, token->period, &step);
        if (e != ERR_OK)
            return e;
        end = step + (uint64_t)(int64_t)usage->drift + window.future + 1;
        if (usage->floor < end)
            usage->floor = end;
    }
    return ERR_OK;
}

/* Beginning and ending --------------------------------------------------- */

enum err
vault_enrolled(struct vault *vault, const char *user, bool *ret)
{
    struct store_name sentinel = {STORE_OWN, sentinel_name};
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
        e = open_record(vault, &torn);
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
begin(struct vault *vault, struct store_name name, struct totp_window window,
      bool *ret_torn)
{
    enum err e = store_begin(&vault->store, name, STORE_CHANGE, &vault->entry);

    if (e != ERR_OK)
        return e;
    e = vault->clock->read(vault->clock->context, &vault->moment);
    if (e != ERR_OK)
        return e;
    e = open_record(vault, ret_torn);
    if (e != ERR_OK || !*ret_torn)
        return e;
    log_line(vault->log, LOG_LEVEL_ERROR,
             "integrity: one version of a record is damaged; "
             "the other one is taken, and its codes count as used");
    return raise_floors(&vault->credential, vault->moment.wall, window);
}

enum err
vault_begin(struct vault *vault, const char *user, bool stand_in,
            struct totp_window window, enum vault_condition *ret)
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
    e = begin(vault, name, window, &torn);
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

/* Sealing ---------------------------------------------------------------- */

static enum err
seal_part(struct vault *vault, const struct keyring_key *key, const char *part,
          size_t length, uint8_t *ret, struct bytes *ret_sealed)
{
    struct purposes purposes = purposes_of(part, vault->entry.name);
    struct seal_random random;
    enum err e;

    e = random_bytes(&random, sizeof(random));
    if (e == ERR_OK)
        e = use_key(vault, key);
    if (e != ERR_OK)
        return e;
    e = seal_protect_with(&vault->seal, &key->id, purposes.list, purposes.count,
                          &random, (struct bytes){vault->plain, length}, ret);
    secmem_wipe(vault->plain, length);
    if (e != ERR_OK)
        return e;
    *ret_sealed =
        (struct bytes){ret, seal_protected_length(key->algorithm, length)};
    return ERR_OK;
}

static enum err
seal_enrolment(struct vault *vault, const struct keyring_key *key,
               struct bytes *ret)
{
    enum err e = enrolment_encode(&vault->credential.enrolment, vault->plain);

    if (e != ERR_OK)
        return e;
    return seal_part(vault, key, enrolment_purpose, ENROLMENT_BYTES,
                     vault->sealed_enrolment, ret);
}

/* Seals the state as it will stand after the next commit. */
static enum err
seal_state(struct vault *vault, const struct keyring_key *key,
           uint64_t sequence, struct bytes *ret)
{
    struct state *state = &vault->credential.state;
    enum err e;

    state->sequence = sequence;
    state->written = vault->moment.wall;
    memcpy(state->enrolment_id, vault->credential.enrolment.id,
           CREDENTIAL_ID_BYTES);
    e = state_encode(state, vault->plain);
    if (e != ERR_OK)
        return e;
    return seal_part(vault, key, state_purpose, STATE_BYTES,
                     vault->sealed_state, ret);
}

static enum err
choose_key(struct vault *vault, const struct keyring_key **ret)
{
    bool fallback = false;
    enum err e =
        keyring_default(&vault->keyring, vault->moment.wall, ret, &fallback);

    if (e == ERR_OK && fallback)
        log_line(vault->log, LOG_LEVEL_WARNING,
                 "the key ring has no key that is current: "
                 "the newest that is not revoked is used");
    return e;
}

/*
 * Stores the credential as the version that follows sequence, beside
 * versions[vault->kept]. The enrolment goes along as it is unless it was
 * changed, or its key is no longer the default.
 */
static enum err
commit(struct vault *vault, uint64_t sequence, bool enrolment_changed)
{
    struct store_update update = {
        .sequence = sequence + 1,
        .enrolment = vault->entry.versions[vault->kept].enrolment,
    };
    const struct keyring_key *key;
    enum err e;

    e = choose_key(vault, &key);
    if (e != ERR_OK)
        return e;
    if (enrolment_changed ||
        memcmp(&key->id, &vault->enrolment_key, sizeof(key->id)) != 0) {
        e = seal_enrolment(vault, key, &update.enrolment);
        if (e != ERR_OK)
            return e;
    }
    e = seal_state(vault, key, update.sequence, &update.state);
    if (e != ERR_OK)
        return e;
    e = store_commit(&vault->entry, vault->kept, &update);
    if (e != ERR_OK)
        return e;
    vault->enrolment_key = key->id;
    vault->kept = 0;
    return ERR_OK;
}

enum err
vault_commit(struct vault *vault)
{
    if (vault->entry.store == NULL)
        return ERR_INVALID;
    return commit(vault, vault->credential.state.sequence, false);
}

/* Making ----------------------------------------------------------------- */

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
    e = choose_key(vault, &key);
    if (e != ERR_OK)
        return e;
    vault->entry.name = name; /* what the parts are sealed for */
    vault->credential = *credential;
    e = seal_enrolment(vault, key, &updates[0].enrolment);
    if (e != ERR_OK)
        return e;
    for (unsigned i = 0; i < STORE_VERSIONS; i++) {
        updates[i].enrolment = updates[0].enrolment;
        updates[i].sequence = i + 1;
        e = seal_state(vault, key, updates[i].sequence, &updates[i].state);
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
 * Writes credential into both versions of the record that is locked. Nothing
 * of what is there is believed but the order of its versions.
 */
static enum err
overwrite(struct vault *vault, const struct credential *credential)
{
    uint64_t sequence = vault->entry.versions[0].sequence;
    enum err e;

    e = vault->clock->read(vault->clock->context, &vault->moment);
    if (e != ERR_OK)
        return e;
    if (sequence > UINT64_MAX - STORE_VERSIONS)
        sequence = 0; /* only damage counts that far */
    vault->credential = *credential;
    vault->kept = 0;
    for (unsigned i = 0; i < STORE_VERSIONS; i++) {
        e = commit(vault, sequence + i, true);
        if (e != ERR_OK)
            return e;
    }
    return ERR_OK;
}

enum err
vault_overwrite(struct vault *vault, const char *user,
                const struct credential *credential)
{
    enum err e;

    vault_end(vault);
    e = store_begin(&vault->store, (struct store_name){STORE_USER, user},
                    STORE_REPLACE, &vault->entry);
    if (e == ERR_OK)
        e = overwrite(vault, credential);
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
        e = overwrite(vault, tombstone);
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
        e = open_record(vault, &torn);
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
    if (snprintf(vault->decoy, sizeof(vault->decoy), "decoy.%02x", number) < 0)
        return ERR_INVALID;
    e = create(vault, (struct store_name){STORE_OWN, vault->decoy}, &credential,
               false);
    return e == ERR_EXISTS ? check_decoy(vault) : e;
}

enum err
vault_init(struct vault *vault)
{
    AUTO(credential_wipe) struct credential nobody = {0};
    struct store_name sentinel = {STORE_OWN, sentinel_name};
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

enum err
vault_list(struct vault *vault,
           enum err (*each)(void *context, const char *user), void *context)
{
    return store_list(&vault->store, each, context);
}
