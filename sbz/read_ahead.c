/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading ahead: contract in read_ahead.h.
 */
#include "read_ahead.h"
#include "parallel_for.h"
#include <stdlib.h>
#include <string.h>

/* Bytes. The ring stays in the caches of many processors, and bridges 2 ms, in which a block is looked at. One read is too short
 * to be shared among threads (input.c), which all have other work. Not tuned. */
enum { RING = 4 << 20, MAX_READ = 256 << 10 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void *read_all(void *argument)
{
    sbz_read_ahead *a = argument;

    pthread_mutex_lock(&a->lock);
    while (!a->ended && !a->stopping) {
        const size_t at = (a->begin + a->size) % RING, space = smaller(RING - at, RING - a->size);
        ptrdiff_t got;

        if (space == 0) {
            pthread_cond_wait(&a->changed, &a->lock);
            continue;
        }
        pthread_mutex_unlock(&a->lock);
        got = a->source(a->from, a->ring + at, smaller(space, MAX_READ));
        pthread_mutex_lock(&a->lock);
        a->size += got > 0 ? (size_t)got : 0;
        a->ended = got <= 0;
        a->last = got;
        pthread_cond_signal(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

void sbz_read_ahead_begin(sbz_read_ahead *ahead, sbz_source source, void *from)
{
    *ahead = (sbz_read_ahead){.source = source, .from = from, .ring = malloc(RING)};
    if (ahead->ring == NULL)
        return;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    ahead->begun = sbz_thread_begin(&ahead->thread, read_all, ahead);
}

ptrdiff_t sbz_read_ahead_take(void *from, void *bytes, size_t size)
{
    sbz_read_ahead *a = from;

    if (!a->begun)
        return a->source(a->from, bytes, size);
    pthread_mutex_lock(&a->lock);
    while (a->size == 0 && !a->ended)
        pthread_cond_wait(&a->changed, &a->lock);
    size = smaller(size, smaller(a->size, RING - a->begin));
    pthread_mutex_unlock(&a->lock);
    memcpy(bytes, a->ring + a->begin, size);
    pthread_mutex_lock(&a->lock);
    a->begin = (a->begin + size) % RING;
    a->size -= size;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    return size > 0 ? (ptrdiff_t)size : a->last;
}

void sbz_read_ahead_end(sbz_read_ahead *ahead)
{
    if (ahead->begun) {
        pthread_mutex_lock(&ahead->lock);
        ahead->stopping = true;
        pthread_cond_signal(&ahead->changed);
        pthread_mutex_unlock(&ahead->lock);
        pthread_join(ahead->thread, NULL);
    }
    if (ahead->ring != NULL) {
        pthread_cond_destroy(&ahead->changed);
        pthread_mutex_destroy(&ahead->lock);
    }
    free(ahead->ring);
    ahead->ring = NULL;
    ahead->begun = false;
}
