/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RFC 6238: HOTP over time steps. A step is floor(seconds since the epoch /
 * period); a window is the steps around now whose codes are taken.
 */
#ifndef PAWL_LIB_TOTP_H
#define PAWL_LIB_TOTP_H

#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"
#include "lib/hotp.h"

enum {
    TOTP_PERIOD_MIN = 15, /* seconds */
    TOTP_PERIOD_MAX = 300,
    TOTP_WINDOW_MAX = 10, /* steps, each way */
};

/* How many steps before and after the present one are taken. */
struct totp_window {
    unsigned past;
    unsigned future;
};

/*
 * The time step of now (seconds since the epoch). ERR_CLOCK for a time before
 * the epoch, ERR_RANGE for a period outside the limits above.
 */
enum err totp_step(int64_t now, unsigned period, uint64_t *ret) MUST_CHECK;

/*
 * Looks for code in every step from step - window.past to step +
 * window.future, in the constant work of hotp_search; steps below 0 do not
 * exist and are left out. With several matches the newest step is reported,
 * because accepting the older one would let the code in twice. RFC 6238
 * sections 5.2 and 6.
 */
enum err totp_match(struct hotp *hotp, uint64_t step, struct totp_window window,
                    unsigned digits, uint32_t code, struct hotp_match *ret)
    MUST_CHECK;

#endif
