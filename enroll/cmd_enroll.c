/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "enroll/account.h"
#include "enroll/confirm.h"
#include "enroll/journal.h"
#include "enroll/qr_file.h"
#include "enroll/secret_file.h"
#include "enroll/show.h"
#include "enroll/tool.h"
#include "enroll/tty.h"
#include "lib/decimal.h"

enum {
    OPTION_REPLACE = 256,
    OPTION_NO_CONFIRM,
    OPTION_STDIN,
    OPTION_NO_ACCOUNT,
    OPTION_SECRET_FILE,
    OPTION_QR,
    OPTION_QR_FILE,
    OPTION_NAME,
    OPTION_ISSUER,
    OPTION_ALGORITHM,
    OPTION_DIGITS,
    OPTION_PERIOD,
};

struct choices {
    bool replace;
    bool no_confirm;
    bool use_stdin;
    bool no_account;
    const char *secret_file;
    const char *name; /* of the authenticator */
    const char *issuer;
    enum hotp_algorithm algorithm; /* 0: as configured */
    unsigned digits;
    unsigned period;
    struct show_choices show;
};

/* What enrolling works on. Holds a secret. */
struct enrolling {
    struct account account;
    struct otpauth otpauth; /* token and the names that the app shows */
    uint64_t floor;
    bool exists; /* a record, be it a tombstone */
};

static void
enrolling_wipe(struct enrolling *enrolling)
{
    secmem_wipe(enrolling, sizeof(*enrolling));
}

static enum exit_code
set_number(const char *argument, unsigned low, unsigned high, unsigned *ret)
{
    uint64_t number = 0;

    if (decimal_parse(argument, strlen(argument), high, &number) != ERR_OK ||
        number < low)
        return tool_usage(&cmd_enroll, "%s: not a number from %u to %u",
                          argument, low, high);
    *ret = (unsigned)number;
    return EXIT_DONE;
}

static enum exit_code
set_with_value(struct choices *choices, int option, const char *argument)
{
    switch (option) {
    case OPTION_SECRET_FILE:
        choices->secret_file = argument;
        return EXIT_DONE;
    case OPTION_QR:
        if (show_wish_parse(argument, &choices->show.wish) != ERR_OK)
            return tool_usage(&cmd_enroll,
                              "--qr is one of auto, big, small, none");
        return EXIT_DONE;
    case OPTION_QR_FILE:
        if (qr_file_check(argument) != ERR_OK)
            return tool_usage(&cmd_enroll,
                              "--qr-file: the name ends in .png or .svg");
        choices->show.file = argument;
        return EXIT_DONE;
    case OPTION_NAME:
        choices->name = argument;
        return EXIT_DONE;
    case OPTION_ISSUER:
        choices->issuer = argument;
        return EXIT_DONE;
    case OPTION_ALGORITHM:
        if (hotp_algorithm_parse(argument, &choices->algorithm) != ERR_OK)
            return tool_usage(&cmd_enroll,
                              "--algorithm is one of sha1, sha256, sha512");
        return EXIT_DONE;
    case OPTION_DIGITS:
        return set_number(argument, HOTP_DIGITS_MIN, HOTP_DIGITS_MAX,
                          &choices->digits);
    case OPTION_PERIOD:
        return set_number(argument, TOTP_PERIOD_MIN, TOTP_PERIOD_MAX,
                          &choices->period);
    default:
        return tool_usage(&cmd_enroll, "that option is not for this verb");
    }
}

static enum exit_code
set(void *context, int option, const char *argument)
{
    struct choices *choices = context;

    switch (option) {
    case OPTION_REPLACE:
        choices->replace = true;
        return EXIT_DONE;
    case OPTION_NO_CONFIRM:
        choices->no_confirm = true;
        return EXIT_DONE;
    case OPTION_STDIN:
        choices->use_stdin = true;
        return EXIT_DONE;
    case OPTION_NO_ACCOUNT:
        choices->no_account = true;
        return EXIT_DONE;
    default:
        return set_with_value(choices, option, argument);
    }
}

/*
 * Whether user may be enrolled: nobody is, or --replace. The keys are gone
 * from memory again when this returns.
 */
