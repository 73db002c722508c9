/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>

#include "lib/log.h"

void
log_line(const struct log *log, enum log_level level, const char *format, ...)
{
    char line[LOG_LINE_MAX];
    va_list arguments;

    if (log == NULL || log->write == NULL)
        return;
    va_start(arguments, format);
    if (vsnprintf(line, sizeof(line), format, arguments) < 0)
        line[0] = '\0';
    va_end(arguments);
    log->write(log->context, level, line);
}

void
log_escape(const char *text, char *ret, size_t room)
{
    static const char hex[] = "0123456789abcdef";
    size_t used = 0;

    if (room == 0)
        return;
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        char escaped[4] = {'\\', 'x', hex[c >> 4], hex[c & 15]};
        size_t need = 4;

        if (c > ' ' && c < 0x7f && c != '=' && c != '\\' && c != '"') {
            escaped[0] = (char)c;
            need = 1;
        }
        if (room - used <= need)
            break;
        for (size_t i = 0; i < need; i++)
            ret[used++] = escaped[i];
    }
    ret[used] = '\0';
}
