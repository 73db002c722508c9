/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The keys of pawl.conf, one line of a table each: name, kind, limits, place.
 * Private to the conf room.
 */
#ifndef PAWL_LIB_CONF_KEY_H
#define PAWL_LIB_CONF_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/attrs.h"
#include "lib/conf.h"

enum {
    CONF_KEY_COUNT = 17, /* no more than bits in an unsigned */
};

struct conf_key {
    const char *name;
    size_t offset; /* of the member in struct conf */
    /*
     * Reads value into *ret, which has the member's type. False when it is
     * not what was wanted; *ret is then untouched.
     */
    bool (*read)(const struct conf_key *key, const char *value, void *ret);
    const char *wanted; /* in words: "yes or no" */
    unsigned least;     /* of a number */
    unsigned most;      /* of a number; of a text its bytes with the NUL */
    bool global;        /* stands in the global part alone */
};

/* Room for the value of any key that is not global. */
union conf_value {
    unsigned number;
    bool yes;
    enum conf_first_pass first_pass;
    char text[CONF_TEXT_MAX];
};

/* The number of the key of that name, or CONF_KEY_COUNT. */
size_t conf_key_find(const char *name);

/* number is below CONF_KEY_COUNT. */
const struct conf_key *conf_key_at(size_t number);

#endif
