/* SPDX-License-Identifier: BSD-2-Clause
 *
 * When an access has to be looked at in particular.
 *
 * simt_attention is the number of accesses before the next preemption. Each checked access decrements it and calls
 * simt_attend when it falls below 0. Some checks need the effect of an access, but nothing is called after an access.
 * They call simt_settle_later, which sets simt_attention to 0. So the next access calls simt_attend, which completes
 * the check.
 */
#include "attention.h"

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

/* False: nothing was to be settled. */
bool simt_take_unsettled(void)
{
    if (!unsettled)
        return false;
    unsettled = false;
    simt_attention = attention_left;
    return true;
}
