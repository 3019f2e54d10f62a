// SPDX-License-Identifier: BSD-2-Clause
//
// What the kernels of run lengths share: tiles of 8192 bytes, of which each of a block's threads has 32 neighbours, as
// words in registers and as masks of 32 bits; and what stands before a tile, which one pass finds by looking back.
//
// Tiles begin at a multiple of 16 bytes of memory, the first one before the input if need be, so every load but those
// at both ends is one of 16 bytes, wherever the input begins. Results are put together in shared memory as they will
// lie in global memory, and stored by 16 bytes as well.
//
// Looking back: a block draws its tile from a counter, so all earlier tiles are done or running and may be waited for.
// A tile has one word of 64 bits, which says what it does by itself, an aggregate, and later, with all that stands
// before it, a prefix. The first warp reads the words of 32 tiles at a time, the nearest first, up to one that has
// its prefix, and joins them in order. A word is its own flag: nothing else is published, so relaxed (volatile)
// accesses are enough and there is no fence.
#ifndef GPU_RLE0_TILE_CUH
#define GPU_RLE0_TILE_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    LANES = 32,
    THREADS = 256,
    WARPS = THREADS / LANES,
    EACH = 32, // bytes a thread: as many as a mask has bits
    WORDS = EACH / 4,
    TILE = THREADS * EACH,
    VECTOR = sizeof(uint4)
};

static const unsigned ALL = 0xffffffffu;
static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x
static const uint64_t AGGREGATE = 1ull << 62, PREFIX = 2ull << 62, CONTENT = AGGREGATE - 1;

namespace
{

// The input, cut into tiles.
struct tiles {
    const uint8_t *bytes;
    uint64_t n, count;
    unsigned skew; // places of the first tile that lie before the input
};

// What a launch leaves in the memory of the device, besides its output. All 0 to begin with.
struct outcome {
    uint64_t length;
    unsigned invalid, ticket;
};

// 32 neighbours; a place beyond the input holds 0 and is in no mask.
struct piece {
    uint32_t word[WORDS];
    unsigned first, end; // the places of it that are in the input are first..end-1
    unsigned place;      // of `first` among those of the warp; behind the input that of its end
};

} // namespace

static __host__ __device__ __forceinline__ unsigned skew_of(const void *memory)
{
    return (unsigned)((uintptr_t)memory % VECTOR);
}

static __host__ __device__ __forceinline__ uint64_t tile_count(uint64_t n, unsigned skew)
{
    return (skew + n) / TILE + ((skew + n) % TILE != 0);
}

static __device__ __forceinline__ unsigned draw_tile(outcome *result)
{
    __shared__ unsigned drawn;

    if (threadIdx.x == 0)
        drawn = atomicAdd(&result->ticket, 1u);
    __syncthreads(); // the tile is drawn
    return drawn;
}

static __device__ __forceinline__ piece load_piece(const tiles &t, unsigned tile)
{
    piece p;
    unsigned lane = threadIdx.x % LANES;
    uint64_t at = (uint64_t)tile * TILE + threadIdx.x * EACH, end = t.skew + t.n, warp = at - lane * EACH;

    p.first = at == 0 ? t.skew : 0;
    p.end = at >= end ? 0 : end - at < EACH ? (unsigned)(end - at) : (unsigned)EACH;
    p.place = at < end ? lane * EACH + p.first : warp < end ? (unsigned)(end - warp) : 0;
    if (p.first == 0 && p.end == EACH) {
        const uint4 *from = (const uint4 *)(t.bytes + (at - t.skew));
        uint4 low = from[0], high = from[1];

        p.word[0] = low.x, p.word[1] = low.y, p.word[2] = low.z, p.word[3] = low.w;
        p.word[4] = high.x, p.word[5] = high.y, p.word[6] = high.z, p.word[7] = high.w;
        return p;
    }
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        uint32_t byte = i >= p.first && i < p.end ? t.bytes[at + i - t.skew] : 0;

        p.word[i / 4] = (i % 4 ? p.word[i / 4] : 0) | byte << i % 4 * 8;
    }
    return p;
}

// A bit for each byte that is not 0, the first byte's the lowest: 1 in the highest bit of each such byte, then
// gathered.
static __device__ __forceinline__ unsigned nonzero(const uint32_t word[WORDS], uint32_t flip)
{
    unsigned mask = 0;

#pragma unroll
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t x = word[i] ^ flip;
        uint32_t high = (((x & 0x7f7f7f7fu) + 0x7f7f7f7fu) | x) & 0x80808080u;

        mask |= (high >> 7) * 0x10204080u >> 28 << 4 * i;
    }
    return mask;
}

