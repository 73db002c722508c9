/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "enroll/journal.h"
#include "lib/file.h"
#include "lib/log.h"

enum {
    LOGIN_UID_BYTES = 16,
    ESCAPED_BYTES = 512,
};

/* The user id of the login that all this belongs to, as the kernel keeps it. */
static void
read_login_uid(char ret[LOGIN_UID_BYTES])
{
    AUTO(file_close) int fd = -1;
    size_t length = 0;

    memset(ret, 0, LOGIN_UID_BYTES);
    fd = open("/proc/self/loginuid", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || file_read(fd, ret, LOGIN_UID_BYTES - 1, &length) != ERR_OK)
        ret[0] = '\0';
}

void
journal_change(const char *what, const char *user)
{
    char login_uid[LOGIN_UID_BYTES];
    char escaped[ESCAPED_BYTES];

    read_login_uid(login_uid);
    log_escape(user, escaped, sizeof(escaped));
    openlog("pawl", LOG_PID, LOG_AUTHPRIV);
    syslog(LOG_NOTICE, "%s; uid=%u loginuid=%s user=%s", what,
           (unsigned)getuid(), login_uid, escaped);
    closelog();
}
