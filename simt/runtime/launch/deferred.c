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
 * whose events it waits for. A kernel may be done before another one of the queue that was launched earlier, if it ends without that
 * (overtake.c): nothing orders the two.
 *
 * Functions of the host are in the queue, too, in both builds (host_function.c). What is ordered behind one that runs, is held.
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
    FIRST = 2,   /* one of so many kernels is done before earlier ones of the queue */
    STREAMS = 64 /* with more that wait for each other, all late work is done; not tuned */
};

static simt_operation *queue, **queue_end = &queue;
static simt_operation *running; /* functions of the host */
static uint64_t draws;

bool simt_is_pending(cudaStream_t stream)
{
    if (m.suspended && simt_streams_are_ordered(stream, m.suspended_stream))
        return true;
    for (const simt_operation *o = queue; o; o = o->next)
        if (simt_streams_are_ordered(stream, o->stream))
            return true;
    for (const simt_operation *o = running; o; o = o->next)
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

/* May a function of the host be late? */
bool simt_draws_late(void)
{
    return draw(LATE) && simt_options.late && simt_current_seed;
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

/* A function gives the lock away, so it is in a list meanwhile. */
static void run_function(simt_operation *o)
{
    simt_operation **link = &running;

    o->next = running;
    running = o;
    o->run(o);
    while (*link != o)
        link = &(*link)->next;
    *link = o->next;
}

static simt_operation *take(simt_operation **link)
{
    simt_operation *o = *link;

    *link = o->next;
    if (!o->next)
        queue_end = link;
    return o;
}

static void end(simt_operation *o)
{
    free(o->owned);
    free(o);
}

static void drop(simt_operation **link)
{
    end(take(link));
}

static void run_one(simt_operation **link)
{
    simt_operation *o = take(link);

    simt_pages_open();
    if (o->of_host)
        run_function(o);
    else if (simt_sticky == cudaSuccess)
        o->run(o);
    end(o);
}

/* Those of which work is held: what comes next in one of them waits for a suspended kernel, or a function that runs. */
typedef struct held {
    cudaStream_t stream[STREAMS];
    size_t count;
} held;

static bool is_held(const held *h, cudaStream_t stream)
{
    for (size_t i = 0; i < h->count; i++)
        if (simt_streams_are_ordered(stream, h->stream[i]))
            return true;
    return h->count == STREAMS;
}

static void hold(held *h, cudaStream_t stream)
{
    if (h->count < STREAMS)
        h->stream[h->count++] = stream;
}

/* The first of the queue that can be done, and is needed if only such are asked for; and does not come behind `other`, unless that is NULL.
 * NULL: there is none. A function of the host may wait for this thread, which calls none unless it has to wait itself. */
static simt_operation **first_ready(bool needed, bool functions, const simt_operation *other)
{
    held h = {.count = 0};

    if (m.suspended)
        hold(&h, m.suspended_stream);
    for (const simt_operation *o = running; o; o = o->next)
        hold(&h, o->stream);
    for (simt_operation **link = &queue; *link; link = &(*link)->next) {
        const simt_operation *o = *link;
        bool waits = o == other || (m.suspended && o->run == simt_run_launch) || (o->of_host && !functions) ||
                     is_held(&h, o->stream) || (o->awaits && is_held(&h, o->awaited));

        if (!waits && (o->needed || !needed))
            return link;
        if (waits)
            hold(&h, o->stream);
    }
    return NULL;
}

typedef enum extent { OF_STREAM, KERNELS, ALL } extent;

/* Marks what comes before the work that this stream has still to do, or before the end of the last kernel; all, if that is too long.
 * Of what comes before `end` in the queue. */
static void mark_needed(cudaStream_t stream, extent what, const simt_operation *end)
{
    cudaStream_t streams[STREAMS] = {stream};
    size_t known = what == OF_STREAM, length = 0;
    simt_operation **list, *o;

    for (o = queue; o != end; o = o->next)
        length++;
    list = what == ALL ? NULL : malloc(length * sizeof *list);
    length = 0;
    for (o = queue; o != end; o = o->next) {
        o->needed |= !list;
        if (list)
            list[length++] = o;
    }
    while (list && length--) { /* from the last one on, which may need earlier ones */
        size_t at = 0;

        o = list[length];
        while (at < known && !simt_streams_are_ordered(o->stream, streams[at]))
            at++;
        o->needed |= at < known || known + 2 > STREAMS || (what == KERNELS && o->run == simt_run_launch);
        if (!o->needed || known + 2 > STREAMS)
            continue;
        if (at == known || streams[at] != o->stream)
            streams[known++] = o->stream;
        if (o->awaits)
            streams[known++] = o->awaited;
    }
    free(list);
}

static bool any_kernel_before(const simt_operation *end)
{
    for (const simt_operation *o = queue; o != end; o = o->next)
        if (o->run == simt_run_launch)
            return true;
    return false;
}

/* Must a kernel come after those of the queue that were launched before it? */
static bool follows(simt_operation *o, const simt_operation *end)
{
    return o->run == simt_run_launch && any_kernel_before(end) && !simt_ends_alone(o);
}

static void forget_marks(void)
{
    for (simt_operation *o = queue; o; o = o->next)
        o->needed = false;
}

/* What is marked, and can be done, in an order that is drawn. An earlier kernel that is held does not hold a later one. */
static void run_marked(bool functions)
{
    simt_operation **link, **other;
    const simt_operation *asked = NULL;

    while ((link = first_ready(true, functions, NULL))) { /* meanwhile the queue may be another */
        other = draw(FIRST) ? first_ready(true, functions, *link) : NULL;
        link = other && *other != asked ? other : link;
        if (*link != asked && follows(*link, *link)) {
            asked = *link;
            mark_needed(NULL, KERNELS, asked);
        } else {
            run_one(link);
        }
    }
}

static void run_needed(cudaStream_t stream, extent what, bool functions)
{
    if (simt_current || !queue)
        return;
    forget_marks();
    mark_needed(stream, what, NULL);
    run_marked(functions);
}

static void run_queue(void)
{
    run_needed(NULL, ALL, false);
}

/* A kernel begins, which may wait for what an earlier one in another stream writes. */
void simt_run_late_kernels(simt_operation *launch)
{
    if (queue && !m.suspended && !(draw(FIRST) && !follows(launch, NULL)))
        run_needed(NULL, KERNELS, false);
}

/* Or for the host, which may first wait for any work. */
void simt_run_late_all(void)
{
    run_queue();
}

/* Other threads of the host may run. */
static void let_others_run(void)
{
    unsigned depth = simt_release_lock();

    sched_yield();
    simt_retake_lock(depth);
}

void simt_run_late(cudaStream_t stream)
{
    run_needed(stream, OF_STREAM, true);
    while (running && !m.suspended && simt_is_pending(stream)) {
        let_others_run();
        run_needed(stream, OF_STREAM, true);
    }
}

/* Lets the suspended launch go on for a while, or late work begin. */
void simt_catch_up(void)
{
    simt_operation **link;

    if (simt_current)
        return;
    if (m.suspended) {
        simt_resume();
        simt_finish_nested();
        run_queue();
    } else if (queue && draw(GOES)) {
        link = first_ready(false, false, NULL);
        if (link == &queue)
            run_one(link);
    }
}

/* --- functions of the host, for host_function.c */

simt_operation *simt_next_function(const simt_operation *before)
{
    simt_operation *o = before ? before->next : queue;

    while (o && !o->of_host)
        o = o->next;
    return o;
}

bool simt_function_is_left(uint64_t number)
{
    for (const simt_operation *o = simt_next_function(NULL); o; o = simt_next_function(o))
        if (o->number == number)
            return true;
    for (const simt_operation *o = running; o; o = o->next)
        if (o->number == number)
            return true;
    return false;
}

/* With what precedes it. */
void simt_run_function(const simt_operation *function)
{
    forget_marks();
    mark_needed(function->stream, OF_STREAM, function->next);
    run_marked(true);
}

/* --- the host waits */

/* The program ends: what it has not waited for is still looked at, but its functions are not called any more: what they use may be gone. */
void simt_end_late(void)
{
    SIMT_CALL;
    simt_operation **link = &queue;

    while (*link)
        if ((*link)->of_host)
            drop(link);
        else
            link = &(*link)->next;
    run_queue();
}

static bool is_left(cudaStream_t stream, bool all)
{
    return all ? m.suspended || queue || running : simt_is_pending(stream);
}

/* Until nothing of these streams is left. Other host threads may run in between, and change what is polled. */
static void finish(cudaStream_t stream, bool all)
{
    uint64_t polls = 0, steps = 0;

    run_needed(stream, all ? ALL : OF_STREAM, true);
    while (!simt_current && (m.suspended || running) && is_left(stream, all)) {
        uint64_t launch = simt_launch_number, before = m.clock;

        if (!m.suspended) {
            let_others_run();
            run_needed(stream, all ? ALL : OF_STREAM, true);
            continue;
        }
        simt_catch_up();
        if (!m.suspended)
            continue;
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
        let_others_run();
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
    run_needed(NULL, ALL, true);
    draws = 0;
    while (queue)
        drop(&queue);
    simt_drop_nested();
    m.suspended = NULL;
}
