/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Attributes every room uses. GCC and clang only: Linux-PAM is our platform.
 */
#ifndef PAWL_LIB_ATTRS_H
#define PAWL_LIB_ATTRS_H

/* The result says whether it worked; a caller may not ignore it. */
#define MUST_CHECK __attribute__((warn_unused_result))

/*
 * AUTO(name) on a local variable calls name(&variable) when it goes out of
 * scope, on every path. The function takes half-built and empty objects and
 * leaves them empty. To hand an object out, move it: *ret = x; x = NULL.
 */
#define AUTO(cleanup_function) __attribute__((cleanup(cleanup_function)))

/* Visible outside the shared object: the PAM entry points and nothing else. */
#define EXPORT __attribute__((visibility("default")))

/* Argument number text is a printf format for the arguments from first. */
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