// The lowest `count` bits; count <= 32.
static __device__ __forceinline__ unsigned low_bits(unsigned count)
{
    return count == 32 ? ALL : (1u << count) - 1;
}

// Places of the input.
static __device__ __forceinline__ unsigned inside(const piece &p)
{
    return low_bits(p.end) & ~low_bits(p.first);
}

static __device__ __forceinline__ unsigned byte_at(const piece &p, unsigned i)
{
    return p.word[i / 4] >> i % 4 * 8 & 255;
}

// The sum of the values of the lanes before the caller.
template <typename T> static __device__ __forceinline__ T sum_of_lanes_before(T value)
{
    T sum = value;

    for (unsigned distance = 1; distance < LANES; distance *= 2) {
        T lower = __shfl_up_sync(ALL, sum, distance);

        if (threadIdx.x % LANES >= distance)
            sum += lower;
    }
    return sum - value;
}

// What stands before `tile`: called by all lanes of one warp. Span is a stretch of the input, which join makes longer:
// a word holds one as an aggregate, or as a prefix if it reaches back to the start of the input.
template <typename Span> static __device__ Span look_back(const volatile uint64_t *word, uint64_t tile)
{
    unsigned lane = threadIdx.x % LANES, prefixes;
    Span before = Span::nothing();

    do {
        uint64_t content = PREFIX | Span::start().prefix();

        if (lane < tile)
            do
                content = word[tile - 1 - lane];
            while (content < AGGREGATE); // not published yet
        prefixes = __ballot_sync(ALL, content >= PREFIX);
        unsigned last = prefixes ? __ffs((int)prefixes) - 1 : LANES - 1;
        Span span = lane > last         ? Span::nothing()
                    : content >= PREFIX ? Span::of_prefix(content & CONTENT)
                                        : Span::of_aggregate(content & CONTENT);

        for (unsigned distance = 1; distance < LANES; distance *= 2) {
            Span earlier = span.of_lane((lane + distance) % LANES);

            if (lane + distance < LANES)
                span = join(earlier, span);
        }
        before = join(span.of_lane(0), before);
        tile -= tile < LANES ? tile : (unsigned)LANES;
    } while (prefixes == 0);
    return before;
}

// Stores staged bytes first..end-1, the first of them at `to`, which lies like it to a multiple of 16.
static __device__ __forceinline__ void store_staged(const uint4 *staged, unsigned first, unsigned end, uint8_t *to)
{
    for (unsigned at = threadIdx.x * VECTOR; at < end; at += THREADS * VECTOR) {
        if (at >= first && at + VECTOR <= end) {
            *(uint4 *)(to + (at - first)) = staged[at / VECTOR];
            continue;
        }
        for (unsigned i = at < first ? first : at; i < end && i < at + VECTOR; i++)
            to[i - first] = ((const uint8_t *)staged)[i];
    }
}

// The workspace: the outcome, then a word a tile.
static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    return sizeof(outcome) + tile_count(inputs[0].length, VECTOR - 1) * sizeof(uint64_t);
}

// Tiles are blocks of a grid.
template <uint64_t MOST = MAX_GRID *TILE - VECTOR>
static const char *refuses_more(const uint64_t *, const sb_array *inputs)
{
    return inputs[0].length > MOST ? "longer than a grid, or a word of 64 bits, can take" : nullptr;
}

// Runs a kernel on all tiles; it writes no more than `room` elements, and says how many there are.
typedef void tile_kernel(tiles t, uint64_t *word, outcome *result, void *to, uint64_t room);

static sb_status run_tiles(tile_kernel *kernel, const sb_array &in, sb_array *out, void *workspace)
{
    outcome *result = (outcome *)workspace, got;
    tiles t = {(const uint8_t *)in.data, in.length, 0, skew_of(in.data)};

    if (in.length == 0) {
        out->length = 0;
        return SB_OK;
    }
    t.count = tile_count(t.n, t.skew);
    if (cudaMemsetAsync(workspace, 0, sizeof *result + t.count * sizeof(uint64_t)) != cudaSuccess)
        return SB_FAILED;
    kernel<<<(unsigned)t.count, THREADS>>>(t, (uint64_t *)(result + 1), result, out->data, out->capacity);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    out->length = got.length;
    return got.invalid || got.length > out->capacity ? SB_INVALID : SB_OK; // a damaged code may stand for too much
}

#endif
