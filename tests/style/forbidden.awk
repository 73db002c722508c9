# SPDX-License-Identifier: BSD-2-Clause
#
# Uses of forbidden functions, from FORBIDDEN and the sources. Portable awk.

# Takes one token of the file. The one before it, now that both its neighbours
# are known, is judged.
function token(text)
{
    if (name != "" && used(text))
        print file ":" name_line ": " name ": instead, " why[folder, name]
    older = old
    old = last
    last = text
    name = (folder, text) in why ? text : ""
    name_line = FNR
}

# Whether name is a use of the function, followed by this token.
function used(next_token)
{
    if (old == "." || old == "->")
        return 0 # a member
    if (older ~ /^(__)?format(__)?$/ && old == "(")
        return 0 # the attribute of what takes a format
    if (old ~ /^(enum|struct|union)$/)
        return 0 # a type
    if (name ~ /^(stdin|stdout|stderr|environ)$/ || next_token == "(")
        return 1
    if (directive)
        return 1
    if ((old ~ /^[A-Za-z_]/ && old !~ /^(return|case|else|do|sizeof)$/) ||
        (old == "*" && older ~ /^[A-Za-z_]/))
        declared[file, name] = 1
    return next_token ~ /^[,;)}:]$/ && !((file, name) in declared) # a value
}

# Cuts a line to tokens. Texts come out as one token, comments as none.
function scan(line,    c, two)
{
    while (line != "") {
        if (comment) {
            if (!match(line, /\*\//))
                return
            line = substr(line, RSTART + 2)
            comment = 0
            continue
        }
        c = substr(line, 1, 1)
        two = substr(line, 1, 2)
        if (two == "/*") {
            comment = 1
            line = substr(line, 3)
        } else if (two == "//") {
            return
        } else if (match(line, /^"([^"\\]|\\.)*"/) ||
            match(line, /^'([^'\\]|\\.)*'/)) {
            token("text")
            line = substr(line, RLENGTH + 1)
        } else if (match(line, /^[A-Za-z_][A-Za-z_0-9]*/) ||
            match(line, /^[0-9][A-Za-z_0-9.]*/)) {
            token(substr(line, 1, RLENGTH))
            line = substr(line, RLENGTH + 1)
        } else if (two == "->") {
            token(two)
            line = substr(line, 3)
        } else {
            if (c !~ /[ \t\\]/)
                token(c)
            line = substr(line, 2)
        }
    }
}

# The table comes first.
NR == FNR {
    if ($0 !~ /^(#|$)/) {
        if (split($0, column, /[ \t]*\|[ \t]*/) != 3) {
            print FILENAME ":" FNR ": not three columns"
            next
        }
        names = split(column[1], name_list, " ")
        folders = split(column[2], folder_list, " ")
        for (i = 1; i <= names; i++)
            for (j = 1; j <= folders; j++)
                why[folder_list[j], name_list[i]] = column[3]
    }
    next
}

FNR == 1 {
    token(";")
    folder = file = FILENAME
    sub(/\/.*/, "", folder)
    comment = directive = continued = 0
    name = last = old = ""
}

{
    # A directive goes on as long as its lines end in a backslash.
    if (!continued) {
        if (directive)
            token(";")
        directive = !comment && $0 ~ /^[ \t]*#/
    }
    continued = directive && $0 ~ /\\$/
    if ($0 !~ /^[ \t]*#[ \t]*include/)
        scan($0)
}

END {
    token(";")
}
