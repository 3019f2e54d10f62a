// SPDX-License-Identifier: BSD-2-Clause
//
// Counts of bytes by shared atomics, privatised per warp; a thread counts equal neighbours itself.
//
// Each warp has 256 counts of its own in shared memory. A thread takes vectors of 16 bytes, a grid apart, and adds to a
// count when the byte changes, so that runs, and an input of one byte value, cost few atomics; what is left of the last
// run is kept for the next vector. In the end thread t adds up the warps' counts of symbol t, and adds the sum to the
// global one.
// Shared memory: 8 KiB. Cost: the input once, an atomic for each run of a thread; equal bytes in the lanes of a warp
// wait for one another.
#ifndef GPU_PATTERN_HISTOGRAM_WARPS_CUH
#define GPU_PATTERN_HISTOGRAM_WARPS_CUH

#include "histogram_vectors.cuh"

enum { TALLY_THREADS = SYMBOLS, TALLY_WARPS = TALLY_THREADS / LANES };

namespace
{

// Equal bytes that are not yet counted.
struct pending {
    unsigned *counter; // of the warp
    unsigned symbol, length;

    __device__ __forceinline__ void add(unsigned next)
    {
        if (next != symbol) {
            flush();
            symbol = next;
        }
        length++;
    }
    __device__ __forceinline__ void flush()
    {
        if (length != 0)
            atomicAdd(&counter[symbol], length);
        length = 0;
    }
};

} // namespace

static __global__ void __launch_bounds__(TALLY_THREADS) count_by_warps(vectors v, unsigned long long *total)
{
    __shared__ unsigned counter[TALLY_WARPS][SYMBOLS];
    uint64_t step = (uint64_t)gridDim.x * TALLY_THREADS;
    pending equal = {counter[threadIdx.x / LANES], 0, 0};
    auto tally = [&equal](unsigned symbol) { equal.add(symbol); };
    unsigned long long sum = 0;

    for (unsigned w = 0; w < TALLY_WARPS; w++)
        counter[w][threadIdx.x] = 0;
    __syncthreads(); // all counts are 0
    if (blockIdx.x == 0)
        tally_ends(v, tally);
    for (uint64_t at = blockIdx.x * (uint64_t)TALLY_THREADS + threadIdx.x; at < v.count; at += step)
        tally_vector(vector_at(v, at), tally);
    equal.flush();
    __syncthreads(); // all is counted
    for (unsigned w = 0; w < TALLY_WARPS; w++)
        sum += counter[w][threadIdx.x];
    if (sum != 0)
        atomicAdd(&total[threadIdx.x], sum);
}

// At most 2^32 - 1 bytes: a warp of the least grid counts them in 32 bits. False: the device failed.
static bool count_bytes(const sb_array &bytes, unsigned long long *total)
{
    vectors v = cut_vectors(bytes);
    uint64_t pieces = v.count / TALLY_THREADS + (v.count % TALLY_THREADS != 0);

    if (cudaMemsetAsync(total, 0, SYMBOLS * sizeof *total) != cudaSuccess)
        return false;
    count_by_warps<<<blocks_for((const void *)count_by_warps, TALLY_THREADS, pieces), TALLY_THREADS>>>(v, total);
    return cudaPeekAtLastError() == cudaSuccess;
}

#endif
