// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/permutation_scan: one long buffer by many warps, by composing move-to-front lists.
//
// What a stretch of input does to a list is itself a list: the symbols met, the last one first. They go to the front in
// this order and all others follow in the order they had. So stretches compose, first A then B: B's symbols, then those
// of A that B lacks; this is associative, and a scan over tiles gives each the list that it starts from. The input is
// cut into tiles of 4096 bytes. A chunk cuts too: the first tile of a chunk has a complete list, the symbols that it
// lacks being appended in ascending order, and a complete list hides all before it.
//   partials   a warp a tile: walks backwards, 128 bytes a step, and takes the first sight of each symbol; a step
//              without a new one, as most are in text, costs a look at a mark for each byte
//   up, down   a warp for each 8 lists: composes them into one of the next level; then, from the top, replaces each
//              list by the composition of all before it
//   rank       a warp a tile: encodes from its list, 32 symbols a step (tables.cuh)
// Shared memory: two lists and a mark for each symbol, 768 bytes a warp, in `up` and `down`; less in the others. Lanes
// exchange through it with a __syncwarp between writes and reads; votes are reached by all 32 lanes.
// Workspace: 260 bytes a tile and level. Cost: that of 32symbols, and reading the input once more.
#include "pieces.cuh"
#include "tables.cuh"

enum { LANES = 32, TILE = 4096, FAN = 8, WARPS = 4, THREADS = WARPS * LANES };

static const unsigned ALL = 0xffffffffu;

// The first `count` of `symbol` differ.
struct recent {
    uint8_t symbol[256];
    uint32_t count;
};

// A warp's place of work: the list as it is, list[side], and as it was.
struct bench {
    uint8_t list[2][256];
    uint8_t met[256];
    uint32_t count[2];
};

struct tiles {
    pieces p;
    uint64_t per_chunk, count;
};

static __device__ __forceinline__ span tile_at(const tiles &all, uint64_t index)
{
    span s = piece_at(all.p, index / all.per_chunk);
    uint64_t skipped = index % all.per_chunk * TILE;

    s.first += skipped;
    s.length = s.length > skipped ? s.length - skipped : 0;
    if (s.length > TILE)
        s.length = TILE;
    return s;
}

static __device__ __forceinline__ uint64_t warp_index(void)
{
    return blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES;
}

static __device__ __forceinline__ void forget(uint8_t met[256])
{
    for (unsigned i = threadIdx.x % LANES; i < 256; i += LANES)
        met[i] = 0;
    __syncwarp(); // nothing is marked
}

// Appends the symbols of the lanes that have a new one, in lane order. Returns the new count.
static __device__ __forceinline__ unsigned append(uint8_t *list, unsigned count, unsigned symbol, bool fresh)
{
    unsigned all = __ballot_sync(ALL, fresh);

    if (fresh)
        list[count + (unsigned)__popc(all & ((1u << threadIdx.x % LANES) - 1))] = (uint8_t)symbol;
    return count + (unsigned)__popc(all);
}

// Of the first `left` bytes the last 128, four a lane: byte j of the result is the one 32 * j + lane + 1 before their
// end, 0 where there are not so many.
static __device__ __forceinline__ unsigned last_bytes(const uint8_t *tile, unsigned left)
{
    unsigned word = 0;

#pragma unroll
    for (unsigned j = 0; j < 4; j++) {
        unsigned back = j * LANES + threadIdx.x % LANES + 1;

        if (back <= left)
            word |= (unsigned)tile[left - back] << 8 * j;
    }
    return word;
}

static __global__ void partials(tiles all, recent *out)
{
    __shared__ uint8_t marks[WARPS][256];
    uint64_t index = warp_index();
    uint8_t *met = marks[threadIdx.x / LANES];
    unsigned lane = threadIdx.x % LANES;
    unsigned count = 0;

    if (index >= all.count)
        return; // the whole warp
    span tile = tile_at(all, index);
    const uint8_t *from = all.p.from + tile.first;
    uint8_t *list = out[index].symbol;
    unsigned left = (unsigned)tile.length;
    unsigned next = last_bytes(from, left);

    forget(met);
    while (left > 0 && count < 256) {
        unsigned word = next, step = left < 4 * LANES ? left : 4u * LANES;
        bool fresh = false;

        next = last_bytes(from, left - step);
#pragma unroll
        for (unsigned j = 0; j < 4; j++)
            fresh |= j * LANES + lane < step && !met[word >> 8 * j & 255];
        if (__any_sync(ALL, fresh)) {
            __syncwarp(); // every lane has read its marks: a vote does not order memory
#pragma unroll
            for (unsigned j = 0; j < 4; j++) {
                bool valid = j * LANES + lane < step;
                unsigned symbol = valid ? word >> 8 * j & 255 : 256 + lane;
                unsigned equal = __match_any_sync(ALL, symbol);

                fresh = valid && (equal & ((1u << lane) - 1)) == 0 && !met[symbol];
                count = append(list, count, symbol, fresh);
                if (fresh)
                    met[symbol] = 1;
                __syncwarp(); // these 32 symbols are marked
            }
        }
        left -= step;
    }
    if (index % all.per_chunk == 0)
        for (unsigned symbol = lane; symbol < 256; symbol += LANES)
            count = append(list, count, symbol, !met[symbol]);
    if (lane == 0)
        out[index].count = count;
}

