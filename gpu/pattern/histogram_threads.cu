// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.histogram/threads: each thread counts in bytes of its own; the only atomics are a few at the end.
//
// A block of 128 threads has a byte for each thread and symbol. The four bytes of a word belong to the four warps, and
// word 32*symbol + lane to a lane: whatever the symbols are, the lanes of a warp are in 32 different banks. A byte can
// count the 240 bytes of input that each thread takes and the at most 2 at the ends of the input; after so many, thread
// t adds up the counts of symbols t and t + 128, four in each step, and clears them. At the end it adds its sums to the
// global counts.
// Source: V. Podlozhnyuk, "Histogram calculation in CUDA" (2007), byte counters for each thread.
// Shared memory: 32 KiB.
// Cost: the input is read once; two conflict-free accesses for each byte, a quarter more to add up, the same for any
// input.
#include "histogram_vectors.cuh"

enum {
    THREADS = 128,
    EACH = SYMBOLS / THREADS, // symbols a thread adds up
    BATCH = 3,                // vectors a thread loads at once; not tuned
    DEPTH = 15,               // vectors of a thread between two sums: the largest for which a byte holds the count
    ROUND = DEPTH * THREADS   // vectors of a block between two sums
};

static_assert(THREADS / sb::WARP_LANES == sizeof(uint32_t), "a byte of each word for each warp");
static_assert(DEPTH % BATCH == 0 && DEPTH * sb::VECTOR_BYTES + 2 <= 255,
              "a byte holds the count of a round and of the ends");

// Adds the counts of a round to `sum`, and clears them. In step j lane l reads word (j + l) % 32: no two share a bank.
static __device__ __forceinline__ void add_up(uint32_t *counter, uint64_t sum[EACH])
{
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        uint32_t *row = counter + (k * THREADS + threadIdx.x) * sb::WARP_LANES;
        unsigned counts = 0;

        for (unsigned j = 0; j < sb::WARP_LANES; j++) {
            unsigned at = (j + threadIdx.x) % sb::WARP_LANES;

            counts = __dp4a(row[at], 0x01010101u, counts);
            row[at] = 0;
        }
        sum[k] += counts;
    }
}

static __global__ void __launch_bounds__(THREADS) count(sb::byte_vectors v, unsigned long long *total)
{
    __shared__ uint32_t counter[SYMBOLS * sb::WARP_LANES];
    uint8_t *own = (uint8_t *)counter + sb::lane_index() * sizeof(uint32_t) + sb::warp_index();
    uint64_t sum[EACH] = {};
    auto tally = [own](unsigned symbol) { own[symbol * (sb::WARP_LANES * sizeof(uint32_t))]++; };

    for (unsigned i = threadIdx.x; i < SYMBOLS * sb::WARP_LANES; i += THREADS)
        counter[i] = 0;
    __syncthreads(); // all counts are 0
    if (blockIdx.x == 0)
        v.for_ends(tally);
    uint64_t first = blockIdx.x * (uint64_t)ROUND;
    do {
        for (unsigned k = 0; k < DEPTH; k += BATCH) {
            uint4 vector[BATCH];

#pragma unroll
            for (unsigned b = 0; b < BATCH; b++) {
                uint64_t at = first + (k + b) * THREADS + threadIdx.x;

                if (at < v.vectors)
                    vector[b] = v[at];
            }
#pragma unroll
            for (unsigned b = 0; b < BATCH; b++)
                if (first + (k + b) * THREADS + threadIdx.x < v.vectors)
                    sb::for_bytes(vector[b], tally);
        }
        __syncthreads(); // all of the round is counted
        add_up(counter, sum);
        __syncthreads(); // all counts of the round are cleared
        first += (uint64_t)gridDim.x * ROUND;
    } while (first < v.vectors);
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        if (sum[k] != 0)
            atomicAdd(&total[k * THREADS + threadIdx.x], (unsigned long long)sum[k]);
}

static sb_status launch(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *)
{
    const sb_array &bytes = inputs[SB_HISTOGRAM_BYTES];
    sb::byte_vectors v = sb::cut_at_vectors(bytes.data, bytes.length);
    unsigned long long *total = (unsigned long long *)outputs[SB_HISTOGRAM_COUNT].data;
    uint64_t rounds = sb::divide_up(v.vectors, ROUND);

    if (cudaMemsetAsync(total, 0, SYMBOLS * sizeof *total) != cudaSuccess)
        return SB_FAILED;
    count<<<blocks_for((const void *)count, THREADS, rounds), THREADS>>>(v, total);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

// Bytes of a block between two sums.
static const uint64_t sizes[] = {(uint64_t)ROUND * sb::VECTOR_BYTES, 0};

extern "C" const sb_variant sb_gpu_pattern_histogram_threads[] = {
    {"pattern.histogram", "threads", "one byte counter for each thread and symbol, without bank conflicts", nullptr,
     nullptr, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
