/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/credential.h"
#include "lib/file.h"
#include "lib/keyring.h"
#include "lib/vault.h"

#include "tests/support/folder.h"
#include "tests/support/scratch.h"

enum {
    LOCK_WAIT = 5000, /* milliseconds */
};

void
scratch_bail(const char *format, ...)
{
    va_list arguments;

    (void)fputs("Bail out! ", stdout);
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    (void)putchar('\n');
    exit(EXIT_FAILURE);
}

static void
must(enum err e, const char *what)
{
    if (e != ERR_OK)
        scratch_bail("%s: %s", what, err_text(e));
}

static void
join(char ret[PATH_MAX], const char *folder, const char *name)
{
    int length = snprintf(ret, PATH_MAX, "%s/%s", folder, name);

    if (length < 0 || length >= PATH_MAX)
        scratch_bail("%s/%s: too long", folder, name);
}

static void
write_file(const char *path, const char *text)
{
    AUTO(file_close)
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0)
        scratch_bail("%s: %s", path, strerror(errno));
    must(file_write(fd, text, strlen(text)), path);
}

static void
make_keyring(const struct scratch *scratch)
{
    static struct keyring keyring;
    static char text[KEYRING_FILE_MAX];
    struct moment now;

    keyring = (struct keyring){0};
    must(scratch->clock->read(scratch->clock->context, &now), "clock");
    must(keyring_add(&keyring, SEAL_AES_256_CBC_HMAC_SHA256, now.wall), "key");
    must(keyring_format(&keyring, text, sizeof(text)), "key ring");
    write_file(scratch->keyring, text);
}

static struct vault *
open_vault(const struct scratch *scratch)
{
    struct vault_place place = {scratch->store, scratch->keyring, LOCK_WAIT};
    struct vault *vault;

    must(vault_open(&place, scratch->clock, NULL, &vault), "vault");
    return vault;
}

void
scratch_make_in(struct scratch *scratch, const char *folder,
                const struct clock *clock)
{
    struct vault *vault;

    scratch->clock = clock;
    join(scratch->folder, folder, "");
    scratch->folder[strlen(folder)] = '\0';
    join(scratch->store, folder, "store");
    join(scratch->keyring, folder, "keyring");
    join(scratch->conf, folder, "pawl.conf");
    if (mkdir(scratch->store, 0700) != 0)
        scratch_bail("%s: %s", scratch->store, strerror(errno));
    make_keyring(scratch);
    scratch_configure(scratch, "");
    vault = open_vault(scratch);
    must(vault_init(vault), "init");
    vault_close(&vault);
}

void
scratch_make(struct scratch *scratch, const struct clock *clock)
{
    const char *parent = getenv("TMPDIR");
    char folder[PATH_MAX];

    if (parent == NULL)
        parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    join(folder, parent, "pawl-XXXXXX");
    if (mkdtemp(folder) == NULL)
        scratch_bail("%s: %s", folder, strerror(errno));
    scratch_make_in(scratch, folder, clock);
}

void
scratch_configure(const struct scratch *scratch, const char *lines)
{
    char *text;

    if (asprintf(&text, "store = %s\nkeyring = %s\n%s", scratch->store,
                 scratch->keyring, lines) < 0)
        scratch_bail("no memory");
    write_file(scratch->conf, text);
    free(text);
}

void
scratch_read_secret(const char *hex, struct secret *ret)
{
    size_t length = strlen(hex) / 2;

    *ret = (struct secret){0};
    if (length > SECRET_MAX || strspn(hex, "0123456789abcdef") != 2 * length)
        scratch_bail("not a secret: %s", hex);
    for (size_t i = 0; i < length; i++) {
        char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};

        ret->bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    ret->length = length;
}

void
scratch_enrol(const struct scratch *scratch, const char *user,
              const struct token *token, uint64_t floor)
{
    struct vault *vault = open_vault(scratch);
    struct credential credential;
    struct moment now;

    must(scratch->clock->read(scratch->clock->context, &now), "clock");
    must(credential_new(now.wall, &credential), "credential");
    must(credential_add(&credential, "phone", token, floor, now.wall), user);
    must(vault_create(vault, user, &credential), user);
    vault_close(&vault);
}

struct vault *
scratch_hold(const struct scratch *scratch, const char *user)
{
    struct vault *vault = open_vault(scratch);
    enum vault_condition condition;

    must(vault_begin(vault, user, false, 1, &condition), user);
    return vault;
}

void
scratch_set_floor(const struct scratch *scratch, const char *user,
                  uint64_t floor)
{
    struct vault *vault = scratch_hold(scratch, user);

    vault_credential(vault)->state.usage[0].floor = floor;
    must(vault_commit(vault), user);
    vault_close(&vault);
}

void
scratch_remove(const struct scratch *scratch)
{
    folder_remove_tree(scratch->folder);
}
