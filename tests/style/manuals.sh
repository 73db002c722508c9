#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The manuals are clean mdoc, and say neither less nor more than the code: each
# configuration key, module argument, option, reason, PAM answer and exit
# status is in its manual, and each that is there is in the code.

# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

manuals="pawl.1 pawl.conf.5 pam_pawl.8"

# A cross reference to another package's manual is no fault of ours where that
# is not installed.
lint()
{
    for manual in $manuals; do
        mandoc -T lint "$1/man/$manual" 2>&1 |
            grep -v -e 'lacks .* entry' -e 'referenced manual not found'
    done
    return 0
}

typeset_quietly()
{
    for manual in $manuals; do
        groff -ww -mdoc -Tascii -z "$1/man/$manual" 2>&1
    done
}

# What the code of a tree has, one name a line.

keys()
{
    sed -n 's/^ *{"\([a-z_]*\)", MEMBER(.*/\1/p' "$1/lib/conf_key.c"
}

# name=least-most of each key that is a number
ranges()
{
    sed -n 's/^ *{"\([a-z_]*\)",.* NUMBER(\([0-9]*\), \([0-9]*\)).*/\1=\2-\3/p' \
        "$1/lib/conf_key.c"
}

arguments()
{
    sed -n 's/^ *{"\([a-z_]*\)", KIND_.*/\1/p' "$1/pam/args.c"
}

options()
{
    sed -n 's/^ *{"\([a-z-]*\)", [a-z]*_argument,.*/\1/p' "$1"/enroll/*.c
    grep -h '^ *"' "$1"/enroll/main.c "$1"/enroll/cmd_*.c |
        grep -o -e '--[a-z][a-z-]*' | sed 's/^--//'
}

verbs()
{
    sed -n 's/^ *\.name = "\([a-z]*\)",$/\1/p' "$1"/enroll/cmd_*.c
}

reasons()
{
    sed -n '/^reason_text(/,/^}/s/.*return "\([a-z-]*\)".*/\1/p' \
        "$1/lib/verify.c" | grep -v -x none
}

answers()
{
    grep -o 'return PAM_[A-Z_]*' "$1/pam/module.c" | sed 's/return //'
}

# Those that some command returns.
statuses()
{
    sed -n 's/^ *\(EXIT_[A-Z_]*\) = \([0-9]*\),.*/\1 \2/p' \
        "$1/enroll/tool.h" |
        while read -r name number; do
            grep -q -w "$name" "$1"/enroll/*.c && echo "$number"
        done
}

# What the manuals of a tree have.

manual_keys()
{
    sed -n 's/^\.It Ic \([a-z_]*\) .*/\1/p' "$1/man/pawl.conf.5"
}

manual_ranges()
{
    sed -n 's/^\.It Ic \([a-z_]*\) Pq number , \([0-9]*\) to \([0-9]*\);.*/\1=\2-\3/p' \
        "$1/man/pawl.conf.5"
}

manual_arguments()
{
    sed -n '/^The arguments are:/,/^\.El/s/^\.It Cm \([a-z_]*\).*/\1/p' \
        "$1/man/pam_pawl.8"
}

manual_options()
{
    sed -n -e 's/^\.It Fl -\([a-z-]*\).*/\1/p' \
        -e 's/^\.It Fl [a-z] , -\([a-z-]*\).*/\1/p' \
        -e 's/^\.Fl V , -\(version\)$/\1/p' "$1/man/pawl.1"
}

manual_verbs()
{
    sed -n '/^The verbs are:/,$s/^\.It Cm \([a-z]*\).*/\1/p' "$1/man/pawl.1"
}

manual_reasons()
{
    sed -n '/^The reasons are/,/^\.El/s/^\.It Ql //p' "$1/man/pam_pawl.8"
}

manual_answers()
{
    sed -n 's/^\.It Dv //p' "$1/man/pam_pawl.8"
}

manual_statuses()
{
    sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EX.*S$/s/^\.It \([0-9]*\)$/\1/p' \
        "$1/man/pawl.1"
}

