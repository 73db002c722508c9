/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <security/pam_ext.h>

#include "lib/secmem.h"

#include "pam/answer.h"
#include "pam/converse.h"

_Static_assert(ANSWER_BYTES == PAM_MAX_RESP_SIZE,
               "an answer is as long as Linux-PAM lets it be");

/* What the conversation allocated for us; all of it was typed. */
static void
free_typed(char **text)
{
    if (*text == NULL)
        return;
    secmem_wipe(*text, strlen(*text));
    free(*text);
    *text = NULL;
}

enum err
converse_ask(pam_handle_t *pamh, const char *prompt, bool echo,
             struct answer *ret)
{
    AUTO(free_typed) char *typed = NULL;
    int style = echo ? PAM_PROMPT_ECHO_ON : PAM_PROMPT_ECHO_OFF;
    int status = pam_prompt(pamh, style, &typed, "%s", prompt);

    if (status == PAM_BUF_ERR)
        return ERR_NOMEM;
    if (status != PAM_SUCCESS)
        return ERR_IO;
    answer_set(ret, typed == NULL ? "" : typed);
    return ERR_OK;
}

enum err
converse_first_pass(pam_handle_t *pamh, struct answer *ret)
{
    const void *text = NULL;

    if (pam_get_item(pamh, PAM_AUTHTOK, &text) != PAM_SUCCESS || text == NULL)
        return ERR_NOT_FOUND;
    answer_set(ret, text);
    return ERR_OK;
}

enum err
converse_forward(pam_handle_t *pamh, struct answer *answer)
{
    answer_cut(answer);
    if (pam_set_item(pamh, PAM_AUTHTOK, answer->text) != PAM_SUCCESS)
        return ERR_NOMEM;
    return ERR_OK;
}

void
converse_tell(pam_handle_t *pamh, const char *text)
{
    /* Nothing hangs on its being seen. */
    (void)pam_prompt(pamh, PAM_ERROR_MSG, NULL, "%s", text);
}
