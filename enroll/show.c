/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "enroll/qr_file.h"
#include "enroll/show.h"
#include "lib/base32.h"
#include "lib/file.h"
#include "lib/secmem.h"

enum {
    GROUP = 4, /* characters of a group of the key */
    KEY_TEXT_BYTES = BASE32_TEXT_BYTES(SECRET_MAX),
    KEY_LINES_BYTES = 256, /* of the key in groups, and a line about it */
    YUBIKEY_NAME_MAX = 64, /* bytes of issuer and account together */
    LONG_ISSUER = 32,      /* bytes that every app shows whole */
};

struct uri {
    char text[OTPAUTH_URI_MAX];
};

struct key_text {
    char text[KEY_TEXT_BYTES];
};

struct key_lines {
    char text[KEY_LINES_BYTES];
};

static void
uri_wipe(struct uri *uri)
{
    secmem_wipe(uri, sizeof(*uri));
}

static void
key_lines_wipe(struct key_lines *lines)
{
    secmem_wipe(lines, sizeof(*lines));
}

static void
key_text_wipe(struct key_text *key)
{
    secmem_wipe(key, sizeof(*key));
}

enum err
show_wish_parse(const char *word, enum qr_wish *ret)
{
    static const struct {
        const char *word;
        enum qr_wish wish;
    } wishes[] = {
        {"auto", QR_AUTO},
        {"big", QR_BIG},
        {"small", QR_SMALL},
        {"none", QR_NONE},
    };

    for (size_t i = 0; i < ARRAY_LENGTH(wishes); i++) {
        if (strcmp(word, wishes[i].word) == 0) {
            *ret = wishes[i].wish;
            return ERR_OK;
        }
    }
    return ERR_INVALID;
}

/* Names ------------------------------------------------------------------ */

/* The host's name up to its first dot. */
static void
short_host_name(char ret[HOST_NAME_MAX + 1])
{
    if (gethostname(ret, HOST_NAME_MAX + 1) != 0)
        (void)snprintf(ret, HOST_NAME_MAX + 1, "localhost");
    ret[HOST_NAME_MAX] = '\0';
    ret[strcspn(ret, ".")] = '\0';
}

/* Warns of what is correct and still goes wrong in some apps. */
static void
warn_of_names(const struct tool *tool, const struct otpauth *otpauth)
{
    size_t issuer = strlen(otpauth->issuer);

    if (tool->quiet)
        return;
    if (strpbrk(otpauth->issuer, "/?#&%+\"") != NULL)
        fputs("pawl: note: one of / ? # & % + \" in the issuer is misread by "
              "2FAS, Google Authenticator and Authy\n",
              stderr);
    if (issuer > LONG_ISSUER)
        fputs("pawl: note: some apps cut an issuer of over 32 bytes\n", stderr);
    if (issuer + 1 + strlen(otpauth->account) > YUBIKEY_NAME_MAX)
        fputs("pawl: note: issuer and user together are too long for a "
              "YubiKey (64 bytes)\n",
              stderr);
}

enum exit_code
show_names(const struct tool *tool, const char *issuer, const char *account,
           struct otpauth *otpauth)
{
    char host[HOST_NAME_MAX + 1];

    if (issuer == NULL)
        issuer = tool->conf.issuer;
    if (issuer[0] == '\0') {
        short_host_name(host);
        issuer = host;
    }
    if (otpauth_check_issuer(issuer) != ERR_OK)
        return tool_fail(EXIT_USAGE,
                         "the issuer cannot stand in a QR code: it is UTF-8 "
                         "of up to %d bytes, without ':' (which ends it) and "
                         "without control characters",
                         OTPAUTH_NAME_MAX - 1);
    if (otpauth_check_account(account) != ERR_OK)
        return tool_fail(EXIT_USAGE,
                         "the user name cannot stand in a QR code: it is UTF-8 "
                         "of up to %d bytes, without ':' (which ends the "
                         "issuer) and without control characters",
                         OTPAUTH_NAME_MAX - 1);
    (void)snprintf(otpauth->issuer, sizeof(otpauth->issuer), "%s", issuer);
    (void)snprintf(otpauth->account, sizeof(otpauth->account), "%s", account);
    warn_of_names(tool, otpauth);
    return EXIT_DONE;
}

/* Drawing ---------------------------------------------------------------- */

/*
 * Draws the code so that text_rows rows and a prompt fit below it; *ret_rows
 * is what it took. A terminal that it does not fit gets none, and a word about
 * what would help.
 */
static enum err
draw(const struct qr *qr, enum qr_wish wish, int text_rows, int *ret_rows)
{
    AUTO(qr_drawing_wipe) struct qr_drawing drawing = {0};
    struct qr_terminal terminal;
    struct qr_layout layout;
    enum err e;

    *ret_rows = 0;
    qr_terminal_ask(STDOUT_FILENO, &terminal);
    if (isatty(STDOUT_FILENO) == 0) {
        /* No window to fit into: whoever reads it takes it whole. */
        terminal.columns = INT_MAX;
        terminal.rows = INT_MAX;
    }
    terminal.rows -= text_rows; /* they stand below it */
    layout = qr_terminal_choose(qr, &terminal, wish);
    if (layout.style == QR_STYLE_NONE) {
        layout = qr_terminal_layout(
            qr, wish == QR_BIG ? QR_STYLE_BIG : QR_STYLE_SMALL, 2);
        printf("The QR code does not fit: it takes a window of %d by %d, or a "
               "smaller font.\n"
               "Or write a picture: f here, or --qr-file=FILE.png\n",
               layout.columns, layout.rows + text_rows + 1);
        *ret_rows = 2;
        return ERR_OK;
    }
    e = qr_terminal_draw(qr, &layout, terminal.colours, &drawing);
    if (e != ERR_OK)
        return e;
    if (terminal.colours == QR_COLOURS_NONE)
        puts("(It scans on a dark screen only.)");
    if (fflush(stdout) != 0)
        return ERR_IO;
    *ret_rows = layout.rows + (terminal.colours == QR_COLOURS_NONE);
    return file_write(STDOUT_FILENO, drawing.bytes, drawing.length);
}