// Composes the bench's list with one that comes after it. Returns the side on which the result is.
static __device__ __forceinline__ unsigned compose(bench *b, unsigned side, const recent *later)
{
    const uint8_t *before = b->list[side];
    uint8_t *after = b->list[1 - side];
    unsigned lane = threadIdx.x % LANES;
    unsigned before_count = b->count[side];
    unsigned count = later->count;

    forget(b->met);
    for (unsigned i = lane; i < count; i += LANES) {
        after[i] = later->symbol[i];
        b->met[after[i]] = 1;
    }
    __syncwarp(); // the later list's symbols are marked
    for (unsigned row = 0; row < before_count; row += LANES) {
        bool valid = row + lane < before_count;
        unsigned symbol = valid ? before[row + lane] : 0;

        count = append(after, count, symbol, valid && !b->met[symbol]);
    }
    if (lane == 0)
        b->count[1 - side] = count;
    __syncwarp(); // the result is there
    return 1 - side;
}

static __device__ __forceinline__ void store(const bench *b, unsigned side, recent *to)
{
    for (unsigned i = threadIdx.x % LANES; i < b->count[side]; i += LANES)
        to->symbol[i] = b->list[side][i];
    if (threadIdx.x % LANES == 0)
        to->count = b->count[side];
}

// The bench begins with a copy of `from`, or with an empty list.
static __device__ __forceinline__ void begin(bench *b, const recent *from)
{
    unsigned count = from ? from->count : 0;

    for (unsigned i = threadIdx.x % LANES; i < count; i += LANES)
        b->list[0][i] = from->symbol[i];
    if (threadIdx.x % LANES == 0)
        b->count[0] = count;
    __syncwarp(); // the list is there
}

static __global__ void up(const recent *lists, uint64_t count, recent *above)
{
    __shared__ bench benches[WARPS];
    bench *b = &benches[threadIdx.x / LANES];
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
    __shared__ bench benches[WARPS];
    bench *b = &benches[threadIdx.x / LANES];
    uint64_t index = warp_index();
    unsigned side = 0;

    if (index * FAN >= count)
        return; // the whole warp
    begin(b, above ? &above[index] : nullptr);
    for (uint64_t i = index * FAN; i < count && i < (index + 1) * FAN; i++) {
        side = compose(b, side, &lists[i]);
        store(b, 1 - side, &lists[i]);
        __syncwarp(); // what was before has been stored: its side is free
    }
}

static __global__ void rank(tiles all, const recent *start)
{
    __shared__ tables lists[WARPS];
    tables *list = &lists[threadIdx.x / LANES];
    uint64_t index = warp_index();

    if (index >= all.count)
        return; // the whole warp
    span tile = tile_at(all, index);

    if (tile.length == 0)
        return; // the whole warp
    if (index % all.per_chunk == 0)
        reset<LANES>(list);
    else
        restore<LANES>(list, start[index].symbol);
    rank_buffer<LANES>(list, all.p.from + tile.first, all.p.to + tile.first, tile.length);
}

static uint64_t over(uint64_t count, uint64_t by)
{
    return count / by + (count % by != 0);
}

static tiles cut(const pieces &p)
{
    tiles all;

    all.p = p;
    all.per_chunk = over(p.chunk, TILE);
    all.count = p.chunks * all.per_chunk;
    return all;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t count = cut(make_pieces(parameters, inputs, nullptr)).count;
    uint64_t lists = count;

    for (; count > FAN; lists += count)
        count = over(count, FAN);
    return lists * sizeof(recent);
}

static const char *refuses_tiles(const uint64_t *parameters, const sb_array *inputs)
{
    return over(cut(make_pieces(parameters, inputs, nullptr)).count, WARPS) > MAX_GRID ? "more tiles than a grid takes"
                                                                                       : nullptr;
}

static unsigned blocks(uint64_t warps)
{
    return (unsigned)over(warps, WARPS);
}

// Turns each list into the composition of all before it; the first becomes empty.
static void scan(recent *lists, uint64_t count)
{
    uint64_t groups = over(count, FAN);

    if (groups > 1) {
        up<<<blocks(groups), THREADS>>>(lists, count, lists + count);
        scan(lists + count, groups);
    }
    down<<<blocks(groups), THREADS>>>(lists, count, groups > 1 ? lists + count : nullptr);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    tiles all = cut(make_pieces(parameters, inputs, outputs));
    recent *lists = (recent *)workspace;

    if (all.count == 0)
        return SB_OK;
    partials<<<blocks(all.count), THREADS>>>(all, lists);
    scan(lists, all.count);
    rank<<<blocks(all.count), THREADS>>>(all, lists);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_mtf_encode_permutation_scan[] = {
    {"mtf.encode", "permutation_scan", "tiles of one long buffer, each from a list composed by a scan", refuses_tiles,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
