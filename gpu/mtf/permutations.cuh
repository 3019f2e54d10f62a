// SPDX-License-Identifier: BSD-2-Clause
//
// What a part of the ranks does to a list of 256, whatever the list holds, is a permutation. A scan over permutations
// gives each tile the list that it starts from. mtf.decode/permutation_scan and qlfc.decode/permutation_scan are these
// kernels with a step of their own.
//
// A permutation is written as the list that 0..255 becomes. First A, then B gives the list whose entry i is entry B[i]
// of A; this is associative. The ranks are cut into tiles, and each chunk has its own tiles.
//   trace      one thread for each tile: decodes from the list 0..255. Its output is positions in the list that the
//              tile really starts from. A warp writes the permutations of its 32 tiles, a row of 256 bytes at a time
//   up, down   a warp for each 8 permutations: composes them to one of the next level; then, from the top, replaces
//              each by the composition of all before it
//   finish     a warp for each 8 tiles: starts from the list of the first of them, replaces the positions of a tile by
//              what the list holds there, and continues with the next tile's list
// Where a chunk begins, what came before is forgotten. A thread of `trace` has its list as a column of words of 8
// entries, the first in a register and 31 in shared memory: 8.25 KiB for each warp, and blocks of one warp; one column
// more than there are lanes keeps rows and columns free of bank conflicts. The other kernels have a list in shared
// memory, 256 bytes for each warp, in which all lanes look entries up; a __syncwarp separates looking up from writing.
#ifndef GPU_MTF_PERMUTATIONS_CUH
#define GPU_MTF_PERMUTATIONS_CUH

#include <samebits/prim/warp.cuh>
#include <samebits/prim/workspace.cuh>
#include <stdint.h>

enum : unsigned {
    WORDS = 256 / 8,
    PITCH = sb::WARP_LANES + 1,
    TILE = 1024,
    FAN = 8,
    WARPS = 4,
    THREADS = WARPS * sb::WARP_LANES
};

// Entry i is byte i % 8 of word i / 8, the lowest byte first.
struct permutation {
    uint64_t word[WORDS];
};

// Each chunk has `per_chunk` tiles, of which the last may be short or empty.
struct tiles {
    const uint8_t *rank;
    uint8_t *to;
    uint64_t n, chunk, per_chunk, count;
};

static tiles cut_tiles(const uint8_t *rank, uint8_t *to, uint64_t n, uint64_t chunk)
{
    tiles all = {rank, to, n, chunk == 0 || chunk > n ? n : chunk, 0, 0};

    if (n != 0) {
        all.per_chunk = sb::divide_up(all.chunk, TILE);
        all.count = sb::divide_up(n, all.chunk) * all.per_chunk;
    }
    return all;
}

// The first byte of tile `index`, and the number of its bytes.
static __device__ __forceinline__ uint64_t tile_first(const tiles &all, uint64_t index)
{
    return index / all.per_chunk * all.chunk + index % all.per_chunk * TILE;
}

static __device__ __forceinline__ unsigned tile_length(const tiles &all, uint64_t index)
{
    uint64_t chunk_first = index / all.per_chunk * all.chunk;
    uint64_t skipped = index % all.per_chunk * TILE;
    uint64_t length = all.n - chunk_first < all.chunk ? all.n - chunk_first : all.chunk;

    length = length > skipped ? length - skipped : 0;
    return length < TILE ? (unsigned)length : (unsigned)TILE;
}

static __device__ __forceinline__ bool aligned(const void *first, const void *second)
{
    return (((uintptr_t)first | (uintptr_t)second) & (sizeof(uint4) - 1)) == 0;
}

static __device__ __forceinline__ uint64_t identity_word(unsigned index)
{
    return 0x0706050403020100u + index * (uint64_t)0x0808080808080808u;
}

// 32 steps, from two 16-byte loads to two 16-byte stores.
template <class STEP>
static __device__ __forceinline__ void trace_by32(const uint8_t *rank, uint8_t *to, uint64_t &top, uint64_t *rest)
{
    const uint4 *from = (const uint4 *)rank;
    uint4 first = from[0], second = from[1];
    uint32_t bytes[8] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};

