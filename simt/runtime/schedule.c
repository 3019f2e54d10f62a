/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which thread runs next. One thread runs until it waits, ends or yields; then the generator of the seed draws the next
 * one. Nothing depends on time or addresses, so the same seed gives the same run.
 *
 * The threads that can run are a tree of two levels of bits: m.ready has a bit for each warp, warp.ready a bit for each
 * lane. A draw rotates the word by a random amount and takes its lowest set bit.
 */
#include "machine.h"

machine m;
thread *simt_current;
uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
int simt_countdown;

warp simt_warps[MAX_WARPS];

static inline unsigned pick_warp(uint64_t word, unsigned by)
{
    by &= 63;
    return ((unsigned)__builtin_ctzll(word >> by | word << (-by & 63)) + by) & 63;
}

static simt_turn leave(simt_context *self)
{
    simt_current = NULL;
    return (simt_turn){self, &m.host};
}

/* Stays in the warp unless none of its lanes can run or all bits `leave_bits` of r are 0. */
simt_turn simt_go_on(uint64_t r, uint64_t leave_bits)
{
    thread *self = simt_current;
    warp *w = m.warp;

    if (!w->ready || (r & leave_bits) == 0) {
        if (!m.ready && m.preempt.held)
            simt_resume_preempted(true);
        if (!m.ready) {
            if (m.live_blocks == 0) {
                m.stop = DONE;
                return leave(&self->context);
            }
            simt_report_deadlock();
            return simt_stop_turn(cudaErrorLaunchFailure);
        }
        w = &simt_warps[pick_warp(m.ready, (unsigned)(r >> 40))];
    }
    thread *next = &w->threads[simt_pick(w->ready, (unsigned)(r >> 32))];

    simt_become(next);
    return (simt_turn){&self->context, &next->context};
}

simt_turn simt_next(void)
{
    if (!m.sequential)
        return simt_go_on(simt_draw(), m.leave);
    return simt_go_on((uint64_t)m.warp->number << 40 | (uint64_t)(simt_current->lane + 1) << 32 | 1, 1);
}

void simt_wake(warp *w, uint32_t lanes)
{
    w->ready |= lanes;
    m.ready |= 1ull << w->number;
}

void simt_block_lane(warp *w, uint32_t lane_bit)
{
    w->ready &= ~lane_bit;
    if (w->ready)
        return;
    if (w->gathering)
        simt_gathered(w);
    else
        m.ready &= ~(1ull << w->number);
}

simt_turn simt_next_without(warp *w, uint32_t lane)
{
    simt_block_lane(w, 1u << lane);
    return simt_next();
}

void simt_new_countdown(void)
{
    simt_countdown = m.sequential ? 64 : (int)((uint32_t)(simt_draw() >> 8) % m.countdown);
}

/* Before an access for which other threads may be waiting. The next thread may be of any warp. */
static simt_turn yield(uint64_t accesses, const void *place)
{
    if (!simt_current)
        return (simt_turn){&m.host, &m.host};
    if (m.warp->gathering)
        simt_gathered(m.warp); /* the running thread may be waiting for one of these lanes */
    m.clock += accesses;
    m.polls += accesses;
    m.steps += accesses;
    if (m.polls > simt_options.hang || m.steps > simt_options.hang << 8) {
        simt_report(HANG, NULL, 0, place,
                    "no progress: no thread has changed anything that others read for %llu accesses",
                    (unsigned long long)(m.polls > simt_options.hang ? m.polls : m.steps));
        return simt_stop_turn(cudaErrorLaunchTimeout);
    }
    if (m.preempt.held)
        simt_resume_preempted(false);
    simt_new_countdown();
    return simt_go_on(simt_draw(), 1);
}

simt_turn simt_yield_at(const void *place)
{
    return yield((uint64_t)m.countdown + 1, place);
}

simt_turn simt_yield(void)
{
    return simt_yield_at(__builtin_return_address(0));
}

simt_turn simt_maybe_yield(void)
{
    if (--simt_countdown < 0)
        return simt_yield_at(__builtin_return_address(0));
    return (simt_turn){&simt_current->context, &simt_current->context};
}

simt_turn simt_pause(void)
{
    return yield(64, __builtin_return_address(0));
}

/* --- ending a launch early */

simt_turn simt_stop_turn(cudaError_t error)
{
    simt_context *self = simt_current ? &simt_current->context : &m.host;

    m.stop = STOPPED;
    m.error = error;
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
