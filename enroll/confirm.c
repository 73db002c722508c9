/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "enroll/confirm.h"
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
ask(struct show *show, struct tty *tty, struct typed *ret)
{
    char prompt[80];
    enum err e;

    if (snprintf(prompt, sizeof(prompt),
                 "Scan it and type the %u digits (b bigger, k key, f file, q "
                 "quit): ",
                 show->otpauth->token.digits) < 0)
        return EXIT_UNANSWERED;
    e = typed_ask(tty, prompt, ret);
    show_said(show, strlen(prompt) + strlen(ret->text));
    if (e != ERR_OK)
        return tool_fail(EXIT_UNANSWERED,
                         "no code was given; nothing is stored");
    return EXIT_DONE;
}

/* Asks where a picture should go, and writes it. */
static void
save(struct show *show, struct tty *tty)
{
    static const char prompt[] = "Picture (.png or .svg): ";
    char path[TTY_ANSWER_MAX];

    if (tty_ask(tty, prompt, path) != ERR_OK)
        return;
    show_said(show, strlen(prompt) + strlen(path));
    show_save(show, path);
    show_said(show, strlen(path) + 80);
}

/* *ret_letter tells that it was no code but one of the letters, and done. */
static enum exit_code
obey(struct show *show, struct tty *tty, const struct typed *typed,
     bool *ret_letter)
{
    *ret_letter = typed->text[0] != '\0' && typed->text[1] == '\0';
    if (!*ret_letter)
        return EXIT_DONE;
    switch (typed->text[0]) {
    case 'b':
        return show_again(show, QR_BIG);
    case 'k':
        return show_again(show, QR_NONE);
    case 'f':
        save(show, tty);
        return EXIT_DONE;
    case 'q':
        return tool_fail(EXIT_UNANSWERED, "nothing is stored");
    default:
        *ret_letter = false;
        return EXIT_DONE;
    }
}

/* *ret_right tells whether what was typed is the token's code now. */
static enum exit_code
judge(const struct show *show, const struct typed *typed, bool *ret_right,
      uint64_t *ret_step)
{
    AUTO(code_wipe) struct code code = {0};
    enum err e;

    *ret_right = false;
    if (code_parse(typed->text, strlen(typed->text), &code) != ERR_OK)
        return EXIT_DONE;
    e = check(show->tool, &show->otpauth->token, &code, ret_right, ret_step);
    return e == ERR_OK ? EXIT_DONE
                       : tool_fail_vault(e, "the code could not be checked");
}

enum exit_code
confirm_token(struct show *show, struct tty *tty, uint64_t *ret_floor)
{
    static const char again[] = "That is not what the key gives now; wait for "
                                "the next code and try again.";
    static const char wrong[] = "That is not what the key gives now.";

    for (unsigned tries = 0; tries < CONFIRM_TRIES;) {
        AUTO(typed_wipe) struct typed typed = {{0}};
        const char *said = ++tries < CONFIRM_TRIES ? again : wrong;
        bool letter = false, right = false;
        uint64_t step = 0;
        enum exit_code code = ask(show, tty, &typed);

        if (code == EXIT_DONE)
            code = obey(show, tty, &typed, &letter);
        if (code == EXIT_DONE && letter) {
            tries--;
            continue;
        }
        if (code == EXIT_DONE)
            code = judge(show, &typed, &right, &step);
        if (code != EXIT_DONE)
            return code;
        if (right) {
            *ret_floor = step + 1;
            return EXIT_DONE;
        }
        fprintf(stderr, "%s\n", said);
        show_said(show, strlen(said));
    }
    return tool_fail(EXIT_UNANSWERED,
                     "nothing is stored. Check the clock of the phone, and "
                     "that the app took over algorithm, digits and period");
}
