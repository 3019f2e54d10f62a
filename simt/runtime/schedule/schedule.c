/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which thread runs next. One thread runs until it waits, ends or yields; then the generator of the seed draws the next
 * one. Nothing depends on time or addresses, so the same seed gives the same run.
 *
 * The threads that can run are a tree of two levels of bits: m.ready has a bit for each warp, warp.ready a bit for each
 * lane. A draw takes a random set bit of each word; each ready warp is equally likely, and each ready lane of it.
 */
#include "search.h"

#include "../core/options.h"
#include "../core/upcalls.h"
#include "../core/workers.h"

#include <sched.h>

enum { SPIN = 1 << 10 /* accesses that change nothing, before a worker gives its core away: some 10 us */ };

#ifdef __x86_64__
static bool has_bmi2;

static __attribute__((constructor(101))) void look_at_processor(void)
{
    __builtin_cpu_init();
    simt_chooses_at_once = has_bmi2 = __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#else
static const bool has_bmi2 = false;
#endif

bool simt_chooses_at_once;

void simt_choose_among(unsigned warps)
{
    simt_chooses_at_once = has_bmi2 && warps <= MAX_WARPS;
}

/* Bytes have at most 8 set bits, so eight counts fit in one word: byte i of `sums` has those of the bytes up to i. */
unsigned simt_select_portably(uint64_t word, unsigned rank)
{
    static const uint64_t ones = 0x0101010101010101;
    uint64_t sums = word - (word >> 1 & 0x5555555555555555);
    unsigned byte, rest;

    sums = (sums & 0x3333333333333333) + (sums >> 2 & 0x3333333333333333);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f) * ones;
    byte = (unsigned)__builtin_ctzll((((sums | ones << 7) - (rank + 1) * ones) & ones << 7)) / 8 * 8;
    rank -= (unsigned)(sums << 8 >> byte) & 0xff;
    for (rest = (unsigned)(word >> byte) & 0xff; rank > 0; rank--)
        rest &= rest - 1;
    return byte + (unsigned)__builtin_ctz(rest);
}

/* Nothing can run: the launch is over, or it cannot go on. */
static __attribute__((noinline)) simt_turn nothing_ready(void)
{
    if (m.live_blocks == 0)
        return simt_end_launch();
    simt_up.report_deadlock();
    return simt_stop_turn(cudaErrorLaunchFailure);
}

/* Makes those preempted threads ready whose time is over; with `all`, every preempted thread. */
void simt_resume_preempted(bool all)
{
    for (unsigned i = m.preempt.held; i-- > 0;)
        if (all || m.preempt.until[i] <= m.clock) {
            simt_wake(m.preempt.thread[i]->warp, 1u << m.preempt.thread[i]->lane);
            m.preempt.held--;
            m.preempt.thread[i] = m.preempt.thread[m.preempt.held];
            m.preempt.until[i] = m.preempt.until[m.preempt.held];
        }
}

static bool something_ready(void)
{
    if (!simt_any_ready() && m.preempt.held)
        simt_resume_preempted(true);
    return simt_any_ready();
}

/* Stays in the warp unless none of its lanes can run or all bits `leave_bits` of r are 0. The warp is drawn from other
 * bits of r than the lane, and both from others than `leave_bits`, which are the lowest. */
static __attribute__((noinline)) simt_turn go_on(uint64_t r, uint64_t leave_bits)
{
    thread *self = simt_current, *next;
    warp *w = m.warp;

    if (__builtin_expect(simt_searching, 0))
        leave_bits = simt_search_leave(leave_bits);
    if (!w->ready || (r & leave_bits) == 0) {
        if (!something_ready())
            return nothing_ready();
        w = simt_pick_warp(r << 16);
    }
    next = &w->threads[simt_pick(w->ready, r)];
    if (__builtin_expect(simt_searching, 0))
        next = simt_search_choose(next);
    simt_become(next);
    return (simt_turn){&self->context, &next->context};
}

