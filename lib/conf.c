/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/conf.h"
#include "lib/conf_key.h"
#include "lib/file.h"
#include "lib/log.h"
#include "lib/utf8.h"

enum {
    DEFAULT_LOCK_WAIT = 5000,  /* milliseconds */
    DEFAULT_FAIL_DELAY = 2000, /* milliseconds */
    DEFAULT_DIGITS = 6,
    DEFAULT_PERIOD = 30, /* seconds */
};

void
conf_defaults(struct conf *ret)
{
    static const char store[] = PAWL_STORE;
    static const char keyring[] = PAWL_KEYRING;
    static const char prompt[] = "Verification code: ";

    _Static_assert(sizeof(store) <= PATH_MAX, "PAWL_STORE is too long");
    _Static_assert(sizeof(keyring) <= PATH_MAX, "PAWL_KEYRING is too long");
    _Static_assert(sizeof(prompt) <= CONF_TEXT_MAX, "the prompt is too long");
    memset(ret, 0, sizeof(*ret));
    memcpy(ret->store, store, sizeof(store));
    memcpy(ret->keyring, keyring, sizeof(keyring));
    ret->lock_wait = DEFAULT_LOCK_WAIT;
    ret->algorithm = HOTP_SHA1;
    ret->digits = DEFAULT_DIGITS;
    ret->period = DEFAULT_PERIOD;
    ret->window.past = 1;
    ret->window.future = 1;
    ret->widest_future = 1;
    memcpy(ret->prompt, prompt, sizeof(prompt));
    ret->fail_delay = DEFAULT_FAIL_DELAY;
    ret->first_pass = CONF_FIRST_PASS_NO;
    ret->joined_digits = DEFAULT_DIGITS;
}

static void
text_free(char **text)
{
    free(*text);
    *text = NULL;
}

/* Lines of text up to at, counted from 1. */
static unsigned
line_of(const char *text, const char *at)
{
    unsigned line = 1;

    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

enum err
conf_load(const char *path, const char *service, const struct log *log,
          struct conf *ret)
{
    AUTO(file_close) int fd = -1;
    AUTO(text_free) char *text = NULL;
    size_t length = 0;
    enum err e = file_open(path, false, (uid_t)-1, log, &fd);

    if (e != ERR_OK)
        return e;
    text = malloc(CONF_FILE_MAX + 1);
    if (text == NULL)
        return ERR_NOMEM;
    e = file_read(fd, text, CONF_FILE_MAX, &length);
    if (e != ERR_OK) {
        log_line(log, LOG_LEVEL_ERROR, "%s: %s", path, err_text(e));
        return e == ERR_SPACE ? ERR_INVALID : e;
    }
    text[length] = '\0';
    if (strlen(text) != length) {
        log_line(log, LOG_LEVEL_ERROR, "%s:%u: a NUL byte", path,
                 line_of(text, text + strlen(text)));
        return ERR_INVALID;
    }
    return conf_parse(text, path, service, log, ret);
}
