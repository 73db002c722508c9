/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pawl: enrols users for one-time codes, and looks after them.
 */
#include "config.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "enroll/tool.h"
#include "lib/clock_system.h"

static const struct command *const commands[] = {
    &cmd_enroll, &cmd_verify, &cmd_status, &cmd_revoke, &cmd_list, &cmd_init,
};

static void
print_help(void)
{
    puts("Usage: pawl VERB [OPTION]... [USER]\n"
         "Second-factor codes (TOTP) for PAM logins.\n");
    for (size_t i = 0; i < ARRAY_LENGTH(commands); i++)
        printf("  %-10s%s\n", commands[i]->name, commands[i]->summary);
    puts("\n"
         "  -h, --help   -V, --version   -q, --quiet   -v, --verbose\n"
         "  -j, --json   -y, --yes       --config=FILE\n"
         "\n"
         "Examples\n"
         "  pawl enroll alice           show a QR code, confirm with a code\n"
         "  pawl verify alice           try a code; does not use it up\n"
         "  pawl list --json            for your inventory\n"
         "\n"
         "'pawl VERB --help' tells more; the manual is pawl(1).");
}

static void
write_stderr(void *context, enum log_level level, const char *line)
{
    const struct tool *tool = context;

    if (level == LOG_LEVEL_DEBUG && !tool->verbose)
        return;
    if (level != LOG_LEVEL_ERROR && tool->quiet)
        return;
    fprintf(stderr, "pawl: %s\n", line);
}

/*
 * Secrets pass through this process: no core file of it, no debugger on it.
 */
static void
protect_process(void)
{
    static const struct rlimit none = {0, 0};

    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* a guard, not a condition */
    (void)setrlimit(RLIMIT_CORE, &none);
}

/* The verb as people spell it. */
static const struct command *
find_command(const char *name)
{
    if (strcmp(name, "enrol") == 0)
        name = "enroll";
    for (size_t i = 0; i < ARRAY_LENGTH(commands); i++) {
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    }
    return NULL;
}

/* Writes out what is still buffered: output that is lost is a failure. */
static enum exit_code
flush(enum exit_code code)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return code;
    return tool_fail(code == EXIT_DONE ? EXIT_STORAGE : code,
                     "the output could not be written");
}

int
main(int argc, char **argv)
{
    const char *config = secure_getenv("PAWL_CONFIG");
    struct tool tool = {
        .config = config != NULL ? config : PAWL_CONF,
        .log = {write_stderr, &tool},
        .clock = clock_system,
    };
    const struct command *command;

    (void)setlocale(LC_CTYPE, ""); /* only to know whether it is UTF-8 */
    protect_process();
    if (argc < 2) {
        fputs("Usage: pawl VERB [OPTION]... [USER]\nTry 'pawl --help'.\n",
              stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return flush(EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts(PACKAGE_STRING);
        return flush(EXIT_DONE);
    }
    command = find_command(argv[1]);
    if (command == NULL)
        return tool_fail(EXIT_USAGE, "%s: no such verb\nTry 'pawl --help'.",
                         argv[1]);
    return flush(command->run(&tool, command, argc - 1, argv + 1));
}
