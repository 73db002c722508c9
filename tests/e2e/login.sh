#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The module as it is shipped, in the real libpam, driven by pamtester: as
# root, and as a user who has nothing but a store of their own. Needs no change
# to the machine: libpam_wrapper shows libpam another /etc/pam.d.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

build=${builddir:-.}
module=$build/pam/.libs/pam_pawl.so
secret=7061776c2d746573742d6b65792d303030303031

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
for tool in pamtester oathtool setpriv; do
    command -v $tool >/dev/null || skip "$tool is not installed"
done
[ -z "$(LD_PRELOAD=libpam_wrapper.so true 2>&1)" ] ||
    skip "libpam_wrapper is not installed"
chmod 755 "$scratch"

# ok SENTENCE COMMAND...: one point.
ok() {
    sentence=$1
    shift
    "$@"
    tap_point $? "$who: $sentence" "$home/output"
}

# Runs a command as the user of this turn.
as() {
    if [ "$who" = root ] || [ "$(id -u)" -ne 0 ]; then
        "$@"
    else
        setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"
    fi
}

# pam SERVICE USER ANSWER OPERATION...: true when pamtester is content.
pam() {
    service=$1 user=$2 answer=$3
    shift 3
    printf '%s\n' "$answer" |
        as env LD_PRELOAD=libpam_wrapper.so PAM_WRAPPER=1 \
            PAM_WRAPPER_SERVICE_DIR="$home/pam.d" PAM_WRAPPER_DEBUGLEVEL=2 \
            pamtester "$service" "$user" "$@" >"$home/output" 2>&1
}
refused() {
    ! pam "$@"
}
logged() {
    grep -q "SYSLOG([0-9]): .*$1" "$home/output"
}
not_logged() {
    ! grep -q "$1" "$home/output"
}

code() {
    oathtool --totp -d 6 "$secret"
}
# A code of none of the steps round now.
wrong() {
    near=$(oathtool --totp -d 6 -w 4 "$secret" --now '1 minute ago')
    for guess in 000000 111111 222222 333333 444444 555555; do
        case $near in
        *$guess*) ;;
        *) echo $guess && return ;;
        esac
    done
}

set_up() {
    home=$scratch/$who
    mkdir "$home" "$home/pam.d"
    cp "$module" "$build/tests/support/make_store" "$home"
    [ "$who" = root ] || [ "$(id -u)" -ne 0 ] || chown -R 65534:65534 "$home"
    as "$home/make_store" "$home" "alice:$secret" || exit 1
    echo "fail_delay = 0" >>"$home/pawl.conf"
    line="auth required $home/pam_pawl.so conf=$home/pawl.conf"
    echo "$line" >"$home/pam.d/alone"
    printf '%s\n' "$line nullok" "auth required pam_permit.so" \
        >"$home/pam.d/nullok"
    echo "$line nulok" >"$home/pam.d/misspelt"
    echo "auth required $home/pam_pawl.so conf=$home/unknown.conf" \
        >"$home/pam.d/unknown"
    echo "auth required pam_deny.so" >"$home/pam.d/other"
}

scenario() {
    set_up
    ok "a wrong code is refused" refused alone alice "$(wrong)" authenticate
    ok "... and the log says why" logged \
        "authentication failure; .* reason=wrong rhost="
    right=$(code)
    ok "the right code opens, and setcred agrees" \
        pam alone alice "$right" authenticate setcred
    ok "... and the log says which step it was of" \
        logged "accepted; .* method=totp offset="
    ok "... and never the code" not_logged "$right"
    ok "the same code is refused" refused alone alice "$right" authenticate
    ok "... as replayed" logged "reason=replayed"
    ok "after a refusal setcred is refused too" \
        refused alone alice "$right" authenticate setcred
    ok "an end of input is refused" refused alone alice "" authenticate
    ok "who is not enrolled is refused" \
        refused alone stranger "$right" authenticate
    ok "... as not enrolled" logged "reason=not-enrolled"
    ok "with nullok they are let by" pam nullok stranger "" authenticate
    ok "... without being asked" not_logged "Verification code"
    ok "with nullok who is enrolled is not" \
        refused nullok alice "" authenticate
    ok "a misspelt argument refuses" refused misspelt stranger "" authenticate
    ok "... by its name" logged "argument nulok: is unknown"
    (cat "$home/pawl.conf" && echo "windw = 1") >"$home/unknown.conf"
    line=$(wc -l <"$home/unknown.conf")
    ok "an unknown key of the configuration refuses" \
        refused unknown alice "$right" authenticate
    ok "... by file, line and name" \
        logged "unknown.conf:$line: .*windw"
    mkdir "$home/other"
    [ "$who" = root ] || chown --reference="$home" "$home/other"
    as "$home/make_store" "$home/other" || exit 1
    mv "$home/keyring" "$home/keyring.ours"
    cp -p "$home/other/keyring" "$home/keyring"
    ok "the key ring of another store opens nothing" \
        refused alone alice "$(code)" authenticate
    ok "... and the log says why" logged "reason=integrity"
    ok "... nor does it prove that somebody never enrolled" \
        refused nullok stranger "" authenticate
    ok "... and the log says why" logged "reason=integrity"
    mv "$home/keyring.ours" "$home/keyring"
    mv "$home/store" "$home/gone"
    ok "without a store nullok lets nobody by" \
        refused nullok stranger "" authenticate
    ok "... and the log says why" logged "reason=storage"
    mkdir -m 700 "$home/store"
    ok "an empty store is no proof either" \
        refused nullok stranger "" authenticate
}

if [ "$(id -u)" -eq 0 ]; then
    turns="root nobody"
else
    turns=$(id -un)
fi
for who in $turns; do
    scenario
done
tap_done
