/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Preemption, and other work before an access. A thread may be stopped before a plain access and held while others
 * run. Few preemptions that last long find most bugs that depend on the schedule sooner than many short ones:
 * probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte 2010).
 *
 * simt_attention counts the accesses before the next preemption. Setting it to 0 is also how a finding that depends on
 * what an access does gets control at the next access (simt_settle_later).
 */
#include "machine.h"

#include <limits.h>

/* Makes preempted threads ready: those whose time is over, or all when no other thread can run. */
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
static int attention_left;
static bool unsettled;

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
}

/* From 1 to 2^limit; every power of two is as likely as another. */
static uint64_t magnitude(unsigned limit)
{
    uint64_t random = m.preempt.random = simt_mix(m.preempt.random);

    return 1 + (random >> 16 & ((1ull << random % (limit + 1)) - 1));
}

/* After 1 to 2^20 accesses; not tuned. */
static void next_preemption(void)
{
    simt_attention = m.preempt.left ? (int)magnitude(20) : INT_MAX;
}

/* Stops the thread before a plain access while other threads run, for up to 2^14 accesses that can yield (not tuned),
 * or until no other thread can run. */
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
    simt_settle(); /* another thread may have asked for it, and this access is past the point that checks */
}

void simt_attend(void)
{
    if (unsettled) {
        simt_settle();
        if (--simt_attention >= 0)
            return;
    }
    bool now = m.preempt.left && m.preempt.held < 3;

    m.preempt.left -= now;
    next_preemption();
    if (now)
        preempt();
}

void simt_plan_preemptions(uint64_t launch)
{
    m.preempt.random = simt_mix(simt_current_seed + simt_mix(launch));
    m.preempt.held = 0;
    m.preempt.left = !simt_checking                       ? 0
                     : simt_options.preempt != UINT64_MAX ? (unsigned)simt_options.preempt
                                                          : simt_current_seed >> 2 & 3;
    unsettled = false;
    next_preemption();
}