static enum exit_code
check_vacant(struct tool *tool, const char *user, bool replace,
             bool *ret_exists)
{
    AUTO(vault_close) struct vault *vault = NULL;
    enum vault_condition condition;
    enum exit_code code = tool_open_vault(tool, &vault);
    enum err e;

    if (code != EXIT_DONE)
        return code;
    e = vault_begin(vault, user, false, tool->conf.widest_future, &condition);
    *ret_exists = e != ERR_NOT_FOUND;
    if (e == ERR_NOT_FOUND || replace)
        return EXIT_DONE;
    if (e != ERR_OK) {
        (void)tool_fail_vault(e, user);
        return tool_fail(EXIT_STORAGE,
                         "to enrol %s anew all the same: "
                         "pawl enroll --replace",
                         user);
    }
    if (vault_credential(vault)->enrolment.status == ENROLMENT_REVOKED)
        return EXIT_DONE;
    return tool_fail(EXIT_WOULD_OVERWRITE,
                     "%s is enrolled already; --replace makes the old key "
                     "worthless",
                     user);
}

/* Options and a URI may not say two things. */
static enum exit_code
read_token(const struct choices *choices, struct token *ret)
{
    enum exit_code code = secret_file_read(choices->secret_file, ret);

    if (code != EXIT_DONE)
        return code;
    if ((choices->algorithm != 0 && choices->algorithm != ret->algorithm) ||
        (choices->digits != 0 && choices->digits != ret->digits) ||
        (choices->period != 0 && choices->period != ret->period))
        return tool_usage(&cmd_enroll,
                          "%s: its algorithm, digits or period are not those "
                          "of the options",
                          choices->secret_file);
    return EXIT_DONE;
}

/* The token to enrol: from a file, or new. */
static enum exit_code
make_token(const struct tool *tool, const struct choices *choices,
           struct token *ret)
{
    const struct conf *conf = &tool->conf;
    enum err e;

    ret->type = TOKEN_TOTP;
    ret->algorithm =
        choices->algorithm != 0 ? choices->algorithm : conf->algorithm;
    ret->digits = choices->digits != 0 ? choices->digits : conf->digits;
    ret->period = choices->period != 0 ? choices->period : conf->period;
    if (choices->secret_file != NULL)
        return read_token(choices, ret);
    e = token_generate_secret(ret);
    if (e != ERR_OK)
        return tool_fail(EXIT_STORAGE, "no secret could be made: %s",
                         err_text(e));
    return EXIT_DONE;
}

static enum exit_code
store(struct tool *tool, const struct choices *choices,
      const struct enrolling *enrolling)
{
    AUTO(vault_close) struct vault *vault = NULL;
    AUTO(credential_wipe) struct credential credential = {0};
    struct vault_place place = tool_place(tool);
    struct moment now;
    enum err e = tool->clock.read(tool->clock.context, &now);

    if (e == ERR_OK)
        e = credential_new(now.wall, &credential);
    if (e == ERR_OK)
        e = credential_add(&credential, choices->name,
                           &enrolling->otpauth.token, enrolling->floor,
                           now.wall);
    if (e == ERR_INVALID)
        return tool_fail(EXIT_USAGE, "%s: cannot name an authenticator",
                         choices->name);
    if (e == ERR_OK)
        e = vault_open(&place, &tool->clock, &tool->log, &vault);
    if (e == ERR_OK)
        e = enrolling->exists
                ? vault_overwrite(vault, enrolling->account.name, &credential,
                                  choices->replace ? VAULT_OVER_ANYTHING
                                                   : VAULT_OVER_REVOKED,
                                  tool->conf.widest_future)
                : vault_create(vault, enrolling->account.name, &credential);
    if (e != ERR_OK)
        return tool_fail_vault(e, enrolling->account.name);
    journal_change(enrolling->exists ? "second factor replaced"
                                     : "second factor enrolled",
                   enrolling->account.name);
    return EXIT_DONE;
}

/* Shows the key, and waits for the first code unless told not to. */
static enum exit_code
present(const struct tool *tool, const struct choices *choices,
        struct enrolling *enrolling)
{
    AUTO(tty_close) struct tty tty = {.fd = -1};
    struct show show = {
        .tool = tool,
        .choices = choices->show,
        .otpauth = &enrolling->otpauth,
    };
    enum exit_code code;

    if (!choices->no_confirm && tty_open(choices->use_stdin, &tty) != ERR_OK)
        return tool_fail(EXIT_UNANSWERED,
                         "there is no terminal to type the first code at; "
                         "--stdin reads it from standard input, --no-confirm "
                         "goes without");
    code = show_key(&show);
    if (code != EXIT_DONE || choices->no_confirm)
        return code;
    code = confirm_token(&show, &tty, &enrolling->floor);
    if (tty.prompts)
        show_clear(&show);
    return code;
}

