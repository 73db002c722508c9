/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Plays .case files: scripts of logins through the module's own objects, over
 * a stand-in for libpam and a real store in a scratch folder. A new case is a
 * new file in tests/pam/cases; its name is the sentence it proves.
 *
 * What a line may say (README in that folder tells it by example):
 *
 *   conf KEY = VALUE           one more line of pawl.conf
 *   arguments [ARGUMENT]...    of the module; conf= is put in front if absent
 *   service|user|tty|ruser|rhost|authtok [TEXT]     a PAM item; unset without
 *   user-fails CODE            pam_get_user gives that code
 *   set-fails CODE             so does pam_set_item
 *   account NAME [CANONICAL]   exists on this host
 *   enrol NAME KEY=VALUE...    key (hex), algorithm, digits, period, floor
 *   time @N | +N | -N | fails  the clock, in seconds
 *   chmod MODE FILE, remove FILE, flip FILE OFFSET  done to a scratch file
 *   ENTRY [silent] = CODE      a call, and what it must return
 *
 * Below a call, indented: what must happen, in this order and nothing else,
 *
 *   prompt off|on "TEXT"   message "TEXT"   log LEVEL "TEXT"   authtok "TEXT"
 *   log LEVEL ...          any line of that level
 *   delay N                once, wherever; 2000 if it is left out
 *   answer TEXT | null | fails CODE | N x TEXT      what the person does
 *
 * and always: no line of the log holds anything that was typed.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/pam/run.h"
#include "tests/pam/script.h"

static enum err
read_fixed(void *context, struct moment *ret)
{
    const struct run *run = context;

    if (run->clock_fails)
        return ERR_CLOCK;
    *ret = run->moment;
    return ERR_OK;
}

char *
run_copy(const char *text)
{
    char *result = strdup(text);

    if (result == NULL)
        scratch_bail("no memory");
    return result;
}

void
run_broken(const struct run *run, const char *why)
{
    scratch_bail("%s:%u: %s", run->file, run->number, why);
}

static void
play_line(struct run *run, struct script_line *line)
{
    scene_directive *directive;

    if (line->indented) {
        call_continue(run, line);
        return;
    }
    call_finish(run);
    if (call_start(run, line))
        return;
    directive = scene_find(line->words[0]);
    if (directive == NULL)
        run_broken(run, "unknown word");
    directive(run, line);
}

static void
play_lines(struct run *run, FILE *file)
{
    static struct script_line line;
    char *text = NULL;
    size_t room = 0;

    while (getline(&text, &room, file) > 0) {
        run->number++;
        if (text[strspn(text, " ")] == '\n' || text[0] == '#')
            continue;
        if (!script_read(text, run->scratch.folder, &line))
            run_broken(run, "not to be read");
        play_line(run, &line);
    }
    call_finish(run);
    free(text);
}

/* True when all went as the file says. */
static bool
play(const char *path)
{
    static struct run run;
    static struct clock clock = {read_fixed, &run};
    FILE *file = fopen(path, "re");

    if (file == NULL)
        scratch_bail("%s: %s", path, strerror(errno));
    run = (struct run){.file = path, .moment = {1700000000, 1700000000000}};
    fakepam_set(&run.pamh.service, "sshd");
    scratch_make(&run.scratch, &clock);
    play_lines(&run, file);
    (void)fclose(file);
    for (int i = 0; i < run.argument_count; i++)
        free(run.arguments[i]);
    fakepam_clear(&run.pamh);
    scratch_remove(&run.scratch);
    return !run.failed;
}

static int
is_case(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 5 && strcmp(entry->d_name + length - 5, ".case") == 0;
}

int
main(void)
{
    const char *source = getenv("srcdir");
    struct dirent **entries_found = NULL;
    char folder[PATH_MAX], path[PATH_MAX];
    int count, failures = 0;

    (void)snprintf(folder, sizeof(folder), "%.2048s/tests/pam/cases",
                   source == NULL ? "." : source);
    count = scandir(folder, &entries_found, is_case, alphasort);
    if (count <= 0)
        scratch_bail("%s: no cases", folder);
    (void)printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        const char *name = entries_found[i]->d_name;
        bool good;

        (void)snprintf(path, sizeof(path), "%.3000s/%.255s", folder, name);
        good = play(path);
        failures += !good;
        (void)printf("%sok %d - %.*s\n", good ? "" : "not ", i + 1,
                     (int)strlen(name) - 5, name);
        free(entries_found[i]);
    }
    free(entries_found);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
