/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a person typed: a code, or a password with the code behind it. Lives
 * on the stack of one authentication, wiped when that ends.
 */
#ifndef PAWL_PAM_ANSWER_H
#define PAWL_PAM_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ANSWER_BYTES = 512, /* with the NUL: Linux-PAM's PAM_MAX_RESP_SIZE */
};

/* text is password bytes of password, then the code to its end. */
struct answer {
    char text[ANSWER_BYTES];
    size_t length;   /* bytes of text before its NUL */
    size_t password; /* bytes before the code */
};

void answer_wipe(struct answer *answer);

/*
 * Takes a copy of text, all of it as the code. Text that does not fit is
 * nothing anybody types: it becomes an empty answer, which is malformed.
 */
void answer_set(struct answer *answer, const char *text);

/*
 * Parts a password from the code of so many digits behind it. False when it
 * does not end in as many digits, or when nothing stands before them; the
 * code is then empty.
 */
bool answer_split(struct answer *answer, unsigned digits);

/* Cuts the code off: what is left is the password. */
void answer_cut(struct answer *answer);

#endif
