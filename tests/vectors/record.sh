#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The golden records are what their generator makes today.

# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

name=golden_records_are_as_their_generator_makes_them
if command -v python3 >/dev/null; then
    python3 -B "$srcdir/tests/vectors/make_record.py" --check \
        2>"$scratch/why"
    tap_point $? $name "$scratch/why"
else
    tap_skip $name 'no python3'
fi
tap_done
