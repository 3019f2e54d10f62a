/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A thread of a kernel that never waits, and makes no atomic or volatile access: stuck.c, which counts these, sees nothing of it. Either it
 * computes in registers alone, or it polls plain memory, such as a flag that is not volatile.
 *
 * A timer of each host thread that runs kernels looks each TICKS-th part of simt_options.endless whether the machine has done anything
 * since. It counts processor time of that host thread, so a slow or busy host has as many instructions as a fast one has.
 */
#define _GNU_SOURCE
#include "launch.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* gdb passes it on without a stop, as few programs use it. */
#define SIGNAL SIGVTALRM

enum { TICKS = 8 /* a stretch may be longer than the limit by one of so many parts */ };

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

typedef struct {
    const thread *self;
    uint64_t launch, clock, random, waits, next_block;
} state;

typedef struct {
    timer_t timer;
    state last;
    uint64_t same; /* ticks at which the state was the last one */
    bool looks_on; /* polled.c was asked at a tick before */
} watch;

static SIMT_THREAD_LOCAL watch own;
static pthread_key_t key; /* its destructor ends the timer with the thread */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool works;

/* The plain build may run all threads of a block in one stretch. */
static uint64_t threads_of_stretch(void)
{
    return m.rows && m.block && m.block->live ? m.block->live : 1;
}

/* Stops the thread where it is: it has called nothing for long, so this is code of the kernel, or of a library. */
static void stop_here(const void *place)
{
    const uint64_t seconds = simt_options.endless * threads_of_stretch();

    if (simt_in_system_library(place)) /* it may have a lock; the next tick may come elsewhere */
        return;
    simt_report(HANG, NULL, 0, place, "no progress: the %s has run for %llu s of processor time without %s",
                m.rows ? "block" : "thread", (unsigned long long)seconds,
                simt_checking ? "an access or a wait" : "a wait");
    simt_stop(cudaErrorLaunchTimeout);
}

static void tick(int number, siginfo_t *information, void *context)
{
    const state now = {simt_current, simt_launch_number, m.clock, m.random, m.warp_steps, m.next_block};

    (void)number;
    if (information->si_code != SI_TIMER || !simt_current)
        return;
    if (memcmp(&now, &own.last, sizeof now) != 0) {
        own.last = now;
        own.same = 0;
    } else if (++own.same / TICKS < simt_options.endless * threads_of_stretch()) {
        return;
    } else if (!own.looks_on || simt_look_was_lost()) {
        own.looks_on = true;
        simt_look_on_from_now();
        return;
    } else if (simt_accesses_seen() == 0) {
        stop_here(simt_faulting_code(context));
        return;
    }
    own.same = 0;
    own.looks_on = false;
}

static void end_timer(void *of_thread)
{
    timer_delete(((watch *)of_thread)->timer);
}

static void take_signal(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART}, before;

    /* A program that uses the signal keeps it. */
    if (sigaction(SIGNAL, NULL, &before) != 0 || before.sa_flags & SA_SIGINFO || before.sa_handler != SIG_DFL ||
        pthread_key_create(&key, end_timer) != 0)
        return;
    action.sa_sigaction = tick;
    sigemptyset(&action.sa_mask);
    works = sigaction(SIGNAL, &action, NULL) == 0;
}

void simt_watch_thread(void)
{
    static SIMT_THREAD_LOCAL bool done;
    const uint64_t nanoseconds = simt_options.endless * (1000000000 / TICKS);
    const struct timespec each = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGNAL};

    if (done || !simt_options.endless)
        return;
    done = true;
    pthread_once(&once, take_signal);
    event.sigev_notify_thread_id = gettid();
    if (!works || timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &own.timer) != 0)
        return;
    pthread_setspecific(key, &own);
    timer_settime(own.timer, 0, &(struct itimerspec){each, each}, NULL);
}
