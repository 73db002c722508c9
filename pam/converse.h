/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Talking to the person through PAM. Always by pam_prompt, which copes with
 * callers that have no conversation function; nothing goes to the host's
 * standard streams.
 */
#ifndef PAWL_PAM_CONVERSE_H
#define PAWL_PAM_CONVERSE_H

#include <stdbool.h>

#include <security/pam_modules.h>

#include "lib/attrs.h"
#include "lib/err.h"

struct answer;

/*
 * Asks one question. A conversation without a response (a terminal at its
 * end) is an empty answer. ERR_NOMEM; ERR_IO when the conversation failed.
 */
enum err converse_ask(pam_handle_t *pamh, const char *prompt, bool echo,
                      struct answer *ret) MUST_CHECK;

/*
 * What an earlier module was told and left in PAM_AUTHTOK. ERR_NOT_FOUND when
 * none did.
 */
enum err converse_first_pass(pam_handle_t *pamh, struct answer *ret) MUST_CHECK;

/*
 * Leaves the password before the code, and never the code, in PAM_AUTHTOK for
 * the next module, and cuts the code off. ERR_NOMEM.
 */
enum err converse_forward(pam_handle_t *pamh, struct answer *answer) MUST_CHECK;

/*
 * Tells the person one line. As an error message: su and sudo print the other
 * kind to standard output, into the middle of what a command writes there.
 */
void converse_tell(pam_handle_t *pamh, const char *text);

#endif
