/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The module's arguments: what stands behind pam_pawl.so on a line of a PAM
 * service. pam_pawl(8) is their manual.
 *
 * Nothing is guessed. Other modules pass over a word they do not know, and
 * then a slip of the pen silently changes who may log in; here it refuses.
 */
#ifndef PAWL_PAM_ARGS_H
#define PAWL_PAM_ARGS_H

#include <stdbool.h>

#include "lib/attrs.h"
#include "lib/err.h"

struct conf;
struct log;

struct args {
    const char *conf;   /* conf=: another pawl.conf, absolute, or NULL */
    const char *prompt; /* prompt=, or NULL */
    bool debug;
    bool nullok;
    bool echo;
    bool quiet;
    bool use_first_pass;
    bool try_first_pass;
    bool forward_pass;
};

/*
 * Reads all arguments; the strings stay the caller's. ERR_INVALID after
 * telling log which one is refused and why: unknown, given twice, a value
 * where none belongs, none or one that does not fit where one does. *ret is
 * then what the good ones say, for `debug` alone.
 */
enum err args_parse(int count, const char *const *arguments,
                    const struct log *log, struct args *ret) MUST_CHECK;

/* Lays what the arguments say over what the file said. */
void args_apply(const struct args *args, struct conf *conf);

#endif
