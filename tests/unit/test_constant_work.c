/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A search does the same work wherever the code is, or nowhere: this program
 * runs itself under valgrind, which counts instructions and finds branches on
 * secrets. Each check is first shown to find what it looks for.
 */
#include "config.h"

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#if defined(HAVE_VALGRIND_CALLGRIND_H) && defined(HAVE_VALGRIND_MEMCHECK_H) && \
    !defined(__SANITIZE_ADDRESS__)
#include <valgrind/callgrind.h>
#include <valgrind/memcheck.h>
#define HAVE_VALGRIND 1
#else /* sanitizers and valgrind do not go together */
#define CALLGRIND_TOGGLE_COLLECT                ((void)0)
#define CALLGRIND_DUMP_STATS_AT(label)          (void)(label)
#define VALGRIND_MAKE_MEM_UNDEFINED(at, length) (void)(at)
#define VALGRIND_MAKE_MEM_DEFINED(at, length)   (void)(at)
#define HAVE_VALGRIND                           0
#endif

#include "lib/hotp.h"

enum {
    FIRST = 56666666, /* step of the window of three */
    WINDOW = 3,
    PLACES = WINDOW + 1, /* where the code is found, or nowhere */
    DIGITS = 8,
    NO_CODE = 100000000, /* has nine */
    FOUND_BRANCH = 99,   /* memcheck's exit status */
};

static const struct secret twenty = {20, "12345678901234567890"};

/* What runs under valgrind ------------------------------------------------ */

typedef enum err search_function(struct hotp *hotp, uint64_t first,
                                 unsigned count, unsigned digits, uint32_t code,
                                 struct hotp_match *ret);

/* How it must not be done: the control that both checks must find. */
static enum err
search_and_leave_early(struct hotp *hotp, uint64_t first, unsigned count,
                       unsigned digits, uint32_t code, struct hotp_match *ret)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t candidate = 0;
        enum err e = hotp_code(hotp, first + i, digits, &candidate);

        if (e != ERR_OK)
            return e;
        if (candidate == code) {
            *ret = (struct hotp_match){UINT64_MAX, first + i};
            return ERR_OK;
        }
    }
    *ret = (struct hotp_match){0, 0};
    return ERR_OK;
}

static const struct {
    const char *name;
    search_function *search;
} searches[] = {
    {"whole", hotp_search},
    {"early", search_and_leave_early},
};

/* One search of a window, the code in the given place of it. */
static enum err
measure(unsigned kind, enum hotp_algorithm algorithm, unsigned place)
{
    AUTO(hotp_clear) struct hotp hotp = {0};
    struct hotp_match match = {0};
    uint32_t code = NO_CODE;
    char label[64];
    enum err e;

    e = hotp_open(&hotp, algorithm);
    if (e == ERR_OK)
        e = hotp_set_secret(&hotp, &twenty);
    if (e == ERR_OK && place < WINDOW)
        e = hotp_code(&hotp, FIRST + place, DIGITS, &code);
    /* Once unmeasured, so that the heap is as it will be. */
    for (unsigned round = 0; e == ERR_OK && round < 2; round++) {
        if (round == 1)
            CALLGRIND_TOGGLE_COLLECT;
        e = searches[kind].search(&hotp, FIRST, WINDOW, DIGITS, code, &match);
        if (round == 1)
            CALLGRIND_TOGGLE_COLLECT;
    }
    (void)snprintf(label, sizeof(label), "%s %u %u", searches[kind].name,
                   (unsigned)algorithm, place);
    CALLGRIND_DUMP_STATS_AT(label);
    if (e == ERR_OK && (match.found != 0) != (place < WINDOW))
        return ERR_INVALID;
    return e;
}

static int
measure_all(void)
{
    for (unsigned kind = 0; kind < ARRAY_LENGTH(searches); kind++) {
        for (unsigned a = HOTP_SHA1; a <= HOTP_SHA512; a++) {
            for (unsigned place = 0; place < PLACES; place++) {
                if (measure(kind, (enum hotp_algorithm)a, place) != ERR_OK)
                    return EXIT_FAILURE;
            }
        }
    }
    return EXIT_SUCCESS;
}

/*
 * Searches with a secret and a code that memcheck takes for undefined: it
 * reports every branch and every address made of them. The match alone is
 * declassified, here, where the decision is taken.
 */
