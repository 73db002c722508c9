/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For shell tests: one login through the real libpam with a private folder of
 * services, in a process of its own. Two system calls that nothing else makes
 * frame the login in a trace: access("/begin"), access("/end").
 *
 *   one_login SERVICES SERVICE USER [ANSWER]
 *
 * Without an answer there is no conversation at all, as cron has none.
 * The exit status is what pam_authenticate answered.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <security/pam_appl.h>

enum {
    NO_LOGIN = 99,
};

static int
answer_all(int count, const struct pam_message **messages,
           struct pam_response **ret, void *answer)
{
    struct pam_response *responses = calloc((size_t)count, sizeof(*responses));

    (void)messages;
    if (responses == NULL)
        return PAM_BUF_ERR;
    for (int i = 0; i < count; i++)
        responses[i].resp = strdup(answer);
    *ret = responses;
    return PAM_SUCCESS;
}

int
main(int argc, char **argv)
{
    struct pam_conv conversation = {answer_all, NULL};
    pam_handle_t *pamh = NULL;
    int result;

    if (argc != 4 && argc != 5)
        return NO_LOGIN;
    if (argc == 4)
        conversation.conv = NULL;
    else
        conversation.appdata_ptr = argv[4];
    if (pam_start_confdir(argv[2], argv[3], &conversation, argv[1], &pamh) !=
        PAM_SUCCESS)
        return NO_LOGIN;
    (void)access("/begin", F_OK); /* only to be seen */
    result = pam_authenticate(pamh, 0);
    (void)access("/end", F_OK);
    (void)pam_end(pamh, result);
    return result;
}
