/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>

#include "enroll/account.h"
#include "enroll/report.h"
#include "enroll/summary.h"
#include "enroll/tool.h"

static enum exit_code
tell_absent(const struct tool *tool, const char *user)
{
    if (tool->json) {
        AUTO(report_free) json_t *report = report_new();

        report_set(report, "user", json_string(user));
        report_set(report, "status", json_string("not-enrolled"));
        return report_print(report, EXIT_ANSWER_NO);
    }
    tool_say(tool, "%s is not enrolled. Next: pawl enroll %s", user, user);
    return EXIT_ANSWER_NO;
}

static void
print_authenticators(const struct tool *tool,
                     const struct credential *credential)
{
    for (unsigned i = 0; i < credential->enrolment.authenticator_count; i++) {
        const struct authenticator *one =
            &credential->enrolment.authenticators[i];
        char created[REPORT_TIME_BYTES], used[REPORT_TIME_BYTES];

        report_time_text(one->created, created);
        report_time_text(credential->state.usage[i].last_use, used);
        tool_say(tool, "  %s: %s, %u digits, every %u s%s", one->name,
                 hotp_algorithm_name(one->token.algorithm), one->token.digits,
                 one->token.period, one->disabled ? ", disabled" : "");
        tool_say(tool, "    since %s, last used %s", created, used);
    }
}

static enum exit_code
tell(const struct tool *tool, const char *user,
     const struct credential *credential, bool damaged)
{
    enum exit_code code =
        summary_is_enrolled(credential) ? EXIT_DONE : EXIT_ANSWER_NO;

    if (tool->json) {
        AUTO(report_free)
        json_t *report = summary_report(user, credential, damaged);

        return report_print(report, code);
    }
    tool_say(tool, "%s: %s", user, summary_status(credential));
    print_authenticators(tool, credential);
    if (credential->state.failed_since > 0) {
        char since[REPORT_TIME_BYTES];

        report_time_text(credential->state.first_failed, since);
        tool_say(tool, "  %u failed codes since %s",
                 (unsigned)credential->state.failed_since, since);
    }
    if (damaged)
        tool_say(tool, "  one of the record's two versions is damaged: the "
                       "next login is refused and mends it");
    tool_say(tool,
             code == EXIT_DONE ? "Try a code: pawl verify %s"
                               : "Next: pawl enroll %s",
             user);
    return code;
}

static enum exit_code
run(struct tool *tool, const struct command *command, int argc, char **argv)
{
    AUTO(vault_close) struct vault *vault = NULL;
    AUTO(credential_wipe) struct credential credential = {0};
    struct account account;
    enum vault_condition condition;
    int operand;
    bool over;
    enum exit_code code =
        tool_options(tool, command, argc, argv, NULL, NULL, &operand, &over);
    enum err e;

    if (code != EXIT_DONE || over)
        return code;
    if (argc - operand > 1)
        return tool_usage(command, "only one user at a time");
    code = account_find(argv[operand], false, &account);
    if (code == EXIT_DONE)
        code = tool_open_vault(tool, &vault);
    if (code != EXIT_DONE)
        return code;
    e = vault_begin(vault, account.name, false, tool->conf.widest_future,
                    &condition);
    if (e == ERR_NOT_FOUND)
        return tell_absent(tool, account.name);
    if (e != ERR_OK)
        return tool_fail_vault(e, account.name);
    /* Whoever reads our output slowly must not hold up a login. */
    credential = *vault_credential(vault);
    vault_close(&vault);
    return tell(tool, account.name, &credential, condition == VAULT_TORN);
}

const struct command cmd_status = {
    .name = "status",
    .summary = "what is set up, since when, what was used last",
    .help = "Usage: pawl status [OPTION]... [USER]\n"
            "\n"
            "  pawl status            your own account\n"
            "  pawl status -j alice   as JSON\n"
            "\n"
            "  -j, --json     one JSON object\n"
            "  --config=FILE  another configuration\n"
            "\n"
            "Exit status: 0 enrolled, 1 not, 3 not allowed, 6 storage.\n",
    .run = run,
};
