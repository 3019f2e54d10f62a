/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Settling: what a check has to do when its access is done, and preemptions before an access.
 */
#include "attention.h"

#include "../schedule/schedule.h"

/* False: nothing was to be settled. */
static bool settle(void)
{
    if (!simt_take_unsettled())
        return false;
    simt_weak_settle();
    simt_race_settle();
    simt_poison_settle();
    return true;
}

void simt_settle(void)
{
    settle();
}

void simt_attend(uintptr_t address, bool write, const void *place)
{
    bool now;

    if (settle()) {
        if (--simt_attention >= 0) {
            if (simt_poisoned) /* each access is looked at, as it may store an undefined value */
                simt_settle_later();
            return;
        }
    }
    if (__builtin_expect(simt_looks_on, 0) && simt_look_on(address, write, place)) {
        if (simt_poisoned)
            simt_settle_later();
        return;
    }
    now = simt_preempt_now(address, write, place);
    simt_attention = simt_next_preemption();
    if (now) {
        simt_preempt();
        simt_settle(); /* the last access of another thread may be unsettled, and nobody looks again */
    }
    if (simt_poisoned)
        simt_settle_later();
}

void simt_attend_launch(void)
{
    simt_take_unsettled();
    simt_attention = simt_next_preemption();
}
