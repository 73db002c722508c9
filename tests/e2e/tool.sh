#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The tool as people and scripts use it: every verb, what it says, what it
# answers with, what it leaves behind.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

pawl=${builddir:-.}/enroll/pawl
out=$scratch/out
err=$scratch/err
PAWL_CONFIG=$scratch/pawl.conf
export PAWL_CONFIG

for tool in oathtool zbarimg; do
    command -v $tool >/dev/null || {
        echo "1..0 # SKIP $tool is not installed"
        exit 0
    }
done

# gives CODE SENTENCE ARGUMENT...: pawl exits with CODE. No terminal: what would
# be asked there cannot be answered.
gives()
{
    wanted=$1
    sentence=$2
    shift 2
    setsid -w "$pawl" "$@" >"$out" 2>"$err" </dev/null
    status=$?
    cat "$out" "$err" >"$scratch/both"
    [ $status -eq "$wanted" ]
    tap_point $? "$sentence (exit $wanted, was $status)" "$scratch/both"
}

# The same with standard input from $scratch/in.
gives_with_input()
{
    wanted=$1
    sentence=$2
    shift 2
    setsid -w "$pawl" "$@" >"$out" 2>"$err" <"$scratch/in"
    status=$?
    cat "$out" "$err" >"$scratch/both"
    [ $status -eq "$wanted" ]
    tap_point $? "$sentence (exit $wanted, was $status)" "$scratch/both"
}

says()
{
    grep -q -e "$1" "$scratch/both"
    tap_point $? "... and says $1" "$scratch/both"
}

code_of() # BASE32 [OATHTOOL-OPTION...]
{
    key=$1
    shift
    printf '%s\n' "$key" | oathtool --totp --base32 "$@" -
}

# json KEY: the value in the one JSON object of $out.
json()
{
    sed -n 's/.*"'"$1"'":\("[^"]*"\|[^,}]*\).*/\1/p' "$out"
}
is_json()
{
    command -v python3 >/dev/null || return 0
    python3 -c 'import json, sys
for line in sys.stdin:
    assert json.loads(line)["schema"] == 1' <"$out"
}

# Help and usage ------------------------------------------------------------------

gives 2 "no verb is a usage error"
gives 2 "an unknown verb is a usage error" enrolle
says "no such verb"
gives 0 "--version is answered" --version
for verb in "" init enroll verify status list revoke; do
    # shellcheck disable=SC2086 # no verb at all is one of them
    gives 0 "help${verb:+ of $verb}" $verb --help
    # How long the names of the places are is up to whoever configured it.
    [ ! -s "$err" ] && [ "$(wc -l <"$out")" -le 40 ] &&
        [ "$(sed 's|\[/.*\]$|[]|' "$out" | wc -L)" -le 79 ]
    tap_point $? "... on one screen" "$out"
    [ -z "$verb" ] && continue
    gives 2 "an unknown option of $verb" "$verb" --no-such-option
    says "pawl $verb --help"
done
gives 6 "without a configuration nothing goes" list
says "pawl init"

# init ----------------------------------------------------------------------------

gives 0 "init makes everything" init --store="$scratch/store" \
    --keyring="$scratch/keyring" --issuer='Ex&Co +1'
[ "$(stat -c %a "$scratch/store" "$scratch/keyring" "$scratch/pawl.conf" |
    tr '\n' ' ')" = "700 600 644 " ]
tap_point $? "... for its owner alone"
[ "$(find "$scratch/store" -name '+decoy.*' -size 16 -perm 600 | wc -l)" \
    -eq 256 ] && [ -f "$scratch/store/+sentinel" ]
tap_point $? "... with 256 decoys and the sentinel"
cksum "$scratch/keyring" "$scratch/pawl.conf" >"$scratch/before"
gives 5 "init does not overwrite" init
gives 5 "... nor move a store" init --store="$scratch/other"
cksum "$scratch/keyring" "$scratch/pawl.conf" | diff - "$scratch/before" \
    >"$scratch/both"
