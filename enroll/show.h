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

/* One showing, to one person. */
struct show {
    const struct tool *tool;
    struct show_choices choices;
    const struct otpauth *otpauth;
    int rows; /* of the terminal that are to be cleared again */
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

/*
 * Shows it all on standard output; the file is written first. Nothing that
 * follows may rely on the key having been seen unless this is EXIT_DONE.
 */
enum exit_code show_key(struct show *show) MUST_CHECK;

/* The same again as wish says, in the place of what stands there. */
enum exit_code show_again(struct show *show, enum qr_wish wish) MUST_CHECK;

/*
 * Writes the picture to path: --qr-file, asked for at the prompt. Says how that
 * went; nothing hangs on it.
 */
void show_save(const struct show *show, const char *path);

/* So many characters of a conversation stand below, and a new line. */
void show_said(struct show *show, size_t length);

/*
 * Takes the key and the conversation off the screen, so that it does not stay
 * in the scroll-back. Does nothing where standard output is no terminal.
 */
void show_clear(struct show *show);

#endif
