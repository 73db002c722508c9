/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "enroll/tty.h"
#include "lib/file.h"
#include "lib/secmem.h"

enum err
tty_open(bool use_stdin, struct tty *ret)
{
    int fd;

    if (use_stdin) {
        *ret = (struct tty){.fd = STDIN_FILENO};
        return ERR_OK;
    }
    fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return ERR_NOT_FOUND;
    *ret = (struct tty){.fd = fd, .prompts = true};
    return ERR_OK;
}

void
tty_close(struct tty *tty)
{
    if (tty->fd != STDIN_FILENO)
        file_close(&tty->fd);
    tty->fd = -1;
}

/*
 * Reads a line a byte at a time: what is behind it belongs to whoever reads
 * next, and no buffer keeps what was typed.
 */
static enum err
read_line(int fd, char ret[TTY_ANSWER_MAX], size_t *ret_length)
{
    size_t length = 0;

    for (;;) {
        char c;
        ssize_t got = read(fd, &c, 1);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return ERR_IO;
        if (got == 0 && length == 0)
            return ERR_NOT_FOUND;
        if (got == 0 || c == '\n')
            break;
        if (length + 1 < TTY_ANSWER_MAX)
            ret[length] = c;
        length++;
    }
    *ret_length = length;
    return ERR_OK;
}

enum err
tty_ask(struct tty *tty, const char *prompt, char ret[TTY_ANSWER_MAX])
{
    size_t length = 0;
    enum err e;

    if (tty->prompts) {
        e = file_write(tty->fd, prompt, strlen(prompt));
        if (e != ERR_OK)
            return e;
    }
    e = read_line(tty->fd, ret, &length);
    if (e == ERR_OK && length >= TTY_ANSWER_MAX)
        e = ERR_SPACE;
    if (e != ERR_OK) {
        secmem_wipe(ret, TTY_ANSWER_MAX);
        return e;
    }
    ret[length] = '\0';
    return ERR_OK;
}
