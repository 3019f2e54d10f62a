/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `schedules` is for programs only: before main, the process forks once for each seed, one after the other. That is as if the program
 * were run so many times. All of them run, whatever the exit status of one is.
 */
#define _GNU_SOURCE
#include "series.h"

#include "machine.h"
#include "options.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

simt_role simt_series_role;
simt_series_shared *simt_series;

/* Is this code part of the program, and not of a shared object? */
static bool in_program(void)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));

    return getauxval(AT_PHDR) - (uintptr_t)__ehdr_start < 4096;
}

static int wait_for(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 2;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void start_comparing(void)
{
    size_t size = sizeof *simt_series + 2 * simt_options.memory;
    void *got;

    if (!simt_checking || !simt_options.kinds[NONDETERMINISM])
        return;
    got = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) {
        fputs("simt: no memory to compare the runs of the series: nondeterminism is not looked for\n", stderr);
        return;
    }
    simt_series = got;
    simt_series->first_seed = simt_options.seed;
}

static int loud = -1; /* standard error of a silent process, as it was */

/* The program's own output was seen when the seed ran first. */
static void be_silent(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    loud = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    if (simt_series_role != REPORT)
        *simt_options.json = *simt_options.log = 0;
}

void simt_series_be_loud(void)
{
    fflush(NULL);
    if (loud >= 0)
        dup2(loud, STDERR_FILENO);
}

/* In the child it returns true: the program goes on to main. */
static bool run_as(simt_role role, uint64_t seed, int *status)
{
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child < 0) {
        fprintf(stderr, "simt: SIMT_OPTIONS: schedules: cannot create a process: %s\n", strerror(errno));
        _exit(2);
    }
    if (child > 0) {
        *status = wait_for(child);
        return false;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    simt_read_options_again(); /* because %p differs in the child */
    simt_options.seed = seed;
    simt_series_role = role;
    if (role > OTHER)
        be_silent();
    return true;
}

/* Where do the two seeds begin to differ? Returns true in a child, as run_as. Its finding counts more than the program's own
 * failure. */
static bool explain(uint64_t other, int *status)
{
    simt_series_shared *s = simt_series;
    int ignored, found = 0;

    if (run_as(FIRST_AGAIN, s->first_seed, &ignored))
        return true;
    if (s->strays) {
        fprintf(stderr,
                "simt: nondeterminism is not looked for: two runs under seed %llu differ, so results depend on more "
                "than the seed\n",
                (unsigned long long)s->first_seed);
        return false;
    }
    if (run_as(OTHER_AGAIN, other, &ignored) || (s->launch && run_as(LOCATE, s->first_seed, &ignored)))
        return true;
    if (run_as(REPORT, other, &found))
        return true;
    if (found == SIMT_STATUS)
        *status = found;
    return false;
}

/* For each status with which runs ended, the seeds: "simt: 3 of 5 schedules end with 0: seeds 1-2 5". */
static void say_how_they_ended(const unsigned char *ended, uint64_t first)
{
    uint64_t all = simt_options.schedules;

    for (unsigned status = 0; status < 256; status++) {
        uint64_t count = 0;

        for (uint64_t i = 0; i < all; i++)
            count += ended[i] == status;
        if (count == 0)
            continue;
        fprintf(stderr, "simt: %llu of %llu schedules end with %u: seed%s", (unsigned long long)count,
                (unsigned long long)all, status, count == 1 ? "" : "s");
        for (uint64_t i = 0; i < all; i++) {
            uint64_t last = i;

            if (ended[i] != status)
                continue;
            while (last + 1 < all && ended[last + 1] == status)
                last++;
            fprintf(stderr, last > i ? " %llu-%llu" : " %llu", (unsigned long long)(first + i),
                    (unsigned long long)(first + last));
            i = last;
        }
        fputc('\n', stderr);
    }
}

/* Findings count for more than failures, which the program may also have on a GPU; of those the first. */
static int status_of_all(const unsigned char *ended)
{
    int status = 0;

    for (uint64_t i = 0; i < simt_options.schedules; i++)
        if (ended[i] == SIMT_STATUS)
            return SIMT_STATUS;
        else if (status == 0)
            status = ended[i];
    return status;
}

static __attribute__((constructor(102))) void run_schedules(void)
{
    unsigned char *ended;
    uint64_t first;
    bool explained = false;
    int all;

    if (!in_program())
        return;
    simt_read_options();
    first = simt_options.seed;
    if (simt_options.schedules == 1)
        return;
    ended = malloc(simt_options.schedules);
    if (!ended) {
        fputs("simt: SIMT_OPTIONS: schedules: no memory for so many\n", stderr);
        _exit(2);
    }
    start_comparing();
    for (uint64_t i = 0; i < simt_options.schedules; i++) {
        int status = 0;

        if (run_as(i ? OTHER : FIRST, first + i, &status))
            break;
        if (simt_series && simt_series->differs && !simt_series->findings && !explained) {
            explained = true;
            if (explain(first + i, &status))
                break;
        }
        ended[i] = (unsigned char)status;
    }
    if (simt_series_role != NO_SERIES) { /* this is a child */
        free(ended);
        return;
    }
    all = status_of_all(ended);
    if (all != 0)
        say_how_they_ended(ended, first);
    _exit(all);
}
