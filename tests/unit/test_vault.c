/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "lib/attrs.h"
#include "lib/file.h"
#include "lib/keyring.h"
#include "lib/store_file.h"
#include "lib/vault.h"
#include "tests/support/golden.h"
#include "tests/support/scratch.h"
#include "tests/support/vectors.h"

enum {
    RECORD = STORE_RECORD_BYTES,
    SLOT = STORE_FILE_SLOT_BYTES,
};

static const unsigned window = 1; /* future steps */
static struct scratch scratch;
static struct vault_place place;
static int64_t now = 1700000000;

static enum err
read_clock(void *context, struct moment *ret)
{
    (void)context;
    *ret = (struct moment){.wall = now, .boot = 1000};
    return ERR_OK;
}

static const struct clock test_clock = {.read = read_clock};

static struct vault *
open_vault(void)
{
    struct vault *vault = NULL;

    assert_int_equal(vault_open(&place, &test_clock, NULL, &vault), ERR_OK);
    return vault;
}

static void
enrol(const char *user)
{
    AUTO(token_wipe)
    struct token token = {
        .type = TOKEN_TOTP, .algorithm = HOTP_SHA1, .digits = 6, .period = 30};

    scratch_read_secret("7061776c2d746573742d6b65792d303030303031",
                        &token.secret);
    scratch_enrol(&scratch, user, &token, 7);
}

/* How many writes in place still work: linked in by --wrap. */
static unsigned writes_left = UINT_MAX;

ssize_t __real_pwrite(int fd, const void *bytes, size_t length, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t length, off_t offset);

ssize_t
__wrap_pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
    if (writes_left == 0) {
        errno = EIO;
        return -1;
    }
    writes_left--;
    return __real_pwrite(fd, bytes, length, offset);
}

static int
set_up(void **context)
{
    (void)context;
    now = 1700000000;
    writes_left = UINT_MAX;
    scratch_make(&scratch, &test_clock);
    place = (struct vault_place){scratch.store, scratch.keyring, 200};
    enrol("alice");
    return 0;
}

static int
tear_down(void **context)
{
    (void)context;
    scratch_remove(&scratch);
    return 0;
}

/* Files ------------------------------------------------------------------ */

static const char *
record_path(const char *file)
{
    static char path[PATH_MAX + 64];

    (void)snprintf(path, sizeof(path), "%s/%s", scratch.store, file);
    return path;
}

static void
read_record(const char *file, uint8_t ret[RECORD])
{
    AUTO(file_close) int fd = open(record_path(file), O_RDONLY | O_CLOEXEC);

    assert_int_equal(pread(fd, ret, RECORD, 0), RECORD);
}

static void
write_record(const char *file, const uint8_t bytes[RECORD])
{
    AUTO(file_close)
    int fd = open(record_path(file), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    assert_int_equal(pwrite(fd, bytes, RECORD, 0), RECORD);
}

static enum err
begin(const char *user, enum vault_condition *ret, uint64_t *ret_floor)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    enum err e = vault_begin(vault, user, false, window, ret);

    if (e == ERR_OK && ret_floor != NULL)
        *ret_floor = vault_credential(vault)->state.usage[0].floor;
    return e;
}

static unsigned
stride(void)
{
    const char *text = getenv("PAWL_TEST_STRIDE"); /* for slow runs */
    long step = text != NULL ? strtol(text, NULL, 10) : 1;

    return step > 0 ? (unsigned)step : 1;
}

/* Tests ------------------------------------------------------------------ */

static void
a_record_comes_back_as_it_was_made(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    enum vault_condition condition;
    const struct credential *credential;

    (void)context;
    assert_int_equal(vault_begin(vault, "alice", false, window, &condition),
                     ERR_OK);
    assert_int_equal(condition, VAULT_WHOLE);
    credential = vault_credential(vault);
    assert_int_equal(credential->enrolment.status, ENROLMENT_ACTIVE);
    assert_int_equal(credential->enrolment.authenticator_count, 1);
    assert_int_equal(
        credential->enrolment.authenticators[0].token.secret.length, 20);
    assert_true(credential->state.usage[0].floor == 7);
    assert_true(credential->state.sequence == 2);
    assert_true(vault_moment(vault).wall == now);
}

