/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first code of a new authenticator: nothing is stored before the app has
 * shown that it computes what we compute.
 */
#ifndef PAWL_ENROLL_CONFIRM_H
#define PAWL_ENROLL_CONFIRM_H

#include <stdint.h>

#include "enroll/tool.h"
#include "enroll/tty.h"
#include "lib/token.h"

enum {
    CONFIRM_TRIES = 3,
};

/*
 * Asks for a code up to CONFIRM_TRIES times. *ret_floor is the step behind the
 * one that was confirmed: that code is spent. The right code is never shown.
 * *ret_lines is how many lines of the screen the conversation took.
 * EXIT_UNANSWERED when it did not come.
 */
enum exit_code confirm_token(const struct tool *tool, struct tty *tty,
                             const struct token *token, uint64_t *ret_floor,
                             int *ret_lines) MUST_CHECK;

#endif
