/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/fs.h>

#include "enroll/tool.h"
#include "lib/file.h"
#include "lib/keyring.h"
#include "lib/secmem.h"

enum {
    OPTION_STORE = 256,
    OPTION_KEYRING,
    OPTION_ISSUER,
    OPTION_RESUME,
    CONFIG_BYTES = 2 * PATH_MAX + 2048,
};

struct choices {
    const char *store;
    const char *keyring;
    const char *issuer;
    bool resume;
};

static enum exit_code
set(void *context, int option, const char *argument)
{
    struct choices *choices = context;

    switch (option) {
    case OPTION_STORE:
        choices->store = argument;
        break;
    case OPTION_KEYRING:
        choices->keyring = argument;
        break;
    case OPTION_ISSUER:
        choices->issuer = argument;
        break;
    case OPTION_RESUME:
        choices->resume = true;
        break;
    default:
        return tool_usage(&cmd_init, "that option is not for this verb");
    }
    return EXIT_DONE;
}

/* Files ------------------------------------------------------------------ */

/*
 * The folder that an absolute path lies in, and the name behind it (which may
 * be NULL where only the folder matters).
 */
static enum err
split_path(const char *path, char ret_folder[PATH_MAX], const char **ret_name)
{
    const char *slash = strrchr(path, '/');
    size_t length;

    if (path[0] != '/' || slash[1] == '\0')
        return ERR_INVALID;
    length = slash == path ? 1 : (size_t)(slash - path);
    if (length >= PATH_MAX)
        return ERR_SPACE;
    memcpy(ret_folder, path, length);
    ret_folder[length] = '\0';
    if (ret_name != NULL)
        *ret_name = slash + 1;
    return ERR_OK;
}

/* Opens the folder that path lies in; *ret_name is what is behind it. */
static enum err
open_parent(const struct tool *tool, const char *path, int *ret,
            const char **ret_name)
{
    char folder[PATH_MAX];
    uid_t owner;
    enum err e = split_path(path, folder, ret_name);

    if (e != ERR_OK)
        return e;
    return file_open_folder(folder, false, &tool->log, ret, &owner);
}

/* Makes a folder unless there is one. Only the last component is made. */
static enum err
make_folder(const struct tool *tool, const char *path, mode_t mode)
{
    AUTO(file_close) int parent = -1;
    const char *name;
    enum err e;

    if (access(path, F_OK) == 0)
        return ERR_OK; /* whoever opens it judges it */
    e = open_parent(tool, path, &parent, &name);
    if (e != ERR_OK)
        return e;
    if (mkdirat(parent, name, mode) != 0 && errno != EEXIST)
        return file_error(errno);
    return fsync(parent) == 0 ? ERR_OK : ERR_IO;
}

static enum err
make_file(const struct tool *tool, const char *path, mode_t mode,
          const char *text)
{
    AUTO(file_close) int parent = -1;
    const char *name;
    enum err e = open_parent(tool, path, &parent, &name);

    if (e != ERR_OK)
        return e;
    return file_create(parent, name, mode, text, strlen(text), true);
}

/* Makes the folder that a file goes into, open to read but not to write. */
static enum err
make_parent(const struct tool *tool, const char *path)
{
    char folder[PATH_MAX];
    enum err e = split_path(path, folder, NULL);

    return e == ERR_OK ? make_folder(tool, folder, 0755) : e;
}

static bool
copies_on_write(int folder)
{
    struct statfs status;

    if (fstatfs(folder, &status) != 0)
        return false;
    switch ((uint32_t)status.f_type) {
    case 0x9123683e: /* Btrfs */
    case 0xca451a4e: /* bcachefs */
    case 0x2fc12fc1: /* ZFS */
        return true;
    default:
        return false;
    }
}

/*
 * On copy-on-write file systems a write in place needs a new block, so a full
 * disk would refuse a login: switched off for this folder where the file
 * system has a switch.
 */
