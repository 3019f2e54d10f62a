// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/dcs_block: the warps of a block of threads sort one block of text together, by a difference cover
// (cover_sort.cuh).
//
// They share one stack of ranges in shared memory, under a lock that one lane of a warp takes and that is never kept
// while anything is sorted or waited for: so whoever has it gives it back, and a warp that waits, for the lock or for a
// range, sleeps and asks again. `outstanding` counts the ranges that stand on the stack or are being sorted. A warp
// takes its own off only after it has put what it made of it, so 0 means that all are done; then every warp leaves, and
// nobody waits at a barrier for one that sleeps. What a warp has written of rows and keys it publishes with the lock:
// its lanes meet, then one passes a fence and frees the lock; who takes the range has taken the lock, passes a fence,
// and its lanes meet. The roots, copies, keys and results of a block of text are worked out by all threads; the ranks
// of a sorted sample by one warp. (compute-sanitizer's racecheck knows no locks: it reports the stack.)
#ifndef SB_DCS_WARPS
#define SB_DCS_WARPS 4
#endif
#include "cover_sort.cuh"

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
        __threadfence_block(); // what was written before it was freed is there
    }
    __device__ void unlock()
    {
        __threadfence_block(); // what was written is there when it is free
        atomicExch_block(&locked, 0u);
    }

    // Waits until there is a range, or none will come.
    __device__ bool take(range *taken)
    {
        bool is_taken = false, more = true;

        if (lane_index() == 0)
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
        taken->first = __shfl_sync(ALL, taken->first, 0);
        taken->count = __shfl_sync(ALL, taken->count, 0);
        taken->depth = __shfl_sync(ALL, taken->depth, 0);
        __syncwarp(); // what the range's last owner wrote is there for all lanes
        return __shfl_sync(ALL, is_taken, 0);
    }
    // The lanes have met since they wrote its rows. False: there is no room.
    __device__ bool put(const range &more)
    {
        bool has_room = false;

        if (lane_index() == 0) {
            lock();
            has_room = count < WARPS * STACK;
            if (has_room) {
                at[count++] = more;
                outstanding++;
            }
            unlock();
        }
        return __shfl_sync(ALL, has_room, 0);
    }
    __device__ void done()
    {
        if (lane_index() == 0) {
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
