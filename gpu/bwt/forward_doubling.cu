// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/doubling: prefix doubling over the rotations of all blocks at once (Karp, Miller and Rosenberg 1972;
// Manber and Myers 1990).
//
// A rotation is named by the position of its first byte in the text. Once rotations are sorted by their first h bytes,
// a rotation's rank is the row of the first rotation equal to it so far. Rows are numbered through all blocks, block 0
// first, so a rank also says which block it is of. The order by 2h bytes is the order of the pairs (rank of i, rank of
// i + h, around the block). It costs one sort: the rotations i = order[row] - h are already in the order of the second
// half, and a stable sort by rank[i] finishes it.
//
//   start  sort by the block and the first 4 bytes
//   stop   when no two rotations of a block are equal; or a step has split no group of equal ones (if 2h bytes
//          distinguish no more than h do, then by induction no number of bytes does); or h has reached the length of
//          the block
//   end    rotations that are still equal, those of a periodic block, are put in order of start by a stable sort by
//          rank
//
// The sort is that of prim/radix_pairs.cuh, of as many 8-bit digits as the largest key has. Ranks: a warp marks which of 1024
// consecutive rows differ from the row before (`mark`), one block finds the last mark before each 1024 rows (`carry`),
// and a warp gives each of its rows the row of the last mark at or before it (`name`). In the other kernels a thread
// takes a row. Cost: about 20.4 bytes of workspace for each byte; log2(longest repeat / 4) + 1 sorts of log2(n) / 8
// passes.
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/block.cuh>
#include <samebits/prim/radix_pairs.cuh>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    CACHE_LINE = 128, // bytes of an alignment: a warp's access then touches no more lines than it must
    THREADS = 256,    // in a block, for all kernels: not tuned
    WARPS = THREADS / sb::WARP_LANES,
    RUN = sb::WARP_LANES * sb::WARP_LANES // rows whose marks are a word in each lane of a warp
};

// In an anonymous namespace: other variants of the module have types of these names, too.
namespace
{

// A text of n bytes, cut into blocks of `block` bytes of which the last may be short; 1 <= block <= n.
struct rotations {
    const uint8_t *text;
    uint32_t n, block;

    __device__ uint32_t start(uint32_t i) const
    {
        return i - i % block;
    }
    __device__ uint32_t length(uint32_t start) const
    {
        return n - start < block ? n - start : block;
    }
    // The rotation that starts `distance` bytes later, or earlier, in the same block.
    __device__ uint32_t ahead(uint32_t i, uint32_t distance) const
    {
        uint32_t first = start(i), around = length(first);
        uint64_t offset = (uint64_t)(i - first) + distance % around;

        return (uint32_t)(first + (offset < around ? offset : offset - around));
    }
    __device__ uint32_t behind(uint32_t i, uint32_t distance) const
    {
        return ahead(i, length(start(i)) - distance % length(start(i)));
    }
    __device__ uint32_t first_bytes(uint32_t i) const
    {
        uint32_t first = start(i), end = first + length(first), bytes = 0; // end <= n: no wrap

        for (int k = 0; k < 4; k++) {
            bytes = bytes << 8 | text[i];
            i = i + 1 < end ? i + 1 : first;
        }
        return bytes;
    }
};

} // namespace

static __device__ uint32_t row_index(void)
{
    uint64_t row = blockIdx.x * (uint64_t)THREADS + threadIdx.x; // may pass 2^32 - 1 in the last block

    return row < 0xffffffffu ? (uint32_t)row : 0xffffffffu;
}

static __global__ void key_by_first_bytes(rotations all, uint32_t *key, uint32_t *order)
{
    uint32_t i = row_index();

    if (i < all.n) {
        key[i] = all.first_bytes(i);
        order[i] = i;
    }
}

static __global__ void key_by_block(rotations all, const uint32_t *order, uint32_t *key)
{
    uint32_t row = row_index();

    if (row < all.n)
        key[row] = order[row] / all.block;
}

// From the order by h bytes to the order by bytes h..2h-1, with the ranks by h bytes as keys.
static __global__ void key_by_rank_behind(rotations all, uint32_t h, const uint32_t *rank, uint32_t *key,
                                          uint32_t *order)
{
    uint32_t row = row_index();

    if (row < all.n) {
        uint32_t i = all.behind(order[row], h);

        order[row] = i;
        key[row] = rank[i];
    }
}

static __global__ void key_by_rank(rotations all, const uint32_t *rank, uint32_t *key, uint32_t *order)
{
    uint32_t i = row_index();

    if (i < all.n) {
        key[i] = rank[i];
        order[i] = i;
    }
}

// Do rotations in adjacent rows differ in their first 2h bytes? h = 0: in their first 4, or in their blocks.
static __device__ bool differ(const rotations &all, uint32_t h, const uint32_t *rank, uint32_t a, uint32_t b)
{
    if (h == 0)
        return all.first_bytes(a) != all.first_bytes(b) || a / all.block != b / all.block;
    return rank[a] != rank[b] || rank[all.ahead(a, h)] != rank[all.ahead(b, h)];
}

