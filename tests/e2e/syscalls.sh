#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What a login asks of the kernel: one synchronous write in place whatever the
# verdict, nothing made, renamed or removed, and the same calls for everybody.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

build=${builddir:-.}
secret=7061776c2d746573742d6b65792d303030303031

for tool in strace oathtool; do
    command -v $tool >/dev/null || {
        echo "1..0 # SKIP $tool is not installed"
        exit 0
    }
done
strace -o /dev/null true 2>/dev/null || {
    echo "1..0 # SKIP strace may not trace here"
    exit 0
}

"$build/tests/support/make_store" "$scratch" "alice:$secret" "bob:$secret" \
    "carol:$secret" || exit 1
echo "fail_delay = 0" >>"$scratch/pawl.conf"
mkdir "$scratch/pam.d"
echo "auth required $build/pam/.libs/pam_pawl.so conf=$scratch/pawl.conf" \
    >"$scratch/pam.d/demo"
echo "auth required pam_deny.so" >"$scratch/pam.d/other"

# trace NAME USER [ANSWER]: what one login calls, in $scratch/NAME; its PAM answer
# is in $answered.
trace()
{
    "$build/libtool" --silent --mode=execute strace -y -o "$scratch/whole" \
        "$build/tests/support/one_login" "$scratch/pam.d" demo "$2" \
        ${3+"$3"}
    answered=$?
    sed -n '/access("\/begin"/,/access("\/end"/p' "$scratch/whole" |
        sed '1d; $d' >"$scratch/$1"
}

# The names of the calls. What the C library does for memory is its own
# business.
calls()
{
    sed -n 's/^\([a-z0-9_]*\)(.*/\1/p' "$scratch/$1" |
        grep -v -e '^brk$' -e '^mmap$' -e '^munmap$' -e '^mprotect$'
}

same_calls()
{
    calls "$1" >"$scratch/first"
    calls "$2" >"$scratch/second"
    diff "$scratch/first" "$scratch/second"
}

# The record, or the decoy, is opened once to be written through.
synchronous()
{
    [ "$(grep -c 'openat.*O_RDWR.*O_DSYNC' "$scratch/$1")" -eq 1 ]
}
one_write()
{
    [ "$(grep -c -E '^(pwrite64|pwritev|write|writev|ftruncate)\(.*/store/' \
        "$scratch/$1")" -eq 1 ] &&
        grep -q '^pwrite64([0-9]*<.*/store/.*, 4096, \(0\|4096\)) = 4096' \
            "$scratch/$1"
}
no_other_sync()
{
    ! grep -q -E '^(fsync|fdatasync|sync|syncfs|sync_file_range|msync)\(' \
        "$scratch/$1"
}
nothing_made()
{
    ! grep -E 'O_CREAT|O_TMPFILE|O_TRUNC' "$scratch/$1" &&
        ! grep -E '^(rename|link|symlink|unlink|mkdir|rmdir|mknod|chmod|chown|fchmod|fchown|truncate|ftruncate)' \
            "$scratch/$1"
}
same_file()
{
    stat -c '%i %s %a %u %g %h %b' "$scratch/store/alice" |
        diff "$scratch/status" -
}

stat -c '%i %s %a %u %g %h %b' "$scratch/store/alice" >"$scratch/status"
right=$(oathtool --totp -d 6 "$secret")
case $right in
000000) wrong=111111 ;;
*) wrong=000000 ;;
esac

# login NAME USER ANSWER PAM-ANSWER
login()
{
    trace "$1" "$2" "$3"
    [ "$answered" -eq "$4" ]
    tap_point $? "$1: PAM answers $4" "$scratch/$1"
    for check in synchronous one_write no_other_sync nothing_made; do
        $check "$1" >"$scratch/findings" 2>&1
        tap_point $? "$1: $check" "$scratch/$1"
    done
    echo "# $1: $(calls "$1" | wc -l) system calls besides memory"
}

login wrong alice "$wrong" 7
login accepted alice "$right" 0
login replayed alice "$right" 7
login not-enrolled stranger "$right" 7
"$build/enroll/pawl" revoke --config="$scratch/pawl.conf" -q -y bob
login revoked bob "$right" 7
printf x | dd of="$scratch/store/carol" bs=1 seek=5000 conv=notrunc 2>/dev/null
login torn carol "$right" 9
for verdict in accepted replayed not-enrolled revoked; do
    same_calls wrong $verdict >"$scratch/difference" 2>&1
    tap_point $? "wrong and $verdict make the same calls" \
        "$scratch/difference"
done
same_file >"$scratch/difference" 2>&1
tap_point $? "the record is the same file as before" "$scratch/difference"

trace malformed alice "password"
[ "$answered" -eq 7 ] && ! grep -q '/store\|keyring' "$scratch/malformed"
tap_point $? "a malformed answer touches neither store nor ring" \
    "$scratch/malformed"
nothing_made malformed >"$scratch/findings" 2>&1
tap_point $? "... and makes nothing" "$scratch/findings"
trace unasked alice
[ "$answered" -eq 19 ] && ! grep -q '/store\|keyring' "$scratch/unasked"
tap_point $? "a caller without a conversation gets PAM_CONV_ERR and no more" \
    "$scratch/unasked"
head -c 8192 /dev/zero >"$scratch/store/carol"
trace damaged carol "$right"
[ "$answered" -eq 9 ] && nothing_made damaged >/dev/null &&
    ! grep -q '^pwrite' "$scratch/damaged"
tap_point $? "a damaged record is refused, and nothing is written" \
    "$scratch/damaged"

# That these checks can fail.
printf '%s\n' 'pwrite64(5</x/store/alice>, "", 4096, 0) = 4096' \
    'pwrite64(5</x/store/alice>, "", 4096, 4096) = 4096' \
    'fdatasync(5</x/store/alice>) = 0' \
    'openat(5</x/store>, "new", O_WRONLY|O_CREAT, 0600) = 6' \
    >"$scratch/planted"
! one_write planted && ! no_other_sync planted && ! nothing_made planted \
    >/dev/null && ! same_calls wrong planted >/dev/null
tap_point $? "planted calls are found"
tap_done
