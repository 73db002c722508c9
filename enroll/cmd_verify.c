/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "enroll/account.h"
#include "enroll/report.h"
#include "enroll/tool.h"
#include "enroll/typed.h"
#include "lib/verify.h"

enum {
    OPTION_STDIN = 256,
};

static enum exit_code
set(void *context, int option, const char *argument)
{
    bool *use_stdin = context;

    (void)argument; /* the only option takes none */
    if (option != OPTION_STDIN)
        return tool_usage(&cmd_verify, "that option is not for this verb");
    *use_stdin = true;
    return EXIT_DONE;
}

static enum exit_code
ask(bool use_stdin, struct typed *ret)
{
    AUTO(tty_close) struct tty tty = {.fd = -1};

    if (tty_open(use_stdin, &tty) != ERR_OK)
        return tool_fail(EXIT_UNANSWERED,
                         "there is no terminal to ask at; --stdin reads the "
                         "code from standard input");
    if (typed_ask(&tty, "Code to try: ", ret) != ERR_OK)
        return tool_fail(EXIT_UNANSWERED, "no code was given");
    return EXIT_DONE;
}

/* What each reason means for whoever tried, and what to do about it. */
static const char *
advice(enum reason reason)
{
    switch (reason) {
    case REASON_ACCEPTED:
        return "right; it is not used up by this";
    case REASON_WRONG:
        return "wrong";
    case REASON_REPLAYED:
        return "right, but used already: wait for the next one";
    case REASON_MALFORMED:
        return "not a code: type the 6 to 8 digits that the app shows";
    case REASON_NOT_ENROLLED:
        return "not enrolled: pawl enroll";
    case REASON_THROTTLED:
        return "not looked at: too many wrong codes, try later";
    case REASON_CLOCK:
        return "not looked at: this host's clock is not to be trusted";
    case REASON_INTEGRITY:
        return "not looked at: the record or the key ring is damaged";
    case REASON_STORAGE:
        return "not looked at: store or key ring cannot be used";
    case REASON_POLICY:
        return "not looked at: the enrolment is disabled or pending";
    case REASON_NONE:
        break;
    }
    return "not decided";
}

static enum exit_code
code_of(const struct outcome *outcome)
{
    if (outcome->verdict == VERDICT_ACCEPTED)
        return EXIT_DONE;
    if (outcome->error == ERR_PERMISSION)
        return EXIT_NOT_ALLOWED;
    switch (outcome->reason) {
    case REASON_CLOCK:
    case REASON_THROTTLED:
        return EXIT_LATER;
    case REASON_INTEGRITY:
    case REASON_STORAGE:
        return outcome->error == ERR_BUSY ? EXIT_LATER : EXIT_STORAGE;
    case REASON_NONE:
    case REASON_ACCEPTED:
    case REASON_WRONG:
    case REASON_REPLAYED:
    case REASON_NOT_ENROLLED:
    case REASON_MALFORMED:
    case REASON_POLICY:
        break;
    }
    return EXIT_ANSWER_NO;
}

static enum exit_code
tell(const struct tool *tool, const char *user, const struct outcome *outcome)
{
    if (tool->json) {
        AUTO(report_free) json_t *report = report_new();

        report_set(report, "user", json_string(user));
        report_set(report, "right",
                   json_boolean(outcome->verdict == VERDICT_ACCEPTED));
        report_set(report, "reason", json_string(reason_text(outcome->reason)));
        return report_print(report, code_of(outcome));
    }
    tool_say(tool, "%s: %s", user, advice(outcome->reason));
    if (outcome->error == ERR_PERMISSION)
        return tool_fail_vault(outcome->error, user);
    return code_of(outcome);
}

static enum exit_code
run(struct tool *tool, const struct command *command, int argc, char **argv)
{
    AUTO(typed_wipe) struct typed answer = {{0}};
    struct account account;
    struct vault_place place;
    struct outcome outcome;
    bool use_stdin = false, over;
    int operand;
    enum exit_code code = tool_options(tool, command, argc, argv, set,
                                       &use_stdin, &operand, &over);

    if (code != EXIT_DONE || over)
        return code;
    if (argc - operand > 1)
        return tool_usage(command, "only one user at a time");
    code = account_find(argv[operand], false, &account);
    if (code == EXIT_DONE)
        code = tool_configure(tool);
    if (code == EXIT_DONE)
        code = ask(use_stdin, &answer);
    if (code != EXIT_DONE)
        return code;
    place = tool_place(tool);
    verify_code(
        &(struct verify_request){
            .place = &place,
            .clock = &tool->clock,
            .log = &tool->log,
            .user = account.name,
            .answer = answer.text,
            .answer_length = strlen(answer.text),
            .window = tool->conf.window,
            .widest_future = tool->conf.widest_future,
            .mode = account_is_root() ? VERIFY_TRY_UNCOUNTED : VERIFY_TRY,
        },
        &outcome);
    return tell(tool, account.name, &outcome);
}

static const struct option options[] = {
    {"stdin", no_argument, NULL, OPTION_STDIN},
    {0},
};

const struct command cmd_verify = {
    .name = "verify",
    .summary = "try a code without logging in; does not use it up",
    .help =
        "Usage: pawl verify [OPTION]... [USER]\n"
        "\n"
        "  pawl verify                    your own, asked at the terminal\n"
        "  pawl verify --stdin alice < f  the code from a file\n"
        "\n"
        "Says whether a code would open, and if not, why. A right code can\n"
        "still be used for a login afterwards. A wrong one counts as a\n"
        "failed login, unless root tries it.\n"
        "\n"
        "  --stdin        read the code from standard input, not the\n"
        "                 terminal\n"
        "  -j, --json     one JSON object: user, right, reason\n"
        "  --config=FILE  another configuration\n"
        "\n"
        "Exit status: 0 right, 1 not, 3 not allowed, 6 storage, 9 later.\n",
    .options = options,
    .run = run,
};
