// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/permutation_scan: one long chunk by many warps, with a scan over move-to-front lists.
//
// What a part of the input does to a list is given by its recency list: its symbols, the last one first. They go to the
// front in this order, and all others follow in the order that they had. Recency lists compose, first A and then B: B's
// symbols, then those of A that B lacks. This is associative, so a scan over tiles gives each tile the list that it
// starts from. (S. Patel, Y. Zhang, J. Mak, A. Davidson and J. D. Owens, "Parallel lossless data compression on the
// GPU", 2012, compose lists so.) The input is cut into tiles of 4096 bytes. The list of the first tile of a chunk is
// made complete, by the symbols that it lacks in ascending order, and a complete list hides all before it: so no chunk
// sees the one before.
//   partials   one warp for each tile: walks backwards, 128 bytes in each step, and takes the first occurrence of each
//              symbol. A step without a new symbol, as most are in text, costs one look at a flag for each byte
//   up, down   a warp for each 8 lists: composes them into one of the next level; then, from the top, replaces each
//              list by the composition of all lists before it
//   rank       one warp for each tile: encodes from its list, 32 symbols in each step (tables.cuh)
// Shared memory: two lists and a flag for each symbol, 768 bytes for each warp, in `up` and `down`; less in the others.
// Lanes exchange bytes through it with a __syncwarp between writes and reads; all 32 lanes reach every ballot.
// Workspace: 260 bytes for each tile and level. Cost: that of 32symbols, and reading the input once more.
#include "chunks.cuh"
#include "tables.cuh"
#include <samebits/prim/warp.cuh>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    TILE = 4096, // bytes: half as many double the lists, of 260 bytes each, and the scan; twice as many halve the warps
    FAN = 8,     // lists that a warp composes one after the other. Not tuned.
    WARPS = 4,
    THREADS = WARPS * sb::WARP_LANES
};

// A recency list: its first `count` symbols, all different.
struct recent {
    uint8_t symbol[256];
    uint32_t count;
};

// The storage in which a warp composes lists: the current list is list[side], the other one is being written.
struct composer {
    uint8_t list[2][256];
    uint8_t met[256];
    uint32_t count[2];
};

struct tiles {
    chunked c;
    uint64_t per_chunk, count;
};

static __device__ __forceinline__ span tile_at(const tiles &all, uint64_t index)
{
    span s = chunk_at(all.c, index / all.per_chunk);
    uint64_t skipped = index % all.per_chunk * TILE;

    s.first += skipped;
    s.length = s.length > skipped ? s.length - skipped : 0;
    if (s.length > TILE)
        s.length = TILE;
    return s;
}

static __device__ __forceinline__ uint64_t warp_index(void)
{
    return blockIdx.x * (uint64_t)WARPS + sb::warp_index();
}

static __device__ __forceinline__ void forget(uint8_t met[256])
{
    for (unsigned i = sb::lane_index(); i < 256; i += sb::WARP_LANES)
        met[i] = 0;
    __syncwarp(); // no symbol is flagged
}

// Appends the symbols of the lanes that have a new one, in lane order. Returns the new count.
static __device__ __forceinline__ unsigned append(uint8_t *list, unsigned count, unsigned symbol, bool fresh)
{
    unsigned all = __ballot_sync(sb::FULL_MASK, fresh);

    if (fresh)
        list[count + sb::count_below(all)] = (uint8_t)symbol;
    return count + (unsigned)__popc(all);
}

// The last 128 of the first `left` bytes, four for each lane: byte j of the result is the one 32 * j + lane + 1 before
// their end, 0 where there is none.
static __device__ __forceinline__ unsigned last_bytes(const uint8_t *tile, unsigned left)
{
    unsigned word = 0;

#pragma unroll
    for (unsigned j = 0; j < 4; j++) {
        unsigned back = j * sb::WARP_LANES + sb::lane_index() + 1;

        if (back <= left)
            word |= (unsigned)tile[left - back] << 8 * j;
    }
    return word;
}

static __global__ void partials(tiles all, recent *out)
{
    __shared__ uint8_t flags[WARPS][256];
    uint64_t index = warp_index();
    uint8_t *met = flags[sb::warp_index()];
    unsigned lane = sb::lane_index();
    unsigned count = 0;

    if (index >= all.count)
        return; // the whole warp
    span tile = tile_at(all, index);
    const uint8_t *from = all.c.from + tile.first;
    uint8_t *list = out[index].symbol;
    unsigned left = (unsigned)tile.length;
    unsigned next = last_bytes(from, left);

    forget(met);
    while (left > 0 && count < 256) {
        unsigned word = next, step = left < 4 * sb::WARP_LANES ? left : 4u * sb::WARP_LANES;
        bool fresh = false;

        next = last_bytes(from, left - step);
#pragma unroll
        for (unsigned j = 0; j < 4; j++)
            fresh |= j * sb::WARP_LANES + lane < step && !met[word >> 8 * j & 255];
        if (__any_sync(sb::FULL_MASK, fresh)) {
            __syncwarp(); // every lane has read its flags: a vote does not order memory
#pragma unroll
            for (unsigned j = 0; j < 4; j++) {
                bool valid = j * sb::WARP_LANES + lane < step;
                unsigned symbol = valid ? word >> 8 * j & 255 : 256 + lane;
                unsigned equal = sb::match_digit(symbol);

                fresh = valid && sb::count_below(equal) == 0 && !met[symbol];
                count = append(list, count, symbol, fresh);
                if (fresh)
                    met[symbol] = 1;
                __syncwarp(); // these 32 symbols are flagged
            }
        }
        left -= step;
    }
    if (index % all.per_chunk == 0)
        for (unsigned symbol = lane; symbol < 256; symbol += sb::WARP_LANES)
            count = append(list, count, symbol, !met[symbol]);
    if (lane == 0)
        out[index].count = count;
}

