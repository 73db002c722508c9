#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What we draw scans: two decoders that share no code must read exactly the
# URI from pictures of a terminal, on a dark and on a light theme, and from
# our picture files. The negative controls show that the pictures can fail.

: "${srcdir:=.}" "${builddir:=.}"

for tool in python3 zbarimg ZXingReader; do
    command -v $tool >/dev/null 2>&1 || {
        echo "1..0 # SKIP $tool is not installed"
        exit 0
    }
done

picture="python3 $srcdir/tests/support/qr_picture.py"
draw=$builddir/tests/support/draw_qr
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
count=0
seed=${PAWL_TEST_SEED:-$(date +%s)}

# check STATUS NAME: one line of TAP.
check() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
    fi
}

zbar() {
    zbarimg -q --raw -Sdisable -Sqrcode.enable "$@" 2>/dev/null
}

zxing() {
    ZXingReader -format QRCode "$@" 2>/dev/null |
        sed -n 's/^Text: *"\(.*\)"$/\1/p'
}

# scans NAME URIS FILE...: both decoders read the lines of URIS, in order.
scans() {
    name=$1
    uris=$2
    shift 2
    zbar "$@" | cmp -s - "$uris"
    check $? "$name: zbar"
    zxing "$@" | cmp -s - "$uris"
    check $? "$name: ZXing"
}

# scans_not NAME FILE...: neither reads anything.
scans_not() {
    name=$1
    shift
    [ -z "$(zbar "$@")$(zxing "$@")" ]
    check $? "$name"
}

# on_screen FOLDER URIS THEMES HOW...: draws as HOW, shows in each theme.
on_screen() {
    folder=$work/$1
    uris=$2
    themes=$3
    shift 3
    mkdir "$folder"
    "$draw" "$folder" "$@" <"$uris" || check 1 "drawing $*"
    for theme in $themes; do
        $picture screen "$theme" 400 "$folder"/*.ansi
        scans "$* on $theme" "$uris" "$folder"/*.ansi.pgm
    done
}

# as_file KIND URIS
as_file() {
    folder=$work/$1
    mkdir "$folder"
    "$draw" "$folder" "$1" <"$2" || check 1 "drawing $1"
    [ "$1" = png ] || $picture svg "$folder"/*.svg
    suffix=png
    [ "$1" = png ] || suffix=svg.pgm
    scans "$1 files" "$2" "$folder"/*."$suffix"
}

echo "1..29"
echo "# seed $seed (set PAWL_TEST_SEED to repeat)"
$picture uris 60 "$seed" >"$work/uris"
for part in 1 2 3 4; do
    sed -n "$part~4p" "$work/uris" >"$work/uris.$part"
done

on_screen a "$work/uris.1" "dark light" big 4 256
on_screen b "$work/uris.2" "dark light" small 4 256
on_screen c "$work/uris.3" "dark light" big 2 16
on_screen d "$work/uris.4" "dark light" small 2 16
on_screen e "$work/uris.1" dark big 4 none
on_screen f "$work/uris.2" dark small 4 none
as_file png "$work/uris.3"
as_file svg "$work/uris.4"

# Reverse video stands on its head on a light theme, and so do half blocks
# that leave the colours to the theme.
mkdir "$work/upside-down" "$work/plain"
cp "$work"/e/00[0-4].ansi "$work/upside-down"
$picture screen light 400 "$work"/upside-down/*.ansi
scans_not "reverse video on light does not scan" "$work"/upside-down/*.pgm
cp "$work"/b/00[0-4].ansi "$work/plain"
$picture screen light 400 plain "$work"/plain/*.ansi
scans_not "half blocks without colours on light do not scan" "$work"/plain/*.pgm

# 90 columns in a window of 80: why nothing that wraps is ever printed.
echo "otpauth://totp/bastion.example.org:alice?secret=\
OBQXO3BNORSXG5BNNNSXSLJQGAYDAMBR&issuer=bastion.example.org" >"$work/one"
mkdir "$work/g"
"$draw" "$work/g" big 4 256 <"$work/one"
$picture screen dark 80 "$work/g/000.ansi"
scans_not "two columns a module wrapped at 80 do not scan" "$work"/g/*.pgm
$picture screen dark 90 "$work/g/000.ansi"
scans "the same in 90 columns" "$work/one" "$work"/g/*.pgm
