/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stand-in for what the module uses of libpam. It writes down everything
 * that is said and done as a line of a transcript, in the words of a .case
 * file, and gives the answers it was told to give.
 */
#ifndef PAWL_TESTS_PAM_FAKEPAM_H
#define PAWL_TESTS_PAM_FAKEPAM_H

#include <pwd.h>
#include <stdbool.h>

enum {
    FAKEPAM_EVENTS = 64,
    FAKEPAM_REPLIES = 8,
    FAKEPAM_ACCOUNTS = 8,
};

/* What the conversation gives back for one prompt. */
struct fakepam_reply {
    int status;
    char *text; /* NULL: no response */
};

/* An account: looked up under alias, its canonical name is name. */
struct fakepam_account {
    char *alias;
    char *name;
};

struct pam_handle {
    char *service;
    char *user;
    int user_status; /* what pam_get_user says */
    char *tty;
    char *ruser;
    char *rhost;
    char *authtok;
    int set_status; /* what pam_set_item says */
    struct fakepam_account accounts[FAKEPAM_ACCOUNTS];
    unsigned account_count;
    struct passwd found;
    unsigned lookups; /* of accounts, since fakepam_forget */

    struct fakepam_reply replies[FAKEPAM_REPLIES];
    unsigned reply_count;
    unsigned replied;

    char *events[FAKEPAM_EVENTS];
    unsigned event_count;
};

/* Forgets replies and transcript; items and accounts stay. */
void fakepam_forget(struct pam_handle *pamh);

/* Takes the text; a text that was there before is freed. */
void fakepam_set(char **place, const char *text);

/* Frees all that hangs on pamh. */
void fakepam_clear(struct pam_handle *pamh);

#endif
