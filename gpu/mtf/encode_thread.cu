// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/thread: one thread encodes one chunk.
//
// Each thread keeps the 256-byte list of its chunk in shared memory and searches it from the front while it shifts
// what it has passed by one: when the symbol is found, everything before it has already moved. A list is a column of
// `list`: consecutive threads stand in consecutive bytes, so that lanes at the same depth touch 8 different banks, not
// one.
// Shared memory: 256 bytes a thread, 8 KiB a warp, and blocks of one warp, so that a short input still spreads over
// the card. No thread reads what another writes: there is nothing to synchronise.
// Cost: a step for each list position passed, in the warp's slowest lane; the depth of the deepest rank bounds it.
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum { THREADS = 32 };

static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x

static __global__ void encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint8_t *rank)
{
    __shared__ uint8_t list[256][THREADS];
    uint64_t first = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) * chunk;
    uint64_t end = first + chunk < n ? first + chunk : n;

    if (first >= n)
        return;
    for (int i = 0; i < 256; i++)
        list[i][threadIdx.x] = (uint8_t)i;
    for (uint64_t i = first; i < end; i++) {
        uint8_t symbol = bytes[i];
        uint8_t moved = symbol;
        int position = 0;

        for (;; position++) {
            uint8_t here = list[position][threadIdx.x];

            list[position][threadIdx.x] = moved;
            if (here == symbol)
                break;
            moved = here;
        }
        rank[i] = (uint8_t)position;
    }
}

static uint64_t chunk_count(uint64_t n, uint64_t chunk)
{
    return chunk == 0 ? n != 0 : n / chunk + (n % chunk != 0);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    if (chunk_count(inputs[SB_MTF_IN].length, parameters[SB_MTF_CHUNK]) > MAX_GRID * THREADS)
        return "more chunks than threads in a grid";
    return nullptr;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_MTF_IN].length;
    uint64_t chunk = parameters[SB_MTF_CHUNK];
    uint64_t chunks = chunk_count(n, chunk);

    (void)workspace;
    if (n == 0)
        return SB_OK;
    if (chunk == 0 || chunk > n)
        chunk = n; // first + chunk must not wrap
    uint64_t blocks = (chunks + THREADS - 1) / THREADS;

    encode<<<(unsigned)blocks, THREADS>>>((const uint8_t *)inputs[SB_MTF_IN].data, n, chunk,
                                          (uint8_t *)outputs[SB_MTF_OUT].data);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_mtf_encode_thread[] = {
    {"mtf.encode", "thread", "a thread a chunk, its list in shared memory", refuses, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
