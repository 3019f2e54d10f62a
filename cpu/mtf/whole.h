/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The branchless encoders share this code: a list that is always processed as a whole, in loops without branches, which
 * compilers vectorise.
 */
#ifndef CPU_MTF_WHOLE_H
#define CPU_MTF_WHOLE_H

#include <stdint.h>

enum { SB_VALUES = 256, SB_FRONT = 2 };

/* The list, and capacity for SB_FRONT symbols before its front. */
typedef struct sb_whole_list {
    uint8_t before[SB_FRONT + SB_VALUES];
} sb_whole_list;

/* `yes` where `condition`, else `no`, without a branch. */
static inline uint8_t sb_select(int condition, uint8_t yes, uint8_t no)
{
    uint8_t mask = (uint8_t)-condition;

    return (uint8_t)((yes & mask) | (no & (uint8_t)~mask));
}

static inline void sb_indices(uint8_t index[SB_VALUES])
{
    for (int i = 0; i < SB_VALUES; i++)
        index[i] = (uint8_t)i;
}

static inline uint8_t sb_whole_find(const sb_whole_list *list, const uint8_t index[SB_VALUES], uint8_t symbol)
{
    const uint8_t *at = list->before + SB_FRONT;
    uint8_t found = 0;

    for (int i = 0; i < SB_VALUES; i++)
        found |= sb_select(at[i] == symbol, index[i], 0);
    return found;
}

/* Writes to `to` the list `from` with `symbol`, whose index is `position`, moved to the front. */
static inline void sb_whole_move(sb_whole_list *restrict to, sb_whole_list *restrict from,
                                 const uint8_t index[restrict SB_VALUES], uint8_t symbol, uint8_t position)
{
    uint8_t *restrict entry = to->before + SB_FRONT;
    uint8_t *restrict old = from->before + SB_FRONT;

    old[-1] = symbol;
    for (int i = 0; i < SB_VALUES; i++)
        entry[i] = sb_select(index[i] <= position, old[i - 1], old[i]);
}

#endif
