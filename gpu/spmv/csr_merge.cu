// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.csr/merge: blocks and threads with equal shares of rows plus elements, whatever the lengths of the rows.
//
// A block takes a tile (csr_tiles.cuh): products, by coalesced loads, and ends of rows go to shared memory. Thread t takes
// the t-th run of EACH items, which it finds by a search in shared memory, and adds products until a row ends. A scan by
// rows gives each thread what the threads before it have of its first row; so each element is added to its row once.
// Source: D. Merrill and M. Garland, "Merge-based parallel sparse matrix-vector multiplication" (2016).
// Shared memory: a product and the end of a row for each item of a tile, 14 or 21 KiB. EACH is odd, so that threads that
// read runs of products do so without bank conflicts.
// Cost: everything is read once. Measured: docs/MEASUREMENTS.md. For a power law the requests to the L2 cache set the pace
// (csr.cuh); 5, 9 and 11 items a thread are 1.2, 0.7 and 0.5% slower for it. A warp for each tile that scans products in registers
// takes 1.46 times as long for a band, 1.02 times for random columns: no barriers, but more instructions.
#include "csr_tiles.cuh"

static const unsigned EACH = 7;                     // items of a thread
static const unsigned TILE = THREADS * EACH - LINE; // items of a block: so many elements fit, wherever the first one is

namespace
{

// What a stretch of items has of its last row; `ended`: a row has ended in it, so the sum does not include what precedes.
template <typename T> struct stretch {
    T sum;
    unsigned ended;
};

template <typename T, typename Move> __device__ __forceinline__ stretch<T> map_words(stretch<T> value, Move move)
{
    return {move(value.sum), move(value.ended)};
}

struct join {
    template <typename T> __device__ __forceinline__ stretch<T> operator()(stretch<T> first, stretch<T> second) const
    {
        return {second.ended ? second.sum : first.sum + second.sum, first.ended | second.ended};
    }
};

} // namespace

// The rows of a tile that end in front of item `diagonal`. Any thread calls.
static __device__ __forceinline__ unsigned rows_before_in_tile(const unsigned *end, unsigned rows, unsigned elements,
                                                               unsigned diagonal)
{
    unsigned low = diagonal > elements ? diagonal - elements : 0, high = diagonal < rows ? diagonal : rows;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (end[middle] + middle < diagonal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <typename T>
static __global__ void __launch_bounds__(THREADS) multiply(csr<T> a, const uint64_t *first_row, T *carry)
{
    __shared__ T product[TILE];
    __shared__ unsigned end[TILE]; // of a row of the tile: the elements of the tile in front of its end
    __shared__ stretch<T> warp_stretch[WARPS];
    const csr_tile tile = tile_at<TILE>(a, first_row, blockIdx.x);
    const unsigned rows = tile.rows, elements = tile.elements;
    const unsigned skipped = (unsigned)(tile.first_element % LINE); // elements of the tile before, in the first line
    const uint64_t line = tile.first_element - skipped;
    uint32_t column[EACH];
    T value[EACH];

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned at = i * THREADS + threadIdx.x;
        bool is_here = at >= skipped && at - skipped < elements;

        column[i] = is_here ? a.column[line + at] : 0;
        value[i] = is_here ? a.value[line + at] : 0;
    }
    for (unsigned at = threadIdx.x; at < rows; at += THREADS)
        end[at] = (unsigned)(a.row_offset[tile.first_row + at + 1] - tile.first_element);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned at = i * THREADS + threadIdx.x;

        if (at >= skipped && at - skipped < elements)
            product[at - skipped] = value[i] * a.x[column[i]];
    }
    __syncthreads(); // products and ends are there

    unsigned first = threadIdx.x * EACH, last = rows + elements;
    first = first < last ? first : last;
    last = first + EACH < last ? first + EACH : last;
    unsigned row = rows_before_in_tile(end, rows, elements, first), element = first - row, ended = 0, first_ended = row;
    unsigned row_end = row < rows ? end[row] : TILE;
    T sum = 0, first_sum = 0;

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        if (first + i >= last)
            break;
        if (element < row_end) {
            sum += product[element++];
            continue;
        }
        if (ended == 0)
            first_sum = sum;
        else
            a.y[tile.first_row + row] = sum;
        ended = 1;
        sum = 0;
        row++;
        row_end = row < rows ? end[row] : TILE;
    }

    stretch<T> all,
        before = sb::block_exclusive_scan(stretch<T>{sum, ended}, join(), stretch<T>{0, 0}, warp_stretch, &all);
    if (ended != 0)
        a.y[tile.first_row + first_ended] = before.sum + first_sum;
    if (threadIdx.x == 0)
        carry[blockIdx.x] = all.sum;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return with_tiles<TILE>(parameters, inputs, outputs, workspace,
                            [](auto a, unsigned tiles, const uint64_t *first_row, auto carry) {
                                multiply<<<tiles, THREADS>>>(a, first_row, carry);
                            });
}

static const uint64_t sizes[] = {TILE, 0};

extern "C" const sb_variant sb_gpu_spmv_csr_merge[] = {
    {"spmv.csr", "merge", "equal shares of rows and elements for blocks and threads", refuses<TILE>,
     workspace_bytes<TILE>, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
