/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/credential.h"
#include "lib/random.h"
#include "lib/secmem.h"

void
credential_wipe(struct credential *credential)
{
    secmem_wipe(credential, sizeof(*credential));
}

/* Both parts as they are before anything happened, under a new id. */
static enum err
begin(enum enrolment_status status, int64_t now, struct credential *ret)
{
    uint8_t id[CREDENTIAL_ID_BYTES];
    enum err e;

    credential_wipe(ret);
    if (now < 0)
        return ERR_CLOCK;
    e = random_bytes(id, sizeof(id));
    if (e != ERR_OK)
        return e;
    memcpy(ret->enrolment.id, id, sizeof(id));
    ret->enrolment.status = status;
    ret->enrolment.created = now;
    memcpy(ret->state.enrolment_id, id, sizeof(id));
    ret->state.written = now;
    return ERR_OK;
}

enum err
credential_new(int64_t now, struct credential *ret)
{
    return begin(ENROLMENT_ACTIVE, now, ret);
}

enum err
credential_tombstone(int64_t now, struct credential *ret)
{
    return begin(ENROLMENT_REVOKED, now, ret);
}

enum err
credential_add(struct credential *credential, const char *name,
               const struct token *token, uint64_t floor, int64_t now)
{
    unsigned place = credential->enrolment.authenticator_count;
    struct usage *usage;
    enum err e = enrolment_add(&credential->enrolment, name, token, now);

    if (e != ERR_OK)
        return e;
    usage = &credential->state.usage[place];
    memset(usage, 0, sizeof(*usage));
    usage->floor = floor;
    return ERR_OK;
}
