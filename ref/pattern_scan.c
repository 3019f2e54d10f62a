/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A running fold: contract in pattern_scan.h.
 */
#include "pattern_scan.h"

sb_ref_status sb_ref_pattern_scan(sb_ref_type type, sb_ref_op op, bool inclusive, const void *items, uint64_t n,
                                  void *result, void *total)
{
    const sb_ref_operator *found = sb_ref_operator_find(type, op);
    sb_ref_item fold;

    if (found == NULL)
        return SB_REF_INVALID;
    fold = found->identity;
    for (uint64_t i = 0; i < n; i++) {
        sb_ref_item before = fold;

        fold = found->apply(fold, sb_ref_item_load(type, items, i));
        sb_ref_item_store(type, result, i, inclusive ? fold : before);
    }
    sb_ref_item_store(type, total, 0, fold);
    return SB_REF_OK;
}
