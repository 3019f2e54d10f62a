// SPDX-License-Identifier: BSD-2-Clause
//
// Functions that all threads of a block run together. They scan and reduce a value of each thread, exchange items
// between the striped and the blocked arrangement, and load and store bytes by vectors of 16.
//
//     items of a tile    0  1  2  3  4  5  6  7         4 threads, 2 items each
//     striped            t0 t1 t2 t3 t0 t1 t2 t3        adjacent threads have adjacent items: coalesced access
//     blocked            t0 t0 t1 t1 t2 t2 t3 t3        a thread has adjacent items: sequential work
//
// Blocks are one-dimensional and have whole warps. All threads of the block call, unless a comment says otherwise.
// Storage is shared memory of the caller, and each comment says where the barriers are. Storage may be used for
// something else after the caller's first barrier that follows the call, and must be free of older use before it.
// Operators and types of values: warp.cuh.
//
// Source: scan of warps, then of their sums: S. Sengupta, M. Harris, M. Garland, "Efficient parallel scan algorithms
// for GPUs" (2008). The arrangements are those of CUB (D. Merrill, 2011).
#ifndef SAMEBITS_PRIM_BLOCK_CUH
#define SAMEBITS_PRIM_BLOCK_CUH

#include <samebits/prim/warp.cuh>
#include <samebits/prim/workspace.cuh>

namespace sb
{

// ---- scan and reduce ----

// The values of all threads up to the caller, combined. One barrier, between writing and reading `warp_sums`, which has
// an element for each warp. `identity`: of `op`.
template <typename T, typename Op, unsigned WARPS>
__device__ __forceinline__ T block_inclusive_scan(T value, Op op, T identity, T (&warp_sums)[WARPS])
{
    T before = identity;

    value = warp_inclusive_scan(value, op);
    if (lane_index() == WARP_LANES - 1)
        warp_sums[warp_index()] = value;
    __syncthreads(); // all warps have written their sums
    for (unsigned w = 0; w < warp_index(); w++)
        before = op(before, warp_sums[w]);
    return op(before, value);
}

// The values of all threads before the caller, combined, and in *total those of all. One barrier, as above. How values
// are bracketed depends on the number of threads alone, so sums of floats are reproducible.
template <typename T, typename Op, unsigned WARPS>
__device__ __forceinline__ T block_exclusive_scan(T value, Op op, T identity, T (&warp_sums)[WARPS], T *total)
{
    T all = identity, before = identity;

    value = warp_inclusive_scan(value, op);
    if (lane_index() == WARP_LANES - 1)
        warp_sums[warp_index()] = value;
    T lower = shuffle_up(value, 1);
    __syncthreads(); // all warps have written their sums
    for (unsigned w = 0; w < WARPS; w++) {
        if (w == warp_index())
            before = all;
        all = op(all, warp_sums[w]);
    }
    *total = all;
    return lane_index() == 0 ? before : op(before, lower);
}

// The sum of the values of the threads before the caller. One barrier, as above. An integer needs no second shuffle to
// leave its own value out.
template <typename T, unsigned WARPS> __device__ __forceinline__ T block_exclusive_sum(T value, T (&warp_sums)[WARPS])
{
    return block_inclusive_scan(value, add(), (T)0, warp_sums) - value;
}

// The same, and in *total the sum of all threads.
template <typename T, unsigned WARPS>
__device__ __forceinline__ T block_exclusive_sum(T value, T (&warp_sums)[WARPS], T *total)
{
    T inclusive = warp_inclusive_scan(value, add()), before = 0, all = 0;

    if (lane_index() == WARP_LANES - 1)
        warp_sums[warp_index()] = inclusive;
    __syncthreads(); // all warps have written their sums
    for (unsigned w = 0; w < WARPS; w++) {
        before += w < warp_index() ? warp_sums[w] : 0;
        all += warp_sums[w];
    }
    *total = all;
    return before + inclusive - value;
}

// The values of all threads combined; `op` commutes as well. Every thread gets the result. One barrier, as above.
template <typename T, typename Op, unsigned WARPS>
__device__ __forceinline__ T block_reduce(T value, Op op, T (&warp_results)[WARPS])
{
    value = warp_reduce(value, op);
    if (lane_index() == 0)
        warp_results[warp_index()] = value;
    __syncthreads(); // all warps have written their results
    value = warp_results[0];
    for (unsigned w = 1; w < WARPS; w++)
        value = op(value, warp_results[w]);
    return value;
}

// Replaces each of `count` numbers in global memory by the sum of those before it; *total, unless null, becomes the sum
// of all. One block of WARPS warps; each thread takes EACH adjacent numbers at a time. Two barriers in each round, the
// first of which frees `warp_sums`; the caller's next access to the numbers by other threads needs a barrier.
template <unsigned EACH, unsigned WARPS, typename T>
__device__ __forceinline__ void block_scan_array(T *numbers, uint64_t count, T (&warp_sums)[WARPS], T *total)
{
    const uint64_t tile_size = WARPS * WARP_LANES * EACH;
    T before = 0;

    for (uint64_t tile = 0; tile < count; tile += tile_size) {
        uint64_t first = tile + threadIdx.x * EACH;
        T value[EACH], mine = 0, all;

        for (unsigned i = 0; i < EACH; i++) {
            value[i] = first + i < count ? numbers[first + i] : 0;
            mine += value[i];
        }
        __syncthreads(); // the sums of the round before have been read
        T here = before + block_exclusive_sum(mine, warp_sums, &all);
        for (unsigned i = 0; i < EACH && first + i < count; i++) {
            numbers[first + i] = here;
            here += value[i];
        }
        before += all;
    }
    if (total != nullptr && threadIdx.x == 0)
        *total = before;
}

// ---- arrangements ----

// Thread t gets the items t, THREADS + t, 2 THREADS + t, ... of the tile that begins at `first`, and `fill` after item
// n - 1. No barrier, no storage.
template <unsigned THREADS, unsigned EACH, typename T>
__device__ __forceinline__ void load_striped(const T *items, uint64_t n, uint64_t first, T fill, T (&mine)[EACH])
{
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        uint64_t at = first + i * THREADS + threadIdx.x;

        mine[i] = at < n ? items[at] : fill;
    }
}

