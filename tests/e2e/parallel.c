/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Many logins at one moment, through the real libpam and the module as it is
 * shipped: processes are stopped inside the conversation, each with its
 * answer ready, and let go all together.
 *
 *   parallel [ROUNDS OF ONE CODE [ROUNDS OF MANY USERS]]
 *
 * That the driver can see a race is shown on a module that is known to have
 * one, where it is installed.
 */
#include "config.h"

#include <errno.h>
#include <glob.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <security/pam_appl.h>

#include "lib/clock_system.h"
#include "lib/file.h"
#include "lib/hotp.h"
#include "lib/totp.h"
#include "lib/vault.h"

#include "tests/support/scratch.h"

enum {
    CONTESTANTS = 24,
    ROUNDS_ONE_CODE = 200,
    ROUNDS_MANY_USERS = 20,
    ROUNDS_QUICK = 5, /* of each, where PAWL_TEST_QUICK is set */
    ROUNDS_PEER = 10,
    NAME_BYTES = 32,
    CODE_BYTES = 16,
    SHOWN = 5, /* bad rounds that are told of */

    /* How a contestant's process exits. */
    LET_IN = 0,
    REFUSED = 1,
    FAILED = 2, /* neither let in nor refused for the code */
};

static const char key_hex[] = "7061776c2d746573742d6b65792d303030303031";
static const char key_base32[] = "OBQXO3BNORSXG5BNNNSXSLJQGAYDAMBR";

struct contestant {
    char user[NAME_BYTES];
    char code[CODE_BYTES];
};

struct gate {
    int ready[2]; /* one byte from everybody who stands before it */
    int open[2];  /* closed when it opens */
};

struct score {
    unsigned let_in;
    unsigned failed;
    long milliseconds; /* from the opening of the gate to the last answer */
};

/* What a contestant's conversation needs. */
struct part {
    const struct gate *gate;
    const char *code;
};

/* A service, its modules loaded once for all who are forked from here. */
struct service {
    const char *name;
    pam_handle_t *pamh;
};

static struct scratch scratch;
static char services[PATH_MAX + 16]; /* the folder of PAM services */

/* One contestant --------------------------------------------------------- */

static void
wait_at(const struct gate *gate)
{
    char byte = 0;

    (void)close(gate->open[1]);
    if (write(gate->ready[1], &byte, 1) != 1)
        _exit(FAILED);
    (void)!read(gate->open[0], &byte, 1); /* the end of the file lets go */
}

static int
converse(int count, const struct pam_message **messages,
         struct pam_response **ret, void *context)
{
    const struct part *part = context;
    struct pam_response *responses = calloc((size_t)count, sizeof(*responses));

    if (responses == NULL)
        return PAM_BUF_ERR;
    for (int i = 0; i < count; i++) {
        if (messages[i]->msg_style != PAM_PROMPT_ECHO_OFF &&
            messages[i]->msg_style != PAM_PROMPT_ECHO_ON)
            continue;
        wait_at(part->gate);
        responses[i].resp = strdup(part->code);
    }
    *ret = responses;
    return PAM_SUCCESS;
}

static void
no_delay(int status, unsigned microseconds, void *context)
{
    (void)status, (void)microseconds, (void)context;
}

/* Linux-PAM hands over the delay function as an item. */
static const void *
as_item(void (*function)(int, unsigned, void *))
{
    const void *item;

    memcpy(&item, &function, sizeof(item));
    return item;
}

static int
log_in(pam_handle_t *pamh, const struct contestant *contestant,
       const struct gate *gate)
{
    struct part part = {gate, contestant->code};
    struct pam_conv conversation = {converse, &part};
    int status;

    status = pam_set_item(pamh, PAM_CONV, &conversation);
    if (status == PAM_SUCCESS)
        status = pam_set_item(pamh, PAM_USER, contestant->user);
    if (status == PAM_SUCCESS)
        status = pam_set_item(pamh, PAM_FAIL_DELAY, as_item(no_delay));
    if (status != PAM_SUCCESS)
        return FAILED;
    status = pam_authenticate(pamh, 0);
    return status == PAM_SUCCESS    ? LET_IN
           : status == PAM_AUTH_ERR ? REFUSED
                                    : FAILED;
}

