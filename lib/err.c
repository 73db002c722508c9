/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "lib/err.h"

const char *
err_text(enum err error)
{
    switch (error) {
    case ERR_OK:
        return "success";
    case ERR_INVALID:
        return "malformed";
    case ERR_RANGE:
        return "out of range";
    case ERR_UNSUPPORTED:
        return "not supported";
    case ERR_SPACE:
        return "too long";
    case ERR_NOMEM:
        return "out of memory";
    case ERR_RANDOM:
        return "no random bytes from the kernel";
    case ERR_CRYPTO:
        return "libcrypto failed";
    case ERR_CLOCK:
        return "the clock is not to be trusted";
    case ERR_NOT_FOUND:
        return "not found";
    case ERR_EXISTS:
        return "exists already";
    case ERR_IO:
        return "input or output failed";
    case ERR_UNSAFE:
        return "not safe to trust (owner, mode, type or links)";
    case ERR_PERMISSION:
        return "permission denied";
    case ERR_LIMIT:
        return "a resource limit forbids it";
    case ERR_BUSY:
        return "locked by another process";
    case ERR_SEALED:
        return "does not open (damaged, foreign or forged)";
    case ERR_MAGIC:
        return "not a sealed payload";
    case ERR_VERSION:
        return "written by a newer version";
    case ERR_KEY_UNKNOWN:
        return "sealed under a key that the key ring does not hold";
    case ERR_KEY_REVOKED:
        return "sealed under a revoked key";
    case ERR_NO_KEY:
        return "the key ring has no usable key";
    case ERR_CONFLICT:
        return "changed by another process";
    }
    return "unknown error";
}
