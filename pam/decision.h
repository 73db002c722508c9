/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How one authentication ended: what the log line tells and what the PAM
 * answer is made of.
 */
#ifndef PAWL_PAM_DECISION_H
#define PAWL_PAM_DECISION_H

#include "lib/verify.h"

/*
 * Zero denies. The one kind that lets a user by without a code is 16 bits or
 * more from each of the others, as VERDICT_ACCEPTED is from its opposite.
 */
enum decision_kind {
    DECISION_NONE = 0,
    DECISION_JUDGED,        /* the outcome says which way */
    DECISION_MISCONFIGURED, /* arguments or pawl.conf refuse to be followed */
    DECISION_NO_ANSWER,     /* nobody was there to say who, or to answer */
    DECISION_NO_MEMORY,
    DECISION_LET_BY = 0x6b35d29a, /* proven not enrolled, and nullok */
};

struct decision {
    enum decision_kind kind;
    struct outcome outcome; /* of DECISION_JUDGED */
};

#endif
