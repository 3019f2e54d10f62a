/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads for the parts of a batch: contract in each.h.
 */
#include "each.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 16 };

typedef struct crew {
    atomic_size_t next;
    size_t count;
    void (*work)(void *with, size_t i);
    void *with;
} crew;

static void *take_part(void *arg)
{
    crew *c = arg;

    for (size_t i; (i = atomic_fetch_add(&c->next, 1)) < c->count;)
        c->work(c->with, i);
    return NULL;
}

/* A thread that cannot be had is no fault: the others, of which the caller is one, do its work. */
void sbz_each(size_t count, void (*work)(void *with, size_t i), void *with)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    crew c = {.count = count, .work = work, .with = with};
    pthread_t thread[MOST_THREADS];
    size_t threads = 0;

    atomic_init(&c.next, 0);
    while (threads + 1 < count && threads < MOST_THREADS && (long)threads + 1 < cores &&
           pthread_create(&thread[threads], NULL, take_part, &c) == 0)
        threads++;
    take_part(&c);
    while (threads > 0)
        pthread_join(thread[--threads], NULL);
}
