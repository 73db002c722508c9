/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "enroll/confirm.h"
#include "enroll/show.h"
#include "enroll/typed.h"
#include "lib/code.h"
#include "lib/hotp.h"
#include "lib/totp.h"

/* One step each way: a code that rolled over while it was typed is right. */
static const struct totp_window confirm_window = {1, 1};

/* *ret_right tells whether code is the token's now. */
static enum err
check(const struct tool *tool, const struct token *token,
      const struct code *code, bool *ret_right, uint64_t *ret_step)
{
    AUTO(hotp_clear) struct hotp hotp = {0};
    struct hotp_match match;
    struct moment now;
    uint64_t step;
    enum err e;

    e = tool->clock.read(tool->clock.context, &now);
    if (e != ERR_OK)
        return e;
    e = totp_step(now.wall, token->period, &step);
    if (e != ERR_OK)
        return e;
    e = hotp_open(&hotp, token->algorithm);
    if (e != ERR_OK)
        return e;
    e = hotp_set_secret(&hotp, &token->secret);
    if (e != ERR_OK)
        return e;
    e = totp_match(&hotp, step, confirm_window, token->digits, code->value,
                   &match);
    if (e != ERR_OK)
        return e;
    *ret_right = code->digits == token->digits && match.found != 0;
    *ret_step = match.counter;
    return ERR_OK;
}

static enum exit_code
ask(const struct token *token, struct tty *tty, struct typed *ret,
    int *ret_lines)
{
    char prompt[64];
    enum err e;

    if (snprintf(prompt, sizeof(prompt),
                 "Type the %u digits it shows (q quits): ", token->digits) < 0)
        return EXIT_UNANSWERED;
    e = typed_ask(tty, prompt, ret);
    *ret_lines += show_rows(strlen(prompt) + strlen(ret->text));
    if (e != ERR_OK)
        return tool_fail(EXIT_UNANSWERED,
                         "no code was given; nothing is stored");
    if (ret->text[0] == 'q' || ret->text[0] == 'Q')
        return tool_fail(EXIT_UNANSWERED, "nothing is stored");
    return EXIT_DONE;
}

enum exit_code
confirm_token(const struct tool *tool, struct tty *tty,
              const struct token *token, uint64_t *ret_floor, int *ret_lines)
{
    static const char again[] = "That is not what the key gives now; wait for "
                                "the next code and try again.";
    static const char wrong[] = "That is not what the key gives now.";

    for (unsigned try = 1; try <= CONFIRM_TRIES; try++) {
        AUTO(typed_wipe) struct typed typed = {{0}};
        AUTO(code_wipe) struct code code = {0};
        bool right = false;
        uint64_t step = 0;
        enum exit_code asked = ask(token, tty, &typed, ret_lines);

        if (asked != EXIT_DONE)
            return asked;
        if (code_parse(typed.text, strlen(typed.text), &code) == ERR_OK) {
            enum err e = check(tool, token, &code, &right, &step);

            if (e != ERR_OK)
                return tool_fail_vault(e, "the code could not be checked");
        }
        if (right) {
            *ret_floor = step + 1;
            return EXIT_DONE;
        }
        fprintf(stderr, "%s\n", try < CONFIRM_TRIES ? again : wrong);
        *ret_lines += show_rows(strlen(try < CONFIRM_TRIES ? again : wrong));
    }
    return tool_fail(EXIT_UNANSWERED,
                     "nothing is stored. Check the clock of the phone, and "
                     "that the app took over algorithm, digits and period");
}