# drift WHAT TREE: the names that only one side has, one a line.
drift()
{
    "$1" "$2" | LC_ALL=C sort -u >"$scratch/code"
    "manual_$1" "$2" | LC_ALL=C sort -u >"$scratch/manual"
    [ -s "$scratch/code" ] || echo "no $1 in the code: has it moved?"
    LC_ALL=C comm -23 "$scratch/code" "$scratch/manual" |
        sed 's/$/: not in the manual/'
    LC_ALL=C comm -13 "$scratch/code" "$scratch/manual" |
        sed 's/$/: not in the code/'
}

# plant NAME FILE SCRIPT PATTERN CHECK...: the check finds a copy that differs.
plant()
{
    plant_name=$1
    plant_file=$2
    sed "$3" "$srcdir/$2" >"$scratch/tree/$2"
    plant_pattern=$4
    shift 4
    tap_finds "$plant_name" "$plant_pattern" "$@" "$scratch/tree"
    cp "$srcdir/$plant_file" "$scratch/tree/$plant_file"
}

mkdir -p "$scratch/tree"
for folder in enroll lib man pam; do
    mkdir "$scratch/tree/$folder"
    cp "$srcdir/$folder"/*.* "$scratch/tree/$folder"
done
chmod -R u+w "$scratch/tree" # a tarball's sources may be read-only

clean="the manuals are clean for mandoc"
if command -v mandoc >/dev/null; then
    tap_clean "$clean" lint "$srcdir"
    plant "a macro that does not exist is found" man/pawl.1 \
        's/^\.Sh FILES/.Xx FILES/' 'unknown macro' lint
else
    tap_skip "$clean" "there is no mandoc"
fi

# A minimal system has a groff without the mdoc macros.
clean="the manuals are clean for groff"
if echo .Dd | groff -mdoc -Tascii -z >/dev/null 2>&1; then
    tap_clean "$clean" typeset_quietly "$srcdir"
    plant "a macro that groff does not have is found" man/pawl.1 \
        's/^\.Sh FILES/.Xx FILES/' 'Xx' typeset_quietly
else
    tap_skip "$clean" "there is no groff with mdoc"
fi

# compare WHAT...: manuals and code have the same of each.
compare()
{
    for what in "$@"; do
        tap_clean "manuals and code have the same $what" drift "$what" "$srcdir"
    done
}

# has FOLDER PATTERN: there is such a file. A tree without a module or a reader
# of pawl.conf has nothing to compare; one where they moved must not pass.
has()
{
    find "$srcdir/$1" -name "$2" | grep -q .
}

if has lib 'conf*.c'; then
    compare keys ranges
    plant "a key without its manual is found" man/pawl.conf.5 \
        's/^\.It Ic quiet .*//' '^quiet: not in the manual' drift keys
    plant "a key that is no more is found" lib/conf_key.c \
        '/{"quiet"/d' '^quiet: not in the code' drift keys
else
    tap_skip "manuals and code have the same keys" "nothing reads pawl.conf"
fi

if has pam '*.c'; then
    compare arguments answers
    plant "an argument without its manual is found" man/pam_pawl.8 \
        's/^\.It Cm nullok$//' '^nullok: not in the manual' drift arguments
    plant "an answer without its manual is found" man/pam_pawl.8 \
        's/^\.It Dv PAM_IGNORE$//' '^PAM_IGNORE: not in the manual' \
        drift answers
else
    tap_skip "manuals and code have the same arguments" "there is no module"
fi

compare options verbs reasons statuses
plant "an option without its manual is found" man/pawl.1 \
    's/^\.It Fl -replace$//' '^replace: not in the manual' drift options
plant "an option that --help alone has is found" enroll/main.c \
    's/--config=FILE/--konfig=FILE/' '^konfig: not in the manual' drift options
plant "a verb without its manual is found" man/pawl.1 \
    's/^\.It Cm list$//' '^list: not in the manual' drift verbs
plant "a reason without its manual is found" man/pam_pawl.8 \
    's/^\.It Ql clock$//' '^clock: not in the manual' drift reasons
plant "a status without its manual is found" man/pawl.1 \
    's/^\.It 9$//' '^9: not in the manual' drift statuses
tap_done
