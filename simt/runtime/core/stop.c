/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Leaving a launch early: the host goes on instead of the next thread.
 */
#include "tags.h"
#include "workers.h"

static simt_turn leave(simt_context *self)
{
    simt_current = NULL;
    simt_tagged = 0;
    return (simt_turn){self, &m.host};
}

simt_turn simt_end_launch(void)
{
    m.stop = DONE;
    return leave(&simt_current->context);
}

/* The launch returns to the host; the running thread is the first to go on. */
simt_turn simt_suspend(void)
{
    m.stop = SUSPENDED;
    m.suspended = simt_current;
    return leave(&simt_current->context);
}

simt_turn simt_stop_turn(cudaError_t error)
{
    simt_context *self = simt_current ? &simt_current->context : &m.host;

    m.stop = STOPPED;
    m.error = error;
    __atomic_store_n(&simt_workers.stopped, true, __ATOMIC_RELAXED);
    return leave(self);
}

void simt_stop(cudaError_t error)
{
    simt_switch(simt_stop_turn(error));
    __builtin_unreachable();
}

void simt_trap(void)
{
    simt_stop(cudaErrorLaunchFailure);
}
