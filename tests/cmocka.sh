#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs a test program. cmocka 1.1 calls a skipped test "not ok # SKIP", which
# nobody else reads as skipped: in TAP it is "ok # SKIP".
exec 3>&1
status=$({
    {
        "$@" 3>&- 4>&-
        echo $? >&4
    } | sed -u 's/^not ok \([0-9]* # SKIP\)/ok \1/' >&3
} 4>&1)
exit "$status"
