/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A code that a person types at the tool.
 */
#ifndef PAWL_ENROLL_TYPED_H
#define PAWL_ENROLL_TYPED_H

#include "enroll/tty.h"
#include "lib/attrs.h"
#include "lib/err.h"

struct typed {
    char text[TTY_ANSWER_MAX];
};

void typed_wipe(struct typed *typed);

/*
 * Asks for a code and drops the blanks and dashes that apps show between
 * groups of digits. A line too long to be a code comes back empty. Errors of
 * tty_ask.
 */
enum err typed_ask(struct tty *tty, const char *prompt, struct typed *ret)
    MUST_CHECK;

#endif
