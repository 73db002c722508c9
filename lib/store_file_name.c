/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "lib/store_file_name.h"

static bool
is_plain(unsigned char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           (c == '.' && !first);
}

enum err
store_file_name_encode(struct store_name name, char ret[STORE_FILE_NAME_BYTES])
{
    static const char hex[] = "0123456789ABCDEF";
    size_t used = 0;

    if (name.name[0] == '\0')
        return ERR_INVALID;
    if (name.kind == STORE_OWN)
        ret[used++] = '+';
    for (const char *at = name.name; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;

        if (used + 3 >= STORE_FILE_NAME_BYTES)
            return ERR_SPACE;
        if (is_plain(c, at == name.name)) {
            ret[used++] = (char)c;
        } else {
            ret[used++] = '%';
            ret[used++] = hex[c >> 4];
            ret[used++] = hex[c & 15];
        }
    }
    ret[used] = '\0';
    return ERR_OK;
}

static int
hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool
store_file_name_decode(const char *file, char ret[STORE_FILE_NAME_BYTES])
{
    char again[STORE_FILE_NAME_BYTES];
    size_t used = 0;

    for (const char *at = file; *at != '\0'; at++) {
        if (used + 1 >= STORE_FILE_NAME_BYTES)
            return false;
        if (*at != '%') {
            ret[used++] = *at;
            continue;
        }
        if (hex_value(at[1]) < 0 || hex_value(at[2]) < 0)
            return false;
        ret[used++] = (char)(hex_value(at[1]) << 4 | hex_value(at[2]));
        at += 2;
    }
    ret[used] = '\0';
    if (store_file_name_encode((struct store_name){STORE_USER, ret}, again) !=
        ERR_OK)
        return false;
    return strcmp(file, again) == 0;
}
