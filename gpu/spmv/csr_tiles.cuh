// SPDX-License-Identifier: BSD-2-Clause
//
// Tiles of a sparse matrix: equal shares of rows plus elements, whatever the lengths of the rows.
//
// The matrix is read as a list of items: the elements of row 0, the end of row 0, the elements of row 1, and so on. That
// is a merge of row_offset with 0, 1, 2, ..., so the rows in front of any item are found by a search along a diagonal of
// the merge path. A variant runs three kernels:
//
//     find_tiles   a thread for each tile: its first row, by a binary search
//     its own      a block for each tile writes the sums of the rows that end in it, of what the tile has of them, and as
//                  the tile's carry what it has of the row that goes on behind it
//     add_carries  a row that spans tiles gets the carries of those in front of the one that ended it
//
// Each row ends in one tile, so each sum is written by one thread, and then added to by at most one thread of add_carries.
// How sums are bracketed depends on the lengths of the rows alone, so the result is the same bits on every run; there are
// no atomics.
// Source: D. Merrill and M. Garland, "Merge-based parallel sparse matrix-vector multiplication" (2016).
// Cost: 12 or 16 bytes for each tile are written and read.
#ifndef GPU_SPMV_CSR_TILES_CUH
#define GPU_SPMV_CSR_TILES_CUH

#include "csr.cuh"

// A tile: rows first_row .. first_row + rows - 1 end in it. It has `elements` elements from first_element on; those behind
// the last of these ends are of row first_row + rows.
namespace
{

struct csr_tile {
    uint64_t first_row, first_element;
    unsigned rows, elements;
};

} // namespace

// A warp's loads of elements begin at multiples of this, so that each is one line of 128 bytes of columns: beside it, each would
// be two requests to the L2 cache.
static const unsigned LINE = sb::WARP_LANES;

template <unsigned TILE> static uint64_t tile_count(const sb_array *inputs)
{
    return sb::divide_up(row_count(inputs) + inputs[SB_CSR_COLUMN].length, TILE);
}

template <unsigned TILE, typename T>
static __device__ __forceinline__ csr_tile tile_at(const csr<T> &a, const uint64_t *first_row, unsigned tile)
{
    uint64_t begin = tile * (uint64_t)TILE, items = a.rows + a.elements - begin;
    csr_tile t;

    t.first_row = first_row[tile];
    t.first_element = begin - t.first_row;
    t.rows = (unsigned)(first_row[tile + 1] - t.first_row);
    t.elements = (unsigned)(items < TILE ? items : TILE) - t.rows;
    return t;
}

// The rows that end in front of item `diagonal`, of low .. high. Any thread calls.
static __device__ __forceinline__ uint64_t rows_before(const uint64_t *row_offset, uint64_t low, uint64_t high,
                                                       uint64_t diagonal)
{
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (row_offset[middle + 1] + middle < diagonal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// A warp that tried 32 rows at a time would need 5 loads in turn instead of 22, but each is 32 requests to the L2 cache, which
// is what these products are short of.
template <unsigned TILE, typename T>
static __global__ void __launch_bounds__(THREADS) find_tiles(csr<T> a, uint64_t tiles, uint64_t *first_row)
{
    uint64_t tile = blockIdx.x * (uint64_t)THREADS + threadIdx.x;
    uint64_t diagonal = tile < tiles ? tile * TILE : a.rows + a.elements;

    if (tile <= tiles)
        first_row[tile] = rows_before(a.row_offset, diagonal > a.elements ? diagonal - a.elements : 0,
                                      diagonal < a.rows ? diagonal : a.rows, diagonal);
}

// Lane l of a warp looks at tile 32 w + l: is it the first that ends inside its row? Then it adds up the tiles' carries
// up to the tile in which the row ends. If these are many, all lanes of the warp do.
template <unsigned TILE, typename T>
static __global__ void __launch_bounds__(THREADS)
    add_carries(csr<T> a, uint64_t tiles, const uint64_t *first_row, const T *carry)
{
    const uint64_t few = 4; // not tuned
    uint64_t tile = blockIdx.x * (uint64_t)THREADS + threadIdx.x, row = a.rows, spanned = 0;

    if (tile < tiles)
        row = first_row[tile + 1];
    if (row < a.rows && (tile == 0 || first_row[tile] != row))
        spanned = (a.row_offset[row + 1] + row) / TILE - tile;
    if (spanned > 0 && spanned <= few) {
        T sum = 0;

        for (uint64_t i = 0; i < spanned; i++)
            sum += carry[tile + i];
        a.y[row] += sum;
    }
    for (unsigned left = __ballot_sync(sb::FULL_MASK, spanned > few); left != 0; left &= left - 1) {
        unsigned lane = sb::lowest_bit(left);
        uint64_t from = sb::shuffle(tile, lane), count = sb::shuffle(spanned, lane);
        T sum = 0;

#pragma unroll 16 // a power law has rows over a thousand tiles: their loads are under way together
        for (uint64_t i = sb::lane_index(); i < count; i += sb::WARP_LANES)
            sum += carry[from + i];
        sum = sb::warp_reduce(sum, sb::add());
        if (sb::lane_index() == lane)
            a.y[row] += sum;
    }
}

// ---- the host's side ----

template <unsigned TILE> static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    return tile_count<TILE>(inputs) > MAX_GRID ? "more tiles than blocks in a grid" : nullptr;
}

// For each tile and one more its first row, and the carries.
template <unsigned TILE> static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    return (tile_count<TILE>(inputs) + 1) * 2 * sizeof(uint64_t);
}

// Calls multiply(a, tiles, first_row, carry), which launches the variant's own kernel, between the other two.
template <unsigned TILE, typename Multiply>
static sb_status with_tiles(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace,
                            Multiply multiply)
{
    uint64_t tiles = tile_count<TILE>(inputs), *first_row = (uint64_t *)workspace;

    return with_csr(parameters, inputs, outputs, [=](auto a) {
        auto carry = (decltype(a.y))(first_row + tiles + 1);

        find_tiles<TILE><<<(unsigned)sb::divide_up(tiles + 1, THREADS), THREADS>>>(a, tiles, first_row);
        multiply(a, (unsigned)tiles, (const uint64_t *)first_row, carry);
        add_carries<TILE><<<(unsigned)sb::divide_up(tiles, THREADS), THREADS>>>(a, tiles, first_row, carry);
    });
}

#endif
