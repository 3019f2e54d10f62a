// SPDX-License-Identifier: BSD-2-Clause
//
// Difference-cover sort of blocks of text, shared by forward_dcs_warp.cu and forward_dcs_block.cu. cpu/bwt has the
// serial model. Two rotations that agree in their first PERIOD bytes are compared by a sample whose order is known: for
// any two rotations some step below PERIOD leads both into the sample, and what they pass on the way is equal.
//
// A block of threads, one warp or more, sorts a block of text:
//   1. dcs_text.cuh    reduces it to a primitive root, from its least rotation on
//   2. dcs_sample.cuh  sorts and ranks the sample
//   3. all rows        are sorted by their first PERIOD bytes, then by the ranks of the sample:
//        dcs_quicksort.cuh   ranges above 1024 rows are split in three, and the parts go to a stack of ranges
//        dcs_merge_sort.cuh  smaller ranges are sorted by a sorting network
// A range is `count` rows that agree in `depth` bytes; it lies in place in the arrays of rows and keys, so sorting it
// moves nothing outside it, and ranges may be sorted in any order and by any warp.
//
// A comparison waits for memory, so all is done to read less and to wait less often: rows carry the next 8 bytes as keys,
// bytes are compared 8 at once, VECTOR and PAIRS keep several reads of a lane in flight, and PERIOD is small.
// Measured: docs/MEASUREMENTS.md.
//
// Source: S. Burkhardt and J. Kärkkäinen, "Fast lightweight suffix array construction and checking" (2003); J.
// Kärkkäinen, P. Sanders and S. Burkhardt, "Linear work suffix array construction" (2006).
#ifndef GPU_BWT_DCS_SORT_CUH
#define GPU_BWT_DCS_SORT_CUH

#include "dcs_sample.cuh"
#include "dcs_text.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/workspace.cuh>

namespace
{

// All blocks of a text, and the workspace: each block of threads has arrays for the words, rows, keys and ranks of one
// block of text.
struct batch {
    const uint8_t *text;
    uint64_t n, block, blocks;
    uint8_t *last;
    uint64_t *primary;
    uint64_t *word, *key;
    uint32_t *row, *rank;
    uint64_t words, ranks;

    // The arrays of this block of threads, for a block of text of `length` bytes.
    __device__ rotations rotations_here(uint32_t length, const cover *of) const
    {
        const uint64_t here = blockIdx.x;

        return {word + here * words,
                key + here * block,
                row + here * block,
                rank + here * ranks,
                of,
                length,
                (uint32_t)chain_length(length),
                ROTATIONS,
                SB_DCS_CACHED};
    }
};

// Writes the last bytes of the sorted rotations, `times` for each row, and the row of rotation 0: the first of its
// equals.
template <class Team>
static __device__ void write_last(const rotations &all, uint32_t length, uint32_t least, uint8_t *last,
                                  uint64_t *primary)
{
    const uint32_t times = length / all.n;

    for (uint64_t i = Team::thread(); i < length; i += Team::threads()) {
        const uint32_t row = all.row[i / times];

        last[i] = (uint8_t)(all.bytes_at(row > 0 ? row - 1 : all.n - 1) >> 56);
        if (i % times == 0 && (row + (uint64_t)least) % all.n == 0)
            *primary = i;
    }
}

template <class Team, class Ranges>
static __device__ void sort_block(const batch &b, uint64_t index, const cover *of, Ranges &ranges, uint32_t *left)
{
    const uint64_t first = index * b.block;
    const uint32_t length = (uint32_t)(b.n - first < b.block ? b.n - first : b.block);
    rotations all = b.rotations_here(length, of);

    copy_text<Team>(all, b.text + first, 0);
    all.n = root_length<Team>(all);
    all.chain = (uint32_t)chain_length(all.n);
    const uint32_t least = least_rotation<Team>(all);
    copy_text<Team>(all, b.text + first, least);
    rank_sample<Team>(all, ranges, left);
    for (uint64_t i = Team::thread(); i < all.n; i += Team::threads()) {
        all.row[i] = (uint32_t)i;
        all.key[i] = all.bytes_at(i);
    }
    sort_rows<Team>(all, all.n, ranges);
    write_last<Team>(all, length, least, b.last + first, b.primary + index);
}

template <unsigned WARPS, class Ranges>
static __global__ void __launch_bounds__(WARPS *sb::WARP_LANES) sort_blocks(const batch b, const cover made)
{
    __shared__ cover of; // not in constant memory: lanes look up different differences
    __shared__ Ranges ranges;
    __shared__ uint32_t left;

    for (unsigned i = threadIdx.x; i < PERIOD; i += WARPS * sb::WARP_LANES) {
        of.of[i] = made.of[i];
        of.number[i] = made.number[i];
        if (i < made.size)
            of.element[i] = made.element[i];
    }
    if (threadIdx.x == 0)
        of.size = made.size;
    for (uint64_t index = blockIdx.x; index < b.blocks; index += gridDim.x)
        sort_block<thread_team<WARPS>>(b, index, &of, ranges,
                                       &left); // has barriers before it looks at the cover
}

// Blocks of threads in a grid, more than run at once on any card so far. Each takes every MAX_GRID-th block of text;
// the workspace grows with it.
static const uint64_t MAX_GRID = 4096;
static const uint64_t CACHE_LINE = 128; // bytes of an alignment: a warp's access touches no more lines than it must

// Lays out `b` and its arrays in the workspace, and returns its size.
static uint64_t lay_out(batch *b, const uint64_t *parameters, const sb_array *inputs, void *memory)
{
    sb::workspace space(memory);

    b->n = inputs[SB_BWT_FORWARD_TEXT].length;
    b->block = parameters[SB_BWT_BLOCK] == 0 || parameters[SB_BWT_BLOCK] > b->n ? b->n : parameters[SB_BWT_BLOCK];
    if (b->n == 0)
        return 0;
    b->blocks = sb::divide_up(b->n, b->block);
    const uint64_t grid = b->blocks < MAX_GRID ? b->blocks : MAX_GRID;
    b->words = word_count(b->block);
    b->ranks = make_cover().size * chain_length(b->block);
    b->word = space.take<uint64_t>(grid * b->words, CACHE_LINE);
    b->key = space.take<uint64_t>(grid * b->block, CACHE_LINE);
    b->row = space.take<uint32_t>(grid * b->block, CACHE_LINE);
    b->rank = space.take<uint32_t>(grid * b->ranks, CACHE_LINE);
    return space.bytes();
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    batch b = {};

    lay_out(&b, parameters, inputs, nullptr);
    return b.n > 0 && b.block > 0xffffffffu - 2 * PERIOD ? "a block of nearly 2^32 bytes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    batch b = {};

    return lay_out(&b, parameters, inputs, nullptr);
}

template <unsigned WARPS, class Ranges>
static sb_status sort_texts(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    batch b = {};

    lay_out(&b, parameters, inputs, workspace);
    if (b.n == 0)
        return SB_OK;
    b.text = (const uint8_t *)inputs[SB_BWT_FORWARD_TEXT].data;
    b.last = (uint8_t *)outputs[SB_BWT_FORWARD_LAST].data;
    b.primary = (uint64_t *)outputs[SB_BWT_FORWARD_PRIMARY].data;
    sort_blocks<WARPS, Ranges>
        <<<(unsigned)(b.blocks < MAX_GRID ? b.blocks : MAX_GRID), WARPS * sb::WARP_LANES>>>(b, make_cover());
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

} // namespace

#endif
