/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What --json prints: one object with "schema": 1, on one line. Keys may be
 * added to later, and none is ever translated.
 */
#ifndef PAWL_ENROLL_REPORT_H
#define PAWL_ENROLL_REPORT_H

#include <stdint.h>

#include <jansson.h>

#include "enroll/tool.h"

/*
 * Out of memory makes a report NULL, and every call takes that; report_print
 * then says so. value is always taken over.
 */
json_t *report_new(void);
void report_set(json_t *report, const char *key, json_t *value);
void report_free(json_t **report);

/* RFC 3339 in UTC; null for 0. */
json_t *report_time(int64_t time);

/* Prints the report; gives back code, or EXIT_STORAGE if that failed. */
enum exit_code report_print(const json_t *report, enum exit_code code);

enum {
    REPORT_TIME_BYTES = 24,
};

/* The same time as text for people: "never" for 0. */
void report_time_text(int64_t time, char ret[REPORT_TIME_BYTES]);

#endif
