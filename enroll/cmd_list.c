/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>

#include "enroll/report.h"
#include "enroll/summary.h"
#include "enroll/tool.h"

struct listing {
    const struct tool *tool;
    struct vault *vault;
    unsigned unreadable;
};

static void
print_row(const char *user, const struct credential *credential)
{
    char since[REPORT_TIME_BYTES], used[REPORT_TIME_BYTES];
    char name[TOOL_NAME_BYTES];

    report_time_text(credential->enrolment.created, since);
    report_time_text(credential->state.last_success, used);
    log_escape(user, name, sizeof(name));
    printf("%-20s %-9s %-20s  %-20s  %u\n", name, summary_status(credential),
           since, used, (unsigned)credential->state.failed_since);
}

/* A record that does not open is one line of the list, not its end. */
static enum err
list_unreadable(struct listing *listing, const char *user, enum err e)
{
    char name[TOOL_NAME_BYTES];

    listing->unreadable++;
    if (listing->tool->json) {
        AUTO(report_free) json_t *report = report_new();

        report_set(report, "user", json_string(user));
        report_set(report, "status", json_string("unreadable"));
        report_set(report, "error", json_string(err_text(e)));
        return report_print(report, EXIT_DONE) == EXIT_DONE ? ERR_OK : ERR_IO;
    }
    log_escape(user, name, sizeof(name));
    printf("%-20s unreadable: %s\n", name, err_text(e));
    return ERR_OK;
}

static enum err
list_one(void *context, const char *user)
{
    struct listing *listing = context;
    AUTO(credential_wipe) struct credential credential = {0};
    enum vault_condition condition;
    enum err e = vault_begin(listing->vault, user, false,
                             listing->tool->conf.widest_future, &condition);

    if (e == ERR_NOT_FOUND)
        return ERR_OK; /* gone since the folder was read */
    if (e != ERR_OK)
        return list_unreadable(listing, user, e);
    /* Whoever reads our output slowly must not hold up a login. */
    credential = *vault_credential(listing->vault);
    vault_end(listing->vault);
    if (listing->tool->json) {
        AUTO(report_free)
        json_t *report =
            summary_report(user, &credential, condition == VAULT_TORN);

        e = report_print(report, EXIT_DONE) == EXIT_DONE ? ERR_OK : ERR_IO;
    } else {
        print_row(user, &credential);
    }
    return e;
}

static enum exit_code
run(struct tool *tool, const struct command *command, int argc, char **argv)
{
    AUTO(vault_close) struct vault *vault = NULL;
    struct listing listing = {.tool = tool};
    int operand;
    bool over;
    enum exit_code code =
        tool_options(tool, command, argc, argv, NULL, NULL, &operand, &over);
    enum err e;

    if (code != EXIT_DONE || over)
        return code;
    if (operand < argc)
        return tool_usage(command, "%s: takes no operand", argv[operand]);
    code = tool_open_vault(tool, &vault);
    if (code != EXIT_DONE)
        return code;
    if (!tool->json && !tool->quiet)
        printf("%-20s %-9s %-20s  %-20s  %s\n", "USER", "STATUS", "ENROLLED",
               "LAST LOGIN", "FAILED SINCE");
    listing.vault = vault;
    e = vault_list(vault, list_one, &listing);
    if (e != ERR_OK)
        return tool_fail_vault(e, "the store");
    return listing.unreadable > 0 ? EXIT_STORAGE : EXIT_DONE;
}

const struct command cmd_list = {
    .name = "list",
    .summary = "all users who are or were enrolled",
    .help =
        "Usage: pawl list [OPTION]...\n"
        "\n"
        "  pawl list          a table\n"
        "  pawl list --json   one JSON object a line, one line a user\n"
        "\n"
        "  -j, --json     as said\n"
        "  -q, --quiet    no heading\n"
        "  --config=FILE  another configuration\n"
        "\n"
        "Exit status: 0 done, 3 not allowed, 6 storage (also when a record\n"
        "cannot be opened; it is in the list as unreadable).\n",
    .run = run,
};
