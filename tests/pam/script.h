/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words of a .case file.
 */
#ifndef PAWL_TESTS_PAM_SCRIPT_H
#define PAWL_TESTS_PAM_SCRIPT_H

#include <stdbool.h>

enum {
    SCRIPT_WORDS = 24,
    SCRIPT_LINE = 8192, /* bytes of a line after substitution, with its NUL */
};

struct script_line {
    bool indented;
    unsigned count;
    char *words[SCRIPT_WORDS]; /* NULL behind the last */
    char room[SCRIPT_LINE];    /* where the words lie */
    char rest[SCRIPT_LINE];    /* the line as it stands, without its margin */
};

/*
 * Reads one line: words parted by blanks; "quotes" hold blanks together, and
 * in them \n \t \" \\ and \xHH are one byte. {dir} becomes folder, {ids} the
 * uid= and euid= of this process. False for a line that cannot be read.
 */
bool script_read(const char *line, const char *folder, struct script_line *ret);

/* PAM's number for a name such as PAM_SUCCESS, or -1; and back. */
int script_pam_code(const char *name);
const char *script_pam_name(int code);

#endif
