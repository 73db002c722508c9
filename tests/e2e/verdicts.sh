#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A whole login, counted in instructions: within 1 % of each other whatever the
# verdict, so that none can be told by what it costs.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

build=${builddir:-.}
secret=7061776c2d746573742d6b65792d303030303031

for tool in valgrind oathtool; do
    command -v $tool >/dev/null || {
        echo "1..0 # SKIP $tool is not installed"
        exit 0
    }
done

"$build/tests/support/make_store" "$scratch" "alice:$secret" "bob:$secret" ||
    exit 1
"$build/enroll/pawl" revoke --config="$scratch/pawl.conf" -q -y bob || exit 1
echo "fail_delay = 0" >>"$scratch/pawl.conf"
mkdir "$scratch/pam.d"
echo "auth required $build/pam/.libs/pam_pawl.so conf=$scratch/pawl.conf" \
    >"$scratch/pam.d/demo"
echo "auth required pam_deny.so" >"$scratch/pam.d/other"

# instructions USER ANSWER PAM-ANSWER: of pam_sm_authenticate, in $count; 0 when
# PAM answers otherwise.
instructions()
{
    "$build/libtool" --silent --mode=execute valgrind --tool=callgrind \
        --toggle-collect=pam_sm_authenticate \
        --callgrind-out-file="$scratch/callgrind" \
        "$build/tests/support/one_login" "$scratch/pam.d" demo "$1" "$2" \
        >"$scratch/out" 2>&1
    [ $? -eq "$3" ] || {
        count=0
        return
    }
    count=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/out")
    count=${count:-0}
}

# alike A B: within 1 %.
alike()
{
    [ "$1" -gt 1000 ] && [ "$2" -gt 1000 ] &&
        [ $((100 * ($1 - $2))) -le "$1" ] && [ $((100 * ($2 - $1))) -le "$1" ]
}

right=$(oathtool --totp -d 6 "$secret")
case $right in
000000) wrong=111111 ;;
*) wrong=000000 ;;
esac
instructions alice $wrong 7
reference=$count
echo "# wrong: $count instructions"
# compare NAME USER ANSWER PAM-ANSWER
compare()
{
    instructions "$2" "$3" "$4"
    echo "# $1: $count instructions"
    alike "$reference" "$count"
    tap_point $? "$1 costs what a wrong code does" "$scratch/out"
}
compare accepted alice "$right" 0
compare replayed alice "$right" 7
compare not-enrolled stranger "$right" 7
compare revoked bob "$right" 7
# That it can fail: a malformed answer stops early, and may.
instructions alice password 7
! alike "$reference" "$count"
tap_point $? "a malformed answer does not ($count instructions)" "$scratch/out"
tap_done
