/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `schedules` is for programs only: before main, the process forks once for each seed. That is as if the program were run so many
 * times. All of them run, whatever the exit status of one is.
 *
 * The first seed runs alone, because the others are compared with it, and because it shows how much memory a run takes. The
 * others run at the same time, as many as there are cores and memory for. What is printed, and what findings are made of it, does
 * not depend on how many: it goes by the order of the seeds.
 */
#define _GNU_SOURCE
#include "series.h"

#include "machine.h"
#include "options.h"
#include "whole_file.h"
#include "shrink.h"

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
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

simt_role simt_series_role;
simt_series_shared *simt_series;
simt_series_run *simt_this_run;

/* Memory of all processes of the series: a row for each seed, and how many of the first ones have ended. */
static simt_series_run *runs;
static volatile uint64_t *ended_runs;

/* Is this code part of the program, and not of a shared object? */
static bool in_program(void)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));

    return getauxval(AT_PHDR) - (uintptr_t)__ehdr_start < 4096;
}

static int status_of(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int wait_for(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 2;
    return status_of(status);
}

static void *share(size_t size)
{
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return got == MAP_FAILED ? NULL : got;
}

static void start_comparing(void)
{
    size_t size = sizeof *simt_series + 2 * simt_options.memory;

    if (!simt_checking || !simt_options.kinds[NONDETERMINISM])
        return;
    simt_series = share(size);
    if (!simt_series) {
        fputs("simt: no memory to compare the runs of the series: nondeterminism is not looked for\n", stderr);
        return;
    }
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
        *simt_options.json = *simt_options.log = *simt_options.sarif = *simt_options.write_baseline = 0;
}

void simt_series_be_loud(void)
{
    fflush(NULL);
    if (loud >= 0)
        dup2(loud, STDERR_FILENO);
}

/* Only files that several runs write need it. Whoever waits has findings, so it is rare, and may take a millisecond. */
void simt_series_turn(void)
{
    const options *o = &simt_options;

    if (!*o->log && !*o->json && !*o->sarif && !*o->html && !*o->write_baseline)
        return;
    while (simt_this_run && simt_series_role == OTHER && *ended_runs < (uint64_t)(simt_this_run - runs))
        usleep(1000);
}

/* The strategies of runs that no option names one for. The first is that of a single run; of all mixtures of four others these find most bugs of
 * the table in docs/MEASUREMENTS.md. place walks where there are no atomics, and tears pairs of them apart where there are; pos finds
 * some that it does not. They take up to ten times as long as the drawn order. */
static const simt_search_strategy in_turn[] = {SEARCH_DRAWN, SEARCH_PLACE, SEARCH_PLACE, SEARCH_POS, SEARCH_PLACE};

/* A process for the run of this number, from 0. In the child it returns 0: the program goes on to main. */
static pid_t start_as(simt_role role, uint64_t number, const simt_output *output)
{
    uint64_t seed = simt_options.seed + number;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child < 0) {
        fprintf(stderr, "simt: SIMT_OPTIONS: schedules: cannot create a process: %s\n", strerror(errno));
        _exit(2);
    }
    if (child > 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    simt_read_options_again(); /* because %p differs in the child */
    simt_options.seed = seed;
    simt_options.seed_is_named = true;
    if (!simt_options.search_is_named && !simt_options.shrink)
        simt_options.search = in_turn[number % (sizeof in_turn / sizeof *in_turn)];
    simt_series_role = role;
    simt_this_run = &runs[number];
    if (role != FIRST)
        simt_input_again();
    if (output)
        simt_output_take(output);
    if (role > OTHER)
        be_silent();
    return 0;
}

/* True in the child, as above. */
static bool run_as(simt_role role, uint64_t number, int *status)
{
    pid_t child = start_as(role, number, NULL);

    if (child > 0)
        *status = wait_for(child);
    return child == 0;
}

static bool run_again(uint64_t seed, unsigned limit, int *status)
{
    bool in_run = run_as(SHRINK, seed - simt_options.seed, status);

    if (!in_run)
        return false;
    simt_series = NULL; /* nothing is compared */
    setrlimit(RLIMIT_CPU, &(struct rlimit){limit, limit + 1});
    return true;
}

/* Where do the two seeds begin to differ? Returns true in a child, as run_as. Its finding counts more than the program's own
 * failure. */
static bool explain(uint64_t other, int *status)
{
    simt_series_shared *s = simt_series;
    int ignored, found = 0;

    s->differs = runs[other].differs;
    s->permuted = runs[other].permuted;
    if (run_as(FIRST_AGAIN, 0, &ignored))
        return true;
    if (s->strays) {
        fprintf(stderr,
                "simt: nondeterminism is not looked for: two runs under seed %llu differ, so results depend on more "
                "than the seed\n",
                (unsigned long long)s->first_seed);
        return false;
    }
    if (run_as(OTHER_AGAIN, other, &ignored) || (s->launch && run_as(LOCATE, 0, &ignored)))
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

enum {
    AHEAD = 4
}; /* runs that may wait to be printed, for each that may run: a long run holds up few others. Not tuned */

static unsigned char *statuses; /* of the runs that have ended */
static bool compared;           /* two seeds were found to differ, and that was explained */

/* Runs numbers 1 to the last. In a child it returns true. */
static bool run_others(unsigned jobs)
{
    struct {
        pid_t child; /* 0: it has ended */
        simt_output output;
    } waiting[jobs * AHEAD];
    uint64_t next = 1, first = 1; /* to start, to print */
    unsigned running = 0;

    while (first < simt_options.schedules) {
        int status;
        pid_t child;

        if (running < jobs && next < simt_options.schedules && next < first + jobs * AHEAD) {
            unsigned i = next % (jobs * AHEAD);

            waiting[i].output = simt_output_new();
            waiting[i].child = start_as(OTHER, next, &waiting[i].output);
            if (waiting[i].child == 0)
                return true;
            running++;
            next++;
            continue;
        }
        child = waitpid(-1, &status, 0);
        for (uint64_t i = first; i < next; i++)
            if (child > 0 && waiting[i % (jobs * AHEAD)].child == child) {
                waiting[i % (jobs * AHEAD)].child = 0;
                statuses[i] = (unsigned char)(runs[i].status = status_of(status));
                running--;
            }
        for (; first < next && waiting[first % (jobs * AHEAD)].child == 0; first++) {
            int ended = statuses[first];

            simt_output_print(&waiting[first % (jobs * AHEAD)].output);
            runs[first].findings |= runs[first - 1].findings;
            if (simt_series && runs[first].differs && !runs[first].findings && !compared) {
                compared = true;
                if (explain(first, &ended))
                    return true;
                statuses[first] = (unsigned char)ended;
            }
            *ended_runs = first + 1;
        }
    }
    return false;
}

/* In a child it returns true. */
static bool run_all(void)
{
    struct rusage usage;
    int status = 0;

    simt_input_remember();
    if (run_as(FIRST, 0, &status))
        return true;
    statuses[0] = (unsigned char)(runs[0].status = status);
    *ended_runs = 1;
    getrusage(RUSAGE_CHILDREN, &usage);
    return run_others(simt_series_jobs((size_t)usage.ru_maxrss << 10));
}

enum {
    SLOWER = 10
}; /* a run that is recorded or replayed looks at each access; and it may poll where the first did not */

/* Shrinks the first run that failed, with findings if there is one. In a child it returns true. */
static bool shrink_first(void)
{
    struct rusage usage;
    uint64_t first = 0;

    for (uint64_t i = simt_options.schedules; i-- > 0;)
        if (runs[i].status == SIMT_STATUS || (runs[i].status && runs[first].status != SIMT_STATUS))
            first = i;
    if (!runs[first].status) /* nondeterminism is no run's own */
        return false;
    getrusage(RUSAGE_CHILDREN, &usage);
    return simt_shrink_run(simt_options.seed + first, SLOWER * (1 + (unsigned)usage.ru_utime.tv_sec), run_again);
}

static __attribute__((constructor(102))) void run_schedules(void)
{
    int all;

    if (!in_program())
        return;
    simt_read_options();
    if (simt_options.schedules == 1 && !simt_options.shrink)
        return;
    statuses = malloc(simt_options.schedules);
    runs = share(simt_options.schedules * sizeof *runs);
    ended_runs = share(sizeof *ended_runs);
    if (!statuses || !runs || !ended_runs) {
        fputs("simt: SIMT_OPTIONS: schedules: no memory for so many\n", stderr);
        _exit(2);
    }
    start_comparing();
    if (run_all()) { /* this is a child */
        free(statuses);
        return;
    }
    all = status_of_all(statuses);
    for (uint64_t i = 0; i < simt_options.schedules; i++)
        simt_write_run(simt_options.seed + i, statuses[i], true);
    if (all != 0 && simt_options.schedules > 1)
        say_how_they_ended(statuses, simt_options.seed);
    if (all != 0 && simt_options.shrink && shrink_first())
        return;
    _exit(all);
}
