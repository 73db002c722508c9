/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What time it is, asked of the caller: the library reads no clock of its
 * own, so that tests and simulations set the time, and nothing else differs.
 */
#ifndef PAWL_LIB_CLOCK_H
#define PAWL_LIB_CLOCK_H

#include <stdint.h>

#include "lib/err.h"

struct moment {
    int64_t wall;  /* seconds since the epoch, UTC */
    uint64_t boot; /* milliseconds since boot, sleep included */
};

struct clock {
    enum err (*read)(void *context, struct moment *ret);
    void *context;
};

#endif