static int
search_tainted(unsigned kind)
{
    for (unsigned a = HOTP_SHA1; a <= HOTP_SHA512; a++) {
        AUTO(hotp_clear) struct hotp hotp = {0};
        struct secret secret = twenty;
        struct hotp_match match = {0};
        uint32_t code = NO_CODE;

        VALGRIND_MAKE_MEM_UNDEFINED(secret.bytes, secret.length);
        VALGRIND_MAKE_MEM_UNDEFINED(&code, sizeof(code));
        if (hotp_open(&hotp, (enum hotp_algorithm)a) != ERR_OK ||
            hotp_set_secret(&hotp, &secret) != ERR_OK ||
            searches[kind].search(&hotp, FIRST, WINDOW, DIGITS, code, &match) !=
                ERR_OK)
            return EXIT_FAILURE;
        VALGRIND_MAKE_MEM_DEFINED(&match, sizeof(match));
        if (match.found != 0)
            return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

/* Running it there --------------------------------------------------------- */

enum {
    NO_VALGRIND = 127,
    NOTHING_DONE = 42, /* a task that proves that it runs here */
};

/* The exit status; NO_VALGRIND when there is none. */
static int
run_valgrind(const char *tool, const char *how, const char *option,
             const char *task)
{
    char self[] = "/proc/self/exe";
    char path[4096];
    ssize_t length = readlink(self, path, sizeof(path) - 1);
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    int failed;

    if (!HAVE_VALGRIND)
        return NO_VALGRIND;
    assert_in_range(length, 1, sizeof(path) - 2);
    path[length] = '\0';
    {
        const char *arguments[] = {"valgrind", "-q", tool, how,
                                   option,     path, task, NULL};

        assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
        assert_int_equal(posix_spawn_file_actions_addopen(
                             &actions, STDERR_FILENO, "/dev/null", 1, 0),
                         0);
        failed = posix_spawnp(&child, "valgrind", &actions, NULL,
                              (char *const *)(uintptr_t)arguments, environ);
        assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
    }
    if (failed != 0)
        return NO_VALGRIND;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

typedef uint64_t counts[ARRAY_LENGTH(searches)][HOTP_SHA512 + 1][PLACES];

/* One dump of callgrind's: its label, and its instructions. */
static void
read_dump(const char *path, counts ret)
{
    FILE *file = fopen(path, "re");
    char line[256];
    char name[16] = "";
    unsigned algorithm = 0;
    unsigned place = 0;
    uint64_t total = 0;

    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        (void)sscanf(line, "desc: Trigger: Client Request: %15s %u %u", name,
                     &algorithm, &place);
        (void)sscanf(line, "totals: %" SCNu64, &total);
    }
    (void)fclose(file);
    for (unsigned kind = 0; kind < ARRAY_LENGTH(searches); kind++) {
        if (strcmp(name, searches[kind].name) != 0)
            continue;
        assert_in_range(algorithm, HOTP_SHA1, HOTP_SHA512);
        assert_in_range(place, 0, PLACES - 1);
        ret[kind][algorithm][place] = total;
    }
}

static void
read_dumps(const char *folder, counts ret)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;

    assert_non_null(entries);
    while ((entry = readdir(entries)) != NULL) {
        char path[512];

        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        read_dump(path, ret);
        assert_int_equal(unlink(path), 0);
    }
    (void)closedir(entries);
    assert_int_equal(rmdir(folder), 0);
}

/* Whether the places differ by no more than one in a hundred. */
static bool
all_alike(const uint64_t places[PLACES])
{
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;

    for (unsigned i = 0; i < PLACES; i++) {
        assert_in_range(places[i], 1000, 10000000); /* it did measure */
        if (places[i] < least)
            least = places[i];
        if (places[i] > most)
            most = places[i];
    }
    return most - least <= least / 100;
}

static void
a_search_takes_the_same_instructions_wherever_the_code_is(void **context)
{
    char folder[] = "/tmp/pawl-cost-XXXXXX";
    char option[64];
    counts counted = {0};
    int status;

    (void)context;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(option, sizeof(option), "--callgrind-out-file=%s/out",
                   folder);
    status = run_valgrind("--tool=callgrind", "--collect-atstart=no", option,
                          "callgrind");
    read_dumps(folder, counted);
    assert_int_equal(status, EXIT_SUCCESS);
    for (unsigned a = HOTP_SHA1; a <= HOTP_SHA512; a++) {
        const uint64_t *at = counted[0][a];

        print_message("# %s: %" PRIu64 " %" PRIu64 " %" PRIu64
                      ", nowhere %" PRIu64 " instructions\n",
                      hotp_algorithm_name((enum hotp_algorithm)a), at[0], at[1],
                      at[2], at[3]);
        assert_true(all_alike(at));
        assert_false(all_alike(counted[1][a])); /* the control */
    }
}

static void
a_search_branches_on_nothing_secret(void **context)
{
    char option[32];

    (void)context;
    (void)snprintf(option, sizeof(option), "--error-exitcode=%d", FOUND_BRANCH);
    assert_int_equal(run_valgrind("--tool=memcheck", "--undef-value-errors=yes",
                                  option, "tainted-early"),
                     FOUND_BRANCH); /* the control */
    assert_int_equal(run_valgrind("--tool=memcheck", "--undef-value-errors=yes",
                                  option, "tainted-whole"),
                     EXIT_SUCCESS);
}

int
main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_search_takes_the_same_instructions_wherever_the_code_is),
        cmocka_unit_test(a_search_branches_on_nothing_secret),
    };
    const char *task = argc > 1 ? argv[1] : "";

    if (strcmp(task, "nothing") == 0)
        return NOTHING_DONE;
    if (strcmp(task, "callgrind") == 0)
        return measure_all();
    if (strcmp(task, "tainted-whole") == 0)
        return search_tainted(0);
    if (strcmp(task, "tainted-early") == 0)
        return search_tainted(1);
    /* Some versions cannot read what some compilers write, and give up. */
    if (run_valgrind("--tool=none", "--num-callers=1",
                     "--sigill-diagnostics=no", "nothing") != NOTHING_DONE) {
        (void)printf("1..0 # SKIP valgrind is missing or cannot run this\n");
        return EXIT_SUCCESS;
    }
    return cmocka_run_group_tests_name("constant_work", tests, NULL, NULL);
}
