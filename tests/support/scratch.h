/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A store, a key ring and a pawl.conf in a new folder of their own, for tests
 * that need the real thing. Whatever fails here ends the test program: then
 * there is nothing to test.
 */
#ifndef PAWL_TESTS_SUPPORT_SCRATCH_H
#define PAWL_TESTS_SUPPORT_SCRATCH_H

#include <limits.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/token.h"

struct clock;
struct vault;

struct scratch {
    char folder[PATH_MAX];
    char store[PATH_MAX];
    char keyring[PATH_MAX];
    char conf[PATH_MAX];
    const struct clock *clock;
};

/* Says why on standard output, as TAP wants it, and exits. */
void scratch_bail(const char *format, ...) PRINTF_LIKE(1, 2)
    __attribute__((noreturn));

/*
 * Makes everything in a new folder below $TMPDIR, or else in memory, or else
 * below /tmp.
 */
void scratch_make(struct scratch *scratch, const struct clock *clock);

/* The same in a folder that is there. */
void scratch_make_in(struct scratch *scratch, const char *folder,
                     const struct clock *clock);

/*
 * Writes pawl.conf again: where store and ring are, then these lines (which
 * end in a newline, or are empty).
 */
void scratch_configure(const struct scratch *scratch, const char *lines);

/* hex is the secret; steps below floor count as used. */
void scratch_read_secret(const char *hex, struct secret *ret);
void scratch_enrol(const struct scratch *scratch, const char *user,
                   const struct token *token, uint64_t floor);

/* Sets the floor of a user's first authenticator, as if nothing was used. */
void scratch_set_floor(const struct scratch *scratch, const char *user,
                       uint64_t floor);

/* Opens and locks a user's record, until the vault is closed. */
struct vault *scratch_hold(const struct scratch *scratch, const char *user);

/* Removes the folder and all below it. */
void scratch_remove(const struct scratch *scratch);

#endif
