/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "enroll/confirm.h"
#include "enroll/typed.h"
#include "lib/code.h"
#include "lib/totp.h"

/* One step each way: a code that rolled over while it was typed is right. */
static const struct totp_window confirm_window = {1, 1};

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
    show_said(show, strlen(path) + 80); /* what it said, or a little more */
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

static enum exit_code
ask_once(struct show *show, struct tty *tty, struct typed *ret)
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

/* Asks until something else than a letter is typed. */
static enum exit_code
ask(struct show *show, struct tty *tty, struct typed *ret)
{
    bool letter = true;
    enum exit_code code = EXIT_DONE;

    while (code == EXIT_DONE && letter) {
        code = ask_once(show, tty, ret);
        if (code == EXIT_DONE)
            code = obey(show, tty, ret, &letter);
    }
    return code;
}

/*
 * *ret_right tells whether what was typed is the token's code now, *ret_floor
 * which step is then the first that is not spent.
 */
static enum err
judge(const struct show *show, const struct typed *typed, bool *ret_right,
      uint64_t *ret_floor)
{
    AUTO(code_wipe) struct code code = {0};
    const struct token *token = &show->otpauth->token;
    struct hotp_match match;
    struct moment now;
    uint64_t step;
    enum err e;

    *ret_right = false;
    if (code_parse(typed->text, strlen(typed->text), &code) != ERR_OK)
        return ERR_OK;
    e = show->tool->clock.read(show->tool->clock.context, &now);
    if (e != ERR_OK)
        return e;
    e = totp_step(now.wall, token->period, &step);
    if (e != ERR_OK)
        return e;
    e = token_search(token, step, confirm_window, &code, &match);
    if (e != ERR_OK)
        return e;
    *ret_right = match.found != 0;
    *ret_floor = match.counter + 1;
    return ERR_OK;
}

enum exit_code
confirm_token(struct show *show, struct tty *tty, uint64_t *ret_floor)
{
    static const char again[] = "That is not what the key gives now; wait for "
                                "the next code and try again.";
    static const char wrong[] = "That is not what the key gives now.";

    for (unsigned left = CONFIRM_TRIES; left > 0; left--) {
        AUTO(typed_wipe) struct typed typed = {{0}};
        const char *said = left > 1 ? again : wrong;
        uint64_t floor = 0;
        bool right;
        enum exit_code code = ask(show, tty, &typed);
        enum err e;

        if (code != EXIT_DONE)
            return code;
        e = judge(show, &typed, &right, &floor);
        if (e != ERR_OK)
            return tool_fail_vault(e, "the code could not be checked");
        if (right) {
            *ret_floor = floor;
            return EXIT_DONE;
        }
        fprintf(stderr, "%s\n", said);
        show_said(show, strlen(said));
    }
    return tool_fail(EXIT_UNANSWERED,
                     "nothing is stored. Check the clock of the phone, and "
                     "that the app took over algorithm, digits and period");
}
