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
 */
#include "nested.h"

#include "../core/lock.h"
#include "../core/options.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static simt_operation *queue, **queue_end = &queue;

bool simt_is_pending(cudaStream_t stream)
{
    if (m.suspended && simt_streams_are_ordered(stream, m.suspended_stream))
        return true;
    for (const simt_operation *o = queue; o; o = o->next)
        if (simt_streams_are_ordered(stream, o->stream))
            return true;
    return false;
}

/* Puts a copy of it into the queue if it must wait. */
bool simt_defer(const simt_operation *operation)
{
    simt_operation *copy;

    if (operation->run == simt_run_launch ? !m.suspended : !simt_is_pending(operation->stream))
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

static void run_queue(void)
{
    while (queue && !m.suspended) {
        simt_operation *first = queue;

        queue = first->next;
        if (!queue)
            queue_end = &queue;
        if (simt_sticky == cudaSuccess)
            first->run(first);
        free(first->owned);
        free(first);
    }
}

/* Lets the suspended launch go on for a while. */
void simt_catch_up(void)
{
    if (m.suspended && !simt_current) {
        simt_resume();
        simt_finish_nested();
        run_queue();
    }
}

/* Until nothing of these streams is left. Other host threads may run in between, and change what is polled. */
static void finish(cudaStream_t stream, bool all)
{
    uint64_t polls = 0, steps = 0;

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

/* The seed was set: what has not ended never will. */
void simt_drop_deferred(void)
{
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
