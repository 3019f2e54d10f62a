// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/doubling: prefix doubling over the rotations of all blocks at once.
//
// Rotations are named by their start in the text. Once they are sorted by their first h bytes, a rotation's rank is
// the row of the first rotation equal to it so far; rows count through all blocks, block 0 first, so a rank also says
// its block. The order by 2h bytes is the order by the pairs (rank of i, rank of i + h, around the block). It costs
// one sort: the rotations i = order[row] - h stand in the order of the second half already, and a stable sort by
// rank[i] finishes it.
// Start: sort by the block and the first 4 bytes. Stop: when no two rotations of a block are equal, or a step has
// split no group of equal ones (if 2h bytes tell no more than h, then by induction no number of bytes does), or h has
// reached the block. Rotations equal at that point, those of a periodic block, are put in order of start by a stable
// sort by rank.
//
// The sort is that of radix.cuh, of only as many bits as rows have.
// Ranks: a warp marks which of 1024 consecutive rows differ from the row before (mark), one block of threads finds the
// last mark before each 1024 rows (carry), and a warp gives each of its rows the row of the last mark at or before it
// (name).
// Cost: about 20.4 bytes of workspace a byte; log2(longest repeat / 4) + 1 sorts of log2(n) / 8 passes.
#include "radix.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    LANES = 32,
    THREADS = 256,
    WARPS = THREADS / LANES,
    RUN = LANES * LANES // rows whose marks are a word in each lane of a warp
};

static const unsigned ALL = 0xffffffffu;

// Types of this file alone: other variants of the same module may use the same names.
namespace
{

// The text and its cut into blocks; 1 <= block <= n.
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

struct max_of {
    __device__ uint32_t operator()(uint32_t a, uint32_t b) const
    {
        return a > b ? a : b;
    }
};

} // namespace

static __device__ uint32_t row_index(void)
{
    uint64_t row = blockIdx.x * (uint64_t)THREADS + threadIdx.x; // may pass 2^32 - 1 in the last block

    return row < 0xffffffffu ? (uint32_t)row : 0xffffffffu;
}

