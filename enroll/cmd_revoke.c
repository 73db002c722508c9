/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "enroll/account.h"
#include "enroll/journal.h"
#include "enroll/tool.h"
#include "enroll/tty.h"

enum {
    OPTION_FORGET = 256,
    PROMPT_BYTES = STORE_NAME_MAX + 64,
};

static enum exit_code
set(void *context, int option, const char *argument)
{
    bool *forget = context;

    (void)argument; /* the only option takes none */
    if (option != OPTION_FORGET)
        return tool_usage(&cmd_revoke, "that option is not for this verb");
    *forget = true;
    return EXIT_DONE;
}

/* Asks for the name again: it is taken away for good. */
static enum exit_code
confirm(const struct tool *tool, const char *user)
{
    AUTO(tty_close) struct tty tty = {.fd = -1};
    char prompt[PROMPT_BYTES];
    char answer[TTY_ANSWER_MAX];

    if (tool->yes)
        return EXIT_DONE;
    if (tty_open(false, &tty) != ERR_OK)
        return tool_fail(EXIT_UNANSWERED,
                         "there is no terminal to ask at; --yes does it "
                         "without asking");
    if (snprintf(prompt, sizeof(prompt),
                 "Their codes stop working. Type %s to go on: ", user) < 0 ||
        tty_ask(&tty, prompt, answer) != ERR_OK || strcmp(answer, user) != 0)
        return tool_fail(EXIT_UNANSWERED, "nothing was changed");
    return EXIT_DONE;
}

static enum err
revoke(struct tool *tool, const char *user, bool forget)
{
    AUTO(vault_close) struct vault *vault = NULL;
    AUTO(credential_wipe) struct credential tombstone = {0};
    struct vault_place place = tool_place(tool);
    struct moment now;
    enum err e = tool->clock.read(tool->clock.context, &now);

    if (e == ERR_OK)
        e = credential_tombstone(now.wall, &tombstone);
    if (e == ERR_OK)
        e = vault_open(&place, &tool->clock, &tool->log, &vault);
    if (e != ERR_OK)
        return e == ERR_NOT_FOUND ? ERR_IO : e;
    return forget ? vault_forget(vault, user, &tombstone)
                  : vault_overwrite(vault, user, &tombstone,
                                    VAULT_OVER_ANYTHING, 0);
}

static enum exit_code
run(struct tool *tool, const struct command *command, int argc, char **argv)
{
    struct account account;
    bool forget = false, over;
    int operand;
    enum exit_code code =
        tool_options(tool, command, argc, argv, set, &forget, &operand, &over);
    enum err e;

    if (code != EXIT_DONE || over)
        return code;
    if (argc - operand != 1)
        return tool_usage(command, "needs the name of one user");
    code = account_find(argv[operand], false, &account);
    if (code == EXIT_DONE)
        code = tool_configure(tool);
    if (code == EXIT_DONE)
        code = confirm(tool, account.name);
    if (code != EXIT_DONE)
        return code;
    e = revoke(tool, account.name, forget);
    if (e == ERR_NOT_FOUND)
        return tool_fail(EXIT_ANSWER_NO, "%s is not enrolled", account.name);
    if (e != ERR_OK)
        return tool_fail_vault(e, account.name);
    journal_change(forget ? "second factor forgotten" : "second factor revoked",
                   account.name);
    tool_say(tool, "%s: %s", account.name,
             forget ? "forgotten, as if never enrolled"
                    : "revoked; every login is refused until: pawl enroll");
    return EXIT_DONE;
}

static const struct option options[] = {
    {"forget", no_argument, NULL, OPTION_FORGET},
    {0},
};

const struct command cmd_revoke = {
    .name = "revoke",
    .summary = "remove a second factor",
    .help =
        "Usage: pawl revoke [OPTION]... USER\n"
        "\n"
        "  pawl revoke alice            asks, then revokes\n"
        "  pawl revoke --yes --forget alice\n"
        "\n"
        "Wipes the secrets of USER. The record stays, marked as revoked, and\n"
        "USER is refused, also where nullok lets in who never enrolled, until\n"
        "'pawl enroll USER'.\n"
        "\n"
        "  --forget       remove the record too: USER counts as never "
        "enrolled\n"
        "  -y, --yes      do not ask\n"
        "  --config=FILE  another configuration\n"
        "\n"
        "Exit status: 0 done, 1 not enrolled, 3 not allowed, 6 storage,\n"
        "7 not confirmed.\n",
    .options = options,
    .run = run,
};