tap_point $? "... and left everything as it was" "$scratch/both"
rm "$scratch/store/+sentinel"
gives 5 "an init that was cut short is not taken up unasked" init
gives 0 "... but when asked" init --resume
gives 0 "list of nobody" list --json
[ ! -s "$out" ]
tap_point $? "... is empty" "$out"

# enroll --------------------------------------------------------------------------

gives 4 "who has no account cannot be enrolled" enroll pawl-nobody
gives 7 "without a terminal nobody can type the first code" \
    enroll --no-account alice
says "no-confirm"
gives 0 "a picture of a new key" enroll --no-account --no-confirm \
    --algorithm=sha256 --digits=8 --period=60 --qr-file="$scratch/qr.png" \
    'a#b c?d é'
uri=$(zbarimg -q --raw -Sdisable -Sqrcode.enable "$scratch/qr.png" 2>/dev/null)
case $uri in
'otpauth://totp/Ex%26Co%20%2B1:a%23b%20c%3Fd%20%C3%A9?secret='*'&issuer=Ex%26Co%20%2B1&algorithm=SHA256&digits=8&period=60')
    tap_point 0 "... has all of it percent-encoded"
    ;;
*)
    echo "$uri" >"$scratch/both"
    tap_point 1 "... has all of it percent-encoded" "$scratch/both"
    ;;
esac
[ "$(stat -c %a "$scratch/qr.png")" = 600 ]
tap_point $? "... is for its owner alone"
key=$(printf '%s\n' "$uri" | sed 's/.*secret=\([A-Z2-7]*\).*/\1/')
tr -d ' ' <"$out" | grep -q "Key:$key"
tap_point $? "... shows the same key" "$out"
printf '%s\n' "$key" |
    oathtool --totp=sha256 --base32 -d 8 -s 60 - >"$scratch/in"
gives_with_input 0 "... and its code is right" verify --stdin 'a#b c?d é'
gives 5 "a picture is not written over" enroll --no-account --no-confirm \
    --qr-file="$scratch/qr.png" bob
gives 2 "a colon cannot be in an issuer" enroll --no-account --no-confirm \
    --issuer=a:b bob
says "':'"
gives 2 "nor in a name" enroll --no-account --no-confirm a:b
for option in --digits=5 --digits=9 --period=14 --period=301 --algorithm=md5 \
    --qr=huge --qr-file=x.gif --digits= --period=1x; do
    gives 2 "$option is refused" enroll --no-account --no-confirm $option bob
done
gives 0 "list" list --json
[ "$(wc -l <"$out")" -eq 1 ] && is_json
tap_point $? "... has only who was enrolled" "$out"

# The first code ------------------------------------------------------------------

key=OBQXO3BNORSXG5BNNNSXSLJQGAYDAMBR
printf '%s\n' "$key" >"$scratch/key"
right=$(code_of "$key")
near=$(code_of "$key" -w 3 -N '1 minute ago')
wrong=000000
case $near in
*"$wrong"*) wrong=111111 ;;
esac
printf '%s\nnonsense\n%s\n' "$wrong" "$wrong" >"$scratch/in"
gives_with_input 7 "three wrong codes" enroll --no-account --stdin \
    --secret-file="$scratch/key" --qr=none carol
[ ! -e "$scratch/store/carol" ]
tap_point $? "... store nothing"
for code in $near; do
    grep -q "$code" "$scratch/both" && echo "$code"
done >"$scratch/leaked"
[ ! -s "$scratch/leaked" ]
tap_point $? "... and the right one is never shown" "$scratch/leaked"
printf '%s\n%s %s\n' "$wrong" "$(echo "$right" | cut -c1-3)" \
    "$(echo "$right" | cut -c4-6)" >"$scratch/in"
gives_with_input 0 "a right code after a wrong one, with a blank in it" \
    enroll --no-account --stdin --secret-file="$scratch/key" --qr=none carol
echo "$right" >"$scratch/in"
gives_with_input 1 "the code that confirmed is spent" verify --stdin carol
says "used already"
: >"$scratch/in"
gives_with_input 7 "no code at all" enroll --no-account --stdin dave

# verify, status, list ------------------------------------------------------------

