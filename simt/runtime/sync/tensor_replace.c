/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tensormap.replace: kernels change a tensor map, one field at a time. A value that cuTensorMapEncodeTiled would refuse is a finding `api`,
 * as is a map that it did not make; both end the launch. Values of directions that the map has not may be set: CUTLASS sets all five.
 *
 * A map that was changed in the running launch must be acquired (fence.proxy.tensormap::generic.acquire) before a tensor copy reads it. It says so
 * itself, also in a copy; whoever acquires it does so for all threads, so that only the first missing fence is found, and a missing
 * release of a map that was changed in global memory is not.
 */
#include "../../include/simt_tensor_copy.h"
#include "../core/machine.h"
#include "../memory/memory.h"
#include "copies.h"
#include "cuda.h"
#include "tensor_map.h"

#include <string.h>

/* The types in the order of PTX, where subnormals that are flushed have other places. */
static const struct {
    uint8_t type, width;
} types[] = {{CU_TENSOR_MAP_DATA_TYPE_UINT8, 1},       {CU_TENSOR_MAP_DATA_TYPE_UINT16, 2},
             {CU_TENSOR_MAP_DATA_TYPE_UINT32, 4},      {CU_TENSOR_MAP_DATA_TYPE_INT32, 4},
             {CU_TENSOR_MAP_DATA_TYPE_UINT64, 8},      {CU_TENSOR_MAP_DATA_TYPE_INT64, 8},
             {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2},     {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4},
             {CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, 4}, {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8},
             {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2},    {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4},
             {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, 4}};

static bool is_between(uint64_t value, uint64_t least, uint64_t most)
{
    return value >= least && value <= most;
}

/* False: no such value. */
static bool set(simt_tensor_map *t, simt_tensor_field field, uint32_t at, uint64_t value)
{
    const unsigned alignment = t->interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;

    switch (field) {
    case SIMT_TENSOR_ADDRESS:
        t->memory = value;
        return value % alignment == 0;
    case SIMT_TENSOR_ORDER:
        t->rank = (uint8_t)(value + 1);
        return value < SIMT_TENSOR_RANK;
    case SIMT_TENSOR_BOX_SIZE:
        t->box[at] = (uint16_t)value;
        return is_between(value, 1, SIMT_TENSOR_BOX);
    case SIMT_TENSOR_SIZE:
        t->last[at] = (uint32_t)value - 1;
        return value != 0;
    case SIMT_TENSOR_STRIDE:
        t->stride[at] = value;
        return value % alignment == 0 && value >> SIMT_TENSOR_STRIDES == 0;
    case SIMT_TENSOR_ELEMENT_STEP:
        t->step[at] = (uint8_t)value;
        return is_between(value, 1, SIMT_TENSOR_STEP);
    case SIMT_TENSOR_TYPE:
        if (value >= sizeof types / sizeof *types)
            return false;
        t->type = types[value].type;
        t->width = types[value].width;
        return true;
    case SIMT_TENSOR_INTERLEAVE:
        t->interleave = (uint8_t)value;
        return value <= CU_TENSOR_MAP_INTERLEAVE_32B;
    case SIMT_TENSOR_SWIZZLE:
        t->swizzle = (uint8_t)value;
        return value <= CU_TENSOR_MAP_SWIZZLE_128B;
    case SIMT_TENSOR_FILL:
        t->fill = (uint8_t)value;
        return value <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
    default:
        return false;
    }
}

void simt_tensor_replace(void *map, simt_tensor_field field, uint32_t at, uint64_t value)
{
    const void *place = __builtin_return_address(0);
    const unsigned directions = SIMT_TENSOR_RANK - (field == SIMT_TENSOR_STRIDE);
    simt_tensor_map t;

    memcpy(&t, map, sizeof t);
    if (t.magic != SIMT_TENSOR_MAP_MAGIC || t.columns)
        simt_copy_refuse("tensormap.replace of a map that cuTensorMapEncodeTiled has not made", place);
    if (at >= directions || !set(&t, field, at, value))
        simt_copy_refuse("tensormap.replace: a value, or a direction, that a map cannot have", place);
    t.changed = (uint32_t)simt_launch_number;
    memcpy(map, &t, sizeof t);
}

void simt_tensor_acquire(const void *map)
{
    simt_tensor_map t;

    if (!simt_in_range(map) && !simt_variable_at(map))
        return;
    memcpy(&t, map, sizeof t);
    if (t.magic != SIMT_TENSOR_MAP_MAGIC || !t.changed)
        return;
    t.changed = 0;
    memcpy((void *)(uintptr_t)map, &t, sizeof t);
}
