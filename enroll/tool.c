/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "enroll/tool.h"

enum {
    OPTION_CONFIG = 1000, /* above every letter and every command's own */
    OPTIONS_MAX = 32,
};

static const struct option common_options[] = {
    {"help", no_argument, NULL, 'h'},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"json", no_argument, NULL, 'j'},
    {"yes", no_argument, NULL, 'y'},
    {"config", required_argument, NULL, OPTION_CONFIG},
};

/* True when the option is one that every command knows. */
static bool
set_common(struct tool *tool, int option, const char *argument)
{
    switch (option) {
    case 'q':
        tool->quiet = true;
        return true;
    case 'v':
        tool->verbose = true;
        return true;
    case 'j':
        tool->json = true;
        return true;
    case 'y':
        tool->yes = true;
        return true;
    case OPTION_CONFIG:
        tool->config = argument;
        return true;
    default:
        return false;
    }
}

/* Puts the command's options behind the common ones. */
static void
join_options(const struct command *command, struct option ret[OPTIONS_MAX])
{
    size_t count = ARRAY_LENGTH(common_options);

    memset(ret, 0, OPTIONS_MAX * sizeof(*ret));
    memcpy(ret, common_options, sizeof(common_options));
    for (const struct option *own = command->options;
         own != NULL && own->name != NULL && count + 1 < OPTIONS_MAX; own++)
        ret[count++] = *own;
}

enum exit_code
tool_options(struct tool *tool, const struct command *command, int argc,
             char **argv, option_setter set, void *context, int *ret_operand,
             bool *ret_over)
{
    struct option options[OPTIONS_MAX];
    int option;

    *ret_over = false;
    join_options(command, options);
    optind = 0; /* glibc and musl: begin anew */
    opterr = 0;
    while ((option = getopt_long(argc, argv, "hqvjy", options, NULL)) != -1) {
        enum exit_code code;

        if (option == 'h') {
            fputs(command->help, stdout);
            *ret_over = true;
            return EXIT_DONE;
        }
        if (option == '?')
            return tool_usage(command,
                              "%s: unknown option, or its argument "
                              "is missing",
                              argv[optind - 1]);
        if (set_common(tool, option, optarg))
            continue;
        if (set == NULL)
            return tool_usage(command, "%s: unknown option", argv[optind - 1]);
        code = set(context, option, optarg);
        if (code != EXIT_DONE)
            return code;
    }
    *ret_operand = optind;
    return EXIT_DONE;
}

enum exit_code
tool_configure(struct tool *tool)
{
    enum err e = conf_load(tool->config, NULL, &tool->log, &tool->conf);

    if (e == ERR_OK)
        return EXIT_DONE;
    if (e == ERR_NOT_FOUND)
        return tool_fail(EXIT_STORAGE, "there is no %s; 'pawl init' makes one",
                         tool->config);
    if (e == ERR_PERMISSION)
        return tool_fail(EXIT_NOT_ALLOWED, "%s: %s", tool->config, err_text(e));
    return tool_fail(EXIT_STORAGE, "the configuration in %s is refused: %s",
                     tool->config, err_text(e));
}

enum exit_code
tool_fail(enum exit_code code, const char *format, ...)
{
    va_list arguments;

    fputs("pawl: ", stderr);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments); /* nowhere left to complain */
    va_end(arguments);
    fputc('\n', stderr);
    return code;
}

enum exit_code
tool_usage(const struct command *command, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "pawl %s: ", command->name);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry 'pawl %s --help'.\n", command->name);
    return EXIT_USAGE;
}

enum exit_code
tool_fail_vault(enum err error, const char *subject)
{
    if (error == ERR_PERMISSION)
        return tool_fail(EXIT_NOT_ALLOWED,
                         "%s: the store and the key ring can be read by their "
                         "owner alone; run this as root",
                         subject);
    if (error == ERR_BUSY)
        return tool_fail(EXIT_LATER, "%s: %s; try again", subject,
                         err_text(error));
    if (error == ERR_CLOCK)
        return tool_fail(EXIT_LATER, "%s: %s", subject, err_text(error));
    if (error == ERR_EXISTS)
        return tool_fail(EXIT_WOULD_OVERWRITE, "%s: %s", subject,
                         err_text(error));
    return tool_fail(EXIT_STORAGE, "%s: %s", subject, err_text(error));
}

void
tool_say(const struct tool *tool, const char *format, ...)
{
    va_list arguments;

    if (tool->quiet)
        return;
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

struct vault_place
tool_place(const struct tool *tool)
{
    return (struct vault_place){
        .store = tool->conf.store,
        .keyring = tool->conf.keyring,
        .lock_wait = tool->conf.lock_wait,
    };
}

enum exit_code
tool_open_vault(struct tool *tool, struct vault **ret)
{
    struct vault_place place;
    enum exit_code code = tool_configure(tool);
    enum err e;

    if (code != EXIT_DONE)
        return code;
    place = tool_place(tool);
    e = vault_open(&place, &tool->clock, &tool->log, ret);
    if (e == ERR_NOT_FOUND)
        return tool_fail(EXIT_STORAGE,
                         "there is no store yet; 'pawl init' makes one");
    return e == ERR_OK ? EXIT_DONE : tool_fail_vault(e, "the store");
}
