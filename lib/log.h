/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A line goes to whoever the caller named: syslog through PAM, stderr, or a
 * test. The library has no log of its own, and never hands a code, a secret,
 * a key or typed text to one.
 */
#ifndef PAWL_LIB_LOG_H
#define PAWL_LIB_LOG_H

#include <stddef.h>

#include "lib/attrs.h"

enum log_level {
    LOG_LEVEL_ERROR,
    LOG_LEVEL_WARNING,
    LOG_LEVEL_NOTICE,
    LOG_LEVEL_INFO,
    LOG_LEVEL_DEBUG,
};

struct log {
    void (*write)(void *context, enum log_level level, const char *line);
    void *context;
};

enum {
    LOG_LINE_MAX = 1024, /* bytes of a line with its NUL; longer ones are cut */
};

/* Writes one line. log may be NULL: then nobody listens. */
void log_line(const struct log *log, enum log_level level, const char *format,
              ...) PRINTF_LIKE(3, 4);

/*
 * Makes text from outside fit for one line: printable ASCII stays, and every
 * other byte, a space, '=', '\\' and '"' become \xHH. At most room - 1 bytes
 * and a NUL; what does not fit is cut before the byte that does not.
 */
void log_escape(const char *text, char *ret, size_t room);

#endif
