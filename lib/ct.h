/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch-free compare and select for values that depend on a secret. A mask
 * is all ones (true) or all zeros (false).
 */
#ifndef PAWL_LIB_CT_H
#define PAWL_LIB_CT_H

#include <stdint.h>

/*
 * Hides a value from the optimiser, so that it cannot turn the arithmetic
 * below back into a branch.
 */
static inline uint64_t
ct_hide(uint64_t value)
{
    __asm__("" : "+r"(value));
    return value;
}

/* Ones when the top bit of value is set. */
static inline uint64_t
ct_mask_top(uint64_t value)
{
    return ct_hide(0 - (value >> 63));
}

static inline uint64_t
ct_mask_zero(uint64_t value)
{
    return ct_mask_top(~value & (value - 1));
}

static inline uint64_t
ct_mask_equal(uint64_t a, uint64_t b)
{
    return ct_mask_zero(a ^ b);
}

/* Ones when a < b, unsigned. */
static inline uint64_t
ct_mask_less(uint64_t a, uint64_t b)
{
    return ct_mask_top((~a & b) | (~(a ^ b) & (a - b)));
}

/* a where mask is ones, b where it is zeros. */
static inline uint64_t
ct_select(uint64_t mask, uint64_t a, uint64_t b)
{
    return b ^ (mask & (a ^ b));
}

#endif
