/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <time.h>

#include "lib/clock_system.h"

enum {
    MILLISECONDS_A_SECOND = 1000,
    NANOSECONDS_A_MILLISECOND = 1000000,
};

static enum err
read_system(void *context, struct moment *ret)
{
    struct timespec wall, boot;

    (void)context;
    if (clock_gettime(CLOCK_REALTIME, &wall) != 0 ||
        clock_gettime(CLOCK_BOOTTIME, &boot) != 0)
        return ERR_CLOCK;
    if (boot.tv_sec < 0)
        return ERR_CLOCK;
    ret->wall = wall.tv_sec;
    ret->boot = (uint64_t)boot.tv_sec * MILLISECONDS_A_SECOND +
                (uint64_t)(boot.tv_nsec / NANOSECONDS_A_MILLISECOND);
    return ERR_OK;
}

const struct clock clock_system = {read_system, NULL};
