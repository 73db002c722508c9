/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libcrypto as a guest uses it: the error queue belongs to the host, which may
 * read it after a failure of its own, so nothing of ours stays in it.
 */
#ifndef PAWL_LIB_CRYPTO_H
#define PAWL_LIB_CRYPTO_H

#include <openssl/err.h>

#include "lib/attrs.h"

static inline void
crypto_leave(const int *guest)
{
    (void)guest;
    (void)ERR_pop_to_mark(); /* without a mark it found the queue empty */
}

/* Stands first in an exported function whose work is libcrypto's. */
#define CRYPTO_GUEST AUTO(crypto_leave) const int guest = ERR_set_mark()

#endif
