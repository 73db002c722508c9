/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One .case file being played: the scene, and the call whose lines are read.
 */
#ifndef PAWL_TESTS_PAM_RUN_H
#define PAWL_TESTS_PAM_RUN_H

#include <stdbool.h>

#include "lib/clock.h"

#include "tests/pam/fakepam.h"
#include "tests/support/scratch.h"

struct script_line;

enum {
    ARGUMENTS = 16,
    CONF_BYTES = 4096,
};

struct run {
    const char *file;
    unsigned number; /* of the line */
    bool failed;
    struct scratch scratch;
    struct moment moment;
    bool clock_fails;
    struct pam_handle pamh;
    char conf[CONF_BYTES];
    char *arguments[ARGUMENTS];
    int argument_count;

    /* The call whose indented lines are being read. */
    char *entry; /* NULL without one */
    unsigned call_number;
    int flags;
    int code;
    unsigned delay;
    char *expected[FAKEPAM_EVENTS];
    unsigned expected_count;
};

/* What the file says makes no sense: ends the program. */
void run_broken(const struct run *run, const char *why)
    __attribute__((noreturn));

char *run_copy(const char *text);

/* Each takes a line that is no call; scene_find knows it by its first word. */
typedef void scene_directive(struct run *run, struct script_line *line);
scene_directive *scene_find(const char *word);

/* Takes "ENTRY [silent] = CODE"; false when its first word is no entry. */
bool call_start(struct run *run, struct script_line *line);

/* Takes a line below a call. */
void call_continue(struct run *run, struct script_line *line);

/* Plays the call that was read, if there is one, and compares. */
void call_finish(struct run *run);

#endif
