/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kinds of value that records and key rings have besides those of
 * vectors.h. What is missing or malformed fails the running test.
 */
#ifndef PAWL_TESTS_GOLDEN_H
#define PAWL_TESTS_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/* A number that may be below zero. */
int64_t golden_signed(const json_t *object, const char *member);

/* A number of 64 bits, written as 16 hex digits. */
uint64_t golden_wide(const json_t *object, const char *member);

/* Hex of exactly length bytes. */
void golden_bytes(const json_t *object, const char *member, uint8_t *ret,
                  size_t length);

/* Hex of at most room bytes; their number. */
size_t golden_some_bytes(const json_t *object, const char *member, uint8_t *ret,
                         size_t room);

/* The element of a list whose member "name" is name. */
const json_t *golden_named(const json_t *list, const char *name);

#endif
