/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Stream compaction, an item at a time: contract in pattern_compact.h.
 */
#include "pattern_compact.h"
#include "key.h"
#include "operator.h"

static uint64_t bits_of(sb_ref_type type, const void *items, uint64_t i)
{
    sb_ref_item item = sb_ref_item_load(type, items, i);

    return sb_ref_type_size(type) == sizeof item.u32 ? item.u32 : item.u64;
}

static bool is_less(sb_ref_type type, const void *items, uint64_t i, uint64_t limit)
{
    uint32_t narrow = (uint32_t)limit;

    return sb_ref_key_less(type, items, i, sb_ref_type_size(type) == sizeof narrow ? (void *)&narrow : &limit, 0);
}

bool sb_ref_pattern_compact_keeps(sb_ref_type type, sb_ref_keep keep, uint64_t limit, const void *items, uint64_t i)
{
    switch (keep) {
    case SB_REF_KEEP_LESS:
        return is_less(type, items, i, limit);
    case SB_REF_KEEP_ODD:
        return bits_of(type, items, i) & 1;
    default: /* SB_REF_KEEP_UNIQUE */
        return i == 0 || bits_of(type, items, i) != bits_of(type, items, i - 1);
    }
}

uint64_t sb_ref_pattern_compact(sb_ref_type type, sb_ref_keep keep, uint64_t limit, const void *items, uint64_t n,
                                void *kept)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < n; i++)
        if (sb_ref_pattern_compact_keeps(type, keep, limit, items, i))
            sb_ref_item_store(type, kept, count++, sb_ref_item_load(type, items, i));
    return count;
}
