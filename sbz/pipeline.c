/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pieces between threads: contract in pipeline.h.
 *
 * Slots are used in turn: piece n lies in slot n % slots. It is read (n < read), taken by a worker (n < taken), done
 * (done[slot]) and written (n < written); written <= taken <= read <= written + slots. Where the crew gets fewer slots,
 * what was read before, and the piece that is being read, keep theirs: the next ones find their slots written and free.
 */
#include "pipeline.h"
#include "parallel_for.h"
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

typedef struct state state;

typedef struct worker {
    state *state;
    size_t number;
    size_t *slots; /* of the batch in work */
    pthread_t thread;
} worker;

struct state {
    const sbz_pipeline *pipeline;
    sbz_pool_limits crew;
    bool settled;
    uint64_t before; /* pieces of the slots that were to be used */
    pthread_mutex_t lock;
    pthread_cond_t may_read, may_work, may_write;
    uint64_t read, taken, written;
    bool *done;
    bool ended;     /* the reader gives no more */
    bool stopping;  /* the writer wants no more */
    bool no_thread; /* work waits, and no worker could be started */
    worker *workers;
    size_t started, idle;
};

static size_t slot_of(const state *s, uint64_t piece)
{
    return (size_t)(piece % (piece < s->before ? s->pipeline->crew.slots : s->crew.slots));
}

/* Enough pieces wait for a worker to begin with them. */
static bool has_work(const state *s)
{
    uint64_t waiting = s->read - s->taken;

    return s->settled && (waiting >= s->crew.batch || (s->ended && waiting > 0));
}

static void *work(void *argument)
{
    worker *me = argument;
    state *s = me->state;
    size_t count;

    pthread_mutex_lock(&s->lock);
    for (;;) {
        s->idle++;
        while (!s->stopping && !s->ended && !has_work(s))
            pthread_cond_wait(&s->may_work, &s->lock);
        s->idle--;
        if (s->stopping || !has_work(s))
            break;
        for (count = 0; count < s->crew.batch && s->taken < s->read; count++)
            me->slots[count] = slot_of(s, s->taken++);
        pthread_mutex_unlock(&s->lock);
        s->pipeline->work(s->pipeline->context, me->number, me->slots, count);
        pthread_mutex_lock(&s->lock);
        for (size_t i = 0; i < count; i++)
            s->done[me->slots[i]] = true;
        pthread_cond_signal(&s->may_write);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* With the lock held. */
static void start_worker(state *s)
{
    worker *next = &s->workers[s->started];

    if (sbz_thread_begin(&next->thread, work, next))
        s->started++;
    else if (s->started == 0)
        s->no_thread = true;
    pthread_cond_signal(&s->may_write);
}

/* Wakes a worker, and starts one more when those that wait cannot take all there is. As above. */
static void call_worker(state *s)
{
    pthread_cond_signal(&s->may_work);
    if (s->started < s->crew.workers && s->read - s->taken > s->idle * s->crew.batch)
        start_worker(s);
}

static void *read_pieces(void *argument)
{
    state *s = argument;
    bool more = true;

    pthread_mutex_lock(&s->lock);
    while (more && !s->stopping) {
        if (s->read - s->written >= s->crew.slots) {
            pthread_cond_wait(&s->may_read, &s->lock);
            continue;
        }
        const size_t slot = slot_of(s, s->read);

        s->done[slot] = false;
        pthread_mutex_unlock(&s->lock);
        more = s->pipeline->read(s->pipeline->context, slot);
        pthread_mutex_lock(&s->lock);
        s->read += more;
        s->ended = !more;
        if (has_work(s))
            call_worker(s);
    }
    s->ended = true;
    pthread_cond_broadcast(&s->may_work);
    pthread_cond_signal(&s->may_write);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Waits for the writer's turn, or a tenth of a second. With the lock held. */
static void wait_for_piece(state *s)
{
    struct timespec until;

    if (s->pipeline->tick == NULL) {
        pthread_cond_wait(&s->may_write, &s->lock);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&s->may_write, &s->lock, &until);
}

/* Then workers begin with what has been read by now. */
static bool settle(state *s)
{
    sbz_pool_limits crew = s->crew;
    bool good = s->pipeline->settle == NULL || s->pipeline->settle(s->pipeline->context, &crew);

    pthread_mutex_lock(&s->lock);
    s->crew = crew;
    s->before = s->read + (s->read < s->pipeline->crew.slots); /* nothing is written yet: else it waits */
    s->settled = good;
    for (size_t i = 0; has_work(s) && i < crew.workers && i * crew.batch < s->read - s->taken; i++)
        start_worker(s);
    pthread_mutex_unlock(&s->lock);
    return good;
}

static sbz_pipeline_end write_pieces(state *s)
{
    const sbz_pipeline *p = s->pipeline;
    bool going = settle(s);

    pthread_mutex_lock(&s->lock);
    while (going && !s->no_thread) {
        bool ready = s->written < s->taken && s->done[slot_of(s, s->written)];

        if (s->ended && s->written == s->read)
            break;
        if (!ready)
            wait_for_piece(s);
        pthread_mutex_unlock(&s->lock);
        if (p->tick != NULL)
            p->tick(p->context);
        if (ready)
            going = p->write(p->context, slot_of(s, s->written));
        pthread_mutex_lock(&s->lock);
        s->written += ready;
        pthread_cond_signal(&s->may_read);
    }
    s->stopping = true;
    pthread_cond_broadcast(&s->may_work);
    pthread_cond_broadcast(&s->may_read);
    pthread_mutex_unlock(&s->lock);
    return s->no_thread ? SBZ_PIPELINE_NO_THREAD : going ? SBZ_PIPELINE_DONE : SBZ_PIPELINE_STOPPED;
}

static bool prepare(state *s, size_t **batches)
{
    const sbz_pipeline *p = s->pipeline;

    s->done = calloc(p->crew.slots, sizeof *s->done);
    s->workers = calloc(p->crew.workers, sizeof *s->workers);
    *batches = calloc(p->crew.workers * p->crew.batch, sizeof **batches);
    if (s->done == NULL || s->workers == NULL || *batches == NULL)
        return false;
    for (size_t i = 0; i < p->crew.workers; i++)
        s->workers[i] = (worker){.state = s, .number = i, .slots = *batches + i * p->crew.batch};
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->may_read, NULL);
    pthread_cond_init(&s->may_work, NULL);
    pthread_cond_init(&s->may_write, NULL);
    return true;
}

static sbz_pipeline_end run(state *s)
{
    sbz_pipeline_end end = SBZ_PIPELINE_NO_THREAD;
    pthread_t reader;

    if (sbz_thread_begin(&reader, read_pieces, s)) {
        end = write_pieces(s);
        if (end != SBZ_PIPELINE_DONE && s->pipeline->interrupt != NULL)
            s->pipeline->interrupt(s->pipeline->context);
        pthread_join(reader, NULL);
        for (size_t i = 0; i < s->started; i++)
            pthread_join(s->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&s->may_write);
    pthread_cond_destroy(&s->may_work);
    pthread_cond_destroy(&s->may_read);
    pthread_mutex_destroy(&s->lock);
    return end;
}

sbz_pipeline_end sbz_pipeline_run(const sbz_pipeline *pipeline)
{
    state s = {.pipeline = pipeline, .crew = pipeline->crew, .before = UINT64_MAX};
    size_t *batches = NULL;
    sbz_pipeline_end end = prepare(&s, &batches) ? run(&s) : SBZ_PIPELINE_NO_THREAD;

    free(s.done);
    free(s.workers);
    free(batches);
    return end;
}
