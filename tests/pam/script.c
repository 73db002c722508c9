/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <security/pam_modules.h>

#include "lib/attrs.h"

#include "tests/pam/script.h"

static bool
append(char ret[SCRIPT_LINE], size_t *used, const char *text, size_t length)
{
    if (SCRIPT_LINE - *used <= length)
        return false;
    memcpy(ret + *used, text, length);
    *used += length;
    ret[*used] = '\0';
    return true;
}

static bool
substitute(const char *line, const char *folder, char ret[SCRIPT_LINE])
{
    char ids[64];
    size_t used = 0;
    bool fits = true;

    (void)snprintf(ids, sizeof(ids), "uid=%u euid=%u", (unsigned)getuid(),
                   (unsigned)geteuid());
    ret[0] = '\0';
    while (*line != '\0' && *line != '\n' && fits) {
        if (strncmp(line, "{dir}", 5) == 0) {
            fits = append(ret, &used, folder, strlen(folder));
            line += 5;
        } else if (strncmp(line, "{ids}", 5) == 0) {
            fits = append(ret, &used, ids, strlen(ids));
            line += 5;
        } else {
            fits = append(ret, &used, line++, 1);
        }
    }
    return fits;
}

/* One escape sequence at *at, which is behind the backslash. */
static char
unescape(const char **at)
{
    char digits[3] = {0};

    switch (*(*at)++) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'x':
        digits[0] = (*at)[0];
        digits[1] = digits[0] == '\0' ? '\0' : (*at)[1];
        *at += strlen(digits);
        return (char)strtoul(digits, NULL, 16);
    default:
        return (*at)[-1];
    }
}

/* Copies the word at *at to *to; false when a quote does not close. */
static bool
read_word(const char **at, char **to)
{
    bool quoted = false;

    for (; **at != '\0' && (quoted || **at != ' '); (*to)++) {
        while (**at == '"') {
            quoted = !quoted;
            (*at)++;
        }
        if (**at == '\0' || (!quoted && **at == ' '))
            break;
        if (quoted && **at == '\\') {
            (*at)++;
            **to = unescape(at);
        } else {
            **to = *(*at)++;
        }
    }
    *(*to)++ = '\0';
    return !quoted;
}

bool
script_read(const char *line, const char *folder, struct script_line *ret)
{
    static char text[SCRIPT_LINE];
    const char *at = text;
    char *to = ret->room;

    ret->count = 0;
    ret->indented = line[0] == ' ';
    if (!substitute(line + strspn(line, " "), folder, text))
        return false;
    memcpy(ret->rest, text, strlen(text) + 1); /* rooms of the same size */
    while (*at != '\0') {
        if (ret->count == SCRIPT_WORDS - 1)
            return false;
        ret->words[ret->count++] = to;
        if (!read_word(&at, &to))
            return false;
        at += strspn(at, " ");
    }
    ret->words[ret->count] = NULL;
    return true;
}

static const struct {
    const char *name;
    int code;
} pam_codes[] = {
    {"PAM_SUCCESS", PAM_SUCCESS},
    {"PAM_IGNORE", PAM_IGNORE},
    {"PAM_AUTH_ERR", PAM_AUTH_ERR},
    {"PAM_AUTHINFO_UNAVAIL", PAM_AUTHINFO_UNAVAIL},
    {"PAM_SERVICE_ERR", PAM_SERVICE_ERR},
    {"PAM_CONV_ERR", PAM_CONV_ERR},
    {"PAM_CONV_AGAIN", PAM_CONV_AGAIN},
    {"PAM_BUF_ERR", PAM_BUF_ERR},
    {"PAM_SYSTEM_ERR", PAM_SYSTEM_ERR},
};

int
script_pam_code(const char *name)
{
    for (size_t i = 0; i < ARRAY_LENGTH(pam_codes); i++) {
        if (strcmp(pam_codes[i].name, name) == 0)
            return pam_codes[i].code;
    }
    return -1;
}

const char *
script_pam_name(int code)
{
    for (size_t i = 0; i < ARRAY_LENGTH(pam_codes); i++) {
        if (pam_codes[i].code == code)
            return pam_codes[i].name;
    }
    return "another code";
}
