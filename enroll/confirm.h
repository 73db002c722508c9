/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first code of a new authenticator: nothing is stored before the app has
 * shown that it computes what we compute.
 */
#ifndef PAWL_ENROLL_CONFIRM_H
#define PAWL_ENROLL_CONFIRM_H

#include <stdint.h>

#include "enroll/show.h"
#include "enroll/tty.h"

enum {
    CONFIRM_TRIES = 3,
};

/*
 * Asks for a code up to CONFIRM_TRIES times. *ret_floor is the step behind the
 * one that was confirmed: that code is spent. The right code is never shown.
 * A letter instead of a code shows the key in another way, or quits.
 * EXIT_UNANSWERED when no right code came.
 */
enum exit_code confirm_token(struct show *show, struct tty *tty,
                             uint64_t *ret_floor) MUST_CHECK;

#endif
