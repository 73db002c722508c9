# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# TAP for shell tests. A script sources this file, makes its points, and ends
# with tap_done. $scratch is a folder that goes away with the script.

srcdir=$(cd "${srcdir:-.}" && pwd)
tap_points=0
tap_failed=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# tap_point STATUS NAME [FILE]: one point, passed when STATUS is 0. A failed
# one shows the lines of FILE.
tap_point()
{
    tap_points=$((tap_points + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_points - $2"
        return
    fi
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_points - $2"
    [ -z "${3-}" ] || sed 's/^/# /' "$3"
}

# tap_skip NAME REASON
tap_skip()
{
    tap_points=$((tap_points + 1))
    echo "ok $tap_points - $1 # SKIP $2"
}

# tap_clean NAME CHECK...: the check runs and prints nothing.
tap_clean()
{
    tap_name=$1
    shift
    if "$@" >"$scratch/findings" 2>&1 && [ ! -s "$scratch/findings" ]; then
        tap_point 0 "$tap_name"
    else
        echo "($*: nothing else may be printed)" >>"$scratch/findings"
        tap_point 1 "$tap_name" "$scratch/findings"
    fi
}

# tap_finds NAME PATTERN CHECK...: the check runs and prints exactly one line,
# which matches the pattern. Shows that a check can fail, and for what.
tap_finds()
{
    tap_name=$1
    tap_pattern=$2
    shift 2
    if "$@" >"$scratch/findings" 2>&1 &&
        [ "$(wc -l <"$scratch/findings")" -eq 1 ] &&
        grep -q -e "$tap_pattern" "$scratch/findings"; then
        tap_point 0 "$tap_name"
    else
        echo "(wanted: one line that matches $tap_pattern)" \
            >>"$scratch/findings"
        tap_point 1 "$tap_name" "$scratch/findings"
    fi
}

tap_done()
{
    echo "1..$tap_points"
    [ "$tap_failed" -eq 0 ]
    exit
}