#pragma unroll
    for (int i = 0; i < 8; i++) {
        uint32_t ranks = bytes[i];

#pragma unroll 1
        for (int k = 0; k < 4; k++) {
            bytes[i] = bytes[i] >> 8 | STEP::move(top, rest, ranks & 255) << 24;
            ranks >>= 8;
        }
    }
    ((uint4 *)to)[0] = make_uint4(bytes[0], bytes[1], bytes[2], bytes[3]);
    ((uint4 *)to)[1] = make_uint4(bytes[4], bytes[5], bytes[6], bytes[7]);
}

// `out` may be null: then no permutations are written. STEP::move(top, rest, rank) is one step on a list of 0..255
// whose word 0 is `top` and whose word k is rest[k * PITCH].
template <class STEP> static __global__ void trace(tiles all, permutation *out)
{
    __shared__ uint64_t columns[WORDS][PITCH];
    unsigned lane = threadIdx.x;
    uint64_t first_tile = blockIdx.x * (uint64_t)sb::WARP_LANES;
    uint64_t *rest = &columns[0][lane];
    uint64_t top = identity_word(0);

    for (unsigned k = 1; k < WORDS; k++)
        rest[k * PITCH] = identity_word(k);
    if (first_tile + lane < all.count) {
        uint64_t first = tile_first(all, first_tile + lane);
        unsigned length = tile_length(all, first_tile + lane), i = 0;

        if (aligned(all.rank + first, all.to + first))
            for (; i + 32 <= length; i += 32)
                trace_by32<STEP>(all.rank + first + i, all.to + first + i, top, rest);
        for (; i < length; i++)
            all.to[first + i] = (uint8_t)STEP::move(top, rest, all.rank[first + i]);
    }
    if (!out)
        return; // the whole warp
    rest[0] = top;
    __syncwarp(); // all columns are complete
    for (unsigned tile = 0; tile < sb::WARP_LANES && first_tile + tile < all.count; tile++)
        out[first_tile + tile].word[lane] = columns[lane][tile];
}

// The entries of `list` at the positions in `later`.
static __device__ __forceinline__ uint64_t look_up(const permutation *list, uint64_t later)
{
    const uint8_t *entry = (const uint8_t *)list->word;
    uint64_t word = 0;

#pragma unroll
    for (unsigned shift = 0; shift < 64; shift += 8)
        word |= (uint64_t)entry[later >> shift & 255] << shift;
    return word;
}

static __device__ __forceinline__ uint32_t look_up_4(const permutation *list, uint32_t later)
{
    const uint8_t *entry = (const uint8_t *)list->word;

    return entry[later & 255] | (uint32_t)entry[later >> 8 & 255] << 8 | (uint32_t)entry[later >> 16 & 255] << 16 |
           (uint32_t)entry[later >> 24] << 24;
}

// Replaces the list; each lane has its word of the new one.
static __device__ __forceinline__ void replace(permutation *list, uint64_t word)
{
    __syncwarp(); // all lanes have looked up in the old list
    list->word[sb::lane_index()] = word;
    __syncwarp(); // the new list is complete
}

static __device__ __forceinline__ uint64_t warp_index(void)
{
    return blockIdx.x * (uint64_t)WARPS + sb::warp_index();
}

// Does a chunk begin in the tiles index * covers .. index * covers + covers - 1?
static __device__ __forceinline__ bool begins(const tiles &all, uint64_t index, uint64_t covers)
{
    return sb::divide_up(index * covers, all.per_chunk) * all.per_chunk < (index + 1) * covers;
}

// `covers` is the number of tiles that a permutation of this level represents.
static __global__ void up(tiles all, const permutation *level, uint64_t count, uint64_t covers, permutation *above)
{
    __shared__ permutation lists[WARPS];
    permutation *list = &lists[sb::warp_index()];
    unsigned lane = sb::lane_index();
    uint64_t group = warp_index();

    if (group * FAN >= count)
        return; // the whole warp
    replace(list, identity_word(lane));
    for (uint64_t i = group * FAN; i < count && i < (group + 1) * FAN; i++) {
        uint64_t later = level[i].word[lane];

        replace(list, begins(all, i, covers) ? later : look_up(list, later));
    }
    above[group].word[lane] = list->word[lane];
}

// `above` is null at the top, where nothing comes before.
static __global__ void down(tiles all, permutation *level, uint64_t count, uint64_t covers, const permutation *above)
{
    __shared__ permutation lists[WARPS];
    permutation *list = &lists[sb::warp_index()];
    unsigned lane = sb::lane_index();
    uint64_t group = warp_index();

    if (group * FAN >= count)
        return; // the whole warp
    replace(list, above ? above[group].word[lane] : identity_word(lane));
    for (uint64_t i = group * FAN; i < count && i < (group + 1) * FAN; i++) {
        uint64_t later = level[i].word[lane];

        level[i].word[lane] = list->word[lane];
        replace(list, begins(all, i, covers) ? later : look_up(list, later));
    }
}

