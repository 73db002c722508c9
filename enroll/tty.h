/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Questions to the person at the terminal.
 */
#ifndef PAWL_ENROLL_TTY_H
#define PAWL_ENROLL_TTY_H

#include <stdbool.h>

#include "lib/attrs.h"
#include "lib/err.h"

enum {
    TTY_ANSWER_MAX = 256, /* bytes of an answer with its NUL */
};

/*
 * Where answers come from: the controlling terminal, or standard input when
 * the caller said so (--stdin), a line each and without a prompt.
 */
struct tty {
    int fd;
    bool prompts; /* false: nobody sees a prompt */
};

/* ERR_NOT_FOUND when there is no terminal and use_stdin is false. */
enum err tty_open(bool use_stdin, struct tty *ret) MUST_CHECK;
void tty_close(struct tty *tty); /* takes one whose fd is -1 */

/*
 * Asks, and reads one line without its newline. ERR_NOT_FOUND at the end of
 * input, ERR_SPACE for a line that is too long (the rest of it is dropped).
 */
enum err tty_ask(struct tty *tty, const char *prompt, char ret[TTY_ANSWER_MAX])
    MUST_CHECK;

#endif