// marks: one bit for each row. last_mark: the last marked row of each run of RUN rows, 0 if none is. marked: the number
// of marks.
static __global__ void mark(rotations all, uint32_t h, const uint32_t *rank, const uint32_t *order, uint32_t *marks,
                            uint32_t *last_mark, uint32_t *marked)
{
    unsigned lane = sb::lane_index();
    uint64_t run = blockIdx.x * (uint64_t)WARPS + sb::warp_index();
    uint64_t first = run * RUN;
    uint32_t mine = 0; // the marks of the lane-th 32 rows

    if (first >= all.n)
        return; // the whole warp
    for (unsigned k = 0; k < sb::WARP_LANES && first + k * sb::WARP_LANES < all.n; k++) {
        uint64_t row = first + k * sb::WARP_LANES + lane;
        bool differs = row < all.n && (row == 0 || differ(all, h, rank, order[row], order[row - 1]));
        unsigned word = __ballot_sync(sb::FULL_MASK, differs);

        if (lane == k)
            mine = word;
    }
    marks[run * sb::WARP_LANES + lane] = mine;

    unsigned found = __ballot_sync(sb::FULL_MASK, mine != 0);
    unsigned last_lane = found ? sb::highest_bit(found) : 0;
    uint32_t last_word = __shfl_sync(sb::FULL_MASK, mine, (int)last_lane);
    uint32_t sum = sb::warp_reduce((uint32_t)__popc(mine), sb::add());

    if (lane == 0) {
        last_mark[run] = found ? (uint32_t)first + last_lane * sb::WARP_LANES + sb::highest_bit(last_word) : 0;
        atomicAdd(marked, sum);
    }
}

// Replaces the last mark of each run by the last mark of all runs before it. One block.
static __global__ void carry(uint32_t *last_mark, uint64_t runs)
{
    __shared__ uint32_t warp_last[WARPS];
    uint32_t before = 0;

    for (uint64_t base = 0; base < runs; base += THREADS) {
        uint64_t run = base + threadIdx.x;
        uint32_t all, here = run < runs ? last_mark[run] : 0;
        uint32_t in_block = sb::block_exclusive_scan(here, sb::maximum(), 0u, warp_last, &all);

        if (run < runs)
            last_mark[run] = sb::maximum()(before, in_block);
        before = sb::maximum()(before, all);
        __syncthreads(); // the warps' results have been read
    }
}

// Gives each rotation its rank: the row of the last mark at or before its own.
static __global__ void name(const uint32_t *order, uint32_t n, const uint32_t *marks, const uint32_t *last_mark,
                            uint32_t *rank)
{
    unsigned lane = sb::lane_index();
    uint64_t run = blockIdx.x * (uint64_t)WARPS + sb::warp_index();
    uint64_t first = run * RUN;

    if (first >= n)
        return; // the whole warp
    uint32_t words = marks[run * sb::WARP_LANES + lane];
    uint32_t before = last_mark[run];
    for (unsigned k = 0; k < sb::WARP_LANES && first + k * sb::WARP_LANES < n; k++) {
        uint32_t base = (uint32_t)first + k * sb::WARP_LANES;
        uint32_t word = __shfl_sync(sb::FULL_MASK, words, (int)k);
        uint32_t up_to_me = word & ((2u << lane) - 1); // for lane 31, 2 << 31 is 0 and the mask is all ones

        if (first + k * sb::WARP_LANES + lane < n)
            rank[order[base + lane]] = up_to_me ? base + sb::highest_bit(up_to_me) : before;
        if (word)
            before = base + sb::highest_bit(word);
    }
}

static __global__ void write_last(rotations all, const uint32_t *order, uint8_t *last, uint64_t *primary)
{
    uint32_t row = row_index();

    if (row < all.n) {
        uint32_t i = order[row];

        last[row] = all.text[all.behind(i, 1)];
        if (i % all.block == 0)
            primary[i / all.block] = row - i; // the rows of a block are numbered from the position of its first byte
    }
}

namespace
{

struct doubling {
    rotations all;
    sb::radix_pairs pairs; // key[0] are the keys and value[0] is the order
    sb::radix_workspace radix;
    uint32_t *rank, *marks, *last_mark, *marked;
    uint64_t runs;
    unsigned row_blocks, run_blocks; // at most 2^24: one thread for each row, one warp for each run
};

} // namespace

