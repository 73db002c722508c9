/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The system's own clocks: the one struct clock that front ends hand to the
 * library outside of tests.
 */
#ifndef PAWL_LIB_CLOCK_SYSTEM_H
#define PAWL_LIB_CLOCK_SYSTEM_H

#include "lib/clock.h"

/* CLOCK_REALTIME and CLOCK_BOOTTIME. Reading fails with ERR_CLOCK. */
extern const struct clock clock_system;

#endif
