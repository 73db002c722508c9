/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <security/pam_modutil.h>

#include "lib/attrs.h"

#include "tests/pam/fakepam.h"
#include "tests/support/scratch.h"

static char *
format_text(const char *format, va_list arguments)
{
    char *text;

    if (vasprintf(&text, format, arguments) < 0)
        scratch_bail("no memory");
    return text;
}

static void record(struct pam_handle *pamh, const char *format, ...)
    PRINTF_LIKE(2, 3);

static void
record(struct pam_handle *pamh, const char *format, ...)
{
    va_list arguments;

    if (pamh->event_count == FAKEPAM_EVENTS)
        scratch_bail("more happened than a transcript holds");
    va_start(arguments, format);
    pamh->events[pamh->event_count++] = format_text(format, arguments);
    va_end(arguments);
}

void
fakepam_set(char **place, const char *text)
{
    free(*place);
    *place = NULL;
    if (text == NULL)
        return;
    *place = strdup(text);
    if (*place == NULL)
        scratch_bail("no memory");
}

void
fakepam_forget(struct pam_handle *pamh)
{
    for (unsigned i = 0; i < pamh->event_count; i++)
        fakepam_set(&pamh->events[i], NULL);
    for (unsigned i = 0; i < pamh->reply_count; i++)
        fakepam_set(&pamh->replies[i].text, NULL);
    pamh->event_count = pamh->reply_count = pamh->replied = 0;
    pamh->lookups = 0;
}

void
fakepam_clear(struct pam_handle *pamh)
{
    char **items[] = {&pamh->service, &pamh->user,  &pamh->tty,
                      &pamh->ruser,   &pamh->rhost, &pamh->authtok};

    fakepam_forget(pamh);
    for (size_t i = 0; i < ARRAY_LENGTH(items); i++)
        fakepam_set(items[i], NULL);
    for (unsigned i = 0; i < pamh->account_count; i++) {
        free(pamh->accounts[i].alias);
        free(pamh->accounts[i].name);
    }
    *pamh = (struct pam_handle){0};
}

/* libpam's part ---------------------------------------------------------- */

int
pam_get_user(pam_handle_t *pamh, const char **user, const char *prompt)
{
    if (prompt != NULL)
        record(pamh, "asks for the user with a prompt of its own");
    *user = pamh->user;
    return pamh->user_status;
}

static char **
find_item(pam_handle_t *pamh, int type)
{
    switch (type) {
    case PAM_SERVICE:
        return &pamh->service;
    case PAM_TTY:
        return &pamh->tty;
    case PAM_RUSER:
        return &pamh->ruser;
    case PAM_RHOST:
        return &pamh->rhost;
    case PAM_AUTHTOK:
        return &pamh->authtok;
    default:
        return NULL;
    }
}

int
pam_get_item(const pam_handle_t *pamh, int type, const void **item)
{
    pam_handle_t *ours = (pam_handle_t *)(uintptr_t)pamh;
    char **place = find_item(ours, type);

    if (place == NULL)
        scratch_bail("the module reads an item it has no use for: %d", type);
    *item = *place;
    return PAM_SUCCESS;
}

int
pam_set_item(pam_handle_t *pamh, int type, const void *item)
{
    if (type != PAM_AUTHTOK)
        scratch_bail("the module sets an item of its host: %d", type);
    if (pamh->set_status != PAM_SUCCESS)
        return pamh->set_status;
    record(pamh, "authtok \"%s\"", (const char *)item);
    fakepam_set(&pamh->authtok, item);
    return PAM_SUCCESS;
}

/* The text as PAM got it, so that a stray byte shows. */
static void
record_text(pam_handle_t *pamh, const char *what, const char *text)
{
    char escaped[4096];
    size_t used = 0;

    for (; *text != '\0' && used < sizeof(escaped) - 5; text++) {
        unsigned char c = (unsigned char)*text;

        if (c >= ' ' && c < 0x7f)
            escaped[used++] = (char)c;
        else
            used += (size_t)snprintf(escaped + used, 5, "<%02x>", c);
    }
    escaped[used] = '\0';
    record(pamh, "%s \"%s\"", what, escaped);
}

static int
reply(pam_handle_t *pamh, char **response)
{
    const struct fakepam_reply *next;

    if (pamh->replied == pamh->reply_count) {
        record(pamh, "asks once too often");
        return PAM_CONV_ERR;
    }
    next = &pamh->replies[pamh->replied++];
    if (next->text != NULL)
        fakepam_set(response, next->text);
    return next->status;
}

int
pam_prompt(pam_handle_t *pamh, int style, char **response, const char *format,
           ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = format_text(format, arguments);
    va_end(arguments);
    record_text(pamh,
                style == PAM_PROMPT_ECHO_OFF  ? "prompt off"
                : style == PAM_PROMPT_ECHO_ON ? "prompt on"
                : style == PAM_ERROR_MSG      ? "message"
                                              : "unknown style",
                text);
    free(text);
    if (response == NULL)
        return PAM_SUCCESS;
    *response = NULL;
    return reply(pamh, response);
}

void
pam_syslog(const pam_handle_t *pamh, int priority, const char *format, ...)
{
    static const char *const names[] = {"emerg",   "alert",  "crit", "err",
                                        "warning", "notice", "info", "debug"};
    pam_handle_t *ours = (pam_handle_t *)(uintptr_t)pamh;
    char what[16];
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = format_text(format, arguments);
    va_end(arguments);
    if (priority < 0 || priority > LOG_DEBUG)
        scratch_bail("a priority with a facility: %d", priority);
    (void)snprintf(what, sizeof(what), "log %s", names[priority]);
    record_text(ours, what, text);
    free(text);
}

int
pam_fail_delay(pam_handle_t *pamh, unsigned microseconds)
{
    record(pamh, "delay %u", microseconds / 1000);
    return PAM_SUCCESS;
}

struct passwd *
pam_modutil_getpwnam(pam_handle_t *pamh, const char *user)
{
    pamh->lookups++;
    for (unsigned i = 0; i < pamh->account_count; i++) {
        if (strcmp(pamh->accounts[i].alias, user) != 0)
            continue;
        pamh->found = (struct passwd){.pw_name = pamh->accounts[i].name};
        return &pamh->found;
    }
    return NULL;
}
