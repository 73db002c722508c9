#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What every file keeps to: a licence line, no tabs where they do not belong,
# clean line ends, and the one layout of .clang-format.

# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

# sources TREE: everything written by hand that is not data or prose, named
# from the tree's top.
sources()
{
    (
        cd "$1" || exit
        find lib pam enroll tests bench man .ci -type f \( \
            -name '*.[ch]' -o -name '*.sh' -o -name '*.awk' -o \
            -name '*.mk' -o -name '*.[1-9]' -o -path '.ci/*' \) 2>/dev/null
        for file in Makefile.am configure.ac packages.sh run-tests \
            quickstart; do
            [ ! -f "$file" ] || echo "$file"
        done
    ) | LC_ALL=C sort
}

# licence TREE: the files without an SPDX line among their first two.
licence()
{
    (cd "$1" && sources . | xargs awk '
        FNR <= 2 && /SPDX-License-Identifier: BSD-2-Clause/ {
            seen[FILENAME] = 1
        }
        END {
            for (i = 1; i < ARGC; i++)
                if (!(ARGV[i] in seen))
                    print ARGV[i] ": no licence in its first two lines"
        }')
}

# blanks TREE: tabs, blanks at the end of a line, a last line without an end.
blanks()
{
    (cd "$1" && sources . | xargs awk '
        function code() { return FILENAME ~ /\.([ch]|sh|awk)$/ }
        /\t/ && code() { print FILENAME ":" FNR ": a tab" }
        /[ \t\r]$/ { print FILENAME ":" FNR ": a blank at the end" }')
    sources "$1" | while read -r file; do
        [ -z "$(tail -c 1 "$1/$file")" ] || echo "$file: no end of the last line"
    done
}

# layout TREE: the files that clang-format 14 would change.
layout()
{
    (cd "$1" && sources . | grep '\.[ch]$' |
        xargs "$clang_format" --dry-run --style=file 2>&1 |
        sed -n 's/:[0-9:]* [a-z]*: code should.*/: not as .clang-format has it/p' | uniq)
}

# Version 14 it must be: others lay out some things differently.
clang_format=
for name in clang-format-14 clang-format; do
    case $("$name" --version 2>/dev/null) in
    *' version 14.'*) clang_format=$name; break ;;
    esac
done

# planted FILE: a good tree, and in it this file with what comes on standard
# input.
planted()
{
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/lib"
    cp "$srcdir/.clang-format" "$scratch/tree/"
    printf '/* SPDX-License-Identifier: BSD-2-Clause */\nint good;\n' \
        >"$scratch/tree/lib/good.h"
    cat >"$scratch/tree/$1"
}

[ "$(sources "$srcdir" | wc -l)" -gt 25 ]
tap_point $? "the sources are there"
tap_clean "every source has its licence line" licence "$srcdir"
tap_clean "no stray tabs and blanks" blanks "$srcdir"

planted lib/bad.h <<'END'
int without_a_licence;
END
tap_finds "a source without a licence line is found" bad.h \
    licence "$scratch/tree"
printf '#!/bin/sh\n\n# SPDX-License-Identifier: BSD-2-Clause\n' |
    planted run-tests
tap_finds "a licence line that comes late is found" run-tests \
    licence "$scratch/tree"
printf 'int\ttabbed;\n' | planted lib/bad.h
tap_finds "a tab is found" 'bad.h:1: a tab' blanks "$scratch/tree"
printf 'int a;\nint b; \n' | planted lib/bad.h
tap_finds "a blank at the end of a line is found" 'bad.h:2: a blank' \
    blanks "$scratch/tree"
printf 'all:\r\n' | planted lib/local.mk
tap_finds "a carriage return is found" 'local.mk:1: a blank' \
    blanks "$scratch/tree"
printf 'int a;' | planted lib/bad.h
tap_finds "a last line without an end is found" 'bad.h: no end' \
    blanks "$scratch/tree"

if [ -n "$clang_format" ]; then
    tap_clean "the sources are laid out as .clang-format has it" \
        layout "$srcdir"
    printf 'int  a;\n' | planted lib/bad.h
    tap_finds "another layout is found" 'bad.h: not as' layout "$scratch/tree"
else
    tap_skip "the sources are laid out as .clang-format has it" \
        "no clang-format 14"
fi
tap_done
