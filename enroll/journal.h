/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One line in the system's authentication log for everything that changes a
 * user's second factor: what, whose, and which login did it.
 */
#ifndef PAWL_ENROLL_JOURNAL_H
#define PAWL_ENROLL_JOURNAL_H

/* what is a verb in the past ("enrolled"); user is escaped. */
void journal_change(const char *what, const char *user);

#endif
