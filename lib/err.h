/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What can go wrong, and one text for each. A wrong code is not an error: it
 * is a verdict (lib/verify.h).
 */
#ifndef PAWL_LIB_ERR_H
#define PAWL_LIB_ERR_H

enum err {
    ERR_OK = 0,
    ERR_INVALID,     /* malformed: text, bytes or argument */
    ERR_RANGE,       /* a number outside what is allowed */
    ERR_UNSUPPORTED, /* well-formed, but not something we do */
    ERR_SPACE,       /* does not fit where it should go */
    ERR_NOMEM,       /* the system has no memory for us */
    ERR_RANDOM,      /* the kernel gave no random bytes */
    ERR_CRYPTO,      /* libcrypto failed */
    ERR_CLOCK,       /* the clock cannot be read or is not to be trusted */
    ERR_NOT_FOUND,   /* proven absent */
    ERR_EXISTS,      /* present already */
    ERR_IO,          /* read, write or sync failed */
    ERR_UNSAFE,      /* wrong owner, mode, type or link: not to be trusted */
    ERR_PERMISSION,  /* the system refuses us access */
    ERR_LIMIT,       /* the caller's resource limits forbid it */
    ERR_BUSY,        /* the lock did not become free in time */
    ERR_SEALED,      /* does not open: damaged, foreign or forged */
    ERR_MAGIC,       /* not a sealed payload */
    ERR_VERSION,     /* from a newer program than this */
    ERR_KEY_UNKNOWN, /* sealed under a key that the ring does not hold */
    ERR_KEY_REVOKED, /* sealed under a revoked key */
    ERR_NO_KEY,      /* the ring has no key to seal with */
    ERR_CONFLICT,    /* the record changed under us */
};

/* A short English text, never NULL, for any value. */
const char *err_text(enum err error);

#endif
