/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A launch that waits for the host. On a GPU a launch returns at once and the kernel runs beside the host; here it runs
 * until it ends. But when it only polls memory that the host sees, it is *suspended*: the launch returns, and the kernel
 * goes on when the host synchronises or asks whether it is ready. Only if it then polls for as long as a hang takes, and
 * the memory still does not change, it is one.
 *
 * Meanwhile the machine cannot run another kernel, so launches are put in a queue. So are copies, fills, events and calls
 * of host functions in a stream that the suspended kernel, or something in the queue, precedes. Everything else is done
 * at once, in particular work of streams that do not wait for that one.
 *
 * In the plain build, work of a stream that the program has created may also be *late*: whether and for how long is drawn by the seed.
 * On a GPU nothing promises that it begins before the host, or a stream that is ordered after it, waits for it. So a program that
 * forgets to wait computes something else. (The checking build says so: it knows what is ordered, whenever it is done.) Late work is in the
 * same queue. Of that, only what comes before the awaited is done: of its stream, of streams that wait for each other, and of those
 * whose events it waits for. A kernel is never done before another one that was launched earlier, since it may wait for it.
 */
#include "nested.h"

#include "../core/lock.h"
#include "../core/options.h"
#include "../detect/pages.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    LATE = 2,    /* one of so many operations is late, if none before it is; not tuned */
    GOES = 4,    /* at one of so many runtime calls the first operation of the queue is done */
    STREAMS = 64 /* with more that wait for each other, all late work is done; not tuned */
};

static simt_operation *queue, **queue_end = &queue;
static uint64_t draws;

bool simt_is_pending(cudaStream_t stream)
{
    if (m.suspended && simt_streams_are_ordered(stream, m.suspended_stream))
        return true;
    for (const simt_operation *o = queue; o; o = o->next)
        if (simt_streams_are_ordered(stream, o->stream))
            return true;
    return false;
}

/* The draws of the schedule are others, so that a launch has the same one whether it is late or not. */
static bool draw(unsigned of)
{
    return simt_mix(simt_current_seed ^ simt_mix(++draws)) % of == 0;
}

/* Not in the default stream: most programs have only that, and wait for it by their copies. */
static bool may_be_late(cudaStream_t stream)
{
    return simt_options.late && !simt_checking && simt_current_seed && simt_is_created(stream);
}

/* Is it worth a look whether its arguments have memory of the host? */
bool simt_late_matters(cudaStream_t stream)
{
    return queue || may_be_late(stream);
}

static bool must_wait(const simt_operation *o)
{
    return (o->run == simt_run_launch && m.suspended) || simt_is_pending(o->stream);
}

/* Would simt_defer put it into the queue? This draws whether it is late. */
bool simt_will_defer(simt_operation *operation)
{
    if (must_wait(operation))
        return true;
    operation->late =
        !operation->prompt && !m.suspended && !simt_node_actor && may_be_late(operation->stream) && draw(LATE);
    return operation->late;
}

bool simt_defer_late(simt_operation *operation)
{
    return simt_will_defer(operation) && simt_defer(operation);
}

/* Puts a copy of it into the queue if it must wait, or is late. */
bool simt_defer(const simt_operation *operation)
{
    simt_operation *copy;

    if (!operation->late && !must_wait(operation))
        return false;
    copy = malloc(sizeof *copy);
    if (!copy)
        return false;
    *copy = *operation;
    copy->next = NULL;
    *queue_end = copy;
    queue_end = &copy->next;
    return true;
}

static void run_one(simt_operation **link)
{
    simt_operation *o = *link;

    *link = o->next;
    if (!o->next)
        queue_end = link;
    simt_pages_open();
    if (simt_sticky == cudaSuccess)
        o->run(o);
    free(o->owned);
    free(o);
}

static void run_queue(void)
{
    while (queue && !m.suspended)
        run_one(&queue);
}

typedef enum extent { OF_STREAM, KERNELS, ALL } extent;

