// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.csr/rows: a block for 256 rows, which passes their elements through shared memory in tiles.
//
// All threads load the tile's columns and values, whatever the rows, so that loads are coalesced and each thread has 16
// of either under way. The products go to shared memory. Then each thread adds those of its row, in their order. A row
// that spans tiles keeps its sum in a register, so its bytes are the reference's.
// A block takes as long as its rows together have elements, and a tile as long as its longest row: this is a variant for
// matrices without very long rows.
// Source: J. Greathouse and M. Daga, "Efficient sparse matrix-vector multiplication on GPUs using the CSR storage format"
// (2014), the kernel CSR-Stream. There the blocks' rows are chosen by their elements, which needs preprocessing.
// Shared memory: a product for each element of a tile, 16.5 KiB in f32. One place in 33 is left free: otherwise the rows of
// a warp, when each has 16 or 32 elements, would be read from one or two banks, which takes 1.4 times as long for a band.
// Measured: docs/MEASUREMENTS.md.
#include "csr.cuh"

// Elements a thread loads of a tile: 256 rows of 16 elements are a tile. Not tuned.
static const unsigned EACH = 16, TILE = THREADS * EACH;
static const unsigned BANKS = 32;

static __device__ __forceinline__ constexpr unsigned place_of(unsigned element)
{
    return element + element / BANKS;
}

template <typename T> static __global__ void __launch_bounds__(THREADS) multiply(csr<T> a)
{
    __shared__ T product[TILE + TILE / BANKS];
    uint64_t first_row = blockIdx.x * (uint64_t)THREADS, row = first_row + threadIdx.x;
    uint64_t last_row = a.rows - first_row < THREADS ? a.rows : first_row + THREADS;
    uint64_t block_end = a.row_offset[last_row], begin = block_end, end = block_end;
    T sum = 0;

    if (row < last_row) {
        begin = a.row_offset[row];
        end = a.row_offset[row + 1];
    }
    for (uint64_t tile = a.row_offset[first_row]; tile < block_end; tile += TILE) {
        unsigned count = block_end - tile < TILE ? (unsigned)(block_end - tile) : TILE;
        uint32_t column[EACH];
        T value[EACH];

#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            unsigned at = i * THREADS + threadIdx.x;

            column[i] = at < count ? a.column[tile + at] : 0;
            value[i] = at < count ? a.value[tile + at] : 0;
        }
#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            unsigned at = i * THREADS + threadIdx.x;

            if (at < count)
                product[place_of(at)] = value[i] * a.x[column[i]];
        }
        __syncthreads(); // the products of the tile are there
        unsigned from = begin <= tile ? 0 : begin - tile < count ? (unsigned)(begin - tile) : count;
        unsigned to = end <= tile ? 0 : end - tile < count ? (unsigned)(end - tile) : count;

        for (unsigned i = from; i < to; i++)
            sum += product[place_of(i)];
        __syncthreads(); // all have read them
    }
    if (row < last_row)
        a.y[row] = sum;
}

static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    return sb::divide_up(row_count(inputs), THREADS) > MAX_GRID ? "more rows than threads in a grid" : nullptr;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    return with_csr(parameters, inputs, outputs,
                    [](auto a) { multiply<<<(unsigned)sb::divide_up(a.rows, THREADS), THREADS>>>(a); });
}

static const uint64_t sizes[] = {THREADS, TILE, 0};

extern "C" const sb_variant sb_gpu_spmv_csr_rows[] = {
    {"spmv.csr", "rows", "a block for 256 rows, their products by tiles in shared memory", refuses, nullptr, launch,
     sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