static void
switch_off_copy_on_write(const struct tool *tool, const char *path)
{
    AUTO(file_close) int folder = -1;
    uid_t owner;
    int flags = 0;

    if (file_open_folder(path, true, &tool->log, &folder, &owner) != ERR_OK ||
        !copies_on_write(folder))
        return;
    if (ioctl(folder, FS_IOC_GETFLAGS, &flags) == 0) {
        flags |= FS_NOCOW_FL;
        if (ioctl(folder, FS_IOC_SETFLAGS, &flags) == 0)
            return;
    }
    (void)tool_fail(EXIT_DONE,
                    "note: %s copies on write, and that cannot be switched "
                    "off: on a full disk logins will be refused",
                    path);
}

/* Configuration ---------------------------------------------------------- */

static enum err
format_config(const struct choices *choices, char ret[CONFIG_BYTES])
{
    int length = snprintf(
        ret, CONFIG_BYTES,
        "# pawl.conf(5) has every key. What is commented out shows the "
        "default.\n"
        "# Keys of the second half may also stand in a part of their own for\n"
        "# one PAM service, like [sshd].\n"
        "\n"
        "store = %s\n"
        "keyring = %s\n"
        "%sissuer = %s\n"
        "\n"
        "# past_steps = 1\n"
        "# future_steps = 1\n"
        "# nullok = no\n"
        "# prompt = \"Verification code: \"\n"
        "# fail_delay = 2000\n",
        choices->store, choices->keyring, choices->issuer != NULL ? "" : "# ",
        choices->issuer != NULL ? choices->issuer : "name that apps show");

    if (length < 0 || length >= CONFIG_BYTES)
        return ERR_SPACE;
    return ERR_OK;
}

/*
 * Takes the configuration that is there, or writes one from the choices.
 */
static enum exit_code
settle_config(struct tool *tool, const struct choices *choices)
{
    char text[CONFIG_BYTES];
    enum err e;

    if (access(tool->config, F_OK) == 0) {
        if (choices->store != NULL || choices->keyring != NULL ||
            choices->issuer != NULL)
            return tool_fail(EXIT_WOULD_OVERWRITE,
                             "%s exists and says where store and key ring "
                             "are; change it there",
                             tool->config);
        return tool_configure(tool);
    }
    e = format_config(
        &(struct choices){
            .store = choices->store != NULL ? choices->store : PAWL_STORE,
            .keyring =
                choices->keyring != NULL ? choices->keyring : PAWL_KEYRING,
            .issuer = choices->issuer,
        },
        text);
    if (e == ERR_OK)
        e = conf_parse(text, tool->config, NULL, &tool->log, &tool->conf);
    if (e != ERR_OK)
        return tool_fail(EXIT_USAGE, "these values cannot stand in %s: %s",
                         tool->config, err_text(e));
    e = make_parent(tool, tool->config);
    if (e == ERR_OK)
        e = make_file(tool, tool->config, 0644, text);
    if (e != ERR_OK)
        return tool_fail(e == ERR_PERMISSION ? EXIT_NOT_ALLOWED : EXIT_STORAGE,
                         "%s could not be made: %s", tool->config, err_text(e));
    tool_say(tool, "made   %s", tool->config);
    return EXIT_DONE;
}

/* Key ring and store ----------------------------------------------------- */

struct ring_memory {
    struct keyring keyring;
    char text[KEYRING_FILE_MAX];
};

static void
free_ring(struct ring_memory **memory)
{
    secmem_free(*memory, sizeof(**memory));
    *memory = NULL;
}

static enum err
make_ring(const struct tool *tool)
{
    AUTO(free_ring) struct ring_memory *memory = NULL;
    struct moment now;
    void *pages;
    enum err e = secmem_alloc(sizeof(*memory), &pages);

    if (e != ERR_OK)
        return e;
    memory = pages;
    e = tool->clock.read(tool->clock.context, &now);
    if (e == ERR_OK)
        e = keyring_add(&memory->keyring, SEAL_DEFAULT, now.wall);
    if (e == ERR_OK)
        e = keyring_format(&memory->keyring, memory->text,
                           sizeof(memory->text));
    if (e == ERR_OK)
        e = make_parent(tool, tool->conf.keyring);
    if (e == ERR_OK)
        e = make_file(tool, tool->conf.keyring, 0600, memory->text);
    return e;
}