// Replaces the positions in a tile by the entries of the list.
static __device__ __forceinline__ void finish_tile(uint8_t *to, unsigned length, const permutation *list)
{
    enum { LOADS = TILE / sizeof(uint4) / sb::WARP_LANES };
    unsigned lane = sb::lane_index();
    uint4 *vector = (uint4 *)to;
    uint4 held[LOADS];

    if (length < TILE || !aligned(to, to)) {
        for (unsigned i = lane; i < length; i += sb::WARP_LANES)
            to[i] = ((const uint8_t *)list->word)[to[i]];
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < LOADS; i++)
        held[i] = vector[i * sb::WARP_LANES + lane];
#pragma unroll
    for (unsigned i = 0; i < LOADS; i++)
        vector[i * sb::WARP_LANES + lane] = make_uint4(look_up_4(list, held[i].x), look_up_4(list, held[i].y),
                                                       look_up_4(list, held[i].z), look_up_4(list, held[i].w));
}

// `initial` is the list at the start of each chunk, or null: 0..255. `last`, unless null, gets the list at the end.
static __global__ void finish(tiles all, const permutation *level, const permutation *above, const permutation *initial,
                              permutation *last)
{
    __shared__ permutation lists[WARPS];
    permutation *list = &lists[sb::warp_index()];
    unsigned lane = sb::lane_index();
    uint64_t group = warp_index();
    uint64_t first_list = initial ? initial->word[lane] : identity_word(lane);

    if (group * FAN >= all.count)
        return; // the whole warp
    replace(list, first_list);
    if (above && initial)
        replace(list, look_up(list, above[group].word[lane]));
    else if (above)
        replace(list, above[group].word[lane]);
    for (uint64_t i = group * FAN; i < all.count && i < (group + 1) * FAN; i++) {
        uint64_t later = level[i].word[lane];
        bool begin = i % all.per_chunk == 0;

        if (begin)
            replace(list, first_list);
        if (!begin || initial)
            finish_tile(all.to + tile_first(all, i), tile_length(all, i), list);
        replace(list, look_up(list, later));
    }
    if (last && (group + 1) * FAN >= all.count)
        last->word[lane] = list->word[lane];
}

// Bytes of workspace. None where every tile begins a chunk.
static uint64_t permutations_bytes(const tiles &all)
{
    uint64_t count = all.per_chunk == 1 && all.count > 1 ? 0 : all.count, lists = count;

    for (; count > FAN; lists += count)
        count = sb::divide_up(count, FAN);
    return lists * sizeof(permutation);
}

static unsigned group_blocks(uint64_t groups)
{
    return (unsigned)sb::divide_up(groups, WARPS);
}

// Turns each permutation into the composition of those before it in its chunk.
static void scan_level(const tiles &all, permutation *level, uint64_t count, uint64_t covers)
{
    uint64_t groups = sb::divide_up(count, FAN);

    if (groups > 1) {
        up<<<group_blocks(groups), THREADS>>>(all, level, count, covers, level + count);
        scan_level(all, level + count, groups, covers * FAN);
    }
    down<<<group_blocks(groups), THREADS>>>(all, level, count, covers, groups > 1 ? level + count : nullptr);
}

// `workspace` has permutations_bytes(all), and is null when there are none; `initial` and `last` are those of finish().
// all.count is not 0.
template <class STEP>
static void decode_tiles(const tiles &all, permutation *workspace, const permutation *initial, permutation *last)
{
    uint64_t groups = sb::divide_up(all.count, FAN);
    permutation *above = nullptr; // where every group begins a chunk nothing passes from one to the next

    trace<STEP><<<(unsigned)sb::divide_up(all.count, sb::WARP_LANES), sb::WARP_LANES>>>(all, workspace);
    if (groups > 1 && FAN % all.per_chunk != 0) {
        above = workspace + all.count;
        up<<<group_blocks(groups), THREADS>>>(all, workspace, all.count, 1, above);
        scan_level(all, above, groups, FAN);
    }
    if (workspace)
        finish<<<group_blocks(groups), THREADS>>>(all, workspace, above, initial, last);
}

#endif
