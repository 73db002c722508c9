#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Each header compiles alone, and twice.

# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"
builddir=${builddir:-.}

# headers TREE: the compiler's errors, one line a header that has any.
headers()
{
    (cd "$1" && find lib pam enroll tests bench -name '*.h' | LC_ALL=C sort) |
        while read -r header; do
            # shellcheck disable=SC2086 # lists of words
            printf '#include "%s"\n' config.h "$header" "$header" |
                ${CC:-cc} ${test_cppflags-} -std=gnu11 -Wall -Wextra -Werror \
                    -I"$1" -I"$builddir" -fsyntax-only -x c - \
                    >"$scratch/compiler" 2>&1 ||
                sed -n '/error:/ { s/.*error:/'"$(basename "$header")"':/p; q; }' \
                    "$scratch/compiler"
        done
}

# plant NAME PATTERN: the header on standard input is found.
plant()
{
    cat >"$scratch/tree/lib/planted.h"
    tap_finds "$1" "$2" headers "$scratch/tree"
}

tap_clean "each header compiles alone" headers "$srcdir"

mkdir "$scratch/tree"
(cd "$scratch/tree" && mkdir lib pam enroll tests bench)
cat >"$scratch/tree/lib/good.h" <<'END'
#ifndef GOOD_H
#define GOOD_H
#include <stdint.h>
struct good {
    uint8_t one;
};
#endif
END
tap_clean "a good header passes" headers "$scratch/tree"
plant "a header that needs another one is found" 'planted.h:.*uint8_t' <<'END'
uint8_t planted(void);
END
plant "a header without a guard is found" 'planted.h:.*redefinition' <<'END'
struct planted {
    int one;
};
END
tap_done
