/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Warp operations: shuffles, votes, match, reduce and __syncwarp; and __activemask.
 *
 * The lanes that call an operation with the same mask form a group. The mask identifies the group, so operations with
 * disjoint masks do not interfere. A lane that arrives stores its operand in the warp and waits. The last lane of the
 * mask computes all results and makes the other lanes ready. As in PTX, only __syncwarp orders memory accesses. Lanes
 * that have exited take no part, and nobody waits for them.
 *
 * A finding `warp-mask` is one of these: the mask does not have the calling lane; two lanes wait for each other with
 * different masks, or with the same mask in different operations; no thread can run, and a lane of the mask waits
 * elsewhere; a lane uses the value of a lane that takes no part (poison.c).
 */
#include "sync.h"

#include "../detect/detect.h"
#include "../memory/memory.h"
#include "../schedule/schedule.h"

#include <stdio.h>
#include <string.h>

static const char *const operation_names[] = {
    [SIMT_SHUFFLE_INDEX] = "__shfl_sync",
    [SIMT_SHUFFLE_UP] = "__shfl_up_sync",
    [SIMT_SHUFFLE_DOWN] = "__shfl_down_sync",
    [SIMT_SHUFFLE_XOR] = "__shfl_xor_sync",
    [SIMT_BALLOT] = "__ballot_sync",
    [SIMT_ANY] = "__any_sync",
    [SIMT_ALL] = "__all_sync",
    [SIMT_MATCH_ANY] = "__match_any_sync",
    [SIMT_MATCH_ALL] = "__match_all_sync",
    [SIMT_REDUCE_ADD] = "__reduce_add_sync",
    [SIMT_REDUCE_MIN] = "__reduce_min_sync",
    [SIMT_REDUCE_MAX] = "__reduce_max_sync",
    [SIMT_REDUCE_MIN_SIGNED] = "__reduce_min_sync",
    [SIMT_REDUCE_MAX_SIGNED] = "__reduce_max_sync",
    [SIMT_REDUCE_AND] = "__reduce_and_sync",
    [SIMT_REDUCE_OR] = "__reduce_or_sync",
    [SIMT_REDUCE_XOR] = "__reduce_xor_sync",
    [SIMT_SYNC] = "__syncwarp",
    [SIMT_LDMATRIX] = "ldmatrix",
    [SIMT_STMATRIX] = "stmatrix",
    [SIMT_MOVMATRIX] = "movmatrix",
    [SIMT_MMA] = "mma",
    [SIMT_FRAGMENT] = "load_matrix_sync or store_matrix_sync",
    [SIMT_WGMMA] = "wgmma",
};

static const char *name_of(unsigned operation)
{
    return operation_names[operation & ~(unsigned)SIMT_WIDE];
}

static uint64_t undefined_value(const warp *w, const group *g, unsigned lane, unsigned from)
{
    simt_undefined_source source = {.operation = name_of(g->operation),
                                    .file = g->file,
                                    .line = g->line,
                                    .mask = g->mask,
                                    .lane = from,
                                    .wide = g->operation & SIMT_WIDE,
                                    .floating = w->argument[lane] & SIMT_FLOATING,
                                    .exited = w->exists >> from & 1};

    return simt_checking ? simt_poison_new(&w->threads[lane], &source) : simt_poison();
}

static void give_all(warp *w, uint32_t mask, uint64_t result)
{
    thread *const threads = w->threads;

    if (mask == UINT32_MAX) { /* nearly always */
        for (unsigned lane = 0; lane < LANES; lane++)
            threads[lane].context.result = result;
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1)
        threads[__builtin_ctz(left)].context.result = result;
}

/* Do all lanes of a whole warp name one lane of it, the most frequent shuffle? */
static bool names_one_lane(const warp *w)
{
    uint32_t differs = 0;

    for (unsigned lane = 0; lane < LANES; lane++)
        differs |= w->argument[lane] ^ w->argument[0];
    return !differs && simt_source_lane(SIMT_SHUFFLE_INDEX, 0, w->argument[0]) ==
                           simt_source_lane(SIMT_SHUFFLE_INDEX, LANES - 1, w->argument[0]);
}

/* CUDA leaves the value undefined if the source lane takes no part. */
static inline __attribute__((always_inline)) void shuffle(warp *w, const group *g, unsigned operation)
{
    if (g->arrived == UINT32_MAX && !simt_poisoned) { /* nearly always */
        thread *const threads = w->threads;

        if (operation == SIMT_SHUFFLE_INDEX && names_one_lane(w)) {
            give_all(w, UINT32_MAX, w->value[simt_source_lane(operation, 0, w->argument[0])]);
            return;
        }
        for (unsigned lane = 0; lane < LANES; lane++)
            threads[lane].context.result = w->value[simt_source_lane(operation, lane, w->argument[lane])];
        return;
    }
    for (uint32_t left = g->arrived; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left), from = simt_source_lane(operation, lane, w->argument[lane]);
        bool defined = g->arrived >> from & 1;

        w->threads[lane].context.result = defined ? w->value[from] : undefined_value(w, g, lane, from);
        if (__builtin_expect(simt_poisoned && defined, 0))
            simt_poison_pass(&w->threads[from], &w->threads[lane], w->value[from]);
    }
}

