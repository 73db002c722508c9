#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The direction of the layers: lib/FLOORS says what may include what.

# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

# layers TREE: one line a wrong include.
layers()
{
    (cd "$1" && find lib pam enroll tests bench -name '*.[ch]' |
        LC_ALL=C sort | xargs awk -f "$srcdir/tests/style/layers.awk" lib/FLOORS)
}

# planted FILE: a small good tree, and in it this file with what comes on
# standard input.
planted()
{
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/lib" "$scratch/tree/pam" "$scratch/tree/enroll" \
        "$scratch/tree/tests" "$scratch/tree/bench"
    cp "$srcdir/lib/FLOORS" "$scratch/tree/lib/"
    printf '#include "config.h"\n\n#include "lib/totp.h"\n' \
        >"$scratch/tree/lib/totp.c"
    printf '#include "lib/hotp.h"\n' >"$scratch/tree/lib/totp.h"
    printf '#include "config.h"\n\n#include "lib/store_file.h"\n' \
        >"$scratch/tree/lib/store.c"
    printf '#include <security/pam_modules.h>\n#include "lib/verify.h"\n' \
        >"$scratch/tree/pam/good.h"
    cat >"$scratch/tree/$1"
}

# plant NAME PATTERN FILE: what comes on standard input, put into FILE, is
# found.
plant()
{
    planted "$3"
    tap_finds "$1" "$2" layers "$scratch/tree"
}

tap_clean "every include points to a lower floor" layers "$srcdir"
planted lib/hotp.h </dev/null
tap_clean "a good tree passes" layers "$scratch/tree"

plant "an include of a higher floor is found" 'no lower floor' lib/hotp.h <<'END'
#include "lib/verify.h"
END
plant "an include of the same floor is found" 'no lower floor' lib/kdf.h <<'END'
#include "lib/hotp.h"
END
plant "a file on no floor is found" 'cellar.h:1: is on no floor' lib/cellar.h <<'END'
#include <stdint.h>
END
plant "an include of a file on no floor is found" 'is on no floor' lib/totp.h <<'END'
#include "lib/cellar.h"
END
plant "lib including pam is found" 'lib does not know' lib/totp.h <<'END'
#include "pam/args.h"
END
plant "pam including enroll is found" 'pam does not know' pam/args.h <<'END'
#include "enroll/qr.h"
END
plant "enroll including pam is found" 'enroll does not know' enroll/qr.h <<'END'
#include "pam/args.h"
END
plant "a header without its folder is found" 'from the top' lib/totp.h <<'END'
#include "hotp.h"
END
plant "a PAM header in lib is found" 'belongs to pam' lib/log.h <<'END'
#  include <security/pam_ext.h>
END
plant "libcrypto outside its rooms is found" 'belongs to lib/crypto' lib/vault.h <<'END'
#include <openssl/evp.h>
END
plant "libqrencode in pam is found" 'belongs to enroll/qr' pam/args.h <<'END'
#include <qrencode.h>
END
plant "libpng outside the file writer is found" 'enroll/qr_file' enroll/qr.h <<'END'
#include <png.h>
END
plant "an include through a macro is found" 'nobody can follow' lib/totp.h <<'END'
#define HEADER "lib/verify.h"
#include HEADER
END
plant "a source without config.h is found" 'comes first' lib/kdf.c <<'END'
#include "lib/kdf.h"
END
tap_done
