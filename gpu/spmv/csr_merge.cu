// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.csr/merge: blocks with equal shares of rows plus elements, whatever the lengths of the rows.
//
// The matrix is read as a list of items: the elements of row 0, the end of row 0, the elements of row 1, and so on. That
// is a merge of row_offset with 0, 1, 2, ..., so the rows in front of any item are found by a binary search along a
// diagonal of the merge path.
//
//     find_tiles   a warp for each tile of items: its first row, by a search that tries 32 rows at a time
//     multiply     a block for each tile: products, by coalesced loads, and ends of rows go to shared memory. Thread t
//                  takes the t-th run of EACH items, which it finds by a search in shared memory, and adds products until
//                  a row ends. A scan by rows gives each thread what the threads before it have of its first row. What
//                  the tile has of the row that it does not end is its carry
//     add_carries  a row that spans tiles gets the carries of those in front of the one that ended it
//
// Each element is added to its row once: by one thread, of one block. How sums are bracketed depends on the lengths of
// the rows alone, so the result is the same bits on every run; there are no atomics.
// Source: D. Merrill and M. Garland, "Merge-based parallel sparse matrix-vector multiplication" (2016).
// Shared memory: a product and the end of a row for each item of a tile. EACH is odd, so that threads that read runs of
// products do so without bank conflicts.
// Cost: everything is read once, and 12 or 16 bytes for each tile are written and read.
#include "csr.cuh"

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

static uint64_t tile_count(const sb_array *inputs, unsigned each)
{
    return sb::divide_up(row_count(inputs) + inputs[SB_CSR_COLUMN].length, THREADS * each);
}

// The rows that end in front of item `diagonal`. All lanes of a warp call. They try 32 rows of what remains at a time:
// of the four million rows of a matrix 5 loads follow each other, where a binary search needs 22.
static __device__ __forceinline__ uint64_t rows_before(const uint64_t *row_offset, uint64_t low, uint64_t high,
                                                       uint64_t diagonal)
{
    while (low < high) {
        uint64_t step = (high - low) / sb::WARP_LANES + 1, tried = low + step * sb::lane_index() + step - 1;
        unsigned before =
            (unsigned)__popc(__ballot_sync(sb::FULL_MASK, tried < high && row_offset[tried + 1] + tried < diagonal));

        low += step * before; // the last lane tries `high` or more, so not all are before
        high = high < low + step - 1 ? high : low + step - 1;
    }
    return low;
}

template <unsigned TILE, typename T>
static __global__ void __launch_bounds__(THREADS) find_tiles(csr<T> a, uint64_t tiles, uint64_t *first_row)
{
    uint64_t tile = blockIdx.x * (uint64_t)WARPS + sb::warp_index(), diagonal = tile * TILE;

    if (tile > tiles)
        return;
    if (tile == tiles)
        diagonal = a.rows + a.elements;
    uint64_t row = rows_before(a.row_offset, diagonal > a.elements ? diagonal - a.elements : 0,
                               diagonal < a.rows ? diagonal : a.rows, diagonal);
    if (sb::lane_index() == 0)
        first_row[tile] = row;
}

// The same in a tile: the rows that end in front of item `diagonal`. Any thread calls.
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

template <unsigned EACH, typename T>
static __global__ void __launch_bounds__(THREADS) multiply(csr<T> a, const uint64_t *first_row, T *carry)
{
    const unsigned TILE = THREADS * EACH;
    __shared__ T product[TILE];
    __shared__ unsigned end[TILE]; // of a row of the tile: the elements of the tile in front of its end
    __shared__ stretch<T> warp_stretch[WARPS];
    uint64_t begin = blockIdx.x * (uint64_t)TILE, items = a.rows + a.elements - begin;
    uint64_t row_base = first_row[blockIdx.x], element_base = begin - row_base;
    unsigned rows = (unsigned)(first_row[blockIdx.x + 1] - row_base);
    unsigned elements = (unsigned)(items < TILE ? items : TILE) - rows;
    uint32_t column[EACH];
    T value[EACH];

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned at = i * THREADS + threadIdx.x;

        column[i] = at < elements ? a.column[element_base + at] : 0;
        value[i] = at < elements ? a.value[element_base + at] : 0;
    }
    for (unsigned at = threadIdx.x; at < rows; at += THREADS)
        end[at] = (unsigned)(a.row_offset[row_base + at + 1] - element_base);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned at = i * THREADS + threadIdx.x;

        if (at < elements)
            product[at] = value[i] * a.x[column[i]];
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
            a.y[row_base + row] = sum;
        ended = 1;
        sum = 0;
        row++;
        row_end = row < rows ? end[row] : TILE;
    }

    stretch<T> all,
        before = sb::block_exclusive_scan(stretch<T>{sum, ended}, join(), stretch<T>{0, 0}, warp_stretch, &all);
    if (ended != 0)
        a.y[row_base + first_ended] = before.sum + first_sum;
    if (threadIdx.x == 0)
        carry[blockIdx.x] = all.sum;
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

#pragma unroll 4
        for (uint64_t i = sb::lane_index(); i < count; i += sb::WARP_LANES)
            sum += carry[from + i];
        sum = sb::warp_reduce(sum, sb::add());
        if (sb::lane_index() == lane)
            a.y[row] += sum;
    }
}

template <unsigned EACH> static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    return tile_count(inputs, EACH) > MAX_GRID ? "more tiles than blocks in a grid" : nullptr;
}

template <unsigned EACH> static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    return (tile_count(inputs, EACH) + 1) * 2 * sizeof(uint64_t);
}

template <unsigned EACH>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t tiles = tile_count(inputs, EACH), *first_row = (uint64_t *)workspace;

    return with_csr(parameters, inputs, outputs, [=](auto a) {
        auto carry = (decltype(a.y))(first_row + tiles + 1);

        find_tiles<THREADS * EACH><<<(unsigned)sb::divide_up(tiles + 1, WARPS), THREADS>>>(a, tiles, first_row);
        multiply<EACH><<<(unsigned)tiles, THREADS>>>(a, first_row, carry);
        add_carries<THREADS * EACH><<<(unsigned)sb::divide_up(tiles, THREADS), THREADS>>>(a, tiles, first_row, carry);
    });
}

extern "C" const sb_variant sb_gpu_spmv_csr_merge[] = {
    {"spmv.csr", "merge", "equal shares of rows and elements for blocks and threads", refuses<7>, workspace_bytes<7>,
     launch<7>},
    {"spmv.csr", "merge_11", "the same with 11 items a thread", refuses<11>, workspace_bytes<11>, launch<11>},
    {"spmv.csr", "merge_15", "the same with 15 items a thread", refuses<15>, workspace_bytes<15>, launch<15>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