// Striped items become blocked ones. One barrier, between writing and reading the buffer. An odd EACH avoids bank
// conflicts: threads then read from different banks.
template <unsigned THREADS, unsigned EACH, typename T>
__device__ __forceinline__ void striped_to_blocked(T (&mine)[EACH], T (&buffer)[THREADS * EACH])
{
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        buffer[i * THREADS + threadIdx.x] = mine[i];
    __syncthreads(); // the tile is in the buffer
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        mine[i] = buffer[threadIdx.x * EACH + i];
}

// Blocked items become striped ones. One barrier, between writing and reading the buffer. The caller need not put a
// barrier between striped_to_blocked and this function on the same buffer: a thread writes only what it has read.
template <unsigned THREADS, unsigned EACH, typename T>
__device__ __forceinline__ void blocked_to_striped(T (&mine)[EACH], T (&buffer)[THREADS * EACH])
{
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        buffer[threadIdx.x * EACH + i] = mine[i];
    __syncthreads(); // the tile is in the buffer
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        mine[i] = buffer[i * THREADS + threadIdx.x];
}

// Stores the tile that begins at `first` from the buffer; nothing is written at or after item n. No barrier: one must
// separate writing the buffer, in any arrangement, from this call. Unlike blocked_to_striped this takes no registers
// for the items.
template <unsigned THREADS, unsigned SIZE, typename T>
__device__ __forceinline__ void store_buffer(const T (&buffer)[SIZE], uint64_t n, uint64_t first, T *items)
{
    static_assert(SIZE % THREADS == 0, "as many items for each thread");

#pragma unroll
    for (unsigned i = 0; i < SIZE / THREADS; i++) {
        uint64_t at = first + i * THREADS + threadIdx.x;

        if (at < n)
            items[at] = buffer[i * THREADS + threadIdx.x];
    }
}

// ---- rows ----

// Calls act(at) for each `at` below `count`, by thread at % THREADS. Four rows of THREADS at a time have no test between
// them, so that the loads of four are in flight at once. No barrier, no storage.
template <unsigned THREADS, typename Act> __device__ __forceinline__ void for_rows(unsigned count, Act act)
{
    const unsigned rows = count / THREADS;
    unsigned row = 0;

    for (; row + 4 <= rows; row += 4)
#pragma unroll
        for (unsigned i = 0; i < 4; i++)
            act((row + i) * THREADS + threadIdx.x);
    for (unsigned at = row * THREADS + threadIdx.x; at < count; at += THREADS)
        act(at);
}

// The same, where `at` stands for item first + at of an array: after a first row that is shorter, the rows begin at multiples
// of 32 items, so that warps access whole sectors of memory.
template <unsigned THREADS, typename Act>
__device__ __forceinline__ void for_aligned_rows(uint64_t first, unsigned count, Act act)
{
    const unsigned past = (unsigned)(first % WARP_LANES), here = THREADS - past; // of the first row

    if (threadIdx.x >= past && threadIdx.x - past < count)
        act(threadIdx.x - past);
    if (count > here)
        for_rows<THREADS>(count - here, [&](unsigned at) { act(here + at); });
}

