// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.inverse/walk: one warp inverts one block; one of its lanes follows the LF-mapping (Burrows and Wheeler 1994; the
// name is of Ferragina and Manzini 2000).
//
// The LF-mapping leads from row j, with c = last[j], to the row C[c] + (number of c in last[0..j)), where C[c] is the
// number of bytes of the block that are smaller than c. A warp computes it in two sweeps over its block, 32 rows in
// each step: first a histogram by atomics in shared memory, scanned to C; then every row gets the next free position of
// its byte. Lanes with equal bytes find each other by a match and number themselves by lane, and the first of them
// raises the counter. Rows are taken in ascending order, so positions are given in order of rows, as the mapping asks.
// Then lane 0 goes from `primary` through the mapping for as many steps as the block is long, and writes the text from
// back to front. The mapping is a permutation of the block's rows whatever `last` holds, so the walk never leaves the
// block.
//
// Row and byte of a step share a u64 (the row in the upper 56 bits): one access to memory in each step, and any length
// of block. Shared memory: 256 u64 counters, 2 KiB for each warp. A block is one warp: no other warp would share
// anything, and a few blocks then spread over the card. A kernel of its own looks for a primary outside its block
// before anything is written. Cost: 8 bytes of workspace for each byte. The walk, one dependent read for each byte,
// takes nearly all the time; blocks run side by side.
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/warp.cuh>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    SYMBOLS = 256,
    CHECK_THREADS = 256 // in a block: not tuned, each thread of the kernel reads one number
};

static const uint64_t MAX_GRID =
    1 << 16; // blocks, far more than run at once; each takes every gridDim.x-th piece of work

static __device__ uint64_t piece_length(uint64_t n, uint64_t block, uint64_t first)
{
    return n - first < block ? n - first : block;
}

// Sets *invalid if a primary lies outside its block.
static __global__ void check(const uint64_t *primary, uint64_t blocks, uint64_t n, uint64_t block, unsigned *invalid)
{
    uint64_t stride = (uint64_t)gridDim.x * CHECK_THREADS;

    for (uint64_t b = blockIdx.x * (uint64_t)CHECK_THREADS + threadIdx.x; b < blocks; b += stride)
        if (primary[b] >= piece_length(n, block, b * block))
            atomicOr(invalid, 1u);
}

// Replaces the count of each symbol by the number of smaller bytes. A lane takes 8 adjacent symbols.
static __device__ void exclusive_scan(unsigned long long count[SYMBOLS])
{
    const unsigned each = SYMBOLS / sb::WARP_LANES;
    unsigned lane = threadIdx.x;
    unsigned long long sum = 0;

    for (unsigned i = 0; i < each; i++)
        sum += count[lane * each + i];
    unsigned long long before = sb::warp_exclusive_sum(sum);
    for (unsigned i = 0; i < each; i++) {
        unsigned long long here = count[lane * each + i];

        count[lane * each + i] = before;
        before += here;
    }
}

static __device__ void invert(const uint8_t *last, uint64_t length, uint64_t primary, uint64_t *step, uint8_t *text,
                              unsigned long long count[SYMBOLS])
{
    unsigned lane = threadIdx.x;

    for (unsigned symbol = lane; symbol < SYMBOLS; symbol += sb::WARP_LANES)
        count[symbol] = 0;
    __syncwarp(); // all counters are 0 before any is raised
    for (uint64_t row = lane; row < length; row += sb::WARP_LANES)
        atomicAdd(&count[last[row]], 1ull);
    __syncwarp(); // the histogram is complete
    exclusive_scan(count);
    __syncwarp(); // the scan is complete
    for (uint64_t base = 0; base < length; base += sb::WARP_LANES) {
        bool valid = base + lane < length;
        unsigned symbol = valid ? last[base + lane] : (unsigned)SYMBOLS; // lanes past the end match only each other
        unsigned equal = sb::match_digit(symbol);
        unsigned before = sb::count_below(equal);
        uint64_t base_of_symbol = valid ? count[symbol] : 0;

        __syncwarp(); // every lane has read its counter before the first lane of its symbol raises it
        if (valid) {
            step[base + lane] = (base_of_symbol + before) << 8 | symbol;
            if (before == 0)
                count[symbol] = base_of_symbol + (unsigned)__popc(equal);
        }
        __syncwarp(); // counters, and after the last round all steps, are visible to the other lanes
    }
    if (lane == 0) {
        uint64_t row = primary;

        for (uint64_t i = length; i-- > 0;) {
            uint64_t here = step[row];

            text[i] = (uint8_t)here;
            row = here >> 8;
        }
    }
}

static __global__ void walk(const uint8_t *last, uint64_t n, uint64_t block, uint64_t blocks, const uint64_t *primary,
                            uint64_t *step, uint8_t *text)
{
    __shared__ unsigned long long count[SYMBOLS];

    for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
        uint64_t first = b * block;

        invert(last + first, piece_length(n, block, first), primary[b], step + first, text + first, count);
    }
}

static unsigned grid(uint64_t blocks)
{
    return (unsigned)(blocks < MAX_GRID ? blocks : MAX_GRID);
}

// A step holds a row in 56 bits.
static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_BWT_INVERSE_LAST].length >> 56 ? "2^56 bytes or more" : nullptr;
}

// The steps, then the flag of an invalid primary.
static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return (inputs[SB_BWT_INVERSE_LAST].length + 1) * sizeof(uint64_t);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint64_t *primary = (const uint64_t *)inputs[SB_BWT_INVERSE_PRIMARY].data;
    uint64_t given = inputs[SB_BWT_INVERSE_PRIMARY].length;
    uint64_t n = inputs[SB_BWT_INVERSE_LAST].length;
    uint64_t block = parameters[SB_BWT_BLOCK];
    uint64_t *step = (uint64_t *)workspace;
    unsigned *flag = (unsigned *)(step + n);
    unsigned invalid = 0;

    if (n == 0) {
        uint64_t only = 0;

        if (given == 1 && cudaMemcpy(&only, primary, sizeof only, cudaMemcpyDeviceToHost) != cudaSuccess)
            return SB_FAILED;
        return given > 1 || only != 0 ? SB_INVALID : SB_OK;
    }
    if (block == 0 || block > n)
        block = n; // b * block must not wrap
    uint64_t blocks = sb::divide_up(n, block);
    if (given != blocks)
        return SB_INVALID;

    if (cudaMemcpy(flag, &invalid, sizeof invalid, cudaMemcpyHostToDevice) != cudaSuccess)
        return SB_FAILED;
    check<<<grid(sb::divide_up(blocks, CHECK_THREADS)), CHECK_THREADS>>>(primary, blocks, n, block, flag);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&invalid, flag, sizeof invalid, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    if (invalid)
        return SB_INVALID;
    walk<<<grid(blocks), sb::WARP_LANES>>>((const uint8_t *)inputs[SB_BWT_INVERSE_LAST].data, n, block, blocks, primary,
                                           step, (uint8_t *)outputs[SB_BWT_INVERSE_TEXT].data);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_bwt_inverse_walk[] = {
    {"bwt.inverse", "walk", "one warp for each block computes the LF-mapping in parallel, then one lane follows it",
     refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