static enum exit_code
enroll(struct tool *tool, const struct choices *choices, const char *operand)
{
    AUTO(enrolling_wipe) struct enrolling enrolling = {0};
    enum exit_code code;

    code = account_find(operand, !choices->no_account, &enrolling.account);
    if (code == EXIT_DONE)
        code = check_vacant(tool, enrolling.account.name, choices->replace,
                            &enrolling.exists);
    if (code == EXIT_DONE)
        code = make_token(tool, choices, &enrolling.otpauth.token);
    if (code == EXIT_DONE)
        code = show_names(tool, choices->issuer, enrolling.account.name,
                          &enrolling.otpauth);
    if (code == EXIT_DONE)
        code = present(tool, choices, &enrolling);
    if (code == EXIT_DONE)
        code = store(tool, choices, &enrolling);
    if (code == EXIT_DONE)
        tool_say(tool, "%s is enrolled%s.", enrolling.account.name,
                 choices->no_confirm ? ", without a first code" : "");
    return code;
}

static enum exit_code
run(struct tool *tool, const struct command *command, int argc, char **argv)
{
    struct choices choices = {.name = "app"};
    int operand;
    bool over;
    enum exit_code code =
        tool_options(tool, command, argc, argv, set, &choices, &operand, &over);

    if (code != EXIT_DONE || over)
        return code;
    if (argc - operand > 1)
        return tool_usage(command, "only one user at a time");
    if (choices.use_stdin && choices.secret_file != NULL &&
        strcmp(choices.secret_file, "-") == 0)
        return tool_usage(command, "--stdin and --secret-file=- both read "
                                   "standard input");
    return enroll(tool, &choices, argv[operand]);
}

static const struct option options[] = {
    {"replace", no_argument, NULL, OPTION_REPLACE},
    {"no-confirm", no_argument, NULL, OPTION_NO_CONFIRM},
    {"stdin", no_argument, NULL, OPTION_STDIN},
    {"no-account", no_argument, NULL, OPTION_NO_ACCOUNT},
    {"secret-file", required_argument, NULL, OPTION_SECRET_FILE},
    {"qr", required_argument, NULL, OPTION_QR},
    {"qr-file", required_argument, NULL, OPTION_QR_FILE},
    {"name", required_argument, NULL, OPTION_NAME},
    {"issuer", required_argument, NULL, OPTION_ISSUER},
    {"algorithm", required_argument, NULL, OPTION_ALGORITHM},
    {"digits", required_argument, NULL, OPTION_DIGITS},
    {"period", required_argument, NULL, OPTION_PERIOD},
    {0},
};

const struct command cmd_enroll = {
    .name = "enroll",
    .summary = "set up an authenticator app (shows a QR code)",
    .help =
        "Usage: pawl enroll [OPTION]... [USER]\n"
        "\n"
        "  pawl enroll alice                     scan, type the code, done\n"
        "  pawl enroll --secret-file=key alice   with a key that exists\n"
        "\n"
        "Shows a new key as a QR code and in groups of four, and stores it\n"
        "once the app has shown a right code. That code is then used up.\n"
        "\n"
        "  --replace            also who is enrolled: the old key is "
        "worthless\n"
        "  --secret-file=FILE   take the key (base32 or an otpauth URI) from\n"
        "                       FILE; - is standard input\n"
        "  --qr=WHEN            auto, big, small or none\n"
        "  --qr-file=FILE       also write the QR code to FILE.png or .svg\n"
        "  --no-confirm         store without a first code\n"
        "  --stdin              read the first code from standard input\n"
        "  --no-account         USER needs no account on this host\n"
        "  --name=NAME          what to call the authenticator [app]\n"
        "  --issuer=TEXT        the name that the app shows\n"
        "  --algorithm=NAME     sha1, sha256, sha512; several apps ignore it\n"
        "  --digits=N           6 to 8                and compute sha1, six\n"
        "  --period=SECONDS     15 to 300             digits, 30 s instead\n"
        "  --config=FILE        another configuration\n"
        "\n"
        "Exit status: 0 enrolled, 3 not allowed, 4 no such user, 5 enrolled\n"
        "already, 6 storage, 7 no right code.\n",
    .options = options,
    .run = run,
};
