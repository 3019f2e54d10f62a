// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/dcs_block: the warps of a block of threads sort one block of text together, by a difference-cover sample
// (dcs_sort.cuh: method and sources).
//
// The warps share one stack of ranges in shared memory, under a spin lock. One lane of a warp takes the lock, and never
// keeps it while it sorts or waits; so the holder always releases it. A warp that waits, for the lock or for a range,
// sleeps and asks again. `outstanding` counts the ranges that are on the stack or being sorted. A warp takes its range
// out of this count only after it has pushed the parts of it, so 0 means that all ranges are sorted. Then every warp
// leaves, and none waits at a barrier for one that sleeps. The lock also orders the rows and keys that a range
// represents: the lanes of the warp that wrote them converge, one of them passes a fence and releases the lock; the
// lane that pops the range has acquired the lock, passes a fence, and its lanes converge. All threads find the root,
// copy the text, load keys and write results; one warp ranks the sorted sample. (compute-sanitizer's racecheck does not
// know locks: it reports the stack.) Shared memory: the cover, 212 bytes, and 12 bytes for each of 64 ranges of each
// warp.
// Workspace: as forward_dcs_warp.cu.
#ifndef SB_DCS_WARPS
#define SB_DCS_WARPS                                                                                                   \
    4 // a block: a text of few blocks gets more warps than with one; more contend for the lock. Not tuned.
#endif
#include "dcs_sort.cuh"

namespace
{

enum : unsigned { WARPS = SB_DCS_WARPS };

struct shared_ranges {
    range at[WARPS * STACK];
    uint32_t count;
    uint32_t outstanding;
    uint32_t locked;

    __device__ void begin(const range &whole)
    {
        at[0] = whole;
        count = outstanding = 1;
        locked = 0;
    }
    __device__ void lock()
    {
        while (atomicCAS_block(&locked, 0u, 1u) != 0)
            __nanosleep(20);
        __threadfence_block(); // acquire: what the last holder wrote is visible
    }
    __device__ void unlock()
    {
        __threadfence_block(); // release: what this warp wrote is visible before the lock is free
        atomicExch_block(&locked, 0u);
    }

    // Waits for a range; false when none will come.
    __device__ bool pop(range *taken)
    {
        bool is_taken = false, more = true;

        if (sb::lane_index() == 0)
            for (unsigned pause = 32;;) {
                lock();
                is_taken = count > 0;
                more = outstanding > 0;
                if (is_taken)
                    *taken = at[--count];
                unlock();
                if (is_taken || !more)
                    break;
                __nanosleep(pause);
                pause = pause < 1024 ? 2 * pause : pause;
            }
        taken->first = __shfl_sync(sb::FULL_MASK, taken->first, 0);
        taken->count = __shfl_sync(sb::FULL_MASK, taken->count, 0);
        taken->depth = __shfl_sync(sb::FULL_MASK, taken->depth, 0);
        __syncwarp(); // what the range's last owner wrote is visible to all lanes
        return __shfl_sync(sb::FULL_MASK, is_taken, 0);
    }
    // False if the stack is full. The lanes have converged since they wrote the range's rows.
    __device__ bool push(const range &more)
    {
        bool fits = false;

        if (sb::lane_index() == 0) {
            lock();
            fits = count < WARPS * STACK;
            if (fits) {
                at[count++] = more;
                outstanding++;
            }
            unlock();
        }
        return __shfl_sync(sb::FULL_MASK, fits, 0);
    }
    __device__ void done()
    {
        if (sb::lane_index() == 0) {
            lock();
            outstanding--;
            unlock();
        }
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_bwt_forward_dcs_block[] = {
    {"bwt.forward", "dcs_block", "difference-cover sort, warps that share a stack of ranges", refuses, workspace_bytes,
     sort_texts<WARPS, shared_ranges>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
