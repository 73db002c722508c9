#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What `make lint` runs: the tools that read code. One that is not installed
# is named and left out.

cd "${srcdir:-.}" || exit
status=0

# lint TOOL ARGUMENT...
lint()
{
    if ! command -v "$1" >/dev/null; then
        echo "skipped: no $1"
        return
    fi
    echo "$1"
    "$@" || status=1
}

scripts=$(
    for file in run-tests quickstart packages.sh .ci/run; do
        [ ! -f "$file" ] || echo "$file"
    done
    find tests bench -name '*.sh' | LC_ALL=C sort
)
manuals=$(find man -name '*.[1-9]' | LC_ALL=C sort)

# Not errors here: functions called by a name in a variable (SC2317), and texts
# with a $ that is somebody else's (SC2016).
# shellcheck disable=SC2086 # a list of words
lint shellcheck -x -e SC2317,SC2016 $scripts
lint cppcheck -q --error-exitcode=1 --std=c11 --inline-suppr -I . \
    --enable=warning,performance,portability \
    --suppress=missingIncludeSystem lib pam enroll
if [ -n "$manuals" ]; then
    # shellcheck disable=SC2086 # a list of words
    lint mandoc -T lint -W warning $manuals
fi
exit "$status"
