// SPDX-License-Identifier: BSD-2-Clause
//
// qlfc.decode/permutation_scan: one long buffer by many threads, by composing the permutations of tiles.
//
// A run's symbol is the front of the list, and then moves back to its rank: whatever the list holds, a tile of ranks
// permutes it. From `order`, permutations.cuh gives the symbols of all runs, and the list at the end. What is invalid
// shows in no tile alone, so everything is computed, by steps that stay in bounds whatever the ranks are, and is judged
// at the end.
//   check_order  one block, one thread for each symbol: is it there twice? Makes the first list
//   check_runs   a block for each 1024 runs, four adjacent ones for each thread: ranks and lengths on their own, and
//                the bytes of the tile
//   find_starts  the same tiles: where each run starts (sums.cuh)
//   latest       the same tiles: the last run of each symbol, by atomicMax, first in shared memory
//   check_end    one block, one thread for each symbol: the list at the end has the symbols by their last runs, the
//                latest first
//   expand       a thread for each 16 bytes: finds its run by binary search, and continues from there
// Source: permutations as a scan of an associative operator (G. E. Blelloch, "Prefix sums and their applications",
// 1990).
// Shared memory: 1 KiB for each block in check_order and latest, the sums of warps in check_runs and find_starts, and
// that of permutations.cuh, whose `trace` bounds the speed; for long runs `expand` does. Workspace: 5.3 bytes for each
// run, and 1.5 KiB.
#include "../mtf/permutations.cuh"
#include "sums.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    SYMBOLS = 256,
    EXPANDED = sb::VECTOR_BYTES // bytes that a thread of `expand` writes: a store
};

static const uint64_t MAX_BYTES = 0xffffffffu; // and so runs: starts have 32 bits

namespace
{

// In device memory; all 0 to begin with, except `total`.
struct verdict {
    uint64_t total; // bytes
    uint32_t invalid;
    uint32_t latest[SYMBOLS]; // the last run of each symbol, counted from 1
};

struct code {
    const uint8_t *rank;
    const uint32_t *length;
    const uint8_t *order;
    uint64_t runs, symbols;
};

struct parts {
    permutation *permutations, *first, *last;
    uint64_t *sums;
    verdict *judged;
    uint32_t *start;
    uint8_t *symbol;
};

// A step of permutations.cuh: the front of the list moves back to `rank`.
struct move_back {
    static __device__ __forceinline__ unsigned move(uint64_t &top, uint64_t *rest, unsigned rank)
    {
        unsigned last = rank / 8, shift = rank % 8 * 8;
        unsigned symbol = (unsigned)top & 255;
        uint64_t word = top;

        for (unsigned k = 0; k < last; k++) {
            uint64_t next = rest[(k + 1) * PITCH];
            uint64_t moved = word >> 8 | next << 56;

            if (k == 0)
                top = moved;
            else
                rest[k * PITCH] = moved;
            word = next;
        }
        uint64_t above = ~(uint64_t)255 << shift; // the entries of this word that stay
        word = (word & above) | (word & ~above) >> 8 | (uint64_t)symbol << shift;
        if (last == 0)
            top = word;
        else
            rest[last * PITCH] = word;
        return symbol;
    }
};

} // namespace

static __global__ void check_order(code c, permutation *first, verdict *judged)
{
    __shared__ unsigned met[SYMBOLS];
    unsigned i = threadIdx.x;
    uint8_t symbol = i < c.symbols ? c.order[i] : 0;

    met[i] = 0;
    __syncthreads(); // no symbol has been met
    if (i < c.symbols && atomicAdd(&met[symbol], 1u) != 0)
        atomicOr(&judged->invalid, 1u);
    ((uint8_t *)first->word)[i] = symbol;
}

static __device__ __forceinline__ uint64_t length_of(const code &c, uint64_t first)
{
    uint64_t sum = 0;

    for (unsigned k = 0; k < SUM_EACH; k++)
        sum += first + k < c.runs ? c.length[first + k] : 0;
    return sum;
}

static __device__ __forceinline__ uint64_t first_of(void)
{
    return blockIdx.x * (uint64_t)SUM_TILE + threadIdx.x * SUM_EACH;
}

