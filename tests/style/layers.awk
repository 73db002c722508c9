# SPDX-License-Identifier: BSD-2-Clause
#
# Wrong includes, from lib/FLOORS and the sources. Portable awk.

function complain(text)
{
    print FILENAME ":" FNR ": " text
}

# Whether the file of this stem is one of the places.
function allowed(places,    i, n, place, word)
{
    n = split(places, word, " ")
    for (i = 1; i <= n; i++) {
        place = word[i]
        if (sub(/\*$/, "", place) ? index(stem, place) == 1 : stem == place)
            return 1
    }
    return 0
}

# The room a file of lib/ belongs to: its own, or that of store for store_file.
function room_of(name)
{
    while (!(name in room) && sub(/_[^_]*$/, "", name))
        ;
    return name in room ? name : ""
}

function check_own(target,    name)
{
    name = target
    if (target == "config.h")
        return
    if (target !~ /^(lib|pam|enroll|tests|bench)\/.*\.[ch]$/) {
        complain("\"" target "\" is not named from the top folder")
    } else if (folder == "tests" || folder == "bench") {
        return
    } else if (target ~ /^lib\//) {
        if (folder != "lib")
            return
        sub(/^lib\//, "", name)
        sub(/\.[ch]$/, "", name)
        name = room_of(name)
        if (name == "")
            complain("\"" target "\" is on no floor")
        else if (own != "" && room[name] != room[own] &&
            floor[name] >= floor[own])
            complain("\"" target "\" is on no lower floor")
    } else if (target !~ "^" folder "/") {
        complain(folder " does not know \"" target "\"")
    }
}

function check_other(target,    header)
{
    for (header in only)
        if (index(target, header) == 1 && !allowed(only[header]))
            complain("<" target "> belongs to" only[header])
}

# The table comes first.
NR == FNR {
    sub(/#.*/, "")
    if ($1 == "floor") {
        floors++
        for (i = 2; i <= NF; i++) {
            n = split($i, file, "+")
            for (j = 1; j <= n; j++) {
                floor[file[j]] = floors
                room[file[j]] = file[1]
            }
        }
    } else if ($1 == "only" && NF > 2) {
        for (i = 3; i <= NF; i++)
            only[$2] = only[$2] " " $i
    } else if (NF > 0) {
        complain("neither floor nor only")
    }
    next
}

FNR == 1 {
    stem = folder = own = FILENAME
    sub(/\.[ch]$/, "", stem)
    sub(/\/.*/, "", folder)
    sub(/.*\//, "", own)
    sub(/\.[ch]$/, "", own)
    includes = 0
    if (folder == "lib") {
        own = room_of(own)
        if (own == "")
            complain("is on no floor")
    }
}

/^[ \t]*(#|%:|\?\?=)[ \t]*(include|import)/ {
    includes++
    target = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
    if (includes == 1 && FILENAME ~ /\.c$/ && target !~ /^"config.h"/)
        complain("config.h comes first")
    if (match(target, /^"[^"]*"/))
        check_own(substr(target, 2, RLENGTH - 2))
    else if (match(target, /^<[^>]*>/))
        check_other(substr(target, 2, RLENGTH - 2))
    else
        complain("an include nobody can follow")
}