// item[i] becomes load(i * THREADS + threadIdx.x), or `fill` where that is not below `count`, with as many loads in flight.
template <unsigned THREADS, unsigned EACH, typename T, typename Load>
__device__ __forceinline__ void load_rows(unsigned count, Load load, T fill, T (&item)[EACH])
{
#pragma unroll
    for (unsigned first = 0; first < EACH; first += 4) {
        const unsigned end = first + 4 < EACH ? first + 4 : EACH;

        if (end * THREADS <= count) {
#pragma unroll
            for (unsigned i = first; i < end; i++)
                item[i] = load(i * THREADS + threadIdx.x);
        } else {
#pragma unroll
            for (unsigned i = first; i < end; i++) {
                item[i] = fill;
                if (i * THREADS + threadIdx.x < count)
                    item[i] = load(i * THREADS + threadIdx.x);
            }
        }
    }
}

// ---- vectors of 16 bytes ----
//
// The widest load and store of the device takes 16 bytes at a multiple of 16. Arrays of bytes may begin and end
// anywhere, so a head and a tail of less than 16 bytes remain, which go byte by byte.

enum : unsigned { VECTOR_BYTES = sizeof(uint4) };

// How many bytes the address is past a multiple of 16. Also on the host.
__host__ __device__ __forceinline__ unsigned misalignment(const void *address)
{
    return (unsigned)((uintptr_t)address % VECTOR_BYTES);
}

// Calls take(byte) for the 16 bytes in order. Any thread may call.
template <typename Take> __device__ __forceinline__ void for_bytes(const uint4 &vector, Take take)
{
    const uint32_t word[4] = {vector.x, vector.y, vector.z, vector.w};

#pragma unroll
    for (unsigned i = 0; i < VECTOR_BYTES; i++)
        take(word[i / 4] >> i % 4 * 8 & 255);
}

// An array of bytes: a head, `vectors` aligned vectors, and a tail; head and tail are shorter than a vector.
struct byte_vectors {
    const uint8_t *bytes;
    uint64_t n, vectors;
    unsigned head;

    // Vector i. Any thread may call.
    __device__ __forceinline__ uint4 operator[](uint64_t i) const
    {
        return ((const uint4 *)(bytes + head))[i];
    }

    // Calls take(byte) for each byte of head and tail, by the first 15 threads of a block. All threads of one block
    // call.
    template <typename Take> __device__ __forceinline__ void for_ends(Take take) const
    {
        uint64_t tail = head + vectors * VECTOR_BYTES + threadIdx.x;

        if (threadIdx.x < head)
            take(bytes[threadIdx.x]);
        if (tail < n)
            take(bytes[tail]);
    }
};

// Called by the host.
inline byte_vectors cut_at_vectors(const void *bytes, uint64_t n)
{
    uint64_t head = -(uintptr_t)bytes % VECTOR_BYTES;

    if (head > n)
        head = n;
    return {(const uint8_t *)bytes, n, (n - head) / VECTOR_BYTES, (unsigned)head};
}

// Loads 4 WORDS bytes, a multiple of 16, from an aligned address. Only bytes begin..end-1 exist; the others are not
// read and become 0. Any thread may call.
template <unsigned WORDS>
__device__ __forceinline__ void load_bytes(const uint8_t *from, unsigned begin, unsigned end, uint32_t (&word)[WORDS])
{
    static_assert(WORDS % 4 == 0, "whole vectors");

    if (begin == 0 && end == 4 * WORDS) {
        uint4 vector[WORDS / 4];

#pragma unroll
        for (unsigned i = 0; i < WORDS / 4; i++)
            vector[i] = ((const uint4 *)from)[i];
#pragma unroll
        for (unsigned i = 0; i < WORDS / 4; i++) {
            word[4 * i] = vector[i].x, word[4 * i + 1] = vector[i].y;
            word[4 * i + 2] = vector[i].z, word[4 * i + 3] = vector[i].w;
        }
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < 4 * WORDS; i++) {
        uint32_t byte = i >= begin && i < end ? from[i] : 0;

        word[i / 4] = (i % 4 ? word[i / 4] : 0) | byte << i % 4 * 8;
    }
}

// Stores bytes begin..end-1 of the staged ones, the first of them at `to`, whose misalignment is that of `begin`: so
// the vectors lie alike in shared and in global memory. No barrier: one must precede the call, and another the next
// write to `staged`, unless each thread writes only the vectors threadIdx.x, THREADS + threadIdx.x, ... that it stores
// here.
template <unsigned THREADS>
__device__ __forceinline__ void store_staged(const uint4 *staged, unsigned begin, unsigned end, uint8_t *to)
{
    for (unsigned at = threadIdx.x * VECTOR_BYTES; at < end; at += THREADS * VECTOR_BYTES) {
        if (at >= begin && at + VECTOR_BYTES <= end) {
            *(uint4 *)(to + (at - begin)) = staged[at / VECTOR_BYTES];
            continue;
        }
        for (unsigned i = at < begin ? begin : at; i < end && i < at + VECTOR_BYTES; i++)
            to[i - begin] = ((const uint8_t *)staged)[i];
    }
}

} // namespace sb

#endif
