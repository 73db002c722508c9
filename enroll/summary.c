/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "enroll/report.h"
#include "enroll/summary.h"

bool
summary_is_enrolled(const struct credential *credential)
{
    return credential->enrolment.status == ENROLMENT_ACTIVE;
}

const char *
summary_status(const struct credential *credential)
{
    switch (credential->enrolment.status) {
    case ENROLMENT_ACTIVE:
        return "active";
    case ENROLMENT_DISABLED:
        return "disabled";
    case ENROLMENT_PENDING:
        return "pending";
    case ENROLMENT_REVOKED:
        return "revoked";
    }
    return "unknown";
}

static json_t *
authenticator_report(const struct authenticator *authenticator,
                     const struct usage *usage)
{
    json_t *report = json_object();
    const struct token *token = &authenticator->token;

    report_set(report, "name", json_string(authenticator->name));
    report_set(report, "type",
               json_string(token->type == TOKEN_TOTP ? "totp" : "hotp"));
    report_set(report, "algorithm",
               json_string(hotp_algorithm_name(token->algorithm)));
    report_set(report, "digits", json_integer(token->digits));
    report_set(report, "period", json_integer(token->period));
    report_set(report, "disabled", json_boolean(authenticator->disabled));
    report_set(report, "created", report_time(authenticator->created));
    report_set(report, "last_use", report_time(usage->last_use));
    return report;
}

json_t *
summary_report(const char *user, const struct credential *credential,
               bool damaged)
{
    json_t *report = report_new();
    json_t *authenticators = json_array();

    for (unsigned i = 0; i < credential->enrolment.authenticator_count; i++)
        (void)json_array_append_new(
            authenticators,
            authenticator_report(&credential->enrolment.authenticators[i],
                                 &credential->state.usage[i]));
    report_set(report, "user", json_string(user));
    report_set(report, "status", json_string(summary_status(credential)));
    report_set(report, "created", report_time(credential->enrolment.created));
    report_set(report, "authenticators", authenticators);
    report_set(report, "last_success",
               report_time(credential->state.last_success));
    report_set(report, "failed_since_success",
               json_integer(credential->state.failed_since));
    report_set(report, "first_failed",
               report_time(credential->state.first_failed));
    report_set(report, "damaged", json_boolean(damaged));
    return report;
}
