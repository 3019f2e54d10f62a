/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Parallel loops: contract in parallel_for.h.
 *
 * Helper threads stay for later calls. They take one iteration at a time, of the earliest call first: batches are written in
 * order. The calling thread
 * runs the iterations that nobody has begun, so it never waits for a helper to start, and a thread that the system does
 * not give costs only time.
 */
#include "parallel_for.h"
#include <signal.h>
#include <unistd.h>

enum { MAX_HELPERS = 16 }; /* threads; not tuned */

typedef struct call {
    size_t next, done, count; /* iterations: begun, ended, all */
    void (*work)(void *with, size_t i);
    void *with;
    pthread_cond_t ended;
    struct call *after;
} call;

/* Protects all of these. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_waits = PTHREAD_COND_INITIALIZER;
static call *calls; /* with iterations that nobody has begun, the earliest first */
static size_t helpers, idle;

size_t sbz_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores > 1 ? (size_t)cores : 1;
}

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
        while (calls == NULL) {
            idle++;
            pthread_cond_wait(&work_waits, &lock);
            idle--;
        }
        run_iteration(calls);
    }
    return unused;
}

/* Wakes helpers, and starts some if there are fewer than iterations and processors. */
static void call_helpers(size_t iterations)
{
    const size_t cores = sbz_cores(), max_helpers = cores - 1 < MAX_HELPERS ? cores - 1 : MAX_HELPERS;
    pthread_t thread;

    for (size_t i = 0; i < iterations && i < idle; i++)
        pthread_cond_signal(&work_waits);
    for (size_t i = idle; i < iterations && helpers < max_helpers && sbz_thread_begin(&thread, help, NULL); i++) {
        pthread_detach(thread);
        helpers++;
    }
}

void sbz_parallel_for(size_t count, void (*work)(void *with, size_t i), void *with)
{
    call c = {.count = count, .work = work, .with = with, .ended = PTHREAD_COND_INITIALIZER}, **link = &calls;

    if (count == 0)
        return;
    pthread_mutex_lock(&lock);
    while (*link != NULL)
        link = &(*link)->after;
    *link = &c;
    call_helpers(count - 1);
    while (c.next < count)
        run_iteration(&c);
    while (c.done < count)
        pthread_cond_wait(&c.ended, &lock);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&c.ended);
}
