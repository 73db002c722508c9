#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Makes the README's picture from a real run of the tool in a real terminal
# (tmux): man/picture/make.sh BUILD-FOLDER. The key in it is the one that RFC
# 6238 publishes: it protects nothing.

set -eu
picture=$(cd "$(dirname "$0")" && pwd)
pawl=$(realpath "${1:?usage: man/picture/make.sh BUILD-FOLDER}")/enroll/pawl
folder=$(mktemp -d)
socket=pawl-picture-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null; rm -rf "$folder"' EXIT

screen()
{
    tmux -L "$socket" capture-pane -p -t pawl "$@"
}
wait_for()
{
    for turn in 1 2 3 4 5 6 7 8 9 10; do
        screen | grep -q "$1" && return
        sleep 0.5
    done
    echo "never seen: $1 (turn $turn)" >&2
    exit 1
}
type_line()
{
    tmux -L "$socket" send-keys -t pawl "$1" Enter
}

key=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ
echo $key >"$folder/key"
export PAWL_CONFIG="$folder/pawl.conf"
"$pawl" init -q --store="$folder/store" --keyring="$folder/keyring" \
    --issuer=bastion
cat >"$folder/rc" <<EOF
PS1='# '
pawl() { command "$pawl" "\$@" --no-account --secret-file="$folder/key"; }
clear
EOF
tmux -L "$socket" -f /dev/null new-session -d -s pawl -x 80 -y 27 \
    "LC_ALL=C.UTF-8 TERM=screen-256color bash --noprofile --rcfile $folder/rc"
wait_for '^#'
type_line 'pawl enroll alice'
wait_for 'type the 6 digits'
tmux -L "$socket" send-keys -t pawl \
    "$(echo $key | oathtool --totp --base32 -)"
sleep 0.5
screen -e -N | python3 "$picture/svg.py" 80 >"$picture/enroll.svg"
