/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Preemption: stops a thread before a plain access and holds it while others run. A few long preemptions find most bugs
 * that depend on the schedule sooner than many short ones do: probabilistic concurrency testing (S. Burckhardt, P.
 * Kothari, M. Musuvathi, S. Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
 *
 * simt_attention is the number of accesses before the next preemption. Each checked access decrements it and calls
 * simt_attend when it falls below 0. Some checks need the effect of an access, but nothing is called after an access.
 * They call simt_settle_later, which sets simt_attention to 0. So the next access calls simt_attend, which completes
 * the check.
 */
#include "../machine.h"

#include <limits.h>

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

int simt_attention;
static int attention_left; /* while `unsettled`: the value of simt_attention before */
static bool unsettled;     /* the last access has a check that waits for the next access */

void simt_settle_later(void)
{
    if (unsettled)
        return;
    unsettled = true;
    attention_left = simt_attention;
    simt_attention = 0;
}

void simt_settle(void)
{
    if (!unsettled)
        return;
    unsettled = false;
    simt_attention = attention_left;
    simt_weak_settle();
    simt_race_settle();
    simt_poison_settle();
}

/* A random number from 1 to 2^e, where e is random from 0 to `limit`: all orders of magnitude are equally likely. */
static uint64_t magnitude(unsigned limit)
{
    uint64_t random = m.preempt.random = simt_mix(m.preempt.random);

    return 1 + (random >> 16 & ((1ull << random % (limit + 1)) - 1));
}

/* Plans the next preemption after 1 to 2^20 accesses (not tuned), or none. */
static void next_preemption(void)
{
    simt_attention = m.preempt.left ? (int)magnitude(20) : INT_MAX;
}

/* Stops the thread before a plain access. It goes on when the other threads have made a random number, up to 2^14 (not
 * tuned), of volatile or atomic accesses, or when no other thread can run. */
static void preempt(void)
{
    thread *self = simt_current;
    unsigned i = m.preempt.held;

    simt_block_lane(self->warp, 1u << self->lane);
    if (!m.ready) {
        simt_wake(self->warp, 1u << self->lane);
        return;
    }
    m.preempt.thread[i] = self;
    m.preempt.until[i] = m.clock + magnitude(14);
    m.preempt.held++;
    simt_switch(simt_go_on(m.preempt.random, 1));
    simt_settle(); /* the last access of another thread may be unsettled, and simt_attend does not look again */
}

void simt_attend(void)
{
    if (unsettled) {
        simt_settle();
        if (--simt_attention >= 0) {
            if (simt_poisoned) /* each access is looked at, as it may store an undefined value */
                simt_settle_later();
            return;
        }
    }
    bool now = m.preempt.left && m.preempt.held < 3; /* the capacity of m.preempt.thread */

    m.preempt.left -= now;
    next_preemption();
    if (now)
        preempt();
    if (simt_poisoned)
        simt_settle_later();
}

void simt_plan_preemptions(uint64_t launch)
{
    m.preempt.random = simt_mix(simt_current_seed + simt_mix(launch));
    m.preempt.held = 0;
    /* From the seed: 0 to 3 preemptions a launch, so that a quarter of the schedules has none. */
    m.preempt.left = !simt_checking                       ? 0
                     : simt_options.preempt != UINT64_MAX ? (unsigned)simt_options.preempt
                                                          : simt_current_seed >> 2 & 3;
    unsettled = false;
    next_preemption();
}
