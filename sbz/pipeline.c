/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pipelines: contract in pipeline.h.
 *
 * Slots are used in turn: job n is in slot n % slots. It is read (n < read), maybe prepared, taken by a worker (n < taken), done
 * (done[slot]) and written (n < written); written <= taken <= read <= written + slots. When `start` lowers the number
 * of slots, the jobs that were read before, and the one that is being read, keep their slots. Later jobs find their
 * slots free, because the reader waits until fewer jobs than slots are in memory.
 */
#include "pipeline.h"
#include "parallel_for.h"
#include <stdlib.h>
#include <time.h>

typedef struct state state;

typedef struct worker {
    state *state;
    size_t number;
    size_t *slots; /* of its batch */
    pthread_t thread;
} worker;

struct state {
    const sbz_pipeline *pipeline;
    sbz_pool_limits limits;
    bool started_up;
    uint64_t before; /* jobs below this number use the slots of before `start` */
    pthread_mutex_t lock;
    pthread_cond_t may_read, may_prepare, prepared, may_work, may_write;
    uint64_t read, taken, written;
    uint64_t preparing;     /* jobs below were prepared, or are being, or were taken without that */
    uint64_t waiting_bytes; /* of the jobs that were read and not taken */
    bool *done, *in_preparation;
    bool ended;     /* there are no more jobs to read */
    bool stopping;  /* the writer has stopped */
    bool no_thread; /* no worker could be started */
    worker *workers;
    size_t started, idle;
    pthread_t *preparer;
    size_t preparers; /* started */
};

static size_t slot_of(const state *s, uint64_t job)
{
    return (size_t)(job % (job < s->before ? s->pipeline->limits.slots : s->limits.slots));
}

static uint64_t bytes_of(const state *s, uint64_t job)
{
    return s->pipeline->bytes != NULL ? s->pipeline->bytes(s->pipeline->context, slot_of(s, job)) : 0;
}

/* True if more jobs wait than fit into so many batches. */
static bool exceed(const state *s, uint64_t batches)
{
    return s->read - s->taken > batches * s->limits.batch || s->waiting_bytes / s->limits.bytes > batches;
}

/* True if enough jobs wait for a worker to take them. */
static bool has_work(const state *s)
{
    const uint64_t waiting = s->read - s->taken;

    return s->started_up &&
           (waiting >= s->limits.batch || s->waiting_bytes >= s->limits.bytes || (s->ended && waiting > 0));
}

/* Takes the jobs of a batch, and returns how many these are. The lock is held. */
static size_t take_batch(state *s, size_t *slots)
{
    uint64_t bytes = 0;
    size_t count = 0;

    while (count < s->limits.batch && s->taken < s->read) {
        const uint64_t more = bytes_of(s, s->taken);

        if (count > 0 && bytes + more > s->limits.bytes)
            break;
        bytes += more;
        slots[count++] = slot_of(s, s->taken++);
    }
    s->waiting_bytes -= bytes;
    if (s->preparing < s->taken)
        s->preparing = s->taken;
    return count;
}

