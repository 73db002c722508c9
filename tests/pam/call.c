/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <security/pam_modules.h>

#include "pam/module.h"

#include "tests/pam/run.h"
#include "tests/pam/script.h"

enum {
    DEFAULT_DELAY = 2000, /* milliseconds */
    TYPED_MIN = 4,        /* shorter answers occur in a log line by chance */
};

static void
fail(struct run *run, const char *what, const char *text)
{
    (void)printf("# %s:%u: %s %s\n", run->file, run->call_number, what, text);
    run->failed = true;
}

/* An expected "log LEVEL ..." stands for any line of that level. */
static bool
matches(const char *expected, const char *event)
{
    size_t length = strlen(expected);

    if (length > 4 && strcmp(expected + length - 4, " ...") == 0)
        return strncmp(expected, event, length - 3) == 0;
    return strcmp(expected, event) == 0;
}

/* Takes the delays out of what happened: exactly one, and the right one. */
static void
check_delay(struct run *run)
{
    struct pam_handle *pamh = &run->pamh;
    unsigned delays = 0, kept = 0;
    char right[32];

    (void)snprintf(right, sizeof(right), "delay %u", run->delay);
    for (unsigned i = 0; i < pamh->event_count; i++) {
        if (strncmp(pamh->events[i], "delay ", 6) != 0) {
            pamh->events[kept++] = pamh->events[i];
            continue;
        }
        delays++;
        if (strcmp(pamh->events[i], right) != 0)
            fail(run, "happened:", pamh->events[i]);
        free(pamh->events[i]);
    }
    pamh->event_count = kept;
    if (delays != 1)
        fail(run, "did not happen once:", right);
}

static void
compare(struct run *run)
{
    const struct pam_handle *pamh = &run->pamh;
    unsigned most = run->expected_count > pamh->event_count
                        ? run->expected_count
                        : pamh->event_count;

    for (unsigned i = 0; i < most; i++) {
        const char *expected =
            i < run->expected_count ? run->expected[i] : "(nothing)";
        const char *event =
            i < pamh->event_count ? pamh->events[i] : "(nothing)";

        if (matches(expected, event))
            continue;
        fail(run, "expected:", expected);
        fail(run, "happened:", event);
        return;
    }
}

static void
check_secrecy(struct run *run, const char *typed)
{
    if (typed == NULL || strlen(typed) < TYPED_MIN)
        return;
    for (unsigned i = 0; i < run->pamh.event_count; i++) {
        const char *event = run->pamh.events[i];

        if (strncmp(event, "authtok", 7) != 0 && strstr(event, typed) != NULL)
            fail(run, "typed text came out:", event);
    }
}

static int
authenticate_by_script(struct run *run)
{
    const char *arguments[ARGUMENTS + 1];
    char conf[PATH_MAX + 8];
    int count = 0;

    (void)snprintf(conf, sizeof(conf), "conf=%s", run->scratch.conf);
    arguments[count++] = conf;
    for (int i = 0; i < run->argument_count; i++) {
        if (strncmp(run->arguments[i], "conf", 4) == 0 && count > 0 &&
            arguments[0] == conf)
            count = 0;
        arguments[count++] = run->arguments[i];
    }
    return module_authenticate(&run->pamh, run->flags, count, arguments,
                               run->scratch.clock);
}

static const struct {
    const char *name;
    int (*call)(pam_handle_t *, int, int, const char **);
} entries[] = {
    {"setcred", pam_sm_setcred},
    {"acct_mgmt", pam_sm_acct_mgmt},
    {"open_session", pam_sm_open_session},
    {"close_session", pam_sm_close_session},
    {"chauthtok", pam_sm_chauthtok},
};

static bool
is_entry(const char *word)
{
    for (size_t i = 0; i < ARRAY_LENGTH(entries); i++) {
        if (strcmp(word, entries[i].name) == 0)
            return true;
    }
    return strcmp(word, "authenticate") == 0;
}

static int
call_entry(struct run *run)
{
    for (size_t i = 0; i < ARRAY_LENGTH(entries); i++) {
        if (strcmp(run->entry, entries[i].name) == 0)
            return entries[i].call(&run->pamh, run->flags, 0, NULL);
    }
    return authenticate_by_script(run);
}

void
call_finish(struct run *run)
{
    char *authtok = NULL;
    int code;

    if (run->entry == NULL)
        return;
    fakepam_set(&authtok, run->pamh.authtok);
    code = call_entry(run);
    if (strcmp(run->entry, "authenticate") == 0)
        check_delay(run);
    if (code != run->code)
        fail(run, "returned", script_pam_name(code));
    compare(run);
    for (unsigned i = 0; i < run->pamh.reply_count; i++)
        check_secrecy(run, run->pamh.replies[i].text);
    check_secrecy(run, authtok);
    if (run->pamh.replied < run->pamh.reply_count)
        fail(run, "did not ask for", "every answer");
    if (run->pamh.replied > 0 && run->pamh.lookups != 1)
        fail(run, "looked up the account", "more or less than once");
    fakepam_set(&authtok, NULL);
    fakepam_forget(&run->pamh);
    for (unsigned i = 0; i < run->expected_count; i++)
        free(run->expected[i]);
    free(run->entry);
    run->entry = NULL;
    run->expected_count = 0;
}

bool
call_start(struct run *run, struct script_line *line)
{
    unsigned equals = line->count - 2;

    if (!is_entry(line->words[0]))
        return false;
    if (line->count < 3 || strcmp(line->words[equals], "=") != 0)
        run_broken(run, "not ENTRY [silent] = CODE");
    run->entry = run_copy(line->words[0]);
    run->call_number = run->number;
    run->delay = DEFAULT_DELAY;
    run->flags = strcmp(line->words[1], "silent") == 0 ? PAM_SILENT : 0;
    run->code = script_pam_code(line->words[equals + 1]);
    if (run->code < 0)
        run_broken(run, "unknown PAM code");
    return true;
}

/* Answers ---------------------------------------------------------------- */

static char *
repeat(unsigned long count, const char *text)
{
    size_t length = strlen(text);
    char *result = malloc(count * length + 1);

    if (result == NULL)
        scratch_bail("no memory");
    for (unsigned long i = 0; i < count; i++)
        memcpy(result + i * length, text, length);
    result[count * length] = '\0';
    return result;
}

static void
add_answer(struct run *run, struct script_line *line)
{
    struct fakepam_reply *reply = &run->pamh.replies[run->pamh.reply_count];

    if (run->pamh.reply_count == FAKEPAM_REPLIES || line->count < 2)
        run_broken(run, "not an answer");
    run->pamh.reply_count++;
    *reply = (struct fakepam_reply){PAM_SUCCESS, NULL};
    if (strcmp(line->rest, "answer null") == 0)
        return;
    if (line->count == 3 && strcmp(line->words[1], "fails") == 0)
        reply->status = script_pam_code(line->words[2]);
    else if (line->count == 4 && strcmp(line->words[2], "x") == 0)
        reply->text = repeat(strtoul(line->words[1], NULL, 10), line->words[3]);
    else
        reply->text = run_copy(line->words[1]);
}

void
call_continue(struct run *run, struct script_line *line)
{
    if (run->entry == NULL)
        run_broken(run, "indented without a call above");
    if (strcmp(line->words[0], "answer") == 0)
        add_answer(run, line);
    else if (strcmp(line->words[0], "delay") == 0 && line->count == 2)
        run->delay = (unsigned)strtoul(line->words[1], NULL, 10);
    else if (run->expected_count < FAKEPAM_EVENTS)
        run->expected[run->expected_count++] = run_copy(line->rest);
}
