// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/scalar: one warp encodes one chunk.
//
// The warp keeps the 256-byte list of its chunk in registers: lane l holds the positions 32*row + l, row = 0..7. A
// symbol is compared with a row of 32 positions in one step (a ballot). A row without it moves up by one position as a
// whole: each lane takes its left neighbour's byte, lane 0 takes the byte carried out of the row before (at first the
// symbol itself, which so comes to the front). In the row that has it only the lanes up to it move. When the symbol is
// found, everything before it has already been shifted. Input and output pass 32 bytes at a time, a byte a lane.
// Shared memory: none; lanes exchange through shuffles only, so there is nothing to synchronise. Every branch around a
// shuffle or ballot depends on a value that is equal in all lanes (chunk bounds, the ballot's result), so all 32 lanes
// come to each with the full mask, in the last, short batch of a chunk too.
// Cost: a ballot and two shuffles for every 32 positions passed; the steps of a chunk depend on each other.
// Blocks are four warps: 16 of them fill a multiprocessor, and few chunks still spread over many multiprocessors.
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum { LANES = 32, ROWS = 256 / LANES, WARPS = 4, THREADS = WARPS * LANES };

static const unsigned ALL = 0xffffffffu;
static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x

// Moves `symbol` to the front and gives the position at which it stood.
static __device__ __forceinline__ unsigned move_to_front(unsigned list[ROWS], unsigned symbol)
{
    unsigned lane = threadIdx.x % LANES;
    unsigned carried = symbol;
    unsigned position = 0;

#pragma unroll
    for (unsigned row = 0; row < ROWS; row++) {
        unsigned here = list[row];
        unsigned found = __ballot_sync(ALL, here == symbol);
        unsigned shifted = __shfl_up_sync(ALL, here, 1);
        unsigned last_moved = found ? (unsigned)__ffs((int)found) - 1 : LANES - 1u;

        if (lane == 0)
            shifted = carried;
        if (lane <= last_moved)
            list[row] = shifted;
        if (found) {
            position = row * LANES + last_moved;
            break;
        }
        carried = __shfl_sync(ALL, here, LANES - 1);
    }
    return position;
}

static __global__ void encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint64_t chunks, uint8_t *rank)
{
    uint64_t index = blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES;
    unsigned lane = threadIdx.x % LANES;
    unsigned list[ROWS];

    if (index >= chunks)
        return; // the whole warp
    uint64_t first = index * chunk;
    uint64_t end = n - first < chunk ? n : first + chunk;

#pragma unroll
    for (unsigned row = 0; row < ROWS; row++)
        list[row] = row * LANES + lane;
    for (uint64_t batch = first; batch < end; batch += LANES) {
        unsigned count = end - batch < LANES ? (unsigned)(end - batch) : (unsigned)LANES;
        unsigned mine = lane < count ? bytes[batch + lane] : 0;
        unsigned result = 0;

        for (unsigned i = 0; i < count; i++) {
            unsigned position = move_to_front(list, __shfl_sync(ALL, mine, (int)i));

            if (lane == i)
                result = position;
        }
        if (lane < count)
            rank[batch + lane] = (uint8_t)result;
    }
}

static uint64_t chunk_count(uint64_t n, uint64_t chunk)
{
    return chunk == 0 ? n != 0 : n / chunk + (n % chunk != 0);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    if (chunk_count(inputs[SB_MTF_IN].length, parameters[SB_MTF_CHUNK]) > MAX_GRID * WARPS)
        return "more chunks than warps in a grid";
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
    encode<<<(unsigned)((chunks + WARPS - 1) / WARPS), THREADS>>>(
        (const uint8_t *)inputs[SB_MTF_IN].data, n, chunk ? chunk : n, chunks, (uint8_t *)outputs[SB_MTF_OUT].data);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_mtf_encode_scalar[] = {
    {"mtf.encode", "scalar", "a warp a chunk, 32 list positions compared in one step", refuses, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