gives 0 "who is enrolled anew loses the old key" enroll --no-account \
    --replace --no-confirm --secret-file="$scratch/key" --qr=none carol
echo "$right" >"$scratch/in"
gives_with_input 1 "... but not what that key has spent" verify --stdin carol
says "used already"
code_of "$key" -N '30 seconds' >"$scratch/in"
for turn in 1 2; do
    gives_with_input 0 "a right code stays right when it is tried, $turn" \
        verify --stdin --json carol
done
is_json && [ "$(json right)" = true ] && [ "$(json reason)" = '"accepted"' ]
tap_point $? "... and says so in JSON" "$out"
echo "$wrong" >"$scratch/in"
gives_with_input 1 "a wrong code" verify --stdin --json carol
[ "$(json reason)" = '"wrong"' ]
tap_point $? "... is wrong in JSON" "$out"
echo "not a code" >"$scratch/in"
gives_with_input 1 "no code" verify --stdin --json carol
[ "$(json reason)" = '"malformed"' ]
tap_point $? "... is malformed in JSON" "$out"
gives_with_input 1 "who is not enrolled" verify --stdin --json nobody-here
gives 7 "without a terminal verify says what would help" verify carol
says "stdin"
gives 0 "status" status --json carol
is_json && [ "$(json status)" = '"active"' ]
tap_point $? "... in JSON" "$out"
! grep -q "$key" "$out"
tap_point $? "... has no key" "$out"
gives 1 "status of who is not enrolled" status --json erin
[ "$(json status)" = '"not-enrolled"' ]
tap_point $? "... in JSON" "$out"
gives 5 "who is enrolled is not enrolled again unasked" enroll --no-account \
    --no-confirm carol
says "replace"

# Keys that exist -----------------------------------------------------------------

printf '%s\n' "otpauth://totp/X:y?secret=$key&digits=8" >"$scratch/uri"
gives 0 "a key from a URI" enroll --no-account --no-confirm --qr=none \
    --secret-file="$scratch/uri" frank
gives 2 "... which options may not contradict" enroll --no-account \
    --no-confirm --digits=6 --secret-file="$scratch/uri" henry
printf '%s\n' "otpauth://totp/A:y?secret=$key&issuer=B&image=x" >"$scratch/in"
gives_with_input 0 "a URI that names two issuers" enroll --no-account \
    --no-confirm --qr=none --secret-file=- jane
says "two issuers"
says "not ours"
gives 0 "the key from a URI" status --json frank
[ "$(json digits)" = 8 ]
tap_point $? "... the digits" "$out"
echo GEZDGNBVGY3TQOJQ >"$scratch/in"
gives_with_input 0 "a short key from standard input" enroll --no-account \
    --no-confirm --qr=none --secret-file=- gina
says "weak"
for text in "" GEZDGNBV '!!!' "otpauth://totp/a?digits=6" \
    "otpauth://hotp/a?secret=$key&counter=1" "https://example.org/$key"; do
    printf '%s\n' "$text" >"$scratch/in"
    gives_with_input 2 "'$text' is no key" enroll --no-account --no-confirm \
        --secret-file=- henry
done
gives 6 "a file that is not there is no key" enroll --no-account \
    --no-confirm --secret-file="$scratch/absent" henry
[ ! -e "$scratch/store/henry" ]
tap_point $? "... and nothing of it is stored"

for length in 10 11 12 13 14 15 16 20 33 63 64; do
    head -c $length /dev/urandom | base32 -w 0 | tr -d = >"$scratch/in"
    echo >>"$scratch/in"
    gives_with_input 0 "a key of $length bytes" enroll --no-account \
        --no-confirm --qr=none --replace --secret-file=- iris
    [ "$(sed -n 's/^Key: //p' "$out" | tr -d ' ')" = "$(cat "$scratch/in")" ]
    tap_point $? "... is shown as it is" "$out"
done
[ ! -e "$scratch/store/iris" ] || rm "$scratch/store/iris"
"$pawl" enroll --no-account --no-confirm --qr=none iris >/dev/full 2>"$err"
[ $? -eq 6 ] && [ ! -e "$scratch/store/iris" ]
tap_point $? "a key that could not be shown is not enrolled" "$err"

