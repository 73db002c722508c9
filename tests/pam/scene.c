/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/hotp.h"
#include "lib/token.h"

#include "tests/pam/run.h"
#include "tests/pam/script.h"

static void
set_conf(struct run *run, struct script_line *line)
{
    size_t used = strlen(run->conf);
    const char *text = line->rest + strlen("conf");

    text += strspn(text, " ");
    if (used + strlen(text) + 2 > sizeof(run->conf))
        run_broken(run, "pawl.conf is too long");
    (void)snprintf(run->conf + used, sizeof(run->conf) - used, "%s\n", text);
    scratch_configure(&run->scratch, run->conf);
}

static void
set_arguments(struct run *run, struct script_line *line)
{
    if (line->count > ARGUMENTS)
        run_broken(run, "too many arguments");
    for (int i = 0; i < run->argument_count; i++)
        free(run->arguments[i]);
    run->argument_count = 0;
    for (unsigned i = 1; i < line->count; i++)
        run->arguments[run->argument_count++] = run_copy(line->words[i]);
}

static void
set_item(struct run *run, struct script_line *line)
{
    struct pam_handle *pamh = &run->pamh;
    const struct {
        const char *name;
        char **place;
    } items[] = {
        {"service", &pamh->service}, {"user", &pamh->user},
        {"tty", &pamh->tty},         {"ruser", &pamh->ruser},
        {"rhost", &pamh->rhost},     {"authtok", &pamh->authtok},
    };

    for (size_t i = 0; i < ARRAY_LENGTH(items); i++) {
        if (strcmp(items[i].name, line->words[0]) == 0)
            fakepam_set(items[i].place, line->words[1]);
    }
}

static void
set_failure(struct run *run, struct script_line *line)
{
    int code = line->count == 2 ? script_pam_code(line->words[1]) : -1;

    if (code < 0)
        run_broken(run, "not a PAM code");
    if (strcmp(line->words[0], "user-fails") == 0)
        run->pamh.user_status = code;
    else
        run->pamh.set_status = code;
}

static void
add_account(struct run *run, struct script_line *line)
{
    struct pam_handle *pamh = &run->pamh;

    if (line->count < 2 || pamh->account_count == FAKEPAM_ACCOUNTS)
        run_broken(run, "not an account");
    pamh->accounts[pamh->account_count++] = (struct fakepam_account){
        run_copy(line->words[1]), run_copy(line->words[line->count - 1])};
}

static void
enrol(struct run *run, struct script_line *line)
{
    struct token token = {.type = TOKEN_TOTP,
                          .algorithm = HOTP_SHA1,
                          .digits = TOKEN_DIGITS,
                          .period = TOKEN_PERIOD};
    uint64_t floor = 0;

    for (unsigned i = 2; i < line->count; i++) {
        char *value = strchr(line->words[i], '=');

        if (value == NULL)
            run_broken(run, "not KEY=VALUE");
        *value++ = '\0';
        if (strcmp(line->words[i], "key") == 0)
            scratch_read_secret(value, &token.secret);
        else if (strcmp(line->words[i], "digits") == 0)
            token.digits = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(line->words[i], "period") == 0)
            token.period = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(line->words[i], "floor") == 0)
            floor = strtoull(value, NULL, 10);
        else if (strcmp(line->words[i], "algorithm") != 0 ||
                 hotp_algorithm_parse(value, &token.algorithm) != ERR_OK)
            run_broken(run, "unknown key or algorithm");
    }
    scratch_enrol(&run->scratch, line->words[1], &token, floor);
}

static void
set_time(struct run *run, struct script_line *line)
{
    const char *text = line->words[1];

    if (line->count != 2)
        run_broken(run, "not a time");
    run->clock_fails = strcmp(text, "fails") == 0;
    if (run->clock_fails)
        return;
    if (text[0] == '@')
        run->moment.wall = strtoll(text + 1, NULL, 10);
    else
        run->moment.wall += strtoll(text, NULL, 10);
    run->moment.boot = (uint64_t)run->moment.wall * 1000;
}

static void
flip(struct run *run, const char *path, off_t offset)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    unsigned char byte;

    if (fd < 0 || pread(fd, &byte, 1, offset) != 1)
        run_broken(run, "no such byte");
    byte ^= 1;
    if (pwrite(fd, &byte, 1, offset) != 1)
        run_broken(run, "cannot write that byte");
    (void)close(fd);
}

/* The scratch file is the last word, or the last but one of flip. */
static void
harm(struct run *run, struct script_line *line)
{
    char path[PATH_MAX];
    bool flips = strcmp(line->words[0], "flip") == 0;
    bool removes = strcmp(line->words[0], "remove") == 0;

    if (line->count != (removes ? 2 : 3))
        run_broken(run, "not chmod MODE FILE, remove FILE or flip FILE OFFSET");
    (void)snprintf(path, sizeof(path), "%.*s/%s", PATH_MAX / 2,
                   run->scratch.folder, line->words[flips || removes ? 1 : 2]);
    if (flips) {
        flip(run, path, (off_t)strtoll(line->words[2], NULL, 10));
    } else if (removes) {
        struct scratch part = {0};

        (void)snprintf(part.folder, sizeof(part.folder), "%s", path);
        scratch_remove(&part);
    } else if (chmod(path, (mode_t)strtoul(line->words[1], NULL, 8)) != 0) {
        run_broken(run, strerror(errno));
    }
}

static const struct {
    const char *name;
    scene_directive *run;
} directives[] = {
    {"account", add_account}, {"arguments", set_arguments},
    {"authtok", set_item},    {"chmod", harm},
    {"conf", set_conf},       {"enrol", enrol},
    {"flip", harm},           {"remove", harm},
    {"rhost", set_item},      {"ruser", set_item},
    {"service", set_item},    {"set-fails", set_failure},
    {"time", set_time},       {"tty", set_item},
    {"user", set_item},       {"user-fails", set_failure},
};

scene_directive *
scene_find(const char *word)
{
    for (size_t i = 0; i < ARRAY_LENGTH(directives); i++) {
        if (strcmp(directives[i].name, word) == 0)
            return directives[i].run;
    }
    return NULL;
}