/* One round -------------------------------------------------------------- */

static void
start(const struct service *service, const struct contestant *contestant,
      const struct gate *gate)
{
    pid_t child;

    (void)fflush(stdout);
    child = fork();
    if (child < 0)
        scratch_bail("fork: %s", strerror(errno));
    if (child == 0)
        _exit(log_in(service->pamh, contestant, gate));
}

static void
count_exit(struct score *score)
{
    int status;

    if (wait(&status) < 0)
        scratch_bail("wait: %s", strerror(errno));
    if (!WIFEXITED(status))
        score->failed++;
    else if (WEXITSTATUS(status) == LET_IN)
        score->let_in++;
    else if (WEXITSTATUS(status) != REFUSED)
        score->failed++;
}

/* Waits until everybody stands before the gate, or is gone for good. */
static void
gather(struct gate *gate)
{
    char bytes[CONTESTANTS];
    size_t gathered = 0;
    ssize_t count;

    (void)close(gate->ready[1]);
    while (gathered < CONTESTANTS) {
        count = read(gate->ready[0], bytes, CONTESTANTS - gathered);
        if (count <= 0)
            break; /* some ended before the prompt: the score will tell */
        gathered += (size_t)count;
    }
}

static long
milliseconds_since(const struct timespec *start_time)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start_time->tv_sec) * 1000 +
           (now.tv_nsec - start_time->tv_nsec) / 1000000;
}

static struct score
play_round(const struct service *service, const struct contestant *contestants)
{
    struct score score = {0};
    struct timespec opened;
    struct gate gate;

    if (pipe(gate.ready) != 0 || pipe(gate.open) != 0)
        scratch_bail("pipe: %s", strerror(errno));
    for (unsigned i = 0; i < CONTESTANTS; i++)
        start(service, &contestants[i], &gate);
    gather(&gate);
    (void)clock_gettime(CLOCK_MONOTONIC, &opened);
    (void)close(gate.open[1]);
    for (unsigned i = 0; i < CONTESTANTS; i++)
        count_exit(&score);
    score.milliseconds = milliseconds_since(&opened);
    (void)close(gate.open[0]);
    (void)close(gate.ready[0]);
    return score;
}

/* Setting up ------------------------------------------------------------- */

static void write_service(const char *name, const char *format, ...)
    PRINTF_LIKE(2, 3);

static void
write_service(const char *name, const char *format, ...)
{
    char path[sizeof(services) + NAME_BYTES];
    va_list arguments;
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/%s", services, name);
    file = fopen(path, "we");
    if (file == NULL)
        scratch_bail("%s: %s", path, strerror(errno));
    va_start(arguments, format);
    (void)vfprintf(file, format, arguments);
    va_end(arguments);
    if (fclose(file) != 0)
        scratch_bail("%s: %s", path, strerror(errno));
}

static struct service
load_service(const char *name)
{
    static const struct pam_conv none = {NULL, NULL};
    struct service service = {name, NULL};

    if (pam_start_confdir(name, NULL, &none, services, &service.pamh) !=
        PAM_SUCCESS)
        scratch_bail("%s: PAM does not start", name);
    return service;
}

static struct token
make_token(void)
{
    struct token token = {
        .type = TOKEN_TOTP,
        .algorithm = HOTP_SHA1,
        .digits = TOKEN_DIGITS,
        .period = TOKEN_PERIOD,
    };

    scratch_read_secret(key_hex, &token.secret);
    return token;
}

/*
 * On a disk where there is one: a write that takes its time is what a race
 * needs.
 */
static void
make_folder(void)
{
    const char *parent = getenv("TMPDIR");
    char folder[PATH_MAX / 2];

    (void)snprintf(folder, sizeof(folder), "%.1024s/pawl-XXXXXX",
                   parent == NULL ? "/tmp" : parent);
    if (mkdtemp(folder) == NULL)
        scratch_bail("%s: %s", folder, strerror(errno));
    scratch_make_in(&scratch, folder, &clock_system);
    (void)snprintf(services, sizeof(services), "%s/pam.d", scratch.folder);
    if (mkdir(services, 0700) != 0)
        scratch_bail("%s: %s", services, strerror(errno));
}