static enum exit_code
settle_ring(const struct tool *tool, bool resume)
{
    enum err e = make_ring(tool);

    if (e == ERR_OK) {
        tool_say(tool,
                 "made   %s   the key ring: keep a copy, apart from "
                 "copies of the store",
                 tool->conf.keyring);
        return EXIT_DONE;
    }
    if (e == ERR_EXISTS && resume)
        return EXIT_DONE;
    if (e == ERR_EXISTS)
        return tool_fail(EXIT_WOULD_OVERWRITE,
                         "%s exists: pawl is set up here already. If an "
                         "earlier init was cut short, and the store is not "
                         "merely unmounted: pawl init --resume",
                         tool->conf.keyring);
    return tool_fail_vault(e, tool->conf.keyring);
}

static enum exit_code
settle_store(struct tool *tool)
{
    AUTO(vault_close) struct vault *vault = NULL;
    struct vault_place place = tool_place(tool);
    enum err e = make_folder(tool, tool->conf.store, 0700);

    if (e != ERR_OK)
        return tool_fail_vault(e, tool->conf.store);
    switch_off_copy_on_write(tool, tool->conf.store);
    e = vault_open(&place, &tool->clock, &tool->log, &vault);
    if (e == ERR_OK)
        e = vault_init(vault);
    if (e != ERR_OK)
        return tool_fail_vault(e, tool->conf.store);
    tool_say(tool, "made   %s   the store", tool->conf.store);
    return EXIT_DONE;
}

static enum exit_code
run(struct tool *tool, const struct command *command, int argc, char **argv)
{
    struct choices choices = {0};
    int operand;
    bool over;
    enum exit_code code =
        tool_options(tool, command, argc, argv, set, &choices, &operand, &over);

    if (code != EXIT_DONE || over)
        return code;
    if (operand < argc)
        return tool_usage(command, "%s: takes no operand", argv[operand]);
    code = settle_config(tool, &choices);
    if (code == EXIT_DONE)
        code = settle_ring(tool, choices.resume);
    if (code == EXIT_DONE)
        code = settle_store(tool);
    if (code == EXIT_DONE)
        tool_say(tool, "Next: pawl enroll USER");
    return code;
}

static const struct option options[] = {
    {"store", required_argument, NULL, OPTION_STORE},
    {"keyring", required_argument, NULL, OPTION_KEYRING},
    {"issuer", required_argument, NULL, OPTION_ISSUER},
    {"resume", no_argument, NULL, OPTION_RESUME},
    {0},
};

const struct command cmd_init = {
    .name = "init",
    .summary = "make the store, the key ring and pawl.conf",
    .help =
        "Usage: pawl init [OPTION]...\n"
        "\n"
        "  pawl init                              as the system uses it\n"
        "  pawl init --config=/srv/demo/pawl.conf \\\n"
        "      --store=/srv/demo/store --keyring=/srv/demo/keyring\n"
        "\n"
        "Makes the configuration, a key ring with one new key, and the folder\n"
        "of records, and never overwrites one. A configuration that is there\n"
        "already is taken as it is.\n"
        "\n"
        "  --store=FOLDER   records go here  [" PAWL_STORE "]\n"
        "  --keyring=FILE   keys go here     [" PAWL_KEYRING "]\n"
        "  --issuer=NAME    name that apps show [the host's name]\n"
        "  --resume         go on with a key ring that an init which was cut\n"
        "                   short left behind\n"
        "  --config=FILE    the configuration [" PAWL_CONF "]\n"
        "\n"
        "Exit status: 0 done, 3 not allowed, 5 set up already, 6 storage.\n",
    .options = options,
    .run = run,
};
