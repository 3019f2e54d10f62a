/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Segmented reduction, a segment at a time: contract in pattern_segreduce.h.
 */
#include "pattern_segreduce.h"
#include "pattern_reduce.h"

sb_ref_status sb_ref_pattern_segreduce(sb_ref_type type, sb_ref_op op, const void *items, const uint64_t *offset,
                                       uint64_t segments, void *value)
{
    size_t size = sb_ref_type_size(type);
    sb_ref_status status = sb_ref_operator_find(type, op) == NULL ? SB_REF_INVALID : SB_REF_OK;

    for (uint64_t s = 0; status == SB_REF_OK && s < segments; s++)
        status = sb_ref_pattern_reduce(type, op, (const char *)items + offset[s] * size, offset[s + 1] - offset[s],
                                       (char *)value + s * size);
    return status;
}