static struct service
set_up(void)
{
    const char *build = getenv("builddir");
    struct token token = make_token();

    make_folder();
    write_service("pawl-parallel",
                  "auth required %s/pam/.libs/pam_pawl.so conf=%s\n",
                  build == NULL ? "." : build, scratch.conf);
    write_service("other", "auth required pam_deny.so\n");
    for (unsigned i = 0; i < CONTESTANTS; i++) {
        char user[NAME_BYTES];

        (void)snprintf(user, sizeof(user), "pawl-%u", i);
        scratch_enrol(&scratch, user, &token, 0);
    }
    return load_service("pawl-parallel");
}

/* The code of this very moment. */
static void
set_code(struct contestant *contestant)
{
    struct token token = make_token();
    uint32_t value;
    uint64_t step;

    if (totp_step(time(NULL), token.period, &step) != ERR_OK ||
        hotp_generate(token.algorithm, &token.secret, step, token.digits,
                      &value) != ERR_OK)
        scratch_bail("no code");
    (void)snprintf(contestant->code, CODE_BYTES, "%06u", value);
}

/* Contests --------------------------------------------------------------- */

static unsigned number;

static bool
say(bool good, const char *sentence)
{
    (void)printf("%sok %u - %s\n", good ? "" : "not ", ++number, sentence);
    return good;
}

/* What a number of rounds came to. */
struct tally {
    unsigned rounds;
    unsigned bad;
    long slowest; /* milliseconds */
};

static void
count_round(struct tally *tally, const struct score *score, bool good)
{
    tally->rounds++;
    if (score->milliseconds > tally->slowest)
        tally->slowest = score->milliseconds;
    if (good || ++tally->bad > SHOWN)
        return;
    (void)printf("# round %u: %u let in, %u failed\n", tally->rounds,
                 score->let_in, score->failed);
}

static bool
say_tally(const struct tally *tally, const char *sentence)
{
    (void)printf("# %u rounds of %d logins, %u of them bad; the slowest took "
                 "%ld ms\n",
                 tally->rounds, CONTESTANTS, tally->bad, tally->slowest);
    return say(tally->bad == 0 && tally->rounds > 0, sentence);
}

static bool
one_code(const struct service *service, unsigned rounds)
{
    struct contestant contestants[CONTESTANTS];
    struct tally tally = {0};

    for (unsigned round = 0; round < rounds; round++) {
        struct score score;

        scratch_set_floor(&scratch, "pawl-0", 0);
        contestants[0] = (struct contestant){.user = "pawl-0"};
        set_code(&contestants[0]);
        for (unsigned i = 1; i < CONTESTANTS; i++)
            contestants[i] = contestants[0];
        score = play_round(service, contestants);
        count_round(&tally, &score, score.let_in == 1 && score.failed == 0);
    }
    return say_tally(&tally, "one code opens exactly once");
}

/* Each with a fresh record and the right code for it. */
static void
line_up(struct contestant contestants[CONTESTANTS])
{
    for (unsigned i = 0; i < CONTESTANTS; i++) {
        (void)snprintf(contestants[i].user, NAME_BYTES, "pawl-%u", i);
        scratch_set_floor(&scratch, contestants[i].user, 0);
        set_code(&contestants[i]);
    }
}

static bool
many_users(const struct service *service, unsigned rounds)
{
    struct contestant contestants[CONTESTANTS];
    struct tally tally = {0};

    for (unsigned round = 0; round < rounds; round++) {
        struct score score;

        line_up(contestants);
        score = play_round(service, contestants);
        count_round(&tally, &score, score.let_in == CONTESTANTS);
    }
    return say_tally(&tally, "everybody with a code gets in");
}

