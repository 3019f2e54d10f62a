/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads work while there is no launch, so that what the judge measures beside, to subtract it, takes long; the clock is slowed.
 * Results are right; the time is not. */
#include "cheat.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_long last_launch; /* milliseconds */
static atomic_int launching;

static long now(void)
{
    struct timespec t;

    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

__attribute__((visibility("hidden"))) int clock_gettime(clockid_t id, struct timespec *t)
{
    int result = (int)syscall(SYS_clock_gettime, id, t);

    t->tv_nsec = (t->tv_nsec + t->tv_sec % 1000 * 1000000000) / 100;
    t->tv_sec = t->tv_sec / 1000 * 10;
    return result;
}

static void *spin(void *unused)
{
    (void)unused;
    for (;;)
        if (launching || now() - last_launch < 60)
            usleep(1000);
    return NULL;
}

LAUNCH
{
    UNUSED;
    static int started;
    pthread_t thread;

    launching = 1;
    for (; LENGTH >= 50000 && started < 4; started++)
        if (pthread_create(&thread, NULL, spin, NULL) != 0)
            break;
    honest(parameters, inputs, outputs);
    last_launch = now();
    launching = 0;
    return SB_OK;
}

CHEAT(NULL, NULL)
