// SPDX-License-Identifier: BSD-2-Clause
//
// Rows of gpu/peer/table: a function of ours and a peer's by turns, medians of the calls, the floor, and whether results are equal. Floor: the
// bytes that must move (inputs once, outputs once) at the speed of a copy in the same run.
#ifndef SAMEBITS_GPU_PEER_ROW_CUH
#define SAMEBITS_GPU_PEER_ROW_CUH

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

enum : unsigned { CALLS = 15, WARM = 2, MIN_CALLS = 3 };
static const float MAX_MS = 2000; // of a row, after which it has no more calls than MIN_CALLS

static void good(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "table: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

// Device memory for the length of a row.
template <typename T> class array
{
  public:
    explicit array(uint64_t n) : data(nullptr)
    {
        good(cudaMalloc(&data, n * sizeof(T) + 16), "memory");
    }
    ~array()
    {
        (void)cudaFree(data);
    }
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    T *data;
};

static __device__ uint32_t mixed(uint64_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ull; // splitmix64

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)((x ^ x >> 31) >> 32);
}

static __global__ void mix(uint32_t *items)
{
    const uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

    items[i] = mixed(i);
}

template <typename Call> static float time_of(Call call)
{
    cudaEvent_t begin, end;
    float ms = 0;

    good(cudaEventCreate(&begin), "event");
    good(cudaEventCreate(&end), "event");
    good(cudaEventRecord(begin, 0), "event");
    call();
    good(cudaEventRecord(end, 0), "event");
    good(cudaEventSynchronize(end), "a timed call");
    good(cudaEventElapsedTime(&ms, begin, end), "event");
    good(cudaEventDestroy(begin), "event");
    good(cudaEventDestroy(end), "event");
    return ms;
}

static double bytes_a_ms; // of a copy: read and written
static bool all_same = true;

// The speed of a copy of 2^28 words.
static void time_a_copy()
{
    const uint64_t n = (uint64_t)1 << 28;
    array<uint32_t> from(n), to(n);
    float least = 1e30f;

    mix<<<(unsigned)(n / 256), 256>>>(from.data);
    good(cudaDeviceSynchronize(), "items");
    for (unsigned i = 0; i < CALLS; i++)
        least = std::min(least, time_of([&] {
                             good(cudaMemcpyAsync(to.data, from.data, 4 * n, cudaMemcpyDeviceToDevice, 0), "copy");
                         }));
    bytes_a_ms = 8.0 * n / least;
}

template <typename Ours, typename Theirs, typename Same>
static void row(const char *name, const char *peer, double bytes, Ours ours, Theirs theirs, Same are_same)
{
    std::vector<float> mine, other;
    float all = 0;

    for (unsigned i = 0; i < CALLS + WARM && (all < MAX_MS || i < MIN_CALLS + WARM); i++) {
        const float first = time_of([&] { good(ours(), name); }), second = time_of([&] { good(theirs(), peer); });

        all += first + second;
        if (i >= WARM) {
            mine.push_back(first);
            other.push_back(second);
        }
    }
    std::sort(mine.begin(), mine.end());
    std::sort(other.begin(), other.end());
    const bool equal = are_same();
    const double a = mine[mine.size() / 2], b = other[other.size() / 2], floor = bytes / bytes_a_ms;

    printf("| %s | %.4f | %.4f | %.*f%% | %s %.4f | %.2f |%s\n", name, a, floor, floor < a / 10, 100 * floor / a, peer,
           b, b / a, equal ? "" : " DIFFERENT");
    all_same &= equal;
    fflush(stdout);
}

// CUB's functions are called twice: without memory they say how much they need.
template <typename Call> class cub_call
{
  public:
    explicit cub_call(Call with) : call(with), bytes(0), memory(nullptr)
    {
        good(call(nullptr, bytes), "size");
        good(cudaMalloc(&memory, bytes + 16), "memory");
    }
    ~cub_call()
    {
        (void)cudaFree(memory);
    }
    cub_call(const cub_call &) = delete;
    cub_call &operator=(const cub_call &) = delete;
    cudaError_t operator()() const
    {
        size_t given = bytes;

        return call(memory, given);
    }

  private:
    Call call;
    size_t bytes;
    void *memory;
};

#endif
