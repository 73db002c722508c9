/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every command of `pawl` is given, and what it answers with.
 */
#ifndef PAWL_ENROLL_TOOL_H
#define PAWL_ENROLL_TOOL_H

#include <getopt.h>
#include <stdbool.h>

#include "lib/attrs.h"
#include "lib/clock.h"
#include "lib/conf.h"
#include "lib/log.h"
#include "lib/vault.h"

/* The tool's exit status. pawl(1) is its manual; scripts rely on it. */
enum exit_code {
    EXIT_DONE = 0,        /* done, or the answer is yes */
    EXIT_ANSWER_NO = 1,   /* the answer is no */
    EXIT_USAGE = 2,       /* unknown option or verb, bad argument */
    EXIT_NOT_ALLOWED = 3, /* not root and not one's own account */
    EXIT_NO_SUCH_USER = 4,
    EXIT_WOULD_OVERWRITE = 5, /* enrolled already, file exists */
    EXIT_STORAGE = 6,         /* store, key ring or configuration */
    EXIT_UNANSWERED = 7,      /* nobody to ask, or the person declined */
    EXIT_PARTLY = 8,
    EXIT_LATER = 9, /* lock held, throttled, clock not to be trusted */
};

struct tool {
    const char *config; /* path of pawl.conf */
    bool json;
    bool quiet;
    bool verbose;
    bool yes;
    struct conf conf;
    struct log log; /* to stderr */
    struct clock clock;
};

enum {
    TOOL_NAME_BYTES = 1025, /* of a user's name, every byte of it escaped */
};

struct command {
    const char *name;
    const char *summary;          /* one line for `pawl --help` */
    const char *help;             /* all of `pawl NAME --help` */
    const struct option *options; /* its own, ended by zeros; may be NULL */
    enum exit_code (*run)(struct tool *tool, const struct command *command,
                          int argc, char **argv);
};

extern const struct command cmd_init;
extern const struct command cmd_enroll;
extern const struct command cmd_verify;
extern const struct command cmd_status;
extern const struct command cmd_list;
extern const struct command cmd_revoke;

/*
 * Reads the options of a command line whose argv[0] is the verb: those every
 * command knows into tool, its own through set (which may be NULL). Then loads
 * the configuration unless the command makes it. *ret_operand is the first
 * word that is no option. EXIT_DONE means go on; *ret_over true means that
 * --help was answered and all is said.
 */
typedef enum exit_code (*option_setter)(void *context, int option,
                                        const char *argument);
enum exit_code tool_options(struct tool *tool, const struct command *command,
                            int argc, char **argv, option_setter set,
                            void *context, int *ret_operand, bool *ret_over)
    MUST_CHECK;

/* Loads pawl.conf's global part into tool. EXIT_STORAGE after saying why. */
enum exit_code tool_configure(struct tool *tool) MUST_CHECK;

/* Prints "pawl: ..." on stderr, and gives back code. */
enum exit_code tool_fail(enum exit_code code, const char *format, ...)
    PRINTF_LIKE(2, 3);

/* The same for a usage error, with a pointer to --help. */
enum exit_code tool_usage(const struct command *command, const char *format,
                          ...) PRINTF_LIKE(2, 3);

/* Says what a failed vault call means for subject, and picks the exit code. */
enum exit_code tool_fail_vault(enum err error, const char *subject);

/* Prints a line for people on stdout unless --quiet. */
void tool_say(const struct tool *tool, const char *format, ...)
    PRINTF_LIKE(2, 3);

/*
 * Configures, and opens the vault: what most commands begin with. What is
 * wrong has been said when this is not EXIT_DONE.
 */
enum exit_code tool_open_vault(struct tool *tool, struct vault **ret)
    MUST_CHECK;

/* Where the vault of this configuration is. */
struct vault_place tool_place(const struct tool *tool);

#endif
