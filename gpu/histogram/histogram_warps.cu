// SPDX-License-Identifier: BSD-2-Clause
//
// histogram/warps: shared atomics, privatised per warp; a thread counts equal neighbours itself.
//
// Each warp has 256 counts of its own in shared memory. A thread takes vectors of 16 bytes, a grid apart, and adds to a
// count when the byte changes, so that runs, and an input of one byte value, cost few atomics; what is left of the last
// run is kept for the next vector. In the end thread t adds up the warps' counts of symbol t, and adds the sum to the
// global one.
// Shared memory: 8 KiB. Cost: the input once, an atomic for each run of a thread; equal bytes in the lanes of a warp
// wait for one another.
#include "vectors.cuh"

enum { THREADS = SYMBOLS, WARPS = THREADS / LANES };

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

static __global__ void __launch_bounds__(THREADS) count(vectors v, unsigned long long *total)
{
    __shared__ unsigned counter[WARPS][SYMBOLS];
    uint64_t step = (uint64_t)gridDim.x * THREADS;
    pending equal = {counter[threadIdx.x / LANES], 0, 0};
    auto tally = [&equal](unsigned symbol) { equal.add(symbol); };
    unsigned long long sum = 0;

    for (unsigned w = 0; w < WARPS; w++)
        counter[w][threadIdx.x] = 0;
    __syncthreads(); // all counts are 0
    if (blockIdx.x == 0)
        tally_ends(v, tally);
    for (uint64_t at = blockIdx.x * (uint64_t)THREADS + threadIdx.x; at < v.count; at += step)
        tally_vector(vector_at(v, at), tally);
    equal.flush();
    __syncthreads(); // all is counted
    for (unsigned w = 0; w < WARPS; w++)
        sum += counter[w][threadIdx.x];
    if (sum != 0)
        atomicAdd(&total[threadIdx.x], sum);
}

// A warp of the least grid counts them in 32 bits.
static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    return inputs[SB_HISTOGRAM_BYTES].length > 0xffffffffu ? "more than 2^32 - 1 bytes" : nullptr;
}

static sb_status launch(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *)
{
    vectors v = cut_vectors(inputs[SB_HISTOGRAM_BYTES]);
    unsigned long long *total = (unsigned long long *)outputs[SB_HISTOGRAM_COUNT].data;
    uint64_t pieces = v.count / THREADS + (v.count % THREADS != 0);

    if (cudaMemsetAsync(total, 0, SYMBOLS * sizeof *total) != cudaSuccess)
        return SB_FAILED;
    count<<<blocks_for((const void *)count, THREADS, pieces), THREADS>>>(v, total);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_histogram_histogram_warps[] = {
    {"histogram", "warps", "shared atomics of a warp, one for each run of a thread", refuses, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
