/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Showing a key to the person who enrols: as a QR code in the terminal where
 * one fits, in groups of four, and as a picture file when asked for.
 */
#ifndef PAWL_ENROLL_SHOW_H
#define PAWL_ENROLL_SHOW_H

#include "enroll/qr_terminal.h"
#include "enroll/tool.h"
#include "lib/otpauth.h"

struct show_choices {
    enum qr_wish wish; /* --qr */
    const char *file;  /* --qr-file, or NULL */
};

/* What stands on the screen and is to be taken off it again. */
struct shown {
    int rows; /* of the terminal; 0 when standard output is none */
};

/* "auto", "big", "small", "none". ERR_INVALID for anything else. */
enum err show_wish_parse(const char *word, enum qr_wish *ret) MUST_CHECK;

/*
 * Fills in what the app will show: issuer (as given, else as configured, else
 * this host's short name) and account. EXIT_USAGE for a name that no URI can
 * carry; a warning for one that some apps get wrong.
 */
enum exit_code show_names(const struct tool *tool, const char *issuer,
                          const char *account, struct otpauth *otpauth)
    MUST_CHECK;

/* Rows of the terminal that so many characters take. */
int show_rows(size_t length);

/* Prints it all to standard output; the file is written first. */
enum exit_code show_key(const struct tool *tool,
                        const struct show_choices *choices,
                        const struct otpauth *otpauth, struct shown *ret)
    MUST_CHECK;

/*
 * Takes the key off the screen, with lines more rows (prompts and answers)
 * below it, so that it does not stay in the scroll-back.
 */
void show_clear(const struct shown *shown, int lines);

#endif