static uint64_t match_all(const warp *w, uint32_t mask)
{
    for (uint32_t left = mask; left; left &= left - 1)
        if (w->value[__builtin_ctz(left)] != w->value[__builtin_ctz(mask)])
            return 0;
    return mask;
}

static uint32_t combine(unsigned operation, uint32_t a, uint32_t b)
{
    switch (operation) {
    case SIMT_REDUCE_ADD:
        return a + b;
    case SIMT_REDUCE_MIN:
        return a < b ? a : b;
    case SIMT_REDUCE_MAX:
        return a > b ? a : b;
    case SIMT_REDUCE_MIN_SIGNED:
        return (int32_t)a < (int32_t)b ? a : b;
    case SIMT_REDUCE_MAX_SIGNED:
        return (int32_t)a > (int32_t)b ? a : b;
    case SIMT_REDUCE_AND:
        return a & b;
    case SIMT_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint64_t reduce(const warp *w, uint32_t mask, unsigned operation)
{
    uint32_t all = (uint32_t)w->value[__builtin_ctz(mask)];

    for (uint32_t left = mask & (mask - 1); left; left &= left - 1)
        all = combine(operation, all, (uint32_t)w->value[__builtin_ctz(left)]);
    return all;
}

/* Nobody is missing: computes the results. Only __syncwarp orders memory accesses, those of exited lanes included. False: the lanes go
 * on later. */
static bool complete(warp *w, const group *g)
{
    const unsigned operation = g->operation;
    const uint32_t mask = g->arrived;

    if (operation >= SIMT_LDMATRIX && operation < SIMT_WIDE) {
        return simt_matrix_complete(w, g, name_of(operation));
    }
    switch (operation & ~(unsigned)SIMT_WIDE) {
    case SIMT_SHUFFLE_INDEX:
        shuffle(w, g, SIMT_SHUFFLE_INDEX);
        break;
    case SIMT_SHUFFLE_UP:
        shuffle(w, g, SIMT_SHUFFLE_UP);
        break;
    case SIMT_SHUFFLE_DOWN:
        shuffle(w, g, SIMT_SHUFFLE_DOWN);
        break;
    case SIMT_SHUFFLE_XOR:
        shuffle(w, g, SIMT_SHUFFLE_XOR);
        break;
    case SIMT_BALLOT:
        give_all(w, mask, g->votes);
        break;
    case SIMT_ANY:
        give_all(w, mask, g->votes != 0);
        break;
    case SIMT_ALL:
        give_all(w, mask, g->votes == mask);
        break;
    case SIMT_MATCH_ANY:
        simt_match_any(w, mask);
        break;
    case SIMT_MATCH_ALL:
        give_all(w, mask, match_all(w, mask));
        break;
    case SIMT_SYNC:
        if (simt_checking) {
            simt_hb_syncwarp(w, g->mask);
            simt_weak_warp(w, g->mask);
        }
        break;
    default:
        give_all(w, mask, reduce(w, mask, operation));
        break;
    }
    return true;
}

static simt_turn wrong_mask(const char *file, int line, const char *what, unsigned operation, uint32_t mask)
{
    simt_report(WARP_MASK, file, line, NULL, "%s with mask 0x%08x %s", name_of(operation), mask, what);
    return simt_stop_turn(cudaErrorLaunchFailure);
}

/* Two lanes that wait for each other with different masks will never meet. */
static bool conflicts(const warp *w, uint32_t mask, uint32_t bit, uint32_t *other)
{
    for (unsigned i = 0; i < w->groups; i++)
        if (w->group[i].mask != mask && (w->group[i].mask & bit) && (w->group[i].arrived & mask)) {
            *other = w->group[i].mask;
            return true;
        }
    return false;
}

/* `named`: the mask before those lanes were left out that do not exist. */
static group *new_group(warp *w, uint32_t mask, uint32_t named, unsigned operation, const char *file, int line)
{
    group *g = &w->group[w->groups++];

    w->operation = w->groups == 1 ? operation : (unsigned)SIMT_NO_OPERATION;
    w->mask = named;
    *g = (group){.mask = mask, .missing = mask & ~w->exited, .operation = operation, .file = file, .line = line};
    return g;
}

/* Reports the finding for a lane whose group can never be complete. */
static simt_turn hopeless(warp *w, uint32_t bit, unsigned operation, uint32_t mask, const char *file, int line)
{
    uint32_t other = 0;
    char text[128];

    if (!(mask & bit))
        return wrong_mask(file, line, "does not name the calling lane", operation, mask);
    conflicts(w, mask, bit, &other);
    snprintf(text, sizeof text, "while lanes that it names wait for this lane with mask 0x%08x", other);
    return wrong_mask(file, line, text, operation, mask);
}

static simt_turn different(const group *g, unsigned operation, const char *file, int line)
{
    char text[512];

    snprintf(text, sizeof text, "while other lanes of the mask wait in %s%s of %s:%d", name_of(g->operation),
             (g->operation ^ operation) == SIMT_WIDE ? " for another type" : "", g->file, g->line);
    return wrong_mask(file, line, text, operation, g->mask);
}

static simt_turn too_long(const char *file, int line)
{
    simt_report(HANG, file, line, NULL, "%llu warp operations, and no thread has passed a barrier or ended",
                (unsigned long long)m.warp_steps);
    return simt_stop_turn(cudaErrorLaunchTimeout);
}

static void arrive(const machine *own, warp *w, group *g, uint64_t value, uint32_t argument)
{
    const uint32_t lane = own->lane, bit = own->lane_bit;

    w->value[lane] = value;
    w->argument[lane] = argument;
    g->arrived |= bit;
    g->missing ^= bit;
    if (value)
        g->votes |= bit;
}

static void end_group(warp *w, group *g)
{
    const uint32_t lanes = g->arrived;
    const bool go_on = complete(w, g);

    *g = w->group[--w->groups];
    w->operation = SIMT_NO_OPERATION;
    if (go_on)
        simt_wake(w, lanes);
}

static __attribute__((noinline)) simt_turn finish_group(warp *w, group *g, const char *file, int line)
{
    end_group(w, g);
    if (++m.warp_steps > simt_options.hang << 4)
        return too_long(file, line);
    return simt_next();
}

/* The slow path: the first lane of a group, or a warp with several groups. */
static __attribute__((noinline)) simt_turn join_group(unsigned operation, uint32_t named, uint64_t value,
                                                      uint32_t argument, const char *file, int line)
{
    machine *const own = simt_worker;
    warp *w = own->warp;
    uint32_t mask = named & w->exists, bit = own->lane_bit, other;
    unsigned i = 0;
    group *g;

    while (i < w->groups && w->group[i].mask != mask)
        i++;
    if (!(mask & bit) || (w->groups && conflicts(w, mask, bit, &other)))
        return hopeless(w, bit, operation, mask, file, line);
    g = i < w->groups ? &w->group[i] : new_group(w, mask, named, operation, file, line);
    if (g->operation != operation)
        return different(g, operation, file, line);
    arrive(own, w, g, value, argument);
    if (!g->missing)
        return finish_group(w, g, file, line);
    return simt_next_lane(own, w);
}

simt_turn simt_warp(unsigned operation, uint32_t mask, uint64_t value, uint32_t argument, const char *file, int line)
{
    machine *const own = simt_worker;
    warp *w = own->warp;
    group *g = &w->group[0];

    if (w->operation != operation || w->mask != mask || !(mask & own->lane_bit))
        return join_group(operation, mask, value, argument, file, line);
    arrive(own, w, g, value, argument);
    if (!g->missing)
        return finish_group(w, g, file, line);
    return simt_next_lane(own, w);
}

/* A lane exits. A group that waited for it alone goes on without it. */
void simt_lane_exits(warp *w, uint32_t lane_bit)
{
    for (unsigned i = 0; i < w->groups;) {
        group *g = &w->group[i];

        g->missing &= ~lane_bit;
        if (g->missing)
            i++;
        else
            end_group(w, g);
    }
}

/* --- __activemask */

/* CUDA does not promise which lanes are active together, so the seed decides. In some launches a lane is sometimes
 * active alone. Otherwise it waits for the lanes that reach the same call, until all other lanes of the warp wait too
 * or one of them yields at an access. */
simt_turn simt_active_mask(const char *file, int line)
{
    warp *w = m.warp;
    uint32_t lane = m.lane;
    simt_context *self = &w->threads[lane].context;

    if (m.alone && (simt_draw() & m.alone) == 0) {
        self->result = 1u << lane;
        return (simt_turn){self, self};
    }
    w->value[lane] = (uintptr_t)file ^ (uint64_t)line << 48;
    w->gathering |= 1u << lane;
    return simt_next_lane(simt_worker, w);
}

/* --- deadlock */

static const char *state_of(const warp *w, uint32_t bit)
{
    return w->at_barrier & bit ? "waits at a block barrier"
           : w->at_grid & bit  ? "waits for the grid"
                               : "waits elsewhere";
}

bool simt_report_waiting_group(const block *b)
{
    for (unsigned i = 0; i < b->warps; i++) {
        warp *w = &b->warp[i];

        for (unsigned k = 0; k < w->groups; k++) {
            const group *g = &w->group[k];

            simt_current = &w->threads[__builtin_ctz(g->arrived)];
            simt_report(WARP_MASK, g->file, g->line, NULL, "%s with mask 0x%08x waits for lane %d, which %s",
                        name_of(g->operation), g->mask, __builtin_ctz(g->missing),
                        state_of(w, g->missing & -g->missing));
            return true;
        }
    }
    return false;
}
