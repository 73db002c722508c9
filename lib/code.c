/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "lib/code.h"
#include "lib/ct.h"
#include "lib/hotp.h"
#include "lib/secmem.h"

enum err
code_parse(const char *text, size_t length, struct code *ret)
{
    AUTO(code_wipe) struct code code = {0};
    uint64_t foreign = 0;

    if (length < HOTP_DIGITS_MIN || length > HOTP_DIGITS_MAX)
        return ERR_INVALID;
    /* Reads to the end whatever comes: a code is a secret, where it ends is
     * not. Characters below '0' wrap round to large numbers. */
    for (size_t i = 0; i < length; i++) {
        uint32_t digit = (uint32_t)(unsigned char)text[i] - '0';

        foreign |= ~ct_mask_less(digit, 10);
        code.value = code.value * 10 + digit;
    }
    if (foreign != 0)
        return ERR_INVALID;
    code.digits = (unsigned)length;
    *ret = code;
    return ERR_OK;
}

void
code_wipe(struct code *code)
{
    secmem_wipe(code, sizeof(*code));
}