static void *prepare_jobs(void *argument)
{
    state *s = argument;

    pthread_mutex_lock(&s->lock);
    while (!s->stopping && s->limits.preparers > 0 && !(s->ended && s->preparing == s->read)) {
        if (s->preparing == s->read) {
            pthread_cond_wait(&s->may_prepare, &s->lock);
            continue;
        }
        const size_t slot = slot_of(s, s->preparing++);

        s->in_preparation[slot] = true;
        pthread_mutex_unlock(&s->lock);
        s->pipeline->prepare(s->pipeline->context, slot);
        pthread_mutex_lock(&s->lock);
        s->in_preparation[slot] = false;
        pthread_cond_broadcast(&s->prepared);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Threads that the system does not give cost only time. */
static void start_preparers(state *s)
{
    const size_t wanted = s->pipeline->prepare != NULL ? s->pipeline->limits.preparers : 0;

    while (s->preparers < wanted && sbz_thread_begin(&s->preparer[s->preparers], prepare_jobs, s))
        s->preparers++;
}

static void *work(void *argument)
{
    worker *me = argument;
    state *s = me->state;
    size_t count;

    if (me->number > 0 && s->pipeline->begin != NULL && !s->pipeline->begin(s->pipeline->context, me->number))
        return NULL;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        s->idle++;
        while (!s->stopping && !s->ended && !has_work(s))
            pthread_cond_wait(&s->may_work, &s->lock);
        s->idle--;
        if (s->stopping || !has_work(s))
            break;
        count = take_batch(s, me->slots);
        for (size_t i = 0; i < count; i++)
            while (s->in_preparation[me->slots[i]])
                pthread_cond_wait(&s->prepared, &s->lock);
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

/* The lock is held. */
static void start_worker(state *s)
{
    worker *next = &s->workers[s->started];

    if (sbz_thread_begin(&next->thread, work, next))
        s->started++;
    else if (s->started == 0)
        s->no_thread = true;
    pthread_cond_signal(&s->may_write);
}

/* Wakes a worker, and starts one more if the idle ones cannot take all jobs. The lock is held. */
static void call_worker(state *s)
{
    pthread_cond_signal(&s->may_work);
    if (s->started < s->limits.workers && exceed(s, s->idle))
        start_worker(s);
}

static void *read_jobs(void *argument)
{
    state *s = argument;
    bool more = true;

    pthread_mutex_lock(&s->lock);
    while (more && !s->stopping) {
        if (s->read - s->written >= s->limits.slots) {
            pthread_cond_wait(&s->may_read, &s->lock);
            continue;
        }
        const size_t slot = slot_of(s, s->read);

        s->done[slot] = false;
        pthread_mutex_unlock(&s->lock);
        more = s->pipeline->read(s->pipeline->context, slot);
        pthread_mutex_lock(&s->lock);
        s->waiting_bytes += more ? bytes_of(s, s->read) : 0;
        s->read += more;
        s->ended = !more;
        if (s->pipeline->prepare != NULL)
            pthread_cond_signal(&s->may_prepare);
        if (has_work(s))
            call_worker(s);
    }
    s->ended = true;
    pthread_cond_broadcast(&s->may_work);
    pthread_cond_broadcast(&s->may_prepare);
    pthread_cond_signal(&s->may_write);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Waits until the next job may be done, or a tenth of a second. The lock is held. */
static void wait_for_job(state *s)
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

/* Calls `start`, and starts workers for the jobs that have been read by then. */
static bool start_up(state *s)
{
    sbz_pool_limits limits = s->limits;
    bool good = s->pipeline->start == NULL || s->pipeline->start(s->pipeline->context, &limits);

    pthread_mutex_lock(&s->lock);
    s->limits = limits;
    s->before =
        s->read +
        (s->read < s->pipeline->limits.slots); /* and the one that is being read, unless the reader waits for a slot */
    s->started_up = good;
    pthread_cond_broadcast(&s->may_prepare); /* maybe there shall be none */
    for (size_t i = 0; has_work(s) && i < limits.workers && exceed(s, i); i++)
        start_worker(s);
    pthread_mutex_unlock(&s->lock);
    return good;
}

static sbz_pipeline_end write_jobs(state *s)
{
    const sbz_pipeline *p = s->pipeline;
    bool going = start_up(s);

    pthread_mutex_lock(&s->lock);
    while (going && !s->no_thread) {
        bool ready = s->written < s->taken && s->done[slot_of(s, s->written)];

        if (s->ended && s->written == s->read)
            break;
        if (!ready)
            wait_for_job(s);
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
    pthread_cond_broadcast(&s->may_prepare);
    pthread_cond_broadcast(&s->may_read);
    pthread_mutex_unlock(&s->lock);
    return s->no_thread ? SBZ_PIPELINE_NO_THREAD : going ? SBZ_PIPELINE_DONE : SBZ_PIPELINE_STOPPED;
}

static bool prepare(state *s, size_t **batches)
{
    const sbz_pipeline *p = s->pipeline;

    s->done = calloc(p->limits.slots, sizeof *s->done);
    s->in_preparation = calloc(p->limits.slots, sizeof *s->in_preparation);
    s->preparer = calloc(p->limits.preparers + 1, sizeof *s->preparer);
    s->workers = calloc(p->limits.workers, sizeof *s->workers);
    *batches = calloc(p->limits.workers * p->limits.batch, sizeof **batches);
    if (s->done == NULL || s->in_preparation == NULL || s->preparer == NULL || s->workers == NULL || *batches == NULL)
        return false;
    for (size_t i = 0; i < p->limits.workers; i++)
        s->workers[i] = (worker){.state = s, .number = i, .slots = *batches + i * p->limits.batch};
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->may_read, NULL);
    pthread_cond_init(&s->may_prepare, NULL);
    pthread_cond_init(&s->prepared, NULL);
    pthread_cond_init(&s->may_work, NULL);
    pthread_cond_init(&s->may_write, NULL);
    return true;
}

static sbz_pipeline_end run(state *s)
{
    sbz_pipeline_end end = SBZ_PIPELINE_NO_THREAD;
    pthread_t reader;

    if (sbz_thread_begin(&reader, read_jobs, s)) {
        start_preparers(s);
        end = write_jobs(s);
        if (end != SBZ_PIPELINE_DONE && s->pipeline->interrupt != NULL)
            s->pipeline->interrupt(s->pipeline->context);
        pthread_join(reader, NULL);
        for (size_t i = 0; i < s->started; i++)
            pthread_join(s->workers[i].thread, NULL);
        for (size_t i = 0; i < s->preparers; i++)
            pthread_join(s->preparer[i], NULL);
    }
    pthread_cond_destroy(&s->may_write);
    pthread_cond_destroy(&s->may_work);
    pthread_cond_destroy(&s->prepared);
    pthread_cond_destroy(&s->may_prepare);
    pthread_cond_destroy(&s->may_read);
    pthread_mutex_destroy(&s->lock);
    return end;
}

sbz_pipeline_end sbz_pipeline_run(const sbz_pipeline *pipeline)
{
    state s = {.pipeline = pipeline, .limits = pipeline->limits, .before = UINT64_MAX};
    size_t *batches = NULL;
    sbz_pipeline_end end = prepare(&s, &batches) ? run(&s) : SBZ_PIPELINE_NO_THREAD;

    free(s.done);
    free(s.in_preparation);
    free(s.preparer);
    free(s.workers);
    free(batches);
    return end;
}
