/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pawl.conf, read with inih: policy, in a global part and one [service] part
 * per PAM service that wants something else. pawl.conf(5) is its manual.
 *
 * Nothing is guessed: an unknown key, a key given twice, a value out of range,
 * a line too long refuses the whole file, and the log names file and line.
 * (The room is called conf because config.h is autoconf's.)
 */
#ifndef PAWL_LIB_CONF_H
#define PAWL_LIB_CONF_H

#include <limits.h>
#include <stdbool.h>

#include "lib/attrs.h"
#include "lib/err.h"
#include "lib/hotp.h"
#include "lib/totp.h"

struct log;

enum {
    CONF_FILE_MAX = 65536, /* bytes of the file */
    CONF_LINE_MAX = 190,   /* bytes of a line */
    CONF_TEXT_MAX = 128,   /* bytes of a text value with its NUL */
};

/* Where the code comes from in programs with one field. */
enum conf_first_pass {
    CONF_FIRST_PASS_NO,  /* ask for it */
    CONF_FIRST_PASS_TRY, /* behind the password; ask if that cannot be one */
    CONF_FIRST_PASS_USE, /* behind the password; never ask */
};

/*
 * Every key of the file, with the name it has there. Those in the first group
 * are global; the rest may stand in a [service] part too.
 */
struct conf {
    char store[PATH_MAX];       /* store: folder of records, absolute */
    char keyring[PATH_MAX];     /* keyring: file, absolute */
    unsigned lock_wait;         /* lock_wait: ms a login waits for its record,
                                   100 to 30000 [5000] */
    char issuer[CONF_TEXT_MAX]; /* issuer: name that apps show; empty when the
                                   file is silent [the host's short name] */
    enum hotp_algorithm algorithm; /* algorithm: of new secrets [SHA1] */
    unsigned digits;               /* digits: of new secrets, 6 to 8 [6] */
    unsigned period;               /* period: s, 15 to 300 [30] */

    unsigned widest_future;    /* no key: the largest future_steps in the file,
                                  whosever, and at least the default */
    struct totp_window window; /* past_steps, future_steps: 0 to 10 [1] */
    bool nullok; /* nullok: a user who never enrolled is let by [no] */
    char prompt[CONF_TEXT_MAX]; /* prompt ["Verification code: "] */
    bool echo;                  /* echo: show what is typed [no] */
    bool quiet;                 /* quiet: tell the user nothing [no] */
    unsigned fail_delay; /* fail_delay: ms after a refusal, 0 to 60000 [2000] */
    enum conf_first_pass first_pass; /* first_pass: no, try, use [no] */
    bool forward_pass;      /* forward_pass: the password goes on alone [no] */
    unsigned joined_digits; /* joined_digits: how many digits at the end of
                               a joined answer are the code, 6 to 8 [6] */
};

/* What holds when the file says nothing. */
void conf_defaults(struct conf *ret);

/*
 * Reads the file at path as service sees it: the global part, then its own.
 * service may be NULL for the global part alone; the other services' parts
 * are checked all the same. Only root or we may own the file and only its
 * owner may write to it. ERR_NOT_FOUND, ERR_UNSAFE, ERR_IO; ERR_INVALID after
 * telling log which line and why.
 */
enum err conf_load(const char *path, const char *service, const struct log *log,
                   struct conf *ret) MUST_CHECK;

/* The same from memory; name stands for the file in the log. */
enum err conf_parse(const char *text, const char *name, const char *service,
                    const struct log *log, struct conf *ret) MUST_CHECK;

#endif