/*
 * The key as people type it, and what an app must be told besides. Written
 * by hand, so that no buffer of a stream keeps the key.
 */
static enum err
format_key(const struct token *token, struct key_lines *ret)
{
    AUTO(key_text_wipe) struct key_text key = {{0}};
    size_t used = 0, length;
    int more = 0;

    base32_encode(token->secret.bytes, token->secret.length, key.text);
    length = strlen(key.text);
    (void)memcpy(ret->text, "Key:", 4);
    used = 4;
    for (size_t i = 0; i < length; i++) {
        if (i % GROUP == 0)
            ret->text[used++] = ' ';
        ret->text[used++] = key.text[i];
    }
    ret->text[used++] = '\n';
    if (token->algorithm != HOTP_SHA1 || token->digits != TOKEN_DIGITS ||
        token->period != TOKEN_PERIOD)
        more = snprintf(ret->text + used, sizeof(ret->text) - used,
                        "With %s, %u digits, every %u s: tell the app, if it "
                        "asks.\n",
                        hotp_algorithm_name(token->algorithm), token->digits,
                        token->period);
    if (more < 0 || (size_t)more >= sizeof(ret->text) - used)
        return ERR_SPACE;
    return ERR_OK;
}

/* Rows of the terminal that one line of so many characters takes. */
static int
rows_of_length(size_t length)
{
    struct qr_terminal terminal;

    qr_terminal_ask(STDOUT_FILENO, &terminal);
    return length == 0 ? 1 : (int)((length - 1) / (size_t)terminal.columns) + 1;
}

/* Rows of the terminal that lines takes. */
static int
rows_of(const char *lines)
{
    int rows = 0;

    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");

        rows += rows_of_length(length);
        lines += length + (lines[length] == '\n');
    }
    return rows;
}

static enum err
write_text(const char *text)
{
    if (fflush(stdout) != 0)
        return ERR_IO;
    return file_write(STDOUT_FILENO, text, strlen(text));
}

static enum exit_code
write_picture(const struct tool *tool, const struct qr *qr, const char *path)
{
    enum err e = qr_file_write(qr, path);

    if (e != ERR_OK)
        return tool_fail(e == ERR_EXISTS ? EXIT_WOULD_OVERWRITE : EXIT_STORAGE,
                         "%s: %s", path, err_text(e));
    tool_say(tool,
             "The QR code is in %s: it is the key, remove it when "
             "it was scanned.",
             path);
    return EXIT_DONE;
}

/* Makes the code of what is shown. */
static enum err
make_qr(const struct otpauth *otpauth, struct qr *ret)
{
    AUTO(uri_wipe) struct uri uri = {{0}};
    enum err e = otpauth_format(otpauth, uri.text, sizeof(uri.text));

    if (e != ERR_OK)
        return e;
    return qr_make(uri.text, ret);
}

enum exit_code
show_key(struct show *show)
{
    AUTO(qr_wipe) struct qr qr = {0};
    AUTO(key_lines_wipe) struct key_lines lines = {{0}};
    int rows = 0;
    enum err e = make_qr(show->otpauth, &qr);

    if (e == ERR_OK)
        e = format_key(&show->otpauth->token, &lines);
    if (e != ERR_OK)
        return tool_fail(EXIT_STORAGE, "no QR code could be made: %s",
                         err_text(e));
    if (show->choices.file != NULL) {
        enum exit_code code =
            write_picture(show->tool, &qr, show->choices.file);

        if (code != EXIT_DONE)
            return code;
    }
    if (show->choices.wish != QR_NONE)
        e = draw(&qr, show->choices.wish, rows_of(lines.text), &rows);
    if (e == ERR_OK)
        e = write_text(lines.text);
    if (e != ERR_OK)
        return tool_fail(EXIT_STORAGE, "the key could not be shown: %s",
                         err_text(e));
    show->rows += rows + rows_of(lines.text);
    return EXIT_DONE;
}

enum exit_code
show_again(struct show *show, enum qr_wish wish)
{
    show_clear(show);
    show->choices = (struct show_choices){.wish = wish};
    return show_key(show);
}

void
show_save(const struct show *show, const char *path)
{
    AUTO(qr_wipe) struct qr qr = {0};

    if (qr_file_check(path) != ERR_OK)
        (void)tool_fail(EXIT_USAGE, "%s: the name ends in .png or .svg", path);
    else if (make_qr(show->otpauth, &qr) != ERR_OK)
        (void)tool_fail(EXIT_STORAGE, "no QR code could be made");
    else
        (void)write_picture(show->tool, &qr, path); /* it says how it went */
}

void
show_said(struct show *show, size_t length)
{
    show->rows += rows_of_length(length);
}

/*
 * Line by line: erasing to the end of the screen from its first row is taken
 * by some terminals for a reason to keep it all in their history.
 */
void
show_clear(struct show *show)
{
    if (isatty(STDOUT_FILENO) != 0) {
        for (int i = 0; i < show->rows; i++)
            fputs("\033[1A\033[2K", stdout);
        (void)fflush(stdout); /* main looks whether output was lost */
    }
    show->rows = 0;
}