# revoke --------------------------------------------------------------------------

gives 7 "revoking asks, and there is nobody to ask" revoke frank
says "yes"
gives 1 "who is not enrolled cannot be revoked" revoke --yes erin
gives 0 "revoke" revoke --yes frank
gives 1 "... is seen" status --json frank
[ "$(json status)" = '"revoked"' ]
tap_point $? "... as revoked" "$out"
code_of "$key" -d 8 >"$scratch/in"
gives_with_input 1 "... and no code is right" verify --stdin --json frank
[ "$(json reason)" = '"not-enrolled"' ]
tap_point $? "... as not enrolled" "$out"
gives 0 "who was revoked can be enrolled anew" enroll --no-account \
    --no-confirm --qr=none frank
gives 0 "forget" revoke --yes --forget frank
[ ! -e "$scratch/store/frank" ]
tap_point $? "... takes the record away"

# Damage --------------------------------------------------------------------------

head -c 8192 /dev/urandom >"$scratch/store/gina"
gives 6 "a damaged record" status gina
gives 6 "... is in the list" list --json
is_json && grep -q '"user":"gina","status":"unreadable"' "$out"
tap_point $? "... as unreadable, among the others" "$out"
gives 6 "... is not enrolled over unasked" enroll --no-account --no-confirm gina
says "replace"
head -c 100 /dev/urandom >"$scratch/store/gina"
gives 0 "... but when asked, whatever is left of it" enroll --no-account \
    --no-confirm --qr=none --replace gina
echo "nonsense = 1" >>"$scratch/pawl.conf"
gives 6 "a key of the configuration that nobody knows" list
says "pawl.conf:[0-9]*:.*nonsense"
sed -i '$d' "$scratch/pawl.conf"
chmod 644 "$scratch/keyring"
gives 6 "a key ring that others can read" list
says "keyring"
chmod 600 "$scratch/keyring"

# Others --------------------------------------------------------------------------

# own WHO ARGUMENT...: pawl as WHO, with a store of their own and a wrong code
# on standard input.
own()
{
    PAWL_CONFIG=$scratch/own-$1/pawl.conf
    if [ "$1" = root ]; then
        shift
        echo "$wrong" | "$scratch/pawl" "$@" >"$out" 2>"$err"
    else
        shift
        echo "$wrong" | setpriv --reuid=65534 --regid=65534 --clear-groups -- \
            "$scratch/pawl" "$@" >"$out" 2>"$err"
    fi
    PAWL_CONFIG=$scratch/pawl.conf
}

# counted WHO WANTED: how many failed codes one wrong try leaves behind.
counted()
{
    mkdir "$scratch/own-$1"
    [ "$1" = root ] || chown 65534:65534 "$scratch/own-$1"
    own "$1" init -q --store="$scratch/own-$1/store" \
        --keyring="$scratch/own-$1/keyring"
    own "$1" enroll --no-account --no-confirm --qr=none sam
    own "$1" verify --stdin sam
    own "$1" status --json sam
    [ "$(json failed_since_success)" = "$2" ]
}

if [ "$(id -u)" -eq 0 ]; then
    chmod 755 "$scratch"
    cp "$pawl" "$scratch/pawl" # where they can reach it
    counted root 0
    tap_point $? "a wrong code that root tries is not counted" "$out"
    counted nobody 1
    tap_point $? "a wrong code that anybody else tries is" "$out"
    setpriv --reuid=65534 --regid=65534 --clear-groups -- \
        setsid -w "$scratch/pawl" list >"$out" 2>"$err" </dev/null
    [ $? -eq 3 ]
    tap_point $? "an ordinary user may not read root's store" "$err"
else
    tap_skip "an ordinary user may not read root's store" "not root"
fi

# A full disk ---------------------------------------------------------------------

