// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.csr/stream: a block takes a tile of rows and elements; as many lanes add up a row as the tile has to spare for it.
//
// A block takes a tile (csr_tiles.cuh). Products, by coalesced loads, and ends of rows go to shared memory. With R rows in
// the tile there are THREADS / R lanes for each, rounded down to a power of two: they add every LANES-th product of their
// row, and then their sums by shuffles. A row of more than 32 products for each lane would keep the others waiting, so it is
// put off: whole warps take such rows afterwards. A tile without the end of a row is one stretch of a long row, which the
// block adds up from registers.
// Which rows are put off, and how a sum is bracketed, depends on the lengths of rows alone; only the order in which warps
// take them does not, and it changes no sum.
// Source: J. Greathouse and M. Daga, "Efficient sparse matrix-vector multiplication on GPUs using the CSR storage format"
// (2014): streams of short rows through local memory, and vectors for long ones. The tiles: D. Merrill and M. Garland (2016).
// Shared memory: a product and the end of a row for each item of a tile, 17 or 25 KiB. Product i is at i + i / 32, so that
// rows of 8, 16 or 32 elements do not begin in the same bank.
// Cost: everything is read once. Beside merge no thread searches, and there is no scan.
// On the H200 (50 million elements, f32): 0.173 ms for a band of 16 in each row, 0.423 for 16 random columns, 0.444 for a power
// law; cuSPARSE takes 0.144, 0.375 and 0.390. A thread has 8 elements under way; in rows it has 16.
#include "csr_tiles.cuh"

enum : unsigned {
    EACH = 8, // items of a thread: column and value of 8 elements take 16 of its 32 registers
    TILE = THREADS * EACH,
    PUT_OFF = 32 // products for each lane. Not tuned
};

static __device__ __forceinline__ unsigned place_of(unsigned i)
{
    return i + i / sb::WARP_LANES;
}

// What a lane adds of the row begin .. end - 1.
template <typename T>
static __device__ __forceinline__ T add_products(const T *product, unsigned begin, unsigned end, unsigned lanes)
{
    T sum = 0;

    for (unsigned i = begin + threadIdx.x % lanes; i < end; i += lanes)
        sum += product[place_of(i)];
    return sum;
}

// The sum over `lanes` lanes, a power of two up to 32. All lanes of a warp call.
template <typename T> static __device__ __forceinline__ T add_lanes(T sum, unsigned lanes)
{
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
        sum += sb::shuffle_xor(sum, distance);
    return sum;
}

template <typename T>
static __global__ void __launch_bounds__(THREADS, sizeof(T) == 4 ? 6 : 5)
    multiply(csr<T> a, const uint64_t *first_row, T *carry)
{
    __shared__ T product[TILE + TILE / sb::WARP_LANES];
    __shared__ unsigned end[TILE]; // of a row of the tile: the elements of the tile in front of its end
    __shared__ unsigned put_off[TILE / PUT_OFF];
    __shared__ unsigned put_off_count;
    __shared__ T warp_sums[WARPS];
    const csr_tile tile = tile_at<TILE>(a, first_row, blockIdx.x);
    uint32_t column[EACH];
    T value[EACH];

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned at = i * THREADS + threadIdx.x;

        column[i] = at < tile.elements ? a.column[tile.first_element + at] : 0;
        value[i] = at < tile.elements ? a.value[tile.first_element + at] : 0;
    }
    if (tile.rows == 0) {
        T sum = 0;

#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            if (i * THREADS + threadIdx.x < tile.elements)
                sum += value[i] * a.x[column[i]];
        sum = sb::block_reduce(sum, sb::add(), warp_sums);
        if (threadIdx.x == 0)
            carry[blockIdx.x] = sum;
        return;
    }
    for (unsigned at = threadIdx.x; at < tile.rows; at += THREADS)
        end[at] = (unsigned)(a.row_offset[tile.first_row + at + 1] - tile.first_element);
    if (threadIdx.x == 0)
        put_off_count = 0;
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned at = i * THREADS + threadIdx.x;

        if (at < tile.elements)
            product[place_of(at)] = value[i] * a.x[column[i]];
    }
    __syncthreads(); // products and ends are there

    // The row behind the last end is one of them: its sum is the carry.
    const unsigned rows = tile.rows + 1;
    const unsigned lanes = rows > THREADS / 2                 ? 1
                           : rows * sb::WARP_LANES <= THREADS ? (unsigned)sb::WARP_LANES
                                                              : 1u << (sb::bit_length(THREADS / rows) - 1);
    for (unsigned base = 0; base < rows; base += THREADS / lanes) {
        unsigned row = base + threadIdx.x / lanes, first = 0, last = 0;

        if (row < rows) {
            first = row > 0 ? end[row - 1] : 0;
            last = row < tile.rows ? end[row] : tile.elements;
        }
        bool is_long = last - first > PUT_OFF * lanes, is_first = threadIdx.x % lanes == 0;
        T sum = add_lanes(is_long ? (T)0 : add_products(product, first, last, lanes), lanes);

        if (is_long && is_first)
            put_off[atomicAdd(&put_off_count, 1u)] = row;
        else if (is_first && row < tile.rows)
            a.y[tile.first_row + row] = sum;
        else if (is_first && row == tile.rows)
            carry[blockIdx.x] = sum;
    }
    __syncthreads(); // all rows that are put off are known
    for (unsigned i = sb::warp_index(); i < put_off_count; i += WARPS) {
        unsigned row = put_off[i], first = row > 0 ? end[row - 1] : 0;
        unsigned last = row < tile.rows ? end[row] : tile.elements;
        T sum = add_lanes(add_products(product, first, last, sb::WARP_LANES), sb::WARP_LANES);

        if (sb::lane_index() == 0)
            *(row < tile.rows ? &a.y[tile.first_row + row] : &carry[blockIdx.x]) = sum;
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return with_tiles<TILE>(parameters, inputs, outputs, workspace,
                            [](auto a, unsigned tiles, const uint64_t *first_row, auto carry) {
                                multiply<<<tiles, THREADS>>>(a, first_row, carry);
                            });
}

static const uint64_t sizes[] = {TILE, 0};

extern "C" const sb_variant sb_gpu_spmv_csr_stream[] = {
    {"spmv.csr", "stream", "products through shared memory, as many lanes for a row as there are to spare",
     refuses<TILE>, workspace_bytes<TILE>, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