/* Marks what comes before the work that this stream has still to do, or before the end of the last kernel; all, if that is too long. */
static void mark_needed(cudaStream_t stream, extent what)
{
    cudaStream_t streams[STREAMS] = {stream};
    size_t known = what == OF_STREAM, length = 0;
    simt_operation **list, *o;

    for (o = queue; o; o = o->next)
        length++;
    list = what == ALL ? NULL : malloc(length * sizeof *list);
    length = 0;
    for (o = queue; o; o = o->next) {
        o->needed = !list;
        if (list)
            list[length++] = o;
    }
    while (list && length--) { /* from the last one on, which may need earlier ones */
        size_t at = 0;

        o = list[length];
        while (at < known && !simt_streams_are_ordered(o->stream, streams[at]))
            at++;
        o->needed = at < known || known + 2 > STREAMS || (what == KERNELS && o->run == simt_run_launch);
        if (!o->needed || known + 2 > STREAMS)
            continue;
        if (at == known || streams[at] != o->stream)
            streams[known++] = o->stream;
        if (o->awaits)
            streams[known++] = o->awaited;
    }
    free(list);
}

/* Late work that is needed, unless a suspended kernel precedes it. */
static void run_needed(cudaStream_t stream, extent what)
{
    simt_operation **link = &queue;

    if (simt_current || !queue || m.suspended)
        return;
    mark_needed(stream, what);
    while (*link && !m.suspended)
        if ((*link)->needed) {
            run_one(link);
            link = &queue; /* meanwhile the queue may be another */
        } else {
            link = &(*link)->next;
        }
}

/* A kernel begins, which may wait for what an earlier one in another stream writes, or for the host, which may first wait for any work. */
void simt_run_late_before(bool waits_for_host)
{
    run_needed(NULL, waits_for_host ? ALL : KERNELS);
}

void simt_run_late(cudaStream_t stream)
{
    run_needed(stream, OF_STREAM);
}

/* Lets the suspended launch go on for a while, or late work begin. */
void simt_catch_up(void)
{
    if (simt_current)
        return;
    if (m.suspended) {
        simt_resume();
        simt_finish_nested();
        run_queue();
    } else if (queue && draw(GOES)) {
        run_one(&queue);
    }
}

/* The program ends: what it has not waited for is still looked at. */
void simt_end_late(void)
{
    SIMT_CALL;

    run_needed(NULL, ALL);
}

/* Until nothing of these streams is left. Other host threads may run in between, and change what is polled. */
static void finish(cudaStream_t stream, bool all)
{
    uint64_t polls = 0, steps = 0;

    run_needed(stream, all ? ALL : OF_STREAM);
    while (!simt_current && m.suspended && (all || simt_is_pending(stream))) {
        uint64_t launch = simt_launch_number, before = m.clock;
        unsigned depth;

        simt_catch_up();
        if (!m.suspended)
            return;
        if (simt_launch_number != launch)
            polls = steps = 0;
        polls = m.clock - before > m.polls ? m.polls : polls + m.polls; /* it has changed something, or not */
        steps += m.clock - before;
        if (polls > simt_options.hang || steps > simt_options.hang << 8) {
            simt_end_suspended(polls > simt_options.hang ? polls : steps);
            simt_finish_nested();
            run_queue();
            polls = steps = 0;
        }
        depth = simt_release_lock();
        sched_yield();
        simt_retake_lock(depth);
    }
}

void simt_synchronise(cudaStream_t stream)
{
    finish(stream, false);
}

void simt_synchronise_all(void)
{
    finish(NULL, true);
}

/* The seed was set: what has not ended never will, unless it is only late. */
void simt_drop_deferred(void)
{
    run_needed(NULL, ALL);
    draws = 0;
    while (queue) {
        simt_operation *first = queue;

        queue = first->next;
        free(first->owned);
        free(first);
    }
    queue_end = &queue;
    simt_drop_nested();
    m.suspended = NULL;
}
