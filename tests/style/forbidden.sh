#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Forbidden functions: tests/style/FORBIDDEN says which, where, and why. The
# scan reads tokens of code, so that comments, texts and members of structs
# may carry any name.

# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

# forbidden TREE: one line a use.
forbidden()
{
    (cd "$1" && find lib pam enroll tests bench -name '*.[ch]' |
        LC_ALL=C sort | xargs awk -f "$srcdir/tests/style/forbidden.awk" \
            "$srcdir/tests/style/FORBIDDEN")
}

# plant NAME PATTERN FILE: what comes on standard input, put into FILE, is
# found, and nothing else.
plant()
{
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    (cd "$scratch/tree" && mkdir lib pam enroll tests bench)
    cat >"$scratch/tree/lib/good.c" <<'END'
/* strcpy(a, b); as a comment
 * getenv("HOME") */
#include <signal.h> // printf("x")
#define GOOD_TEXT "system(\"x\")"
static const char *const quote = "\"" "abort()";
static const char mark = '"'; /* '"' */
void good(struct clock *clock, int sign) __attribute__((format(printf, 1, 2)));
    clock->exit(clock.exit);
enum err (*read)(struct err *err, const char *random, int err);
    if (take(random, err) != ERR_OK)
        return err;
    good_strcpy(strcpy_good, "assert(1)");
END
    tap_clean "$1: not without it" forbidden "$scratch/tree"
    cat >"$scratch/tree/$3"
    tap_finds "$1" "$2" forbidden "$scratch/tree"
}

tap_clean "no forbidden function is used" forbidden "$srcdir"

plant "a call is found" 'lib/bad.c:2: strcpy' lib/bad.c <<'END'
/* A comment. */
    strcpy(to, from);
END
plant "a call behind a comment and texts is found" '1: sprintf' tests/bad.c <<'END'
/* one */ f('"', "/*", '\'', "\\"); sprintf /* two */ (to, from);
END
plant "a function as a value is found" '1: getenv' pam/bad.c <<'END'
struct room room = {.read = getenv};
END
plant "a function behind a macro is found" '2: abort' lib/bad.h <<'END'
#define GIVE_UP(x) \
    abort
END
plant "a stream of the host is found" '1: stderr' pam/bad.c <<'END'
    fputs_unlocked(text, stderr);
END
plant "a return of a call is found" '1: isdigit' enroll/bad.c <<'END'
    return isdigit(c) ? 1 : 0;
END
plant "a call in brackets is found" '1: exit' lib/bad.c <<'END'
    (exit)(1);
END

# Every name of the table, in every folder of its line.
rm -rf "$scratch/tree"
mkdir "$scratch/tree"
(cd "$scratch/tree" && mkdir lib pam enroll tests bench)
grep -v -e '^#' -e '^$' "$srcdir/tests/style/FORBIDDEN" |
    while IFS='|' read -r names folders _; do
        for folder in $folders; do
            for name in $names; do
                echo "    $name(x);" >>"$scratch/tree/$folder/bad.c"
                echo "$folder $name" >>"$scratch/wanted"
            done
        done
    done
forbidden "$scratch/tree" |
    sed 's|/bad\.c:[0-9]*: \([A-Za-z_0-9]*\): instead, ..*| \1|' |
    LC_ALL=C sort >"$scratch/found"
LC_ALL=C sort -o "$scratch/wanted" "$scratch/wanted"
[ "$(wc -l <"$scratch/wanted")" -gt 250 ]
tap_point $? "the table is there"
tap_clean "every name of the table is found" \
    diff "$scratch/wanted" "$scratch/found"
tap_done