static void
a_commit_is_seen_by_the_next_login_and_changes_one_slot(void **context)
{
    uint8_t before[RECORD], after[RECORD];
    enum vault_condition condition;
    uint64_t floor = 0;

    (void)context;
    read_record("alice", before);
    for (uint64_t i = 0; i < 5; i++) {
        AUTO(vault_close) struct vault *vault = open_vault();
        bool first, second;

        assert_int_equal(vault_begin(vault, "alice", false, window, &condition),
                         ERR_OK);
        assert_true(vault_credential(vault)->state.sequence == 2 + i);
        vault_credential(vault)->state.usage[0].floor = 100 + i;
        assert_int_equal(vault_commit(vault), ERR_OK);
        read_record("alice", after);
        first = memcmp(before, after, SLOT) != 0;
        second = memcmp(before + SLOT, after + SLOT, SLOT) != 0;
        assert_true(first != second);
        memcpy(before, after, RECORD);
    }
    assert_int_equal(begin("alice", &condition, &floor), ERR_OK);
    assert_true(floor == 104);
}

static void
a_user_without_a_record_gets_a_decoy_or_nothing(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    enum vault_condition condition;
    static const char *const names[] = {"nobody", "",          "..",
                                        "a/b",    "+sentinel", "+decoy.00"};
    char long_name[1000];

    (void)context;
    memset(long_name, 'x', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    for (size_t i = 0; i <= ARRAY_LENGTH(names); i++) {
        const char *name = i < ARRAY_LENGTH(names) ? names[i] : long_name;

        assert_int_equal(vault_begin(vault, name, false, window, &condition),
                         ERR_NOT_FOUND);
        assert_int_equal(vault_begin(vault, name, true, window, &condition),
                         ERR_OK);
        assert_int_equal(condition, VAULT_STAND_IN);
        assert_int_equal(vault_commit(vault), ERR_OK);
    }
}

static void
decoys_share_the_load_and_a_name_keeps_its_own(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    enum vault_condition condition;
    unsigned used = 0;

    (void)context;
    for (unsigned i = 0; i < 64; i++) {
        char name[16];
        uint64_t sequence;

        (void)snprintf(name, sizeof(name), "user%u", i);
        assert_int_equal(vault_begin(vault, name, true, window, &condition),
                         ERR_OK);
        assert_int_equal(vault_commit(vault), ERR_OK);
        sequence = vault_credential(vault)->state.sequence;
        used += sequence == 3; /* the first to use it */
        assert_int_equal(vault_begin(vault, name, true, window, &condition),
                         ERR_OK);
        assert_true(vault_credential(vault)->state.sequence == sequence);
    }
    assert_true(used > 40); /* of 256, by chance some 57 */
}

static void
every_altered_byte_of_a_slot_is_noticed(void **context)
{
    uint8_t good[RECORD], bad[RECORD];

    (void)context;
    read_record("alice", good);
    for (size_t at = 0; at < RECORD; at += stride()) {
        enum vault_condition condition = VAULT_WHOLE;
        uint64_t floor = 0;
        enum err e;

        memcpy(bad, good, RECORD);
        bad[at] ^= (uint8_t)(1u << (at % 8));
        write_record("alice", bad);
        e = begin("alice", &condition, &floor);
        assert_int_equal(e, ERR_OK);
        assert_int_equal(condition, VAULT_TORN);
        /* past the window around the present step */
        assert_true(floor == (uint64_t)now / 30 + 2);
    }
    write_record("alice", good);
}

static void
two_altered_slots_are_refused_and_left_alone(void **context)
{
    uint8_t good[RECORD], bad[RECORD], after[RECORD];

    (void)context;
    read_record("alice", good);
    for (size_t at = 0; at < SLOT; at += 13) {
        enum vault_condition condition;

        memcpy(bad, good, RECORD);
        bad[at] ^= 0x80;
        bad[RECORD - 1 - at] ^= 0x01;
        write_record("alice", bad);
        assert_int_equal(begin("alice", &condition, NULL), ERR_SEALED);
        read_record("alice", after);
        assert_memory_equal(after, bad, RECORD);
    }
}

static void
a_torn_slot_is_mended_by_the_next_commit(void **context)
{
    for (unsigned slot = 0; slot < STORE_VERSIONS; slot++) {
        AUTO(vault_close) struct vault *vault = open_vault();
        uint8_t bytes[RECORD];
        enum vault_condition condition;
        uint64_t floor;

        (void)context;
        read_record("alice", bytes);
        memset(bytes + slot * SLOT + 512, 0, 512); /* a write that was cut */
        write_record("alice", bytes);
        assert_int_equal(vault_begin(vault, "alice", true, window, &condition),
                         ERR_OK);
        assert_int_equal(condition, VAULT_TORN);
        assert_int_equal(vault_commit(vault), ERR_OK);
        vault_end(vault);
        assert_int_equal(begin("alice", &condition, &floor), ERR_OK);
        assert_int_equal(condition, VAULT_WHOLE);
        assert_true(floor == (uint64_t)now / 30 + 2);
    }
}

static void
a_header_that_lies_about_its_age_is_noticed(void **context)
{
    uint8_t bytes[RECORD];
    enum vault_condition condition;

    (void)context;
    read_record("alice", bytes);
    bytes[SLOT + 15] = 0; /* the newer slot, 2, claims to be 0 */
    write_record("alice", bytes);
    assert_int_equal(begin("alice", &condition, NULL), ERR_OK);
    assert_int_equal(condition, VAULT_TORN);
}

static void
a_record_of_another_user_does_not_open(void **context)
{
    uint8_t bytes[RECORD];
    enum vault_condition condition;

    (void)context;
    enrol("bob");
    read_record("alice", bytes);
    write_record("bob", bytes);
    assert_int_equal(begin("bob", &condition, NULL), ERR_SEALED);
    write_record("+sentinel", bytes);
    assert_int_equal(begin("alice", &condition, NULL), ERR_OK);
}

static void
a_decoy_in_a_users_place_does_not_open(void **context)
{
    uint8_t bytes[RECORD];
    enum vault_condition condition;

    (void)context;
    read_record("+decoy.00", bytes);
    write_record("decoy.00", bytes);
    write_record("%2Bdecoy.00", bytes);
    assert_int_equal(begin("decoy.00", &condition, NULL), ERR_SEALED);
    assert_int_equal(begin("+decoy.00", &condition, NULL), ERR_SEALED);
}

static void
the_parts_of_a_slot_do_not_change_places(void **context)
{
    uint8_t bytes[RECORD], first[SLOT];
    enum vault_condition condition;

    (void)context;
    /* The state of the older slot under the header of the newer one. */
    read_record("alice", bytes);
    memcpy(first, bytes, SLOT);
    memcpy(bytes, bytes + SLOT, 16);
    write_record("alice", bytes);
    assert_int_equal(begin("alice", &condition, NULL), ERR_OK);
    assert_int_equal(condition, VAULT_TORN);
    /* And the whole of it: two versions of one age, which never happens. */
    memcpy(bytes + SLOT, first, SLOT);
    memcpy(bytes, first, SLOT);
    write_record("alice", bytes);
    assert_int_equal(begin("alice", &condition, NULL), ERR_SEALED);
}

static void
absence_is_believed_only_from_our_own_store(void **context)
{
    bool enrolled;

    (void)context;
    {
        AUTO(vault_close) struct vault *vault = open_vault();

        assert_int_equal(vault_enrolled(vault, "alice", &enrolled), ERR_OK);
        assert_true(enrolled);
        assert_int_equal(vault_enrolled(vault, "nobody", &enrolled), ERR_OK);
        assert_false(enrolled);
    }
    {
        AUTO(vault_close) struct vault *vault = open_vault();
        uint8_t bytes[RECORD];

        read_record("alice", bytes);
        write_record("+sentinel", bytes);
        assert_int_equal(vault_enrolled(vault, "nobody", &enrolled),
                         ERR_SEALED);
        assert_int_equal(unlink(record_path("+sentinel")), 0);
        assert_int_equal(vault_enrolled(vault, "nobody", &enrolled),
                         ERR_SEALED);
        assert_int_equal(vault_enrolled(vault, "alice", &enrolled), ERR_OK);
        assert_true(enrolled);
    }
}

/* Keys ------------------------------------------------------------------- */

static void
load_ring(struct keyring *ret)
{
    assert_int_equal(keyring_load(scratch.keyring, geteuid(), NULL, ret),
                     ERR_OK);
}

static void
save_ring(const struct keyring *keyring)
{
    static char text[KEYRING_FILE_MAX];
    AUTO(file_close) int fd = -1;

    assert_int_equal(keyring_format(keyring, text, sizeof(text)), ERR_OK);
    fd = open(scratch.keyring, O_WRONLY | O_TRUNC | O_CLOEXEC);
    assert_int_equal(file_write(fd, text, strlen(text)), ERR_OK);
}

static void
a_new_key_takes_over_at_the_next_login(void **context)
{
    static struct keyring keyring;
    enum vault_condition condition;
    uint8_t bytes[RECORD];

    (void)context;
    load_ring(&keyring);
    now += 10;
    assert_int_equal(keyring_add(&keyring, SEAL_AES_256_GCM, now), ERR_OK);
    save_ring(&keyring);
    for (unsigned i = 0; i < STORE_VERSIONS; i++) {
        AUTO(vault_close) struct vault *vault = open_vault();

        assert_int_equal(vault_begin(vault, "alice", false, window, &condition),
                         ERR_OK);
        assert_int_equal(condition, VAULT_WHOLE);
        assert_int_equal(vault_commit(vault), ERR_OK);
    }
    /* Both versions are sealed anew: the old key is no longer needed. */
    keyring.keys[0] = keyring.keys[1];
    keyring.count = 1;
    save_ring(&keyring);
    assert_int_equal(begin("alice", &condition, NULL), ERR_OK);
    assert_int_equal(condition, VAULT_WHOLE);
    read_record("alice", bytes);
    assert_int_equal(bytes[16] << 8 | bytes[17], 20 + 44 + 1792);
}

static void
a_missing_or_revoked_key_refuses_and_writes_nothing(void **context)
{
    static struct keyring keyring, other;
    enum vault_condition condition;
    uint8_t before[RECORD], after[RECORD];

    (void)context;
    read_record("alice", before);
    load_ring(&keyring);
    other = keyring;
    assert_int_equal(keyring_add(&other, SEAL_DEFAULT, now), ERR_OK);
    other.keys[0].revoked = true;
    save_ring(&other);
    assert_int_equal(begin("alice", &condition, NULL), ERR_KEY_REVOKED);
    other.keys[0] = other.keys[1];
    other.count = 1;
    save_ring(&other);
    assert_int_equal(begin("alice", &condition, NULL), ERR_KEY_UNKNOWN);
    read_record("alice", after);
    assert_memory_equal(before, after, RECORD);
    save_ring(&keyring);
    assert_int_equal(begin("alice", &condition, NULL), ERR_OK);
    keyring_wipe(&keyring);
    keyring_wipe(&other);
}

/* Golden records --------------------------------------------------------- */

static void
a_record_of_the_first_format_opens_for_ever(void **context)
{
    AUTO(vault_close) struct vault *vault = NULL;
    static struct keyring keyring;
    json_t *golden = vectors_open("record-v1.json");
    const json_t *seal = json_object_get(golden, "seal");
    const char *user = vectors_text(seal, "user");
    struct keyring_key *key = &keyring.keys[0];
    enum vault_condition condition;
    uint8_t bytes[RECORD];

    (void)context;
    enrol(user);
    memset(&keyring, 0, sizeof(keyring));
    keyring.count = 1;
    key->expires = KEYRING_NEVER;
    assert_int_equal(
        seal_algorithm_parse(vectors_text(seal, "algorithm"), &key->algorithm),
        ERR_OK);
    assert_int_equal(key_id_parse(vectors_text(seal, "key_id"), &key->id),
                     ERR_OK);
    golden_bytes(seal, "key", key->key.bytes, KEY_BYTES);
    save_ring(&keyring);
    golden_bytes(json_object_get(golden, "record"), "bytes", bytes, RECORD);
    write_record("al%C3%ADce", bytes);
    vault = open_vault();
    assert_int_equal(vault_begin(vault, user, false, window, &condition),
                     ERR_OK);
    assert_int_equal(condition, VAULT_WHOLE);
    assert_true(vault_credential(vault)->state.sequence == 8);
    json_decref(golden);
}

/* Making ----------------------------------------------------------------- */

static void
new_credential(struct credential *ret)
{
    AUTO(token_wipe)
    struct token token = {.type = TOKEN_TOTP,
                          .algorithm = HOTP_SHA256,
                          .digits = 8,
                          .period = 60};

    assert_int_equal(token_generate_secret(&token), ERR_OK);
    assert_int_equal(credential_new(now, ret), ERR_OK);
    assert_int_equal(credential_add(ret, "app", &token, 0, now), ERR_OK);
}

static void
overwriting_leaves_nothing_of_the_former_enrolment(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    AUTO(credential_wipe) struct credential credential;
    enum vault_condition condition;
    uint8_t bytes[RECORD];

    (void)context;
    new_credential(&credential);
    assert_int_equal(vault_create(vault, "alice", &credential), ERR_EXISTS);
    assert_int_equal(vault_overwrite(vault, "alice", &credential,
                                     VAULT_OVER_REVOKED, window),
                     ERR_EXISTS);
    assert_int_equal(vault_overwrite(vault, "nobody", &credential,
                                     VAULT_OVER_ANYTHING, window),
                     ERR_NOT_FOUND);
    assert_int_equal(vault_overwrite(vault, "alice", &credential,
                                     VAULT_OVER_ANYTHING, window),
                     ERR_OK);
    for (unsigned slot = 0; slot < STORE_VERSIONS; slot++) {
        /* Whichever slot is lost, the other one is of the new enrolment. */
        read_record("alice", bytes);
        bytes[slot * SLOT + 100] ^= 1;
        write_record("alice", bytes);
        assert_int_equal(vault_begin(vault, "alice", false, window, &condition),
                         ERR_OK);
        assert_int_equal(condition, VAULT_TORN);
        assert_memory_equal(vault_credential(vault)->enrolment.id,
                            credential.enrolment.id, CREDENTIAL_ID_BYTES);
        vault_end(vault);
        bytes[slot * SLOT + 100] ^= 1;
        write_record("alice", bytes);
    }
}

static void
a_damaged_record_can_be_overwritten(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    AUTO(credential_wipe) struct credential credential;
    enum vault_condition condition;
    uint8_t bytes[RECORD];

    (void)context;
    new_credential(&credential);
    memset(bytes, 0xff, sizeof(bytes));
    write_record("alice", bytes);
    assert_int_equal(begin("alice", &condition, NULL), ERR_SEALED);
    assert_int_equal(vault_overwrite(vault, "alice", &credential,
                                     VAULT_OVER_ANYTHING, window),
                     ERR_OK);
    assert_int_equal(begin("alice", &condition, NULL), ERR_OK);
    assert_int_equal(condition, VAULT_WHOLE);
}

static void
overwriting_reaches_both_slots_whatever_their_headers_claim(void **context)
{
    static const uint8_t claims[] = {0xff, 0x80, 0x01, 0x00};

    (void)context;
    for (size_t i = 0; i < ARRAY_LENGTH(claims); i++) {
        AUTO(vault_close) struct vault *vault = open_vault();
        AUTO(credential_wipe) struct credential tombstone;
        uint8_t before[RECORD], after[RECORD];
        enum vault_condition condition;

        for (unsigned slot = 0; slot < STORE_VERSIONS; slot++) {
            read_record("alice", before);
            memset(before + slot * SLOT + 8, claims[i], 8);
            write_record("alice", before);
            assert_int_equal(credential_tombstone(now, &tombstone), ERR_OK);
            assert_int_equal(vault_overwrite(vault, "alice", &tombstone,
                                             VAULT_OVER_ANYTHING, window),
                             ERR_OK);
            read_record("alice", after);
            for (unsigned j = 0; j < STORE_VERSIONS; j++)
                assert_memory_not_equal(after + j * SLOT + 32,
                                        before + j * SLOT + 32, 1024);
            /* and its commits go on counting upwards */
            for (unsigned turn = 0; turn < 3; turn++) {
                assert_int_equal(
                    vault_begin(vault, "alice", false, window, &condition),
                    ERR_OK);
                assert_int_equal(condition, VAULT_WHOLE);
                vault_credential(vault)->state.failed_since = turn;
                assert_int_equal(vault_commit(vault), ERR_OK);
            }
            assert_int_equal(
                vault_begin(vault, "alice", false, window, &condition), ERR_OK);
            assert_int_equal(vault_credential(vault)->state.failed_since, 2);
            vault_end(vault);
        }
    }
}

static void
a_secret_that_is_enrolled_again_keeps_its_floor(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    AUTO(credential_wipe) struct credential credential;
    enum vault_condition condition;
    uint8_t bytes[RECORD];

    (void)context;
    assert_int_equal(vault_begin(vault, "alice", false, window, &condition),
                     ERR_OK);
    credential = *vault_credential(vault);
    credential.state.usage[0].floor = 0;
    assert_int_equal(vault_overwrite(vault, "alice", &credential,
                                     VAULT_OVER_ANYTHING, window),
                     ERR_OK);
    assert_int_equal(vault_begin(vault, "alice", false, window, &condition),
                     ERR_OK);
    assert_true(vault_credential(vault)->state.usage[0].floor == 7);
    vault_end(vault);
    /* What it was cannot be read: the window counts as used. */
    memset(bytes, 0, sizeof(bytes));
    write_record("alice", bytes);
    assert_int_equal(
        vault_overwrite(vault, "alice", &credential, VAULT_OVER_ANYTHING, 3),
        ERR_OK);
    assert_int_equal(vault_begin(vault, "alice", false, window, &condition),
                     ERR_OK);
    assert_true(vault_credential(vault)->state.usage[0].floor ==
                (uint64_t)now / 30 + 4);
}

/* A child that holds the lock, unlinks the record and lets go. */
static pid_t
forget_meanwhile(void)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int ready[2];
    char byte;
    pid_t child;

    assert_int_equal(pipe(ready), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int fd = open(record_path("alice"), O_RDWR | O_CLOEXEC);

        if (fcntl(fd, F_OFD_SETLK, &whole) != 0 || write(ready[1], "r", 1) != 1)
            _exit(1);
        (void)usleep(100000); /* the other one waits by then */
        _exit(unlink(record_path("alice")) == 0 ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
    (void)close(ready[1]);
    return child;
}

static void
a_change_that_waited_for_a_forgotten_record_says_so(void **context)
{
    AUTO(vault_close) struct vault *vault = NULL;
    AUTO(credential_wipe) struct credential credential;
    bool enrolled = true;
    int status = 1;
    pid_t child;

    (void)context;
    place.lock_wait = 5000;
    vault = open_vault();
    new_credential(&credential);
    child = forget_meanwhile();
    assert_int_equal(vault_overwrite(vault, "alice", &credential,
                                     VAULT_OVER_ANYTHING, window),
                     ERR_NOT_FOUND);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(vault_enrolled(vault, "alice", &enrolled), ERR_OK);
    assert_false(enrolled);
}

static void
a_clock_that_went_back_does_not_shorten_what_is_spent(void **context)
{
    enum vault_condition condition;
    uint8_t bytes[RECORD];
    uint64_t floor = 0;

    (void)context;
    read_record("alice", bytes);
    bytes[SLOT + 100] ^= 1;
    write_record("alice", bytes);
    now -= 600;
    assert_int_equal(begin("alice", &condition, &floor), ERR_OK);
    assert_int_equal(condition, VAULT_TORN);
    assert_true(floor == (uint64_t)(now + 600) / 30 + 2);
}

static void
what_replaces_a_torn_record_keeps_the_whole_version_until_it_is_written(
    void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    AUTO(credential_wipe) struct credential credential;
    uint8_t before[RECORD], bytes[RECORD];

    (void)context;
    read_record("alice", before);
    before[SLOT + 100] ^= 1; /* the newer one: the older is all there is */
    write_record("alice", before);
    new_credential(&credential);
    writes_left = 1;
    assert_int_not_equal(vault_overwrite(vault, "alice", &credential,
                                         VAULT_OVER_ANYTHING, window),
                         ERR_OK);
    writes_left = UINT_MAX;
    read_record("alice", bytes);
    assert_memory_equal(bytes, before, SLOT);
    assert_memory_not_equal(bytes + SLOT, before + SLOT, SLOT);
}

static void
who_waits_for_a_forgotten_record_finds_a_tombstone(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    AUTO(file_close) int fd = -1;
    AUTO(credential_wipe) struct credential tombstone;
    enum vault_condition condition;
    uint8_t bytes[RECORD];

    (void)context;
    fd = open(record_path("alice"), O_RDONLY | O_CLOEXEC); /* as a login has */
    assert_int_equal(credential_tombstone(now, &tombstone), ERR_OK);
    assert_int_equal(vault_forget(vault, "alice", &tombstone), ERR_OK);
    assert_int_equal(pread(fd, bytes, RECORD, 0), RECORD);
    write_record("alice", bytes);
    assert_int_equal(vault_begin(vault, "alice", false, window, &condition),
                     ERR_OK);
    assert_int_equal(vault_credential(vault)->enrolment.status,
                     ENROLMENT_REVOKED);
}

static void
a_forgotten_user_is_proven_absent(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();
    AUTO(credential_wipe) struct credential tombstone;
    bool enrolled = true;

    (void)context;
    assert_int_equal(credential_tombstone(now, &tombstone), ERR_OK);
    assert_int_equal(vault_forget(vault, "nobody", &tombstone), ERR_NOT_FOUND);
    assert_int_equal(vault_forget(vault, "alice", &tombstone), ERR_OK);
    assert_int_equal(vault_enrolled(vault, "alice", &enrolled), ERR_OK);
    assert_false(enrolled);
}

static void
a_store_is_not_initialised_twice(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();

    (void)context;
    assert_int_equal(vault_init(vault), ERR_EXISTS);
    /* One that was cut short before the sentinel goes on. */
    assert_int_equal(unlink(record_path("+sentinel")), 0);
    assert_int_equal(unlink(record_path("+decoy.fe")), 0);
    assert_int_equal(vault_init(vault), ERR_OK);
    assert_int_equal(access(record_path("+decoy.fe"), F_OK), 0);
}

static void
no_commit_without_an_open_record(void **context)
{
    AUTO(vault_close) struct vault *vault = open_vault();

    (void)context;
    assert_int_equal(vault_commit(vault), ERR_INVALID);
}

#define VAULT_TEST(function)                                                   \
    cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        VAULT_TEST(a_record_comes_back_as_it_was_made),
        VAULT_TEST(a_commit_is_seen_by_the_next_login_and_changes_one_slot),
        VAULT_TEST(a_user_without_a_record_gets_a_decoy_or_nothing),
        VAULT_TEST(decoys_share_the_load_and_a_name_keeps_its_own),
        VAULT_TEST(every_altered_byte_of_a_slot_is_noticed),
        VAULT_TEST(two_altered_slots_are_refused_and_left_alone),
        VAULT_TEST(a_torn_slot_is_mended_by_the_next_commit),
        VAULT_TEST(a_header_that_lies_about_its_age_is_noticed),
        VAULT_TEST(a_record_of_another_user_does_not_open),
        VAULT_TEST(a_decoy_in_a_users_place_does_not_open),
        VAULT_TEST(the_parts_of_a_slot_do_not_change_places),
        VAULT_TEST(absence_is_believed_only_from_our_own_store),
        VAULT_TEST(a_new_key_takes_over_at_the_next_login),
        VAULT_TEST(a_missing_or_revoked_key_refuses_and_writes_nothing),
        VAULT_TEST(a_record_of_the_first_format_opens_for_ever),
        VAULT_TEST(overwriting_leaves_nothing_of_the_former_enrolment),
        VAULT_TEST(a_damaged_record_can_be_overwritten),
        VAULT_TEST(overwriting_reaches_both_slots_whatever_their_headers_claim),
        VAULT_TEST(a_secret_that_is_enrolled_again_keeps_its_floor),
        VAULT_TEST(a_change_that_waited_for_a_forgotten_record_says_so),
        VAULT_TEST(a_clock_that_went_back_does_not_shorten_what_is_spent),
        VAULT_TEST(
            what_replaces_a_torn_record_keeps_the_whole_version_until_it_is_written),
        VAULT_TEST(who_waits_for_a_forgotten_record_finds_a_tombstone),
        VAULT_TEST(a_forgotten_user_is_proven_absent),
        VAULT_TEST(a_store_is_not_initialised_twice),
        VAULT_TEST(no_commit_without_an_open_record),
    };

    return cmocka_run_group_tests_name("vault", tests, NULL, NULL);
}
