/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions of the host that a stream calls. CUDA calls them in a thread of its own, when what precedes them in the stream is done. So the
 * host may go on first, and change what the function reads; the function may wait for what the host does next; and the host may wait for the
 * function without a call of the runtime.
 *
 * Here, too, a thread calls them. By the seed a function is late: it is called when the host waits for it, when the stream has more to do,
 * or after a while. What decides is then not the seed alone; but only a host that computes for that long without a call sees that.
 * Otherwise the host goes on when the function has ended, or has run for so long that it may wait for the host.
 */
#define _GNU_SOURCE
#include "launch.h"

#include "../core/lock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum {
    LATE = 20,   /* milliseconds: far more than a host needs from call to call, and hardly seen by a user */
    LONG = 200,  /* milliseconds that the host gives a function before it goes on; not tuned */
    WAITS = 3,   /* when the host has made so many functions wait for LATE, it waits for each: none is late any more */
    SOON = 1,    /* milliseconds between two looks at what cannot be called yet */
    MOMENT = 20, /* microseconds */
};

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool posted, stopping;
static pid_t started; /* the process that has the thread: a child of it does not */
static pthread_t server;

static uint64_t calls;
static unsigned waits;

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t); /* that of pthread_cond_timedwait */
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void post(void)
{
    pthread_mutex_lock(&own);
    posted = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&own);
}

/* Until post, or then; 0: never. */
static void sleep_until(uint64_t then)
{
    struct timespec t = {.tv_sec = (time_t)(then / 1000), .tv_nsec = (long)(then % 1000) * 1000000};
    int error = 0;

    pthread_mutex_lock(&own);
    while (!posted && error != ETIMEDOUT)
        error = then ? pthread_cond_timedwait(&changed, &own, &t) : pthread_cond_wait(&changed, &own);
    posted = false;
    pthread_mutex_unlock(&own);
}

/* Calls the first one that is due. When to look again; 0: not before post. */
static uint64_t call_next(void)
{
    uint64_t next = 0, number;
    simt_operation *o = simt_next_function(NULL);

    for (; o; o = simt_next_function(o)) {
        if (o->due <= now())
            break;
        next = !next || o->due < next ? o->due : next;
    }
    if (!o)
        return next;
    waits += o->due != 0;
    number = o->number;
    simt_run_function(o);
    if (!simt_function_is_left(number))
        return 1;
    simt_catch_up(); /* behind a kernel that waits for the host */
    return now() + SOON;
}

static void *serve(void *unused)
{
    (void)unused;
    while (!__atomic_load_n(&stopping, __ATOMIC_ACQUIRE)) {
        uint64_t next;

        simt_lock();
        next = call_next();
        simt_unlock();
        sleep_until(next);
    }
    return NULL;
}

/* It gets no signal that is for the program. */
static bool start(void)
{
    sigset_t all, before;

    if (started == getpid())
        return true;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&server, NULL, serve, NULL) == 0)
        started = getpid();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started == getpid();
}

/* The program ends. The thread stays only if a function of the program does not return. */
static __attribute__((destructor)) void stop(void)
{
    struct timespec end;

    if (started != getpid())
        return;
    __atomic_store_n(&stopping, true, __ATOMIC_RELEASE);
    post();
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    pthread_timedjoin_np(server, NULL, &end);
}

/* While the function is left, for a time in which any ends that does not wait for the host. */
static void wait_for(uint64_t number)
{
    for (uint64_t end = now() + LONG; simt_function_is_left(number) && !m.suspended && now() < end;) {
        unsigned depth = simt_release_lock();

        usleep(MOMENT);
        simt_retake_lock(depth);
    }
}

/* Those that a stream is ordered behind, or all. */
static void hurry(bool all, cudaStream_t stream)
{
    uint64_t last = 0;

    for (simt_operation *o = simt_next_function(NULL); o; o = simt_next_function(o))
        if (all || simt_streams_are_ordered(stream, o->stream)) {
            o->due = 0;
            last = o->number;
        }
    if (!last)
        return;
    post();
    wait_for(last);
}

void simt_hurry_functions(cudaStream_t stream)
{
    hurry(false, stream);
}

void simt_hurry_all_functions(void)
{
    if (simt_next_function(NULL) && simt_draws_late())
        hurry(true, NULL);
}

void simt_call_on_host(simt_operation *call)
{
    bool late = simt_draws_late() && waits < WAITS;

    call->of_host = call->late = true;
    call->number = ++calls;
    call->due = late ? now() + LATE : 0;
    if (!start() || !simt_defer(call)) {
        simt_run_late(call->stream);
        call->run(call);
        return;
    }
    post();
    if (!late)
        wait_for(call->number);
}