// Lays the arrays out in the workspace and returns its size.
static uint64_t lay_out(doubling *d, uint64_t n, void *memory)
{
    sb::workspace space(memory);

    d->runs = sb::divide_up(n, RUN);
    d->row_blocks = (unsigned)sb::divide_up(n, THREADS);
    d->run_blocks = (unsigned)sb::divide_up(d->runs, WARPS);
    for (unsigned i = 0; i < 2; i++) {
        d->pairs.key[i] = space.take<uint32_t>(n, CACHE_LINE);
        d->pairs.value[i] = space.take<uint32_t>(n, CACHE_LINE);
    }
    d->rank = space.take<uint32_t>(n, CACHE_LINE);
    d->marks = space.take<uint32_t>(d->runs * sb::WARP_LANES, CACHE_LINE);
    d->last_mark = space.take<uint32_t>(d->runs, CACHE_LINE);
    d->radix = sb::radix_workspace_at(space.take<uint32_t>(sb::radix_workspace_words(n), CACHE_LINE), n);
    d->marked = space.take<uint32_t>(1, CACHE_LINE);
    return space.bytes();
}

// Sorts (key, order) by key, stably; `largest` bounds the keys.
static bool sort(doubling *d, uint32_t largest)
{
    unsigned passes = sb::radix_passes(largest);

    if (passes > 0 && !sb::radix_sort(d->pairs, d->all.n, passes, false, true, d->radix))
        return false;
    if (passes % 2 == 1)
        d->pairs = {{d->pairs.key[1], d->pairs.key[0]}, {d->pairs.value[1], d->pairs.value[0]}};
    return true;
}

// Ranks rotations by their first 2h bytes (4 for h = 0), by which they are sorted. *ranks is the number of different
// ranks.
static bool rank_rows(doubling *d, uint32_t h, uint32_t *ranks)
{
    if (cudaMemset(d->marked, 0, sizeof *d->marked) != cudaSuccess)
        return false;
    mark<<<d->run_blocks, THREADS>>>(d->all, h, d->rank, d->pairs.value[0], d->marks, d->last_mark, d->marked);
    carry<<<1, THREADS>>>(d->last_mark, d->runs);
    name<<<d->run_blocks, THREADS>>>(d->pairs.value[0], d->all.n, d->marks, d->last_mark, d->rank);
    return cudaPeekAtLastError() == cudaSuccess &&
           cudaMemcpy(ranks, d->marked, sizeof *ranks, cudaMemcpyDeviceToHost) == cudaSuccess;
}

static bool sort_rotations(doubling *d)
{
    uint32_t n = d->all.n, ranks = 0, ranks_before = 0;

    key_by_first_bytes<<<d->row_blocks, THREADS>>>(d->all, d->pairs.key[0], d->pairs.value[0]);
    if (!sort(d, 0xffffffffu))
        return false;
    if (d->all.block < n) {
        key_by_block<<<d->row_blocks, THREADS>>>(d->all, d->pairs.value[0], d->pairs.key[0]);
        if (!sort(d, (n - 1) / d->all.block))
            return false;
    }
    if (!rank_rows(d, 0, &ranks))
        return false;
    for (uint64_t h = 4; h < d->all.block && ranks < n && ranks != ranks_before; h *= 2) {
        ranks_before = ranks;
        key_by_rank_behind<<<d->row_blocks, THREADS>>>(d->all, (uint32_t)h, d->rank, d->pairs.key[0],
                                                       d->pairs.value[0]);
        if (!sort(d, n - 1) || !rank_rows(d, (uint32_t)h, &ranks))
            return false;
    }
    if (ranks < n) {
        key_by_rank<<<d->row_blocks, THREADS>>>(d->all, d->rank, d->pairs.key[0], d->pairs.value[0]);
        if (!sort(d, n - 1))
            return false;
    }
    return cudaPeekAtLastError() == cudaSuccess;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_BWT_FORWARD_TEXT].length > sb::RADIX_MAX_PAIRS ? "more than 2^32 - 2^14 bytes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    doubling d = {};

    (void)parameters;
    return inputs[SB_BWT_FORWARD_TEXT].length ? lay_out(&d, inputs[SB_BWT_FORWARD_TEXT].length, nullptr) : 0;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_BWT_FORWARD_TEXT].length;
    uint64_t block = parameters[SB_BWT_BLOCK];
    doubling d = {};

    if (n == 0)
        return SB_OK;
    lay_out(&d, n, workspace);
    d.all.text = (const uint8_t *)inputs[SB_BWT_FORWARD_TEXT].data;
    d.all.n = (uint32_t)n;
    d.all.block = (uint32_t)(block == 0 || block > n ? n : block);
    if (!sort_rotations(&d))
        return SB_FAILED;
    write_last<<<d.row_blocks, THREADS>>>(d.all, d.pairs.value[0], (uint8_t *)outputs[SB_BWT_FORWARD_LAST].data,
                                          (uint64_t *)outputs[SB_BWT_FORWARD_PRIMARY].data);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {sb::RADIX_TILE, 0};

extern "C" const sb_variant sb_gpu_bwt_forward_doubling[] = {
    {"bwt.forward", "doubling", "prefix doubling over rotations, all blocks in one radix sort", refuses,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
