/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RFC 4226: one-time codes from a secret and a counter. HMAC, dynamic
 * truncation, decimal digits. With SHA256 and SHA512 as RFC 6238 section 1.2
 * adds them.
 *
 * Nothing here branches on, or indexes by, a byte that depends on the secret:
 * truncation reads every position and selects.
 */
#ifndef PAWL_LIB_HOTP_H
#define PAWL_LIB_HOTP_H

#include <stddef.h>
#include <stdint.h>

#include "lib/attrs.h"
#include "lib/err.h"
#include "lib/hmac.h"
#include "lib/secmem.h"

enum hotp_algorithm {
    HOTP_SHA1 = 1,
    HOTP_SHA256 = 2,
    HOTP_SHA512 = 3,
};

enum {
    HOTP_DIGITS_MIN = 6,
    HOTP_DIGITS_MAX = 8,
    HOTP_SEARCH_MAX = 1024, /* codes of one search */
};

/*
 * An opened HMAC and the secret it is keyed with. Start from zeros; it keeps a
 * copy of the secret until hotp_clear, so it lives no longer than one
 * operation.
 */
struct hotp {
    struct hmac hmac;
};

/* Where a code was found; found is a mask, all ones or zeros. */
struct hotp_match {
    uint64_t found;
    uint64_t counter;
};

/* "SHA1", "SHA256", "SHA512"; NULL for anything else. */
const char *hotp_algorithm_name(enum hotp_algorithm algorithm);

/*
 * Reads a name as people and URIs write it: case is ignored, and so are a
 * prefix "Hmac" and a dash behind it or behind "SHA" ("HmacSHA256", "sha-512",
 * "HMAC-SHA1"). ERR_UNSUPPORTED for anything else, MD5 included.
 */
enum err hotp_algorithm_parse(const char *name, enum hotp_algorithm *ret)
    MUST_CHECK;

/* Length in bytes that a new secret should have: 20, 32 or 64. */
size_t hotp_secret_length(enum hotp_algorithm algorithm);

/*
 * Fetches the HMAC and sets its digest; called once on a zeroed struct, which
 * may then be given one key after another. ERR_UNSUPPORTED, ERR_CRYPTO.
 */
enum err hotp_open(struct hotp *hotp, enum hotp_algorithm algorithm) MUST_CHECK;

/*
 * Sets the key. ERR_RANGE for an empty secret or one over SECRET_MAX. After a
 * failure there is no key, and no code to be had.
 */
enum err hotp_set_secret(struct hotp *hotp, const struct secret *secret)
    MUST_CHECK;

/*
 * One code of the secret that was set last: RFC 4226 section 5.3. May be
 * called again and again; each call re-arms the same keyed HMAC. ret_code is
 * a number below 10^digits. ERR_RANGE for digits outside 6 to 8, ERR_CRYPTO,
 * also when no secret is set.
 */
enum err hotp_code(struct hotp *hotp, uint64_t counter, unsigned digits,
                   uint32_t *ret_code) MUST_CHECK;

/*
 * Looks for code among count counters from first upwards. Computes them all,
 * so that time, instructions and memory accesses tell nothing of where, or
 * whether, a match was found. Of several the highest is reported. ERR_RANGE
 * if count is 0 or over HOTP_SEARCH_MAX, or first + count passes 2^64; ret
 * is untouched on failure.
 */
enum err hotp_search(struct hotp *hotp, uint64_t first, unsigned count,
                     unsigned digits, uint32_t code, struct hotp_match *ret)
    MUST_CHECK;

/* Frees what libcrypto holds, the key with it. Takes a zeroed struct. */
void hotp_clear(struct hotp *hotp);

/*
 * One code by one-shot HMAC: open, key, one message, clear. For generating;
 * validating a window goes through one struct hotp.
 */
enum err hotp_generate(enum hotp_algorithm algorithm,
                       const struct secret *secret, uint64_t counter,
                       unsigned digits, uint32_t *ret_code) MUST_CHECK;

/*
 * Dynamic truncation: RFC 4226 section 5.3, step 2. The offset comes from the
 * last byte of the MAC, whatever its length. length is 20, 32 or 64.
 */
uint32_t hotp_truncate(const uint8_t *mac, size_t length);

/*
 * truncated modulo 10^digits, dividing by constants only. digits is 6 to 8;
 * anything else gives a number that no code can have (UINT32_MAX).
 */
uint32_t hotp_decimal(uint32_t truncated, unsigned digits);

#endif
