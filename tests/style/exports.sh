#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What an installation holds: the module with six functions to see and few
# libraries to load, hardened like the tool, and nothing left lying about.

# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"
builddir=${builddir:-.}

# symbols MODULE: the difference to the six entry points of a PAM module.
symbols()
{
    nm -D --defined-only "$1" | awk '{ print $NF }' | LC_ALL=C sort \
        >"$scratch/symbols" || return
    for entry in acct_mgmt authenticate chauthtok close_session \
        open_session setcred; do
        echo "pam_sm_$entry"
    done | diff - "$scratch/symbols" | sed -n 's/^[<>]/& /p'
}

# libraries MODULE: those it needs beyond the four.
libraries()
{
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -v -E '^lib(pam|crypto|inih|c)\.so\.[0-9]+$'
    true
}

# hardening FILE: the guards it lacks.
hardening()
{
    readelf -W -d -h -l --dyn-syms "$1" >"$scratch/elf" || return
    while read -r guard pattern; do
        grep -q -E "$pattern" "$scratch/elf" || echo "no $guard"
    done <<'END'
RELRO ^ *GNU_RELRO
BIND_NOW FLAGS.* (BIND_NOW|NOW)
PIE ^ *Type: +DYN
GNU_STACK ^ *GNU_STACK
stack_protector UND __stack_chk_fail
fortification UND __[a-z]+_chk
END
    ! grep -E '^ *GNU_STACK' "$scratch/elf" | grep -q E ||
        echo "an executable stack"
    ! grep -q -E '\((RPATH|RUNPATH|TEXTREL)\)' "$scratch/elf" ||
        echo "RPATH, RUNPATH or TEXTREL"
}

# leftovers TREE: installed files that nobody uses.
leftovers()
{
    find "$1" -name '*.la' -o -name '*.a' -o -name '*.h'
}

if ! MAKEFLAGS='' ${MAKE:-make} -s -C "$builddir" install \
    DESTDIR="$scratch/root" >"$scratch/install" 2>&1; then
    tap_point 1 "make install" "$scratch/install"
    tap_done
fi
tap_point 0 "make install"
module=$(find "$scratch/root" -name pam_pawl.so)
tool=$(find "$scratch/root" -path '*/bin/pawl')
[ -f "$module" ]
tap_point $? "one pam_pawl.so is installed"
[ -x "$tool" ]
tap_point $? "one pawl is installed"
tap_clean "the module exports the six entry points" symbols "$module"
tap_clean "the module needs libpam, libcrypto, libinih and libc" \
    libraries "$module"
tap_clean "the module is hardened" hardening "$module"
tap_clean "the tool is hardened" hardening "$tool"
tap_clean "nothing is left lying about" leftovers "$scratch/root"

# The same eyes on a module that is wrong in every respect.
mkdir "$scratch/bad"
cat >"$scratch/bad.c" <<'END'
#include <math.h>
int pam_sm_authenticate(double x);
int helper(void);
int pam_sm_authenticate(double x) { return (int)cos(x); }
int helper(void) { return 0; }
END
# shellcheck disable=SC2086 # CC may be several words
${CC:-cc} -shared -fPIC -o "$scratch/bad/bad.so" "$scratch/bad.c" \
    -Wl,--no-as-needed -lm -Wl,-z,lazy -Wl,-z,norelro -Wl,-z,execstack \
    -Wl,-rpath,/nowhere
: >"$scratch/bad/bad.la"
bad=$scratch/bad/bad.so

# finds NAME PATTERN CHECK: among other findings.
finds()
{
    $3 "$bad" | grep -e "$2" >"$scratch/one" || true
    tap_finds "$1" "$2" cat "$scratch/one"
}

finds "a function too many is found" '> *helper' symbols
finds "a missing entry point is found" '< *pam_sm_setcred' symbols
finds "a library too many is found" 'libm' libraries
finds "missing RELRO is found" 'RELRO' hardening
finds "lazy binding is found" 'BIND_NOW' hardening
finds "a missing stack protector is found" 'stack_protector' hardening
finds "missing fortification is found" 'fortification' hardening
finds "an executable stack is found" 'executable' hardening
finds "an RPATH is found" 'RPATH' hardening
tap_finds "a leftover is found" 'bad.la' leftovers "$scratch/bad"
printf 'int main(void) { return 0; }\n' >"$scratch/bad.c"
${CC:-cc} -no-pie -o "$scratch/bad/tool" "$scratch/bad.c"
bad=$scratch/bad/tool
finds "a tool at a fixed address is found" 'no PIE' hardening
tap_done