full_disk='
    mount -t tmpfs -o size=2600k,mode=700 tmpfs "$1" &&
    cd "$1" && "$2" init --config="$1/pawl.conf" --store="$1/store" \
        --keyring="$1/keyring" >/dev/null &&
    "$2" enroll --config="$1/pawl.conf" --no-account --no-confirm --qr=none \
        --secret-file="$3" alice >/dev/null &&
    ! head -c 4m /dev/zero >"$1/fill" 2>/dev/null &&
    "$2" enroll --config="$1/pawl.conf" --no-account --no-confirm --qr=none \
        --replace --secret-file="$3" alice >/dev/null &&
    touch "$1/store/+new.0123456789abcdef" "$1/store/alice.lock" &&
    "$2" status --config="$1/pawl.conf" alice >/dev/null &&
    ! "$2" enroll --config="$1/pawl.conf" --no-account --no-confirm --qr=none \
        bob 2>"$1/../err" && grep -q . "$1/../err" &&
    rm "$1/fill" && "$2" enroll --config="$1/pawl.conf" --no-account \
        --no-confirm --qr=none bob >/dev/null &&
    "$2" enroll --config="$1/pawl.conf" --no-account --no-confirm --qr=none \
        --replace alice >/dev/null'
if unshare -m true 2>/dev/null; then
    mkdir "$scratch/disk"
    unshare -m sh -c "$full_disk" sh "$scratch/disk" "$(realpath "$pawl")" \
        "$scratch/key" >"$scratch/both" 2>&1
    tap_point $? "a full disk refuses a new record and takes a renewed one" \
        "$scratch/both"
else
    tap_skip "a full disk refuses a new record and takes a renewed one" \
        "no mount name space"
fi

# At a terminal -------------------------------------------------------------------

# terminal: shows what the terminal of this test shows.
terminal()
{
    tmux -L "$socket" capture-pane -p -t pawl "$@"
}
wait_for()
{
    for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        terminal | grep -q "$1" && return 0
        sleep 0.5
    done
    terminal >"$scratch/both"
    return 1
}
if command -v tmux >/dev/null && command -v python3 >/dev/null; then
    socket=pawl-test-$$
    tmux -L "$socket" -f /dev/null new-session -d -s pawl -x 80 -y 24 \
        "LC_ALL=C.UTF-8 TERM=screen-256color $pawl enroll --no-account --digits=8 zoe; echo exit \$?; sleep 60"
    wait_for 'type the 8 digits'
    tap_point $? "at a terminal enroll asks for the first code" "$scratch/both"
    terminal -e -N >"$scratch/screen"
    python3 "$srcdir/tests/support/qr_picture.py" screen dark 80 \
        "$scratch/screen"
    uri=$(zbarimg -q --raw -Sdisable -Sqrcode.enable "$scratch/screen.pgm" \
        2>/dev/null)
    key=$(printf '%s\n' "$uri" | sed -n 's/.*secret=\([A-Z2-7]*\).*/\1/p')
    [ -n "$key" ]
    tap_point $? "... and its QR code scans from the screen" "$scratch/screen"
    tmux -L "$socket" send-keys -t pawl b Enter
    wait_for 'does not fit: it takes a window of'
    tap_point $? "... b tells what a bigger one needs" "$scratch/both"
    tmux -L "$socket" send-keys -t pawl f Enter
    wait_for 'Picture'
    tmux -L "$socket" send-keys -t pawl "$scratch/asked.png" Enter
    wait_for 'it is the key, remove it'
    [ "$(zbarimg -q --raw -Sdisable -Sqrcode.enable "$scratch/asked.png" \
        2>/dev/null)" = "$uri" ]
    tap_point $? "... f writes a picture" "$scratch/both"
    tmux -L "$socket" send-keys -t pawl "$(code_of "${key:-AAAA}" -d 8)" Enter
    wait_for 'zoe is enrolled' && wait_for 'exit 0'
    tap_point $? "... and takes the code of the app" "$scratch/both"
    ! terminal -S - | grep -q -e 'Key:' -e '▀'
    tap_point $? "... and takes the key off the screen again"
    tmux -L "$socket" kill-server
else
    tap_skip "enrolling at a terminal" "no tmux or python3"
fi
tap_done