/* The same where nothing has to be called, so that no registers are saved. */
simt_turn simt_go_on(uint64_t r, uint64_t leave_bits)
{
    thread *self = simt_current, *next;
    warp *w = m.warp;

    if (__builtin_expect(!m.ready[0] || simt_searching || !simt_selects_at_once(), 0))
        return go_on(r, leave_bits);
    if (!w->ready || (r & leave_bits) == 0)
        w = &m.warps[simt_pick(m.ready[0], r << 16)];
    next = &w->threads[simt_pick(w->ready, r)];
    simt_become(next);
    return (simt_turn){&self->context, &next->context};
}

/* Seed 0: the lanes of a warp in turn, then the next warp. */
static simt_turn next_in_turn(void)
{
    thread *self = simt_current, *next;
    warp *w = m.warp;

    if (!w->ready) {
        if (!something_ready())
            return nothing_ready();
        w = &m.warps[simt_warp_in_turn(m.ready, w->number)];
    }
    next = &w->threads[simt_in_turn(w->ready, self->lane + 1)];
    if (simt_searching)
        next = simt_search_choose(next);
    simt_become(next);
    return (simt_turn){&self->context, &next->context};
}

simt_turn simt_next(void)
{
    return m.sequential ? next_in_turn() : simt_go_on(simt_draw(), m.leave);
}

void simt_block_lane(warp *w, uint32_t lane_bit)
{
    w->ready &= ~lane_bit;
    if (w->ready)
        return;
    if (w->gathering)
        simt_gathered(w);
    else
        *w->ready_word &= ~w->ready_bit;
}

static __attribute__((noinline)) simt_turn next_without(warp *w, uint32_t lane)
{
    simt_block_lane(w, 1u << lane);
    return simt_next();
}

/* The order of seed 0, which most plain runs have. */
simt_turn simt_next_without(warp *w, uint32_t lane)
{
    const uint32_t ready = w->ready & ~(1u << lane);
    uint32_t next;

    if (!ready || !m.sequential || simt_searching)
        return next_without(w, lane);
    w->ready = ready;
    next = simt_in_turn(ready, lane + 1);
    return simt_lane_goes_on(simt_worker, w, next, 1u << next);
}

static inline void new_countdown(void)
{
    simt_countdown = m.sequential ? 64 : (int)((uint32_t)(simt_draw() >> 8) % m.countdown);
    if (__builtin_expect(simt_searching, 0))
        simt_search_counts();
}

void simt_new_countdown(void)
{
    new_countdown();
}

/* Before an access for which other threads may be waiting, or in a pause. The next thread may be of any warp. */
static inline __attribute__((always_inline)) simt_turn yield(uint64_t accesses, bool pauses, const void *place)
{
    if (!simt_current)
        return (simt_turn){&m.host, &m.host};
    if (__builtin_expect(__atomic_load_n(&simt_workers.stopped, __ATOMIC_RELAXED), 0))
        return simt_stop_turn(cudaSuccess); /* another worker has said why */
    if (__builtin_expect(simt_searching, 0) && !simt_search_yields(place, pauses))
        return (simt_turn){&simt_current->context, &simt_current->context};
    if (m.warp->gathering)
        simt_gathered(m.warp); /* the running thread may be waiting for one of these lanes */
    m.clock += accesses;
    m.polls += accesses;
    m.steps += accesses;
    if (simt_in_parallel() && ((m.polls - accesses) ^ m.polls) >= SPIN) {
        __atomic_store_n(&simt_workers.polls, true, __ATOMIC_RELAXED);
        sched_yield(); /* another worker may wait for this core */
    }
    if (__builtin_expect(m.polls > m.patience || m.steps > simt_options.hang << 8, 0)) {
        simt_turn turn = simt_stuck(place);

        if (turn.next)
            return turn;
    }
    if (m.preempt.held)
        simt_resume_preempted(false);
    new_countdown();
    return simt_go_on(simt_draw(), 1);
}

simt_turn simt_yield_at(const void *place)
{
    return yield((uint64_t)m.countdown + 1, false, place);
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
    return yield(64, true, __builtin_return_address(0));
}