// Composes the current list with one that comes after it. Returns the side of the result.
static __device__ __forceinline__ unsigned compose(composer *b, unsigned side, const recent *later)
{
    const uint8_t *before = b->list[side];
    uint8_t *after = b->list[1 - side];
    unsigned lane = sb::lane_index();
    unsigned before_count = b->count[side];
    unsigned count = later->count;

    forget(b->met);
    for (unsigned i = lane; i < count; i += sb::WARP_LANES) {
        after[i] = later->symbol[i];
        b->met[after[i]] = 1;
    }
    __syncwarp(); // the later list's symbols are flagged
    for (unsigned row = 0; row < before_count; row += sb::WARP_LANES) {
        bool valid = row + lane < before_count;
        unsigned symbol = valid ? before[row + lane] : 0;

        count = append(after, count, symbol, valid && !b->met[symbol]);
    }
    if (lane == 0)
        b->count[1 - side] = count;
    __syncwarp(); // the result is complete
    return 1 - side;
}

static __device__ __forceinline__ void store(const composer *b, unsigned side, recent *to)
{
    for (unsigned i = sb::lane_index(); i < b->count[side]; i += sb::WARP_LANES)
        to->symbol[i] = b->list[side][i];
    if (sb::lane_index() == 0)
        to->count = b->count[side];
}

// Starts with a copy of `from`, or with an empty list.
static __device__ __forceinline__ void begin(composer *b, const recent *from)
{
    unsigned count = from ? from->count : 0;

    for (unsigned i = sb::lane_index(); i < count; i += sb::WARP_LANES)
        b->list[0][i] = from->symbol[i];
    if (sb::lane_index() == 0)
        b->count[0] = count;
    __syncwarp(); // the list is complete
}

static __global__ void up(const recent *lists, uint64_t count, recent *above)
{
    __shared__ composer composers[WARPS];
    composer *b = &composers[sb::warp_index()];
    uint64_t index = warp_index();
    unsigned side = 0;

    if (index * FAN >= count)
        return; // the whole warp
    begin(b, nullptr);
    for (uint64_t i = index * FAN; i < count && i < (index + 1) * FAN; i++)
        side = compose(b, side, &lists[i]);
    store(b, side, &above[index]);
}

// `above` is null at the top, where nothing comes before.
static __global__ void down(recent *lists, uint64_t count, const recent *above)
{
    __shared__ composer composers[WARPS];
    composer *b = &composers[sb::warp_index()];
    uint64_t index = warp_index();
    unsigned side = 0;

    if (index * FAN >= count)
        return; // the whole warp
    begin(b, above ? &above[index] : nullptr);
    for (uint64_t i = index * FAN; i < count && i < (index + 1) * FAN; i++) {
        side = compose(b, side, &lists[i]);
        store(b, 1 - side, &lists[i]);
        __syncwarp(); // the list before has been stored, and its side may be written
    }
}

static __global__ void rank(tiles all, const recent *start)
{
    __shared__ tables lists[WARPS];
    tables *list = &lists[sb::warp_index()];
    uint64_t index = warp_index();

    if (index >= all.count)
        return; // the whole warp
    span tile = tile_at(all, index);

    if (tile.length == 0)
        return; // the whole warp
    if (index % all.per_chunk == 0)
        reset<sb::WARP_LANES>(list);
    else
        restore<sb::WARP_LANES>(list, start[index].symbol);
    rank_buffer<sb::WARP_LANES>(list, all.c.from + tile.first, all.c.to + tile.first, tile.length);
}

static tiles cut(const chunked &c)
{
    tiles all;

    all.c = c;
    all.per_chunk = sb::divide_up(c.chunk, TILE);
    all.count = c.chunks * all.per_chunk;
    return all;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t count = cut(cut_chunks(parameters, inputs, nullptr)).count;
    uint64_t lists = count;

    for (; count > FAN; lists += count)
        count = sb::divide_up(count, FAN);
    return lists * sizeof(recent);
}

static const char *refuses_tiles(const uint64_t *parameters, const sb_array *inputs)
{
    return sb::divide_up(cut(cut_chunks(parameters, inputs, nullptr)).count, WARPS) > MAX_GRID
               ? "more tiles than a grid takes"
               : nullptr;
}

static unsigned blocks(uint64_t warps)
{
    return (unsigned)sb::divide_up(warps, WARPS);
}

// Turns each list into the composition of all before it; the first becomes empty.
static void scan(recent *lists, uint64_t count)
{
    uint64_t groups = sb::divide_up(count, FAN);

    if (groups > 1) {
        up<<<blocks(groups), THREADS>>>(lists, count, lists + count);
        scan(lists + count, groups);
    }
    down<<<blocks(groups), THREADS>>>(lists, count, groups > 1 ? lists + count : nullptr);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    tiles all = cut(cut_chunks(parameters, inputs, outputs));
    recent *lists = (recent *)workspace;

    if (all.count == 0)
        return SB_OK;
    partials<<<blocks(all.count), THREADS>>>(all, lists);
    scan(lists, all.count);
    rank<<<blocks(all.count), THREADS>>>(all, lists);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {TILE, uint64_t{TILE} * FAN, 0};

extern "C" const sb_variant sb_gpu_mtf_encode_permutation_scan[] = {
    {"mtf.encode", "permutation_scan", "tiles of one long chunk, each from a list composed by a scan", refuses_tiles,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
