/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Preemption: stops a thread before a plain access and holds it while others run. A few long preemptions find most bugs
 * that depend on the schedule sooner than many short ones do: probabilistic concurrency testing (S. Burckhardt, P.
 * Kothari, M. Musuvathi, S. Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
 */
#include "search.h"

#include "../core/options.h"

#include <limits.h>

/* A random number from 1 to 2^e, where e is random from 0 to `limit`: all orders of magnitude are equally likely. */
static uint64_t magnitude(unsigned limit)
{
    uint64_t random = m.preempt.random = simt_mix(m.preempt.random);

    return 1 + (random >> 16 & ((1ull << random % (limit + 1)) - 1));
}

/* After 1 to 2^20 accesses (not tuned), or never. */
int simt_next_preemption(void)
{
    int drawn;

    if (__builtin_expect(simt_searching, 0) && simt_search_looks_at_each())
        return 0;
    drawn = m.preempt.left ? (int)magnitude(20) : INT_MAX;
    return __builtin_expect(simt_searching, 0) ? simt_search_distance(drawn) : drawn;
}

bool simt_preempt_now(uintptr_t address, bool write, const void *place)
{
    bool now = m.preempt.left && m.preempt.held < 3; /* the capacity of m.preempt.thread */
    simt_stopping stop = SIMT_AS_DRAWN;

    if (__builtin_expect(simt_searching, 0))
        stop = simt_search_stops(address, write, place);
    if (stop != SIMT_AS_DRAWN)
        return stop == SIMT_STOPS;
    m.preempt.left -= now;
    return now;
}

/* Stops the running thread. It goes on when the other threads have made a random number, up to 2^14 (not tuned), of volatile or
 * atomic accesses, or when no other thread can run. Where it waits itself, others may wait, too, and each look of theirs counts as 64: then
 * it is 2^16, since under 2^14 those that do not wait came too seldom to end a phase. */
static void stop(bool waits)
{
    thread *self = simt_current;
    unsigned i = m.preempt.held;

    if (__builtin_expect(simt_searching, 0) && simt_search_holds_nobody()) {
        simt_switch(simt_go_on(0, 1));
        return;
    }
    simt_block_lane(self->warp, 1u << self->lane);
    if (!simt_any_ready()) {
        simt_wake(self->warp, 1u << self->lane);
        return;
    }
    m.preempt.thread[i] = self;
    m.preempt.until[i] = m.clock + (waits ? 1 << 16 : magnitude(14));
    m.preempt.held++;
    simt_switch(simt_go_on(m.preempt.random, 1));
}

void simt_preempt(void)
{
    stop(false);
}

/* PTX: a thread that waits by test_wait or try_wait need not see each phase, so two may end before it looks again. Without a long stop no
 * schedule would show that where many threads arrive: each one gives those that wait a chance to look. The launch draws the objects, one
 * of four, since all stops would go to an object at which many wait. */
void simt_preempt_waiting(uint64_t offset)
{
    if (!m.preempt.waits || m.preempt.held == 3 || simt_searching || simt_mix(m.preempt.waited + offset) & 3)
        return;
    m.preempt.waits--;
    stop(true);
}

void simt_plan_preemptions(uint64_t launch)
{
    m.preempt.random = simt_mix(simt_current_seed + simt_mix(launch));
    m.preempt.held = 0;
    /* From the seed: 0 to 3 preemptions a launch, so that a quarter of the schedules has none. Those of waits are for plain builds, too. */
    m.preempt.waits = simt_options.preempt != UINT64_MAX ? (unsigned)simt_options.preempt : simt_current_seed >> 2 & 3;
    m.preempt.left = simt_checking ? m.preempt.waits : 0;
    m.preempt.waited = m.preempt.random;
    simt_search_launch(launch);
}
