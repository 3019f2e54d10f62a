/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Barriers of a block and of a cooperative grid. A thread that waits is removed from its warp's ready lanes. The last
 * thread to arrive does the work for all: it stores each thread's result and makes all of them ready again. The
 * schedule draws which of them runs first.
 *
 * A block barrier completes when every thread of the block that has not exited has arrived. Threads that arrive at
 * different places of the source, or at different kinds of barrier, are a finding `barrier`, even if all of them arrive
 * somewhere. The place is file, line and column of the call, and not its address in the code: the compiler copies a
 * barrier when it inlines, unrolls or specialises a branch, and the threads of a correct program may wait at different
 * copies. So two calls of one inlined function that has a barrier count as one barrier.
 */
#include "sync.h"

#include "../detect/detect.h"
#include "../report/report.h"
#include "../schedule/schedule.h"

#include <string.h>

static bool same_file(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void release_barrier(block *b)
{
    unsigned all = b->arrived;
    uint64_t result = b->operation == SIMT_BARRIER_COUNT ? b->count
                      : b->operation == SIMT_BARRIER_AND ? b->count == all
                                                         : b->count != 0;

    if (simt_checking) {
        simt_hb_barrier(b);
        simt_weak_barrier(b);
    }
    for (unsigned i = 0; i < b->warps; i++) {
        warp *w = &b->warp[i];

        if (!w->at_barrier)
            continue;
        for (uint32_t left = b->operation == SIMT_BARRIER ? 0 : w->at_barrier; left; left &= left - 1)
            w->threads[__builtin_ctz(left)].context.result = result;
        simt_wake(w, w->at_barrier);
        w->at_barrier = 0;
    }
    b->arrived = 0;
    m.polls = m.steps = m.warp_steps = 0;
}

void simt_barrier_after_exit(block *b)
{
    release_barrier(b);
}

static simt_turn diverged(const block *b, simt_barrier_operation operation, const char *file, uint64_t line)
{
    static const char *const names[] = {"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                                        "__syncthreads_or"};
    bool same_line = (uint32_t)b->line == (uint32_t)line && same_file(b->file, file);

    simt_report(BARRIER, file, (int)line, NULL, "waits at %s while %u thread%s of the block wait%s at %s of %s:%u%s",
                names[operation], b->arrived, b->arrived == 1 ? "" : "s", b->arrived == 1 ? "s" : "",
                names[b->operation], b->file, (unsigned)b->line, same_line ? ", another call of the same line" : "");
    return simt_stop_turn(cudaErrorLaunchFailure);
}

static __attribute__((noinline)) simt_turn last_arrives(warp *w, block *b, uint32_t lane)
{
    simt_block_lane(w, 1u << lane);
    release_barrier(b);
    return simt_next();
}

static inline __attribute__((always_inline)) simt_turn arrive_at_barrier(block *b, int predicate)
{
    warp *w = m.warp;
    uint32_t lane = m.lane;

    b->count += predicate != 0;
    w->at_barrier |= m.lane_bit;
    if (__builtin_expect(++b->arrived == b->live, 0))
        return last_arrives(w, b, lane);
    return simt_next_lane(simt_worker, w);
}

/* The place differs from the first thread's: divergence, unless only the pointer to the file's name differs. */
static __attribute__((noinline)) simt_turn arrive_elsewhere(simt_barrier_operation operation, int predicate,
                                                            const char *file, uint64_t line)
{
    block *b = m.block;

    if (b->operation != operation || b->line != line || !same_file(b->file, file))
        return diverged(b, operation, file, line);
    return arrive_at_barrier(b, predicate);
}

simt_turn simt_barrier(simt_barrier_operation operation, int predicate, const char *file, uint64_t line)
{
    block *b = m.block;

    if (b->arrived == 0) {
        b->operation = operation;
        b->file = file;
        b->line = line;
        b->count = 0;
    } else if (b->operation != operation || b->line != line || b->file != file) {
        return arrive_elsewhere(operation, predicate, file, line);
    }
    return arrive_at_barrier(b, predicate);
}

/* --- the barrier of a grid */

/* Thread 0 of each block calls this between two block barriers. The blocks synchronise their memory through the address
 * of m.grid_arrived, as with a fence and an atomic. */
simt_turn simt_grid_wait(const char *file, int line)
{
    warp *w = m.warp;

    if (!m.request->cooperative) {
        simt_report(API, file, line, NULL, "a grid barrier in a launch that is not cooperative");
        return simt_stop_turn(cudaErrorLaunchFailure);
    }
    if (simt_checking) {
        simt_fence(SIMT_DEVICE);
        simt_hb_atomic(&m.grid_arrived, true, true, SIMT_DEVICE);
    }
    m.grid_file = file;
    m.grid_line = line;
    simt_block_lane(w, 1u << m.lane);
    w->at_grid |= 1u << m.lane;
    if (++m.grid_arrived == m.blocks) {
        m.grid_arrived = 0;
        m.polls = m.steps = m.warp_steps = 0;
        for (unsigned i = 0; i < m.resident; i++)
            for (unsigned k = 0; k < m.slots[i].warps; k++) {
                warp *other = &m.slots[i].warp[k];

                if (other->at_grid)
                    simt_wake(other, other->at_grid);
                other->at_grid = 0;
            }
    }
    return simt_next();
}

void simt_grid_pass(void)
{
    if (!simt_checking)
        return;
    simt_hb_atomic(&m.grid_arrived, true, false, SIMT_DEVICE);
    simt_fence(SIMT_DEVICE);
}

int simt_grid_is_cooperative(void)
{
    return m.request && m.request->cooperative;
}
