/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "lib/totp.h"

enum err
totp_step(int64_t now, unsigned period, uint64_t *ret)
{
    if (period < TOTP_PERIOD_MIN || period > TOTP_PERIOD_MAX)
        return ERR_RANGE;
    if (now < 0)
        return ERR_CLOCK;
    *ret = (uint64_t)now / period;
    return ERR_OK;
}

enum err
totp_match(struct hotp *hotp, uint64_t step, struct totp_window window,
           unsigned digits, uint32_t code, struct hotp_match *ret)
{
    unsigned past = window.past;

    if (window.past > TOTP_WINDOW_MAX || window.future > TOTP_WINDOW_MAX)
        return ERR_RANGE;
    if (past > step)
        past = (unsigned)step;
    return hotp_search(hotp, step - past, past + 1 + window.future, digits,
                       code, ret);
}