static __global__ void check_runs(code c, uint64_t *sums, verdict *judged)
{
    uint64_t first = first_of(), total;
    bool bad = false;

    for (uint64_t run = first; run < c.runs && run < first + SUM_EACH; run++)
        bad = bad || c.length[run] == 0 || c.rank[run] >= c.symbols || (c.rank[run] == 0) != (run + 1 == c.runs);
    if (bad)
        atomicOr(&judged->invalid, 1u);
    sum_before(length_of(c, first), &total);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

static __global__ void find_starts(code c, const uint64_t *sums, uint32_t *start)
{
    uint64_t first = first_of(), total;
    uint64_t at = sums[blockIdx.x] + sum_before(length_of(c, first), &total);

    for (uint64_t run = first; run < c.runs && run < first + SUM_EACH; run++) {
        start[run] = (uint32_t)at;
        at += c.length[run];
    }
}

static __global__ void latest(const uint8_t *symbol, uint64_t runs, verdict *judged)
{
    __shared__ uint32_t here[SYMBOLS];

    here[threadIdx.x] = 0;
    __syncthreads(); // no symbol has been met
    for (unsigned i = threadIdx.x; i < SUM_TILE; i += SYMBOLS) {
        uint64_t run = blockIdx.x * (uint64_t)SUM_TILE + i;

        if (run < runs)
            atomicMax(&here[symbol[run]], (uint32_t)run + 1);
    }
    __syncthreads(); // the symbols of all runs of the tile have been met
    if (here[threadIdx.x] != 0)
        atomicMax(&judged->latest[threadIdx.x], here[threadIdx.x]);
}

static __global__ void check_end(const permutation *last, uint64_t symbols, verdict *judged)
{
    const uint8_t *symbol = (const uint8_t *)last->word;
    unsigned i = threadIdx.x;

    if (i < symbols &&
        (judged->latest[symbol[i]] == 0 || (i > 0 && judged->latest[symbol[i - 1]] < judged->latest[symbol[i]])))
        atomicOr(&judged->invalid, 1u);
}

// The run that covers byte `at`: the last one that does not start after it. start[0] is 0.
static __device__ __forceinline__ uint64_t run_at(const uint32_t *start, uint64_t runs, uint64_t at)
{
    uint64_t first = 0, end = runs;

    while (end - first > 1) {
        uint64_t middle = first + (end - first) / 2;

        if (start[middle] <= at)
            first = middle;
        else
            end = middle;
    }
    return first;
}

static __global__ void expand(const uint32_t *start, const uint8_t *symbol, uint64_t runs, uint8_t *bytes, uint64_t n)
{
    uint64_t first = (blockIdx.x * (uint64_t)SUM_THREADS + threadIdx.x) * EXPANDED;
    uint32_t words[EXPANDED / 4];

    if (first >= n)
        return;
    uint64_t run = run_at(start, runs, first);
    uint64_t next = run + 1 < runs ? start[run + 1] : n;
    uint8_t here = symbol[run];

#pragma unroll
    for (unsigned i = 0; i < EXPANDED; i++) {
        if (first + i >= next && run + 1 < runs) {
            run++;
            here = symbol[run];
            next = run + 1 < runs ? start[run + 1] : n;
        }
        words[i / 4] = (i % 4 ? words[i / 4] : 0) | (uint32_t)here << i % 4 * 8;
    }
    if (n - first >= EXPANDED && sb::misalignment(bytes + first) == 0) {
        *(uint4 *)(bytes + first) = make_uint4(words[0], words[1], words[2], words[3]);
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < EXPANDED; i++)
        if (first + i < n)
            bytes[first + i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
}

static tiles tiles_of(const uint8_t *rank, uint8_t *symbol, uint64_t runs)
{
    return cut_tiles(rank, symbol, runs, 0);
}

// Sets the pointers into the workspace, and returns its bytes.
static uint64_t lay_out(uint64_t runs, void *workspace, parts *p)
{
    sb::workspace space(workspace);

    p->permutations =
        (permutation *)space.take<char>(permutations_bytes(tiles_of(nullptr, nullptr, runs)), alignof(permutation));
    p->first = space.take<permutation>(1);
    p->last = space.take<permutation>(1);
    p->sums = space.take<uint64_t>(sum_tiles(runs));
    p->judged = space.take<verdict>(1);
    p->start = space.take<uint32_t>(runs);
    p->symbol = space.take<uint8_t>(runs);
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    uint64_t runs = inputs[SB_QLFC_RANK].length;
    parts p = {};

    return runs == 0 || runs > MAX_BYTES ? 0 : lay_out(runs, nullptr, &p);
}

static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    return inputs[SB_QLFC_RANK].length != inputs[SB_QLFC_LENGTH].length ? "as many ranks as lengths" : nullptr;
}

// n: the capacity for bytes. The lengths of the runs may sum up to anything; nothing is written past the capacity.
static void decode(const code &c, const parts &p, uint8_t *bytes, uint64_t n)
{
    unsigned blocks = (unsigned)sum_tiles(c.runs);

    cudaMemsetAsync(p.judged, 0, sizeof *p.judged);
    check_order<<<1, SYMBOLS>>>(c, p.first, p.judged);
    check_runs<<<blocks, SUM_THREADS>>>(c, p.sums, p.judged);
    scan_sums<<<1, SUM_THREADS>>>(p.sums, blocks, &p.judged->total);
    find_starts<<<blocks, SUM_THREADS>>>(c, p.sums, p.start);
    decode_tiles<move_back>(tiles_of(c.rank, p.symbol, c.runs), p.permutations, p.first, p.last);
    latest<<<blocks, SYMBOLS>>>(p.symbol, c.runs, p.judged);
    check_end<<<1, SYMBOLS>>>(p.last, c.symbols, p.judged);
    if (n != 0)
        expand<<<(unsigned)sb::divide_up(sb::divide_up(n, EXPANDED), SUM_THREADS), SUM_THREADS>>>(p.start, p.symbol,
                                                                                                  c.runs, bytes, n);
}

static sb_status launch(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    code c = {(const uint8_t *)inputs[SB_QLFC_RANK].data, (const uint32_t *)inputs[SB_QLFC_LENGTH].data,
              (const uint8_t *)inputs[SB_QLFC_ORDER].data, inputs[SB_QLFC_RANK].length, inputs[SB_QLFC_ORDER].length};
    sb_array *out = &outputs[SB_QLFC_BYTES];
    parts p = {};
    verdict judged;

    if (c.symbols > SYMBOLS || c.runs > MAX_BYTES || out->capacity > MAX_BYTES || (c.runs == 0) != (c.symbols == 0))
        return SB_INVALID;
    if (c.runs == 0)
        return SB_OK;
    lay_out(c.runs, workspace, &p);
    decode(c, p, (uint8_t *)out->data, out->capacity);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&judged, p.judged, sizeof judged, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    out->length = judged.total;
    return judged.invalid || judged.total > out->capacity ? SB_INVALID : SB_OK;
}

static const uint64_t sizes[] = {TILE, uint64_t{TILE} * FAN, 0};

extern "C" const sb_variant sb_gpu_qlfc_decode_permutation_scan[] = {
    {"qlfc.decode", "permutation_scan", "tiles of runs, each from a list composed by a scan", refuses, workspace_bytes,
     launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
