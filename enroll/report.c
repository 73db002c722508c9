/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "enroll/report.h"

json_t *
report_new(void)
{
    json_t *report = json_object();

    report_set(report, "schema", json_integer(1));
    return report;
}

void
report_set(json_t *report, const char *key, json_t *value)
{
    /* A value that could not be made (a name that is not UTF-8, no memory)
       is null: the key is there all the same. */
    if (value == NULL)
        value = json_null();
    (void)json_object_set_new(report, key, value); /* takes a NULL report */
}

void
report_free(json_t **report)
{
    json_decref(*report);
    *report = NULL;
}

/* False for a time that has no year of four digits. */
static bool
format_time(int64_t time, char ret[REPORT_TIME_BYTES])
{
    time_t seconds = (time_t)time;
    struct tm utc;

    return gmtime_r(&seconds, &utc) != NULL && utc.tm_year < 10000 - 1900 &&
           strftime(ret, REPORT_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0;
}

json_t *
report_time(int64_t time)
{
    char text[REPORT_TIME_BYTES];

    if (time == 0 || !format_time(time, text))
        return json_null();
    return json_string(text);
}

void
report_time_text(int64_t time, char ret[REPORT_TIME_BYTES])
{
    if (time == 0 || !format_time(time, ret))
        (void)snprintf(ret, REPORT_TIME_BYTES, "never");
}

enum exit_code
report_print(const json_t *report, enum exit_code code)
{
    if (report == NULL ||
        json_dumpf(report, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER) != 0)
        return tool_fail(EXIT_STORAGE, "the report could not be written");
    putchar('\n');
    return code;
}