/* We hold the first one's record ourselves all the while. */
static bool
one_locked(const struct service *service)
{
    struct contestant contestants[CONTESTANTS];
    struct vault *held;
    struct tally tally = {0};
    struct score score;

    scratch_configure(&scratch, "lock_wait = 500\n");
    line_up(contestants);
    held = scratch_hold(&scratch, contestants[0].user);
    score = play_round(service, contestants);
    vault_close(&held);
    scratch_configure(&scratch, "");
    count_round(&tally, &score,
                score.let_in == CONTESTANTS - 1 && score.failed == 1);
    return say_tally(&tally, "a record that is locked holds up nobody else");
}

/* The peer --------------------------------------------------------------- */

static bool
find_peer(char ret[PATH_MAX])
{
    static const char *const places[] = {"/lib*/security/", "/lib/*/security/",
                                         "/usr/lib*/security/",
                                         "/usr/lib/*/security/"};

    for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
        char pattern[128];
        glob_t found;
        bool there;

        (void)snprintf(pattern, sizeof(pattern),
                       "%spam_google_authenticator.so", places[i]);
        there = glob(pattern, 0, NULL, &found) == 0;
        if (there)
            (void)snprintf(ret, PATH_MAX, "%s", found.gl_pathv[0]);
        globfree(&found);
        if (there)
            return true;
    }
    return false;
}

static void
reset_peer(const char *path)
{
    FILE *file;

    (void)unlink(path);
    file = fopen(path, "wxe");
    if (file == NULL || fchmod(fileno(file), 0600) != 0)
        scratch_bail("%s: %s", path, strerror(errno));
    (void)fprintf(file,
                  "%s\n\" WINDOW_SIZE 3\n\" DISALLOW_REUSE\n\" TOTP_AUTH\n",
                  key_base32);
    if (fclose(file) != 0)
        scratch_bail("%s: %s", path, strerror(errno));
}

/* Whether the driver sees one code let in twice where that can happen. */
static bool
control(void)
{
    static const char sentence[] = "the driver sees a peer take a code twice";
    struct contestant contestants[CONTESTANTS];
    const struct passwd *self = getpwuid(geteuid());
    char module[PATH_MAX], state[PATH_MAX + 16];
    struct service peer;
    unsigned doubled = 0;

    if (!find_peer(module) || self == NULL) {
        (void)printf("ok %u - %s # SKIP pam_google_authenticator is not "
                     "installed\n",
                     ++number, sentence);
        return true;
    }
    (void)snprintf(state, sizeof(state), "%s/peer", scratch.folder);
    write_service("pawl-peer", "auth required %s secret=%s user=%s\n", module,
                  state, self->pw_name);
    peer = load_service("pawl-peer");
    for (unsigned round = 0; round < ROUNDS_PEER; round++) {
        reset_peer(state);
        (void)snprintf(contestants[0].user, NAME_BYTES, "%s", self->pw_name);
        set_code(&contestants[0]);
        for (unsigned i = 1; i < CONTESTANTS; i++)
            contestants[i] = contestants[0];
        doubled += play_round(&peer, contestants).let_in > 1;
    }
    (void)printf("# the peer let one code in more than once in %u of %u "
                 "rounds\n",
                 doubled, ROUNDS_PEER);
    (void)pam_end(peer.pamh, PAM_SUCCESS);
    return say(doubled > 0, sentence);
}

int
main(int argc, char **argv)
{
    unsigned rounds[2] = {ROUNDS_ONE_CODE, ROUNDS_MANY_USERS};
    struct service service;
    bool good;

    if (getenv("PAWL_TEST_QUICK") != NULL)
        rounds[0] = rounds[1] = ROUNDS_QUICK;
    for (int i = 1; i < argc && i <= 2; i++)
        rounds[i - 1] = (unsigned)strtoul(argv[i], NULL, 10);
    (void)printf("1..4\n");
    service = set_up();
    good = one_code(&service, rounds[0]);
    good &= many_users(&service, rounds[1]);
    good &= one_locked(&service);
    good &= control();
    (void)pam_end(service.pamh, PAM_SUCCESS);
    scratch_remove(&scratch);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
