// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: sorts groups of at most 256 equal rotations in shared memory.
//
// A list of small groups is their rotations one after the other, the first of each group with HEAD set. A thread block
// takes a tile of 1280 entries and reads 256 more, so every group that begins in the tile ends in what it has read; the
// group belongs to that block. Each thread finds the new position of a rotation by counting the rotations of its group
// with smaller keys, and those with equal keys before it: a counting rank is stable and needs no exchange except the
// reading of the keys. It costs a group of g rotations g^2 comparisons.
#ifndef GPU_BWT_DISCARDING_SMALL_GROUPS_CUH
#define GPU_BWT_DISCARDING_SMALL_GROUPS_CUH

#include "discarding_marks.cuh"

enum : unsigned {
    // Entries that a thread holds: 6 KiB of shared memory in each of three arrays. The more slots, the smaller
    // the part (256 of 1536) that is read twice; the fewer, the more blocks fit a multiprocessor. Not tuned.
    SMALL_ITEMS = 6,
    SMALL_SLOTS = SMALL_ITEMS * THREADS,
    SMALL_TILE = SMALL_SLOTS - MAX_SMALL,
    SMALL_WORDS = SMALL_SLOTS / WORD_BITS
};

// Calls what(k, slot) for the slots of this thread, the k-th of which it holds in registers.
template <class What> static __device__ __forceinline__ void for_slots(What what)
{
#pragma unroll
    for (unsigned k = 0; k < SMALL_ITEMS; k++)
        what(k, k * THREADS + threadIdx.x);
}

// Sorts the groups of a list by `key`, splits them where keys differ, ranks what has moved to a later group, and writes
// the last bytes of rotations that are now alone. Those that are still equal to others make the list `order_out`, in
// which blocks append their entries in any order. The list has *counter entries, or `known` ones without `counter`.
static __global__ void __launch_bounds__(THREADS)
    sort_small(transform out, uint32_t known, const uint32_t *counter, const uint32_t *order, const uint32_t *key,
               uint32_t *rank, uint32_t *order_out, uint32_t *count_left, uint32_t *count_splits)
{
    __shared__ uint32_t tile[SMALL_SLOTS]; // keys; later, at the first slot of a group that splits, the group's row
    __shared__ uint32_t sorted[SMALL_SLOTS], sorted_key[SMALL_SLOTS];
    __shared__ uint32_t heads[SMALL_WORDS], before[SMALL_WORDS], after[SMALL_WORDS]; // of groups
    __shared__ uint32_t new_heads[SMALL_WORDS], new_before[SMALL_WORDS], new_after[SMALL_WORDS];
    __shared__ uint32_t left[SMALL_WORDS], offset[SMALL_WORDS + 1];
    __shared__ uint32_t first_out, splits;
    uint32_t first = blockIdx.x * (uint32_t)SMALL_TILE, n = counter ? *counter : known;
    unsigned lane = sb::lane_index();
    uint32_t mine[SMALL_ITEMS];

    if (first >= n)
        return; // the whole block
    uint32_t count = n - first < SMALL_SLOTS ? n - first : (uint32_t)SMALL_SLOTS;
    if (threadIdx.x == 0)
        splits = 0;
#pragma unroll
    for (unsigned k = 0; k < SMALL_ITEMS; k++) {
        uint32_t slot = k * THREADS + threadIdx.x;

        mine[k] = slot < count ? order[first + slot] : HEAD; // behind the list groups of one, which stay as they are
        tile[slot] = slot < count ? key[first + slot] : 0;
        unsigned word = __ballot_sync(sb::FULL_MASK, mine[k] & HEAD);
        if (lane == 0)
            heads[slot / WORD_BITS] = word;
    }
    __syncthreads(); // keys and heads are loaded
    find_nearest_marks(heads, (uint32_t)SMALL_WORDS, before, after);
    __syncthreads(); // before[] and after[] are complete
#pragma unroll
    for (unsigned k = 0; k < SMALL_ITEMS; k++) {
        uint32_t slot = k * THREADS + threadIdx.x;
        uint32_t head = last_mark(heads, before, slot), next = next_mark(heads, after, slot);
        uint32_t here = tile[slot], to = slot;

        if (head < SMALL_TILE) { // false for NONE
            to = head;
            for (uint32_t other = head; other < slot; other++)
                to += tile[other] <= here;
            for (uint32_t other = slot + 1; other < next; other++)
                to += tile[other] < here;
        }
        sorted[to] = mine[k] & ~HEAD;
        sorted_key[to] = here;
    }
    __syncthreads(); // the groups are sorted
#pragma unroll
    for (unsigned k = 0; k < SMALL_ITEMS; k++) {
        uint32_t slot = k * THREADS + threadIdx.x;
        bool old = bit_at(heads, slot);
        bool differs = !old && slot > 0 && sorted_key[slot] != sorted_key[slot - 1];
        uint32_t head = last_mark(heads, before, slot);
        bool ours = head < SMALL_TILE;
        unsigned word = __ballot_sync(sb::FULL_MASK, old || (ours && differs));
        unsigned fresh = __ballot_sync(sb::FULL_MASK, ours && differs);

        if (lane == 0) {
            new_heads[slot / WORD_BITS] = word;
            if (fresh)
                atomicAdd(&splits, (unsigned)__popc(fresh));
        }
    }
    __syncthreads(); // the new heads are complete
    find_nearest_marks(new_heads, (uint32_t)SMALL_WORDS, new_before, new_after);
    __syncthreads(); // new_before[] and new_after[] are complete
    // All rotations of a group have had the same rank, its first row, and those that stay in the first part of a group
    // keep it. So no thread writes the rank that is read here.
#pragma unroll
    for (unsigned k = 0; k < SMALL_ITEMS; k++) {
        uint32_t slot = k * THREADS + threadIdx.x;

        if (slot < SMALL_TILE && bit_at(heads, slot) &&
            next_mark(new_heads, new_after, slot) < next_mark(heads, after, slot))
            tile[slot] = rank[sorted[slot]];
    }
    __syncthreads(); // the rows of the groups that split are known
#pragma unroll
    for (unsigned k = 0; k < SMALL_ITEMS; k++) {
        uint32_t slot = k * THREADS + threadIdx.x;
        uint32_t head = last_mark(heads, before, slot);
        bool alive = false;

        if (slot < count && head < SMALL_TILE) {
            uint32_t new_head = last_mark(new_heads, new_before, slot);
            uint32_t i = sorted[slot], smaller = new_head - head;

            alive = next_mark(new_heads, new_after, slot) - new_head > 1;
            mine[k] = i | (new_head == slot ? HEAD : 0);
            if (smaller > 0 || !alive) {
                uint32_t row = tile[head] + smaller;

                if (smaller > 0)
                    rank[i] = row;
                if (!alive)
                    out.write(row, i);
            }
        }
        unsigned word = __ballot_sync(sb::FULL_MASK, alive);
        if (lane == 0)
            left[slot / WORD_BITS] = word;
    }
    __syncthreads(); // the flags are complete
    uint32_t flags = scan_flags(left, SMALL_WORDS, offset);
    if (threadIdx.x == SMALL_WORDS) {
        first_out = flags ? atomicAdd(count_left, flags) : 0;
        if (splits)
            atomicAdd(count_splits, splits);
    }
    __syncthreads(); // the offsets and the block's place in the list are known
#pragma unroll
    for (unsigned k = 0; k < SMALL_ITEMS; k++) {
        uint32_t slot = k * THREADS + threadIdx.x;

        if (bit_at(left, slot))
            order_out[first_out + flag_index(left, offset, slot)] = mine[k];
    }
}

#endif
