/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For shell tests: makes store, key ring and pawl.conf in a folder that is
 * there, and enrols users whose secrets the test knows.
 *
 *   make_store FOLDER [USER:HEXSECRET]...
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock_system.h"

#include "tests/support/scratch.h"

int
main(int argc, char **argv)
{
    static struct scratch scratch;

    if (argc < 2)
        scratch_bail("usage: make_store FOLDER [USER:HEXSECRET]...");
    scratch_make_in(&scratch, argv[1], &clock_system);
    for (int i = 2; i < argc; i++) {
        struct token token = {
            .type = TOKEN_TOTP,
            .algorithm = HOTP_SHA1,
            .digits = TOKEN_DIGITS,
            .period = TOKEN_PERIOD,
        };
        char *colon = strchr(argv[i], ':');

        if (colon == NULL)
            scratch_bail("not USER:HEXSECRET: %s", argv[i]);
        *colon = '\0';
        scratch_read_secret(colon + 1, &token.secret);
        scratch_enrol(&scratch, argv[i], &token, 0);
    }
    return EXIT_SUCCESS;
}
