/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>
#include <sys/mman.h>

#include "lib/secmem.h"

void
secmem_wipe(void *bytes, size_t length)
{
    explicit_bzero(bytes, length);
}

bool
secmem_equal(const void *a, const void *b, size_t length)
{
    const volatile uint8_t *left = a;
    const volatile uint8_t *right = b;
    uint8_t different = 0;

    for (size_t i = 0; i < length; i++)
        different |= left[i] ^ right[i];
    return different == 0;
}

void
secret_wipe(struct secret *secret)
{
    secmem_wipe(secret, sizeof(*secret));
}

bool
secret_equal(const struct secret *a, const struct secret *b)
{
    AUTO(secret_wipe) struct secret left = {0};
    AUTO(secret_wipe) struct secret right = {0};

    memcpy(left.bytes, a->bytes, a->length);
    memcpy(right.bytes, b->bytes, b->length);
    return secmem_equal(left.bytes, right.bytes, SECRET_MAX);
}

void
key_wipe(struct key *key)
{
    secmem_wipe(key, sizeof(*key));
}

enum err
secmem_alloc(size_t length, void **ret)
{
    void *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (bytes == MAP_FAILED)
        return ERR_NOMEM;
    /* Each of these is a further guard, none of them a condition. */
    (void)madvise(bytes, length, MADV_DONTDUMP);
    (void)madvise(bytes, length, MADV_WIPEONFORK);
    (void)mlock(bytes, length);
    *ret = bytes;
    return ERR_OK;
}

void
secmem_free(void *bytes, size_t length)
{
    if (bytes == NULL)
        return;
    secmem_wipe(bytes, length);
    (void)munmap(bytes, length); /* nothing left to do if it fails */
}
