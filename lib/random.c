/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <sys/random.h>

#include "lib/random.h"
#include "lib/secmem.h"

enum err
random_bytes(void *ret, size_t length)
{
    uint8_t *at = ret;
    size_t done = 0;

    while (done < length) {
        ssize_t got = getrandom(at + done, length - done, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            secmem_wipe(ret, length);
            return ERR_RANDOM;
        }
        done += (size_t)got;
    }
    return ERR_OK;
}
