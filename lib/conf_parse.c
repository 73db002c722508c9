/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include <ini.h>

#include "lib/conf.h"
#include "lib/conf_key.h"
#include "lib/log.h"

enum {
    PART_NAME_MAX = 48, /* bytes with the NUL; inih cuts at 50 */
    PARTS_MAX = 64,     /* [service] parts of a file */
    REASON_MAX = 512,
};

/*
 * A file being read. inih takes it line by line from next_line, which turns
 * away what inih would guess about, and hands names and values to take_value.
 */
struct parser {
    const char *at; /* the rest of the text */
    unsigned line;  /* the one that was read last, from 1 */
    const char *name;
    const struct log *log;
    const char *service;
    bool refused;

    char parts[PARTS_MAX][PART_NAME_MAX];
    size_t part_count;
    bool ours;     /* the part that we are in holds for service */
    unsigned seen; /* bit i: key i stood in this part */

    struct conf conf;
};

/* Says why the line is refused, once, about text from the file or NULL. */
static void
refuse(struct parser *parser, const char *reason, const char *about)
{
    char escaped[REASON_MAX] = "";

    if (parser->refused)
        return;
    parser->refused = true;
    if (about != NULL)
        log_escape(about, escaped, sizeof(escaped));
    log_line(parser->log, LOG_LEVEL_ERROR, "%s:%u: %s%s%s", parser->name,
             parser->line, reason, about != NULL ? " " : "", escaped);
}

static bool
blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Whether nothing but blanks and a comment is left of a line. */
static bool
line_over(const char *at)
{
    const char *start = at;

    while (blank(*at))
        at++;
    return *at == '\0' || (*at == ';' && at > start);
}

/* Letters as PAM has them in the name of a service, which it lowers. */
static bool
service_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("._+@-", c) != NULL);
}

static bool
part_known(const struct parser *parser, const char *part)
{
    for (size_t i = 0; i < parser->part_count; i++) {
        if (strcmp(parser->parts[i], part) == 0)
            return true;
    }
    return false;
}

static void
add_part(struct parser *parser, const char *part, size_t length)
{
    char *name;

    if (length == 0 || length >= PART_NAME_MAX) {
        refuse(parser, "a service's name of 1 to 47 bytes is needed", NULL);
        return;
    }
    if (parser->part_count == PARTS_MAX) {
        refuse(parser, "more than 64 parts", NULL);
        return;
    }
    name = parser->parts[parser->part_count];
    memcpy(name, part, length);
    name[length] = '\0';
    if (part_known(parser, name)) {
        refuse(parser, "a second part of the name", name);
        return;
    }
    parser->part_count++;
    parser->seen = 0;
    parser->ours =
        parser->service != NULL && strcmp(parser->service, name) == 0;
}

/* line begins with '['. */
static void
begin_part(struct parser *parser, const char *line)
{
    const char *part = line + 1;
    size_t length = 0;

    while (service_character(part[length]))
        length++;
    if (part[length] != ']' || !line_over(part + length + 1)) {
        refuse(parser,
               "not [service], in lower case, and nothing behind it:", line);
        return;
    }
    add_part(parser, part, length);
}

/* What inih would join to the line above, guess about or cut. */
static void
check_line(struct parser *parser, const char *line)
{
    const char *start = line;
    const char *separator;

    for (const char *at = line; *at != '\0'; at++) {
        if (((unsigned char)*at < ' ' && *at != '\t') || *at == 0x7f) {
            refuse(parser, "a control character in", line);
            return;
        }
    }
    while (blank(*start))
        start++;
    if (*start == '\0' || *start == '#' || *start == ';')
        return;
    if (start > line) {
        refuse(parser, "a blank before", start);
        return;
    }
    if (*line == '[') {
        begin_part(parser, line);
        return;
    }
    /* inih takes a colon as well, and drops a byte order mark. */
    separator = strpbrk(line, "=:;");
    if ((unsigned char)*line > '~' || separator == NULL || *separator != '=' ||
        separator == line)
        refuse(parser, "not KEY = VALUE:", line);
}

/* inih's reader: the next line, or NULL at the end and after a refusal. */
static char *
next_line(char *ret, int room, void *context)
{
    struct parser *parser = context;
    size_t length = strcspn(parser->at, "\n");

    if (parser->refused || *parser->at == '\0')
        return NULL;
    parser->line++;
    if (length > CONF_LINE_MAX || length + 2 > (size_t)room) {
        refuse(parser, "a line of more than 190 bytes", NULL);
        return NULL;
    }
    memcpy(ret, parser->at, length);
    ret[length] = '\0';
    parser->at += length;
    if (*parser->at == '\n')
        parser->at++;
    check_line(parser, ret);
    return parser->refused ? NULL : ret;
}

static void
refuse_value(struct parser *parser, const struct conf_key *key,
             const char *value)
{
    char reason[REASON_MAX];
    bool empty = *value == '\0';

    /* It fits: both texts are constants of the table. */
    (void)snprintf(reason, sizeof(reason), "%s takes %s, not%s", key->name,
                   key->wanted, empty ? " nothing" : "");
    refuse(parser, reason, empty ? NULL : value);
}

/* inih's handler: one key and its value. */
static int
take_value(void *context, const char *part, const char *name, const char *value)
{
    struct parser *parser = context;
    const struct conf_key *key;
    union conf_value unused;
    size_t number = conf_key_find(name);
    void *place = &unused;

    (void)part; /* begin_part knows */
    if (number == CONF_KEY_COUNT) {
        refuse(parser, "unknown key", name);
        return 0;
    }
    key = conf_key_at(number);
    if (parser->seen & 1U << number)
        refuse(parser, "a second time in this part:", name);
    else if (key->global && parser->part_count > 0)
        refuse(parser, "only before the first [service]:", name);
    parser->seen |= 1U << number;
    if (parser->ours)
        place = (char *)&parser->conf + key->offset;
    if (!parser->refused && !key->read(key, value, place))
        refuse_value(parser, key, value);
    else if (!parser->refused &&
             key->offset == offsetof(struct conf, window.future) &&
             *(unsigned *)place > parser->conf.widest_future)
        parser->conf.widest_future = *(unsigned *)place;
    return !parser->refused;
}

enum err
conf_parse(const char *text, const char *name, const char *service,
           const struct log *log, struct conf *ret)
{
    struct parser parser = {
        .at = text,
        .name = name,
        .log = log,
        .service = service,
        .ours = true,
    };
    int first_bad_line;

    conf_defaults(&parser.conf);
    first_bad_line = ini_parse_stream(next_line, &parser, take_value, &parser);
    if (first_bad_line < 0)
        return ERR_NOMEM;
    if (first_bad_line > 0 && !parser.refused) {
        parser.line = (unsigned)first_bad_line;
        refuse(&parser, "not KEY = VALUE", NULL);
    }
    if (parser.refused)
        return ERR_INVALID;
    *ret = parser.conf;
    return ERR_OK;
}
