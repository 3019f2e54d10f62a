/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Parallel loops: contract in parallel_for.h.
 *
 * Helper threads stay for later calls. They take one iteration at a time, of the earliest call first: batches are written in
 * order. The calling thread runs the iterations that nobody has begun, so it never waits for a helper to start, and a thread
 * that the system does not give costs only time.
 *
 * Calls of sbz_parallel_for_idle wait in the same list. Helpers take their iterations only while fewer threads work than
 * the share, so what the caller cannot share at first it shares as soon as another thread has nothing left to do.
 */
#include "parallel_for.h"
#include "common/cores.h"
#include <signal.h>

enum { MAX_HELPERS = 16 }; /* threads; not tuned */

typedef struct call {
    size_t next, done, count; /* iterations: begun, ended, all */
    void (*work)(void *with, size_t i);
    void *with;
    bool for_idle; /* of sbz_parallel_for_idle */
    pthread_cond_t ended;
    struct call *after;
} call;

/* Protects all of these. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_waits = PTHREAD_COND_INITIALIZER;
static call *calls;               /* with iterations that nobody has begun, the earliest first */
static size_t helpers, idle;      /* threads: all, and those that wait for work */
static size_t share = 1;          /* threads that sbz_parallel_for_idle may keep at work, */
static size_t working, assisting; /* those of sbz_parallel_work, and helpers in iterations of sbz_parallel_for_idle */

bool sbz_thread_begin(pthread_t *thread, void *(*work)(void *with), void *with)
{
    sigset_t all, before;
    bool begun;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    begun = pthread_create(thread, NULL, work, with) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun;
}

static void remove_call(const call *c)
{
    call **link = &calls;

    while (*link != c)
        link = &(*link)->after;
    *link = c->after;
}

/* How many more threads sbz_parallel_for_idle may put to work. */
static size_t spare(void)
{
    return share > working + assisting ? share - working - assisting : 0;
}

/* The earliest call that a helper may take an iteration of; NULL: there is none. */
static call *next_call(void)
{
    call *c = calls;

    while (c != NULL && c->for_idle && spare() == 0)
        c = c->after;
    return c;
}

/* Runs one iteration. Called with the lock held, which it releases meanwhile. */
static void run_iteration(call *c)
{
    const size_t i = c->next++;

    if (c->next == c->count)
        remove_call(c);
    pthread_mutex_unlock(&lock);
    c->work(c->with, i);
    pthread_mutex_lock(&lock);
    if (++c->done == c->count)
        pthread_cond_signal(&c->ended);
}

static void *help(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        call *c;

        while ((c = next_call()) == NULL) {
            idle++;
            pthread_cond_wait(&work_waits, &lock);
            idle--;
        }
        const bool assists = c->for_idle; /* the call may be over after the iteration */

        assisting += assists;
        run_iteration(c);
        assisting -= assists;
    }
    return unused;
}

/* How many processors there are is asked once: it takes longer than most calls. */
static size_t max_helpers(void)
{
    static size_t cores;

    cores = cores == 0 ? sb_cores() : cores;
    return cores - 1 < MAX_HELPERS ? cores - 1 : MAX_HELPERS;
}

/* Wakes helpers, and starts some if there are fewer than iterations and processors. */
static void call_helpers(size_t iterations)
{
    pthread_t thread;

    if (iterations == 0)
        return;
    for (size_t i = 0; i < iterations && i < idle; i++)
        pthread_cond_signal(&work_waits);
    for (size_t i = idle; i < iterations && helpers < max_helpers() && sbz_thread_begin(&thread, help, NULL); i++) {
        pthread_detach(thread);
        helpers++;
    }
}

static void run_call(call *c)
{
    call **link = &calls;

    if (c->count == 0)
        return;
    pthread_mutex_lock(&lock);
    if (share == 1) {
        pthread_mutex_unlock(&lock);
        for (size_t i = 0; i < c->count; i++)
            c->work(c->with, i);
        return;
    }
    while (*link != NULL)
        link = &(*link)->after;
    *link = c;
    call_helpers(!c->for_idle || spare() > c->count - 1 ? c->count - 1 : spare());
    while (c->next < c->count)
        run_iteration(c);
    while (c->done < c->count)
        pthread_cond_wait(&c->ended, &lock);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&c->ended);
}

void sbz_parallel_for(size_t count, void (*work)(void *with, size_t i), void *with)
{
    run_call(&(call){.count = count, .work = work, .with = with, .ended = PTHREAD_COND_INITIALIZER});
}

void sbz_parallel_for_idle(size_t count, void (*work)(void *with, size_t i), void *with)
{
    run_call(&(call){.count = count, .work = work, .with = with, .for_idle = true, .ended = PTHREAD_COND_INITIALIZER});
}

void sbz_parallel_share(size_t threads)
{
    pthread_mutex_lock(&lock);
    share = threads;
    pthread_mutex_unlock(&lock);
}

size_t sbz_parallel_threads(void)
{
    size_t threads;

    pthread_mutex_lock(&lock);
    threads = share;
    pthread_mutex_unlock(&lock);
    return threads;
}

size_t sbz_parallel_available(void)
{
    size_t more;

    pthread_mutex_lock(&lock);
    more = share > 1 && calls == NULL ? idle + max_helpers() - helpers : 0;
    more = more < spare() ? more : spare();
    pthread_mutex_unlock(&lock);
    return 1 + more;
}

void sbz_parallel_work(bool begins)
{
    pthread_mutex_lock(&lock);
    working = begins ? working + 1 : working - 1;
    if (!begins && calls != NULL && spare() > 0)
        call_helpers(1);
    pthread_mutex_unlock(&lock);
}
