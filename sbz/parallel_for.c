/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads: contract in parallel_for.h.
 *
 * Those that help stay for the next call, and take one part at a time, of the latest call first. Who calls does what
 * nobody else has begun, so it never waits for a thread to come, and a thread that cannot be had is no fault.
 */
#include "parallel_for.h"
#include <signal.h>
#include <unistd.h>

enum { MAX_HELPERS = 16 };

/* A call. */
typedef struct crew {
    size_t next, done, count; /* parts: begun, ended, all */
    void (*work)(void *with, size_t i);
    void *with;
    pthread_cond_t ended;
    struct crew *after;
} crew;

/* For all below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t may_help = PTHREAD_COND_INITIALIZER;
static crew *calls; /* with parts that were not begun */
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

static void remove_call(const crew *c)
{
    crew **link = &calls;

    while (*link != c)
        link = &(*link)->after;
    *link = c->after;
}

/* One that was not begun. The lock is held before and after, not meanwhile. */
static void take_part(crew *c)
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
            pthread_cond_wait(&may_help, &lock);
            idle--;
        }
        take_part(calls);
    }
    return unused;
}

/* As many helpers as there are parts for, and cores. */
static void call_helpers(size_t parts)
{
    const size_t cores = sbz_cores(), most = cores - 1 < MAX_HELPERS ? cores - 1 : MAX_HELPERS;
    pthread_t thread;

    for (size_t i = 0; i < parts && i < idle; i++)
        pthread_cond_signal(&may_help);
    for (size_t i = idle; i < parts && helpers < most && sbz_thread_begin(&thread, help, NULL); i++) {
        pthread_detach(thread);
        helpers++;
    }
}

void sbz_parallel_for(size_t count, void (*work)(void *with, size_t i), void *with)
{
    crew c = {.count = count, .work = work, .with = with, .ended = PTHREAD_COND_INITIALIZER};

    if (count == 0)
        return;
    pthread_mutex_lock(&lock);
    c.after = calls;
    calls = &c;
    call_helpers(count - 1);
    while (c.next < count)
        take_part(&c);
    while (c.done < count)
        pthread_cond_wait(&c.ended, &lock);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&c.ended);
}
