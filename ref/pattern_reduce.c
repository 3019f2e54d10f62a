/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A fold from the left: contract in pattern_reduce.h.
 */
#include "pattern_reduce.h"

sb_ref_status sb_ref_pattern_reduce(sb_ref_type type, sb_ref_op op, const void *items, uint64_t n, void *value)
{
    const sb_ref_operator *found = sb_ref_operator_find(type, op);
    sb_ref_item fold;

    if (found == NULL)
        return SB_REF_INVALID;
    fold = found->identity;
    for (uint64_t i = 0; i < n; i++)
        fold = found->apply(fold, sb_ref_item_load(type, items, i));
    sb_ref_item_store(type, value, 0, fold);
    return SB_REF_OK;
}
