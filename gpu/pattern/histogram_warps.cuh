// SPDX-License-Identifier: BSD-2-Clause
//
// Counts bytes by atomics in shared memory, with counts of its own for each warp; a thread combines adjacent equal
// bytes.
//
// A thread takes vectors of 16 bytes, a grid apart, and adds to a count when the byte changes, so that runs, and an
// input of one byte value, cost few atomics; what is left of the last run is kept for the next vector. At the end
// thread t adds up the warps' counts of symbol t, and adds the sum to the global one.
// Source: privatised histograms; V. Podlozhnyuk, "Histogram calculation in CUDA" (2007).
// Shared memory: 8 KiB. Cost: the input is read once, and each run of a thread costs an atomic; equal bytes in the
// lanes of a warp wait for one another.
#ifndef GPU_PATTERN_HISTOGRAM_WARPS_CUH
#define GPU_PATTERN_HISTOGRAM_WARPS_CUH

#include "histogram_vectors.cuh"

enum { TALLY_THREADS = SYMBOLS, TALLY_WARPS = TALLY_THREADS / sb::WARP_LANES }; // a thread for each symbol

namespace
{

// A run of equal bytes that are not yet counted.
struct pending {
    unsigned *counter; // the warp's
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

static __global__ void __launch_bounds__(TALLY_THREADS) count_by_warps(sb::byte_vectors v, unsigned long long *total)
{
    __shared__ unsigned counter[TALLY_WARPS][SYMBOLS];
    uint64_t step = (uint64_t)gridDim.x * TALLY_THREADS;
    pending equal = {counter[sb::warp_index()], 0, 0};
    auto tally = [&equal](unsigned symbol) { equal.add(symbol); };
    unsigned long long sum = 0;

    for (unsigned w = 0; w < TALLY_WARPS; w++)
        counter[w][threadIdx.x] = 0;
    __syncthreads(); // all counts are 0
    if (blockIdx.x == 0)
        v.for_ends(tally);
    for (uint64_t at = blockIdx.x * (uint64_t)TALLY_THREADS + threadIdx.x; at < v.vectors; at += step)
        sb::for_bytes(v[at], tally);
    equal.flush();
    __syncthreads(); // all is counted
    for (unsigned w = 0; w < TALLY_WARPS; w++)
        sum += counter[w][threadIdx.x];
    if (sum != 0)
        atomicAdd(&total[threadIdx.x], sum);
}

// At most 2^32 - 1 bytes: then even the only warp of a grid counts them in 32 bits. Returns false if the device failed.
static bool count_bytes(const sb_array &bytes, unsigned long long *total)
{
    sb::byte_vectors v = sb::cut_at_vectors(bytes.data, bytes.length);
    uint64_t pieces = sb::divide_up(v.vectors, TALLY_THREADS);

    if (cudaMemsetAsync(total, 0, SYMBOLS * sizeof *total) != cudaSuccess)
        return false;
    count_by_warps<<<blocks_for((const void *)count_by_warps, TALLY_THREADS, pieces), TALLY_THREADS>>>(v, total);
    return cudaPeekAtLastError() == cudaSuccess;
}

#endif
