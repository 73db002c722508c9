/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What status and list tell of one credential: never a secret.
 */
#ifndef PAWL_ENROLL_SUMMARY_H
#define PAWL_ENROLL_SUMMARY_H

#include <stdbool.h>

#include <jansson.h>

#include "lib/credential.h"

/* Whether a login can succeed with it. */
bool summary_is_enrolled(const struct credential *credential);

/* "active", "disabled", "pending", "revoked". */
const char *summary_status(const struct credential *credential);

/* The object that --json prints. The caller frees it by report_free. */
json_t *summary_report(const char *user, const struct credential *credential,
                       bool damaged);

#endif
