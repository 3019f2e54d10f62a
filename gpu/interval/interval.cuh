// SPDX-License-Identifier: BSD-2-Clause
//
// What the variants of interval.* share: their workspace.
#ifndef GPU_INTERVAL_INTERVAL_CUH
#define GPU_INTERVAL_INTERVAL_CUH

#include "../pattern/keys.cuh"
#include <samebits/pattern/interval.cuh>

// Of the elements of all inputs the number is above this only where the bound is, too.
static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t items = inputs[SB_INTERVAL_ITEMS].length, segments = inputs[SB_INTERVAL_OFFSET].length;

    (void)parameters;
    return sb::interval_bytes(sb_max_items(items + 3 * segments), segments);
}

static const uint64_t sizes[] = {sb::lbs_tune_of<16>::SIZE, sb::lbs_tune::SIZE, 0};

#endif
