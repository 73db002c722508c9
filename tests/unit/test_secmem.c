/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/secmem.h"

enum {
    LENGTH = 10000, /* some pages and a bit */
    LINE_BYTES = 512,
};

/* What the kernel says of the mapping that holds address: "VmFlags: ...". */
static void
read_flags(const void *address, char ret[LINE_BYTES])
{
    FILE *smaps = fopen("/proc/self/smaps", "re");
    char line[LINE_BYTES];
    int inside = 0;

    assert_non_null(smaps);
    ret[0] = '\0';
    while (fgets(line, sizeof(line), smaps) != NULL) {
        char *end;
        unsigned long first = strtoul(line, &end, 16);

        if (*end == '-') {
            unsigned long last = strtoul(end + 1, NULL, 16);

            inside = (uintptr_t)address >= first && (uintptr_t)address < last;
        } else if (inside && strncmp(line, "VmFlags:", 8) == 0) {
            memcpy(ret, line, sizeof(line));
        }
    }
    (void)fclose(smaps);
}

static void
pages_are_kept_out_of_cores_and_forks_and_are_locked(void **context)
{
    char flags[LINE_BYTES];
    void *bytes = NULL;

    (void)context;
    assert_int_equal(secmem_alloc(LENGTH, &bytes), ERR_OK);
    read_flags(bytes, flags);
    if (flags[0] == '\0')
        skip();                            /* this kernel does not tell */
    assert_non_null(strstr(flags, " dd")); /* not dumped */
    assert_non_null(strstr(flags, " wf")); /* wiped on fork */
#ifndef __SANITIZE_ADDRESS__ /* which takes mlock over and does nothing */
    assert_non_null(strstr(flags, " lo"));
#endif
    secmem_free(bytes, LENGTH);
}

static void
pages_come_as_zeros_and_a_child_sees_nothing_else(void **context)
{
    uint8_t *bytes = NULL;
    void *pages = NULL;
    int status = 1;
    pid_t child;

    (void)context;
    assert_int_equal(secmem_alloc(LENGTH, &pages), ERR_OK);
    bytes = pages;
    for (size_t i = 0; i < LENGTH; i++)
        assert_int_equal(bytes[i], 0);
    memset(bytes, 0xa5, LENGTH);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        unsigned seen = 0;

        for (size_t i = 0; i < LENGTH; i++)
            seen |= bytes[i];
        _exit(seen == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(bytes[LENGTH - 1], 0xa5);
    secmem_free(pages, LENGTH);
}

static void
a_limit_on_locked_memory_is_no_error(void **context)
{
    struct rlimit before, none = {0, 0};
    void *bytes = NULL;
    enum err e;

    (void)context;
    assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &before), 0);
    none.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &none), 0);
    e = secmem_alloc(LENGTH, &bytes);
    assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &before), 0);
    assert_int_equal(e, ERR_OK);
    secmem_free(bytes, LENGTH);
    secmem_free(NULL, LENGTH);
}

static void
equal_means_every_byte(void **context)
{
    uint8_t a[32], b[32];

    (void)context;
    memset(a, 7, sizeof(a));
    for (size_t i = 0; i < sizeof(a); i++) {
        memcpy(b, a, sizeof(a));
        assert_true(secmem_equal(a, b, sizeof(a)));
        b[i] ^= 0x80;
        assert_false(secmem_equal(a, b, sizeof(a)));
        assert_true(secmem_equal(a, b, i));
    }
}

static void
secrets_are_equal_when_their_hmac_is(void **context)
{
    struct secret a = {.length = 20}, b = {.length = 20};

    (void)context;
    memset(a.bytes, 1, 20);
    memset(b.bytes, 1, 20);
    assert_true(secret_equal(&a, &b));
    b.length = 22; /* two zeros behind */
    assert_true(secret_equal(&a, &b));
    b.bytes[21] = 1;
    assert_false(secret_equal(&a, &b));
    secret_wipe(&a);
    assert_int_equal(a.length, 0);
    assert_int_equal(a.bytes[0] | a.bytes[19], 0);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_kept_out_of_cores_and_forks_and_are_locked),
        cmocka_unit_test(pages_come_as_zeros_and_a_child_sees_nothing_else),
        cmocka_unit_test(a_limit_on_locked_memory_is_no_error),
        cmocka_unit_test(equal_means_every_byte),
        cmocka_unit_test(secrets_are_equal_when_their_hmac_is),
    };

    return cmocka_run_group_tests_name("secmem", tests, NULL, NULL);
}
