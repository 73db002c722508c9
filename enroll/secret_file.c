/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "enroll/secret_file.h"
#include "lib/base32.h"
#include "lib/file.h"
#include "lib/otpauth.h"
#include "lib/secmem.h"

struct text {
    char bytes[OTPAUTH_URI_MAX];
};

static void
text_wipe(struct text *text)
{
    secmem_wipe(text, sizeof(*text));
}

static enum exit_code
read_text(const char *path, struct text *ret)
{
    AUTO(file_close) int opened = -1;
    int fd = STDIN_FILENO;
    size_t length = 0;
    enum err e;

    if (strcmp(path, "-") != 0) {
        opened = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (opened < 0)
            return tool_fail(EXIT_STORAGE, "%s: %s", path, strerror(errno));
        fd = opened;
    }
    e = file_read(fd, ret->bytes, sizeof(ret->bytes) - 1, &length);
    if (e != ERR_OK)
        return tool_fail(EXIT_STORAGE, "%s: %s", path, err_text(e));
    ret->bytes[length] = '\0';
    if (strlen(ret->bytes) != length)
        return tool_fail(EXIT_USAGE, "%s: holds a NUL byte", path);
    ret->bytes[strcspn(ret->bytes, "\r\n")] = '\0';
    return EXIT_DONE;
}

static enum exit_code
take_uri(const char *path, const char *uri, struct token *token)
{
    AUTO(otpauth_wipe) struct otpauth otpauth = {0};
    const char *why = "";
    enum err e = otpauth_parse(uri, &otpauth, &why);

    if (e != ERR_OK)
        return tool_fail(EXIT_USAGE, "%s: %s", path, why);
    if (otpauth.token.type != TOKEN_TOTP)
        return tool_fail(EXIT_USAGE, "%s: event counters (HOTP) are not taken",
                         path);
    if ((otpauth.notes & OTPAUTH_ISSUER_DIFFERS) != 0)
        (void)tool_fail(EXIT_DONE, "%s: note: it names two issuers", path);
    if ((otpauth.notes & OTPAUTH_SKIPPED) != 0)
        (void)tool_fail(
            EXIT_DONE, "%s: note: it holds parameters that are not ours", path);
    *token = otpauth.token;
    return EXIT_DONE;
}

enum exit_code
secret_file_read(const char *path, struct token *token)
{
    AUTO(text_wipe) struct text text = {{0}};
    enum exit_code code = read_text(path, &text);

    if (code != EXIT_DONE)
        return code;
    if (strchr(text.bytes, ':') != NULL) /* which base32 never has */
        code = take_uri(path, text.bytes, token);
    else if (base32_decode(text.bytes, strlen(text.bytes), &token->secret) !=
             ERR_OK)
        code = tool_fail(EXIT_USAGE, "%s: is neither base32 nor an otpauth URI",
                         path);
    if (code != EXIT_DONE)
        return code;
    if (token_check(token) != ERR_OK)
        return tool_fail(
            EXIT_USAGE, "%s: the secret has %zu bytes; %d to %d are taken",
            path, token->secret.length, TOKEN_SECRET_MIN, SECRET_MAX);
    if (token->secret.length < TOKEN_SECRET_WEAK)
        (void)tool_fail(EXIT_DONE,
                        "%s: a secret of under %d bytes is weak; a new one "
                        "would be better",
                        path, TOKEN_SECRET_WEAK);
    return EXIT_DONE;
}