// Inclusive scan of one value a thread over a block of THREADS; 0 is the identity of both operators. `sums` may be used
// again after the caller's next barrier.
template <class Op> static __device__ uint32_t scan_block(uint32_t value, Op op, uint32_t sums[WARPS])
{
    unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;

    for (unsigned distance = 1; distance < LANES; distance *= 2) {
        uint32_t other = __shfl_up_sync(ALL, value, distance);

        if (lane >= distance)
            value = op(other, value);
    }
    if (lane == LANES - 1)
        sums[warp] = value;
    __syncthreads(); // every warp's sum is there
    uint32_t before = 0;
    for (unsigned w = 0; w < warp; w++)
        before = op(before, sums[w]);
    return op(before, value);
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

// Goes from the order by h bytes to that by the bytes h..2h-1, with the ranks by h bytes as keys.
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

// Do rotations in neighbouring rows differ in their first 2h bytes? h = 0: in their first 4, or in their blocks.
static __device__ bool differ(const rotations &all, uint32_t h, const uint32_t *rank, uint32_t a, uint32_t b)
{
    if (h == 0)
        return all.first_bytes(a) != all.first_bytes(b) || a / all.block != b / all.block;
    return rank[a] != rank[b] || rank[all.ahead(a, h)] != rank[all.ahead(b, h)];
}

// marks: a bit a row. last_mark: the last marked row of each run of RUN rows, 0 if none is. marked: how many.
static __global__ void mark(rotations all, uint32_t h, const uint32_t *rank, const uint32_t *order, uint32_t *marks,
                            uint32_t *last_mark, uint32_t *marked)
{
    unsigned lane = threadIdx.x % LANES;
    uint64_t run = blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES;
    uint64_t first = run * RUN;
    uint32_t mine = 0; // the marks of the lane-th 32 rows

    if (first >= all.n)
        return; // the whole warp
    for (unsigned k = 0; k < LANES && first + k * LANES < all.n; k++) {
        uint64_t row = first + k * LANES + lane;
        bool differs = row < all.n && (row == 0 || differ(all, h, rank, order[row], order[row - 1]));
        unsigned word = __ballot_sync(ALL, differs);

        if (lane == k)
            mine = word;
    }
    marks[run * LANES + lane] = mine;

    unsigned found = __ballot_sync(ALL, mine != 0);
    unsigned last_lane = found ? LANES - 1 - (unsigned)__clz((int)found) : 0;
    uint32_t last_word = __shfl_sync(ALL, mine, (int)last_lane);
    uint32_t sum = (uint32_t)__popc(mine);

    for (unsigned distance = LANES / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(ALL, sum, distance);
    if (lane == 0) {
        last_mark[run] = found ? (uint32_t)first + last_lane * LANES + LANES - 1 - (unsigned)__clz((int)last_word) : 0;
        atomicAdd(marked, sum);
    }
}

// Replaces the last mark of each run by the last one of all runs before it. One block.
static __global__ void carry(uint32_t *last_mark, uint64_t runs)
{
    __shared__ uint32_t inclusive[THREADS];
    __shared__ uint32_t sums[WARPS];
    uint32_t before = 0;

    for (uint64_t base = 0; base < runs; base += THREADS) {
        uint64_t run = base + threadIdx.x;

        inclusive[threadIdx.x] = scan_block(run < runs ? last_mark[run] : 0, max_of(), sums);
        __syncthreads(); // the scan is there for the thread to the right, and for all
        uint32_t to_the_left = threadIdx.x == 0 ? 0 : inclusive[threadIdx.x - 1];
        uint32_t all = inclusive[THREADS - 1];

        if (run < runs)
            last_mark[run] = max_of()(before, to_the_left);
        before = max_of()(before, all);
        // the barrier in the next scan_block is between these reads of `inclusive` and its next writes
    }
}

static __global__ void name(const uint32_t *order, uint32_t n, const uint32_t *marks, const uint32_t *last_mark,
                            uint32_t *rank)
{
    unsigned lane = threadIdx.x % LANES;
    uint64_t run = blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES;
    uint64_t first = run * RUN;

    if (first >= n)
        return; // the whole warp
    uint32_t words = marks[run * LANES + lane];
    uint32_t before = last_mark[run];
    for (unsigned k = 0; k < LANES && first + k * LANES < n; k++) {
        uint32_t base = (uint32_t)first + k * LANES;
        uint32_t word = __shfl_sync(ALL, words, (int)k);
        uint32_t up_to_me = word & ((2u << lane) - 1); // for lane 31, 2 << 31 is 0 and the mask is all ones

        if (first + k * LANES + lane < n)
            rank[order[base + lane]] = up_to_me ? base + LANES - 1 - (unsigned)__clz((int)up_to_me) : before;
        if (word)
            before = base + LANES - 1 - (unsigned)__clz((int)word);
    }
}

static __global__ void give(rotations all, const uint32_t *order, uint8_t *last, uint64_t *primary)
{
    uint32_t row = row_index();

    if (row < all.n) {
        uint32_t i = order[row];

        last[row] = all.text[all.behind(i, 1)];
        if (i % all.block == 0)
            primary[i / all.block] = row - i; // a block's rows begin where its text does
    }
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

namespace
{

struct doubling {
    rotations all;
    radix_pairs pairs; // key[0], the keys, and value[0], the order, are those in use
    radix_room room;
    uint32_t *rank, *marks, *last_mark, *marked;
    uint64_t runs;
    unsigned row_blocks, run_blocks; // at most 2^24: blocks for a thread a row, a warp a run
};

} // namespace

// NULL where there is no workspace yet, and only its size is asked for.
static uint32_t *take(char *workspace, uint64_t *used, uint64_t count)
{
    uint32_t *taken = workspace == nullptr ? nullptr : (uint32_t *)(workspace + *used);

    *used += divide_up(count * sizeof(uint32_t), 256) * 256;
    return taken;
}

// Lays the arrays out in the workspace and gives its size.
static uint64_t lay_out(doubling *d, uint64_t n, char *workspace)
{
    uint64_t used = 0;

    d->runs = divide_up(n, RUN);
    d->row_blocks = (unsigned)divide_up(n, THREADS);
    d->run_blocks = (unsigned)divide_up(d->runs, WARPS);
    for (unsigned i = 0; i < 2; i++) {
        d->pairs.key[i] = take(workspace, &used, n);
        d->pairs.value[i] = take(workspace, &used, n);
    }
    d->rank = take(workspace, &used, n);
    d->marks = take(workspace, &used, d->runs * LANES);
    d->last_mark = take(workspace, &used, d->runs);
    d->room = radix_room_at(take(workspace, &used, radix_room_words(n)), n);
    d->marked = take(workspace, &used, 1);
    return used;
}

// Sorts (key, order) by key, stably; `largest` bounds the keys.
static bool sort(doubling *d, uint32_t largest)
{
    unsigned passes = radix_passes(largest);

    if (passes > 0 && !radix_sort(d->pairs, d->all.n, passes, false, true, d->room))
        return false;
    if (passes % 2 == 1)
        d->pairs = {{d->pairs.key[1], d->pairs.key[0]}, {d->pairs.value[1], d->pairs.value[0]}};
    return true;
}

// Ranks by 2h bytes (h = 0: 4), from the order by as many; `ranks` is how many different ones there are.
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
    return inputs[SB_BWT_FORWARD_TEXT].length > RADIX_MOST ? "more than 2^32 - 2^14 bytes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    doubling d;

    (void)parameters;
    return inputs[SB_BWT_FORWARD_TEXT].length ? lay_out(&d, inputs[SB_BWT_FORWARD_TEXT].length, nullptr) : 0;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_BWT_FORWARD_TEXT].length;
    uint64_t block = parameters[SB_BWT_BLOCK];
    doubling d;

    if (n == 0)
        return SB_OK;
    lay_out(&d, n, (char *)workspace);
    d.all.text = (const uint8_t *)inputs[SB_BWT_FORWARD_TEXT].data;
    d.all.n = (uint32_t)n;
    d.all.block = (uint32_t)(block == 0 || block > n ? n : block);
    if (!sort_rotations(&d))
        return SB_FAILED;
    give<<<d.row_blocks, THREADS>>>(d.all, d.pairs.value[0], (uint8_t *)outputs[SB_BWT_FORWARD_LAST].data,
                                    (uint64_t *)outputs[SB_BWT_FORWARD_PRIMARY].data);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_bwt_forward_doubling[] = {
    {"bwt.forward", "doubling", "prefix doubling over rotations, all blocks in one radix sort", refuses,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
