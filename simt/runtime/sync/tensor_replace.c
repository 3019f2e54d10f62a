/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tensormap.replace: kernels change a tensor map, one field at a time. A value that cuTensorMapEncodeTiled would refuse is a finding `api`,
 * as is a map that it did not make; both end the launch. Values of directions that the map has not may be set: CUTLASS sets all five.
 *
 * Order, in the checking build. Tensor copies read a map by the proxy of tensor maps. Between a change of the running launch and a copy
 * there must be a release (fence.proxy.tensormap::generic.release, or tensormap.cp_fenceproxy) and an acquire of the map's address, each
 * of which happens before the next; the threads may be others each time (PTX: the fences are on the path of causality). A map has the
 * number of its change in it, which a copy of the map keeps. Scopes are not looked at. What does not fit into the tables orders everything.
 */
#include "../../include/simt_tensor_copy.h"
#include "../core/machine.h"
#include "../detect/happens_before.h"
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

enum {
    CHANGES =
        256, /* maps that are changed at a time: a grouped product has two or three for each resident block. Not tuned */
    ACQUIRES = 4096 /* pairs of map and thread: all lanes of a warp may acquire. Not tuned */
};

/* Where in the order of the threads something happened; 0: it did not. */
static struct change {
    uint32_t number;
    simt_cell changed, released;
    bool acquired;
} changes[CHANGES];

static struct acquire {
    const void *map;
    uint32_t launch, change;
    simt_cell moment;
} acquires[ACQUIRES];

static uint32_t last_change, lost_in; /* the launch in which an acquire had no place */

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

static bool looks_for_order(void)
{
    return simt_checking && simt_cells;
}

static struct change *change_of(const simt_tensor_map *t)
{
    struct change *c = &changes[t->change % CHANGES];

    return t->magic == SIMT_TENSOR_MAP_MAGIC && t->changed == (uint32_t)simt_launch_number && t->change &&
                   c->number == t->change
               ? c
               : NULL;
}

/* Fields that a thread sets one after the other are one change. */
static void note_change(simt_tensor_map *t)
{
    struct change *c = change_of(t);

    if (!c || c->released || c->acquired) {
        t->change = ++last_change ? last_change : ++last_change;
        c = &changes[t->change % CHANGES];
        *c = (struct change){.number = t->change};
    }
    c->changed = simt_current->epoch;
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
    if (looks_for_order())
        note_change(&t);
    t.changed = (uint32_t)simt_launch_number;
    memcpy(map, &t, sizeof t);
}

/* By each lane, before the lanes meet: so all of them know it. */
void simt_tensor_publish(const void *map)
{
    struct change *c;
    simt_tensor_map t;

    memcpy(&t, map, sizeof t);
    if (looks_for_order() && (c = change_of(&t)) != NULL)
        c->released = simt_hb_until_now();
}

void simt_tensor_release(void)
{
    simt_cell moment = 0;

    for (struct change *c = changes; looks_for_order() && last_change && c < changes + CHANGES; c++)
        if (c->number && !c->released && simt_hb_knows(c->changed))
            c->released = moment ? moment : (moment = simt_hb_until_now());
}

/* A map may stand at several places of the table; a thread finds its own at once. */
static struct acquire *acquire_of(const void *map)
{
    const uint64_t number = (uint64_t)(simt_current - m.threads);

    return &acquires[simt_mix((uintptr_t)map ^ number << 48) % ACQUIRES];
}

void simt_tensor_acquire(const void *map)
{
    const void *place = __builtin_return_address(0);
    struct acquire *a = acquire_of(map);
    struct change *c;
    simt_tensor_map t;

    if (!looks_for_order() || (!simt_in_range(map) && !simt_variable_at(map)))
        return;
    memcpy(&t, map, sizeof t);
    c = change_of(&t);
    if (!c)
        return;
    if (!c->released || !simt_hb_knows(c->released))
        simt_report(
            RACE, NULL, 0, place,
            "an acquire of a tensor map that this launch has changed: no fence.proxy.tensormap::generic.release "
            "orders the tensormap.replace before");
    if (a->launch == t.changed && a->map != map)
        lost_in = t.changed;
    c->acquired = true;
    *a = (struct acquire){map, t.changed, t.change, simt_hb_until_now()};
}

bool simt_tensor_is_acquired(const simt_tensor_map *map)
{
    const struct acquire *own = acquire_of(map);

    if (!looks_for_order() || !change_of(map) || lost_in == map->changed ||
        (own->map == map && own->change == map->change))
        return true;
    for (const struct acquire *a = acquires; a < acquires + ACQUIRES; a++)
        if (a->map == map && a->launch == map->changed && a->change == map->change && simt_hb_knows(a->moment))
            return true;
    return false;
}
