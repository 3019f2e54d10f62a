/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lanes that wait in __activemask. A lane that begins to wait, or yields, lets them go on.
 */
#include "schedule.h"

void simt_match_any(warp *w, uint32_t mask)
{
    for (uint32_t left = mask; left;) {
        uint64_t value = w->value[__builtin_ctz(left)];
        uint32_t same = 0;

        for (uint32_t rest = left; rest; rest &= rest - 1)
            if (w->value[__builtin_ctz(rest)] == value)
                same |= rest & -rest;
        for (uint32_t rest = same; rest; rest &= rest - 1)
            w->threads[__builtin_ctz(rest)].context.result = same;
        left &= ~same;
    }
}

void simt_gathered(warp *w)
{
    uint32_t lanes = w->gathering;

    w->gathering = 0;
    simt_match_any(w, lanes);
    simt_wake(w, lanes);
}
