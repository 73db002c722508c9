/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stddef.h>
#include <string.h>

#include "lib/conf.h"
#include "lib/log.h"

#include "pam/args.h"

enum {
    ESCAPED_BYTES = 256, /* of an argument in a log line; the rest is cut */
};

enum kind {
    KIND_SWITCH, /* the bare name turns it on */
    KIND_PATH,   /* name=absolute path */
    KIND_TEXT,   /* name=text of less than CONF_TEXT_MAX bytes */
};

struct argument {
    const char *name;
    enum kind kind;
    size_t offset; /* of its bool or const char * in struct args */
};

static const struct argument table[] = {
    {"conf", KIND_PATH, offsetof(struct args, conf)},
    {"debug", KIND_SWITCH, offsetof(struct args, debug)},
    {"echo", KIND_SWITCH, offsetof(struct args, echo)},
    {"forward_pass", KIND_SWITCH, offsetof(struct args, forward_pass)},
    {"nullok", KIND_SWITCH, offsetof(struct args, nullok)},
    {"prompt", KIND_TEXT, offsetof(struct args, prompt)},
    {"quiet", KIND_SWITCH, offsetof(struct args, quiet)},
    {"try_first_pass", KIND_SWITCH, offsetof(struct args, try_first_pass)},
    {"use_first_pass", KIND_SWITCH, offsetof(struct args, use_first_pass)},
};

/* The table's row for text, which is NAME or NAME=VALUE; NULL if unknown. */
static const struct argument *
find(const char *text)
{
    size_t length = strcspn(text, "=");

    for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
        if (strlen(table[i].name) == length &&
            memcmp(table[i].name, text, length) == 0)
            return &table[i];
    }
    return NULL;
}

/* Each returns NULL, or why the argument is refused. */

static const char *
set_switch(const char *value, bool *ret)
{
    if (value != NULL)
        return "takes no value";
    if (*ret)
        return "is given twice";
    *ret = true;
    return NULL;
}

static const char *
set_text(const char *value, const char **ret)
{
    if (value == NULL || value[0] == '\0')
        return "needs a value";
    if (strlen(value) >= CONF_TEXT_MAX)
        return "is too long";
    if (*ret != NULL)
        return "is given twice";
    *ret = value;
    return NULL;
}

static const char *
set_path(const char *value, const char **ret)
{
    if (value == NULL || value[0] == '\0')
        return "needs a value";
    if (value[0] != '/')
        return "is not an absolute path";
    if (*ret != NULL)
        return "is given twice";
    *ret = value;
    return NULL;
}

static const char *
set(const struct argument *argument, const char *value, struct args *ret)
{
    void *place = (char *)ret + argument->offset;

    switch (argument->kind) {
    case KIND_SWITCH:
        return set_switch(value, place);
    case KIND_PATH:
        return set_path(value, place);
    case KIND_TEXT:
        return set_text(value, place);
    }
    return "is of no known kind";
}

static const char *
parse_one(const char *text, struct args *ret)
{
    const struct argument *argument = find(text);
    const char *equals = strchr(text, '=');

    if (argument == NULL)
        return "is unknown";
    return set(argument, equals == NULL ? NULL : equals + 1, ret);
}

static enum err
refuse(const struct log *log, const char *argument, const char *why)
{
    char escaped[ESCAPED_BYTES];

    log_escape(argument, escaped, sizeof(escaped));
    log_line(log, LOG_LEVEL_ERROR, "argument %s: %s", escaped, why);
    return ERR_INVALID;
}

enum err
args_parse(int count, const char *const *arguments, const struct log *log,
           struct args *ret)
{
    enum err e = ERR_OK;

    *ret = (struct args){0};
    for (int i = 0; i < count; i++) {
        const char *why = parse_one(arguments[i], ret);

        if (why != NULL)
            e = refuse(log, arguments[i], why);
    }
    if (ret->use_first_pass && ret->try_first_pass)
        e = refuse(log, "try_first_pass", "contradicts use_first_pass");
    return e;
}

void
args_apply(const struct args *args, struct conf *conf)
{
    if (args->prompt != NULL) /* args_parse has measured it */
        memcpy(conf->prompt, args->prompt, strlen(args->prompt) + 1);
    if (args->use_first_pass)
        conf->first_pass = CONF_FIRST_PASS_USE;
    if (args->try_first_pass)
        conf->first_pass = CONF_FIRST_PASS_TRY;
    conf->nullok |= args->nullok;
    conf->echo |= args->echo;
    conf->quiet |= args->quiet;
    conf->forward_pass |= args->forward_pass;
}
