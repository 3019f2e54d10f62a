// SPDX-License-Identifier: BSD-2-Clause
//
// rle0.encode and rle0x.encode: one pass over tiles (tile.cuh). `Code` says how one of them writes a run.
//
// What a stretch of the input does to the code is known without what stands before it, but for the zeros at its ends:
// how many zeros it begins and ends with, and how many bytes of code all else takes. A run counts as 1..255, its last
// zeros: each 255 before them cost Code::FULL bytes wherever it began. Two stretches join by the cost of the run that
// their ends make, so a stretch of any length fits one word.
//   thread  masks of its 32 bytes, from which come its zeros at both ends and its cost, 2 bytes a run inside
//   warp    finds by a vote the last lane before each that has another byte than 0, and adds up costs
//   block   its first warp joins the warps, publishes the tile and looks back; then each thread knows where its code
//           begins and how long the run is that is open there, and puts its code into shared memory
// A thread puts out for an open run what the run's later zeros cannot change. So of a run over many tiles each tile
// writes its part, and no thread more than 4 bytes of it.
// Shared memory: 12.1 KiB for the code of a tile, which is at most half as long again as the tile.
// Cost: each byte of input and of code once, and 8 bytes of workspace a tile.
#ifndef GPU_RLE0_ENCODE_CUH
#define GPU_RLE0_ENCODE_CUH

#include "tile.cuh"

namespace
{

// How many times 255 zeros of a run are followed by more, and what is left then, 1..255, or 0 of none.
static __device__ __forceinline__ unsigned fulls(unsigned zeros)
{
    return zeros == 0 ? 0 : (zeros - 1) / 255;
}

template <typename Code> struct stretch {
    uint64_t written; // bytes of code, without the zeros at both ends, but with each 255 of them that others follow
    unsigned leading, trailing; // zeros left over at the ends; the same when there is no literal
    bool literal;

    static __device__ __forceinline__ stretch nothing()
    {
        return {0, 0, 0, false};
    }
    // A prefix is as if a literal of no bytes stood first.
    static __device__ __forceinline__ stretch start()
    {
        return {0, 0, 0, true};
    }
    __device__ __forceinline__ uint64_t aggregate() const
    {
        return written << 17 | leading << 9 | trailing << 1 | literal;
    }
    __device__ __forceinline__ uint64_t prefix() const
    {
        return aggregate();
    }
    static __device__ __forceinline__ stretch of_aggregate(uint64_t content)
    {
        return {content >> 17, (unsigned)(content >> 9) & 255, (unsigned)(content >> 1) & 255, (content & 1) != 0};
    }
    static __device__ __forceinline__ stretch of_prefix(uint64_t content)
    {
        return of_aggregate(content);
    }
    __device__ __forceinline__ stretch of_lane(unsigned lane) const
    {
        return of_aggregate(__shfl_sync(ALL, aggregate(), (int)lane));
    }
    // Where in the code the next byte goes.
    __device__ __forceinline__ uint64_t position() const
    {
        return written + (trailing != 0 ? Code::OPENED : 0);
    }
};

// `a`, then `b`.
template <typename Code>
static __device__ __forceinline__ stretch<Code> join(const stretch<Code> &a, const stretch<Code> &b)
{
    unsigned zeros = a.trailing + b.leading;
    stretch<Code> s = {a.written + b.written, a.leading, b.trailing, a.literal || b.literal};

    if (a.literal && b.literal) {
        s.written += Code::cost(zeros);
        return s;
    }
    s.written += fulls(zeros) * Code::FULL;
    zeros -= fulls(zeros) * 255;
    s.leading = a.literal ? a.leading : zeros;
    s.trailing = b.literal ? b.trailing : zeros;
    return s;
}

} // namespace

// The masks of a piece, and what they say.
namespace
{

struct literals {
    unsigned mask, first, end; // the places of the first literal, and after the last
    unsigned cost;             // from there to there; runs there are shorter than 255
};

} // namespace

static __device__ __forceinline__ literals find_literals(const piece &p)
{
    literals l = {nonzero(p.word, 0), p.end, p.first, 0};

    if (l.mask == 0)
        return l;
    l.first = __ffs((int)l.mask) - 1;
    l.end = 32 - __clz((int)l.mask);
    l.cost = __popc(l.mask) + 2 * (__popc(l.mask & ~(l.mask << 1)) - 1);
    return l;
}

// What stands between the start of the warp's bytes and the thread's.
template <typename Code> static __device__ __forceinline__ stretch<Code> warp_before(const piece &p, const literals &l)
{
    unsigned lane = threadIdx.x % LANES;
    unsigned voted = __ballot_sync(ALL, l.mask != 0), below = voted & low_bits(lane);
    unsigned begin = __shfl_sync(ALL, p.place, 0);
    unsigned since = __shfl_sync(ALL, p.place + (l.end - p.first), below ? 31 - __clz((int)below) : 0);

    if (below == 0)
        since = begin;
    unsigned open = p.place - since, zeros = open + (l.first - p.first);
    unsigned leading = __shfl_sync(ALL, zeros - 255 * fulls(zeros), voted ? __ffs((int)voted) - 1 : 0);
    unsigned cost = below ? Code::cost(zeros) : fulls(zeros) * Code::FULL;
    unsigned written = sum_of_lanes_before(l.mask ? l.cost + cost : 0) + fulls(open) * Code::FULL;

    open -= 255 * fulls(open);
    return {written, below ? leading : open, open, below != 0};
}

// Puts out the thread's code from staged[at], whose place in the input is `before`. Returns where it ends; `zeros`:
// what is left of the run that is open there.
template <typename Code>
static __device__ __forceinline__ unsigned put_piece(const piece &p, const literals &l, uint8_t *staged, unsigned at,
                                                     unsigned *zeros)
{
    unsigned leading = l.first - p.first, next = l.first;

    if (*zeros == 0 && leading != 0)
        at = Code::open(staged, at);
    *zeros += leading;
    if (*zeros > 255) {
        at = Code::full(staged, at);
        *zeros -= 255;
    }
    if (l.mask == 0)
        return at;
    if (*zeros != 0)
        at = Code::close(staged, at, *zeros);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        if (l.mask >> i & 1) {
            if (i != next) {
                staged[at++] = 0;
                staged[at++] = (uint8_t)(i - next);
            }
            staged[at++] = (uint8_t)byte_at(p, i);
            next = i + 1;
        }
    *zeros = p.end - l.end;
    return *zeros != 0 ? Code::open(staged, at) : at;
}

// The first warp makes of the warps' stretches, and of what stands before the tile, what stands before each warp and,
// last, at the end of the tile.
template <typename Code>
static __device__ __forceinline__ void place_warps(stretch<Code> *part, uint64_t *word, unsigned tile)
{
    unsigned lane = threadIdx.x % LANES;
    stretch<Code> here = lane < WARPS ? part[lane] : stretch<Code>::nothing();

    for (unsigned distance = 1; distance < WARPS; distance *= 2) {
        stretch<Code> lower = here.of_lane((lane - distance) % LANES);

        if (lane >= distance)
            here = join(lower, here);
    }
    if (lane == WARPS - 1)
        *(volatile uint64_t *)&word[tile] = AGGREGATE | here.aggregate();
    stretch<Code> before = look_back<stretch<Code>>(word, tile);
    here = join(before, here);
    if (lane == WARPS - 1)
        *(volatile uint64_t *)&word[tile] = PREFIX | here.prefix();
    here = here.of_lane((lane - 1) % LANES);
    if (lane <= WARPS)
        part[lane] = lane == 0 ? before : here;
}

template <typename Code>
static __global__ void __launch_bounds__(THREADS, 6)
    encode(tiles t, uint64_t *word, outcome *result, uint8_t *code, uint64_t room)
{
    __shared__ uint4 staged[(TILE / 2 * 3 + 4 * VECTOR) / VECTOR];
    __shared__ stretch<Code> part[WARPS + 1];
    unsigned warp = threadIdx.x / LANES, tile = draw_tile(result);
    bool last = tile == t.count - 1;
    piece p = load_piece(t, tile);
    literals l = find_literals(p);
    stretch<Code> before = warp_before<Code>(p, l);

    if (threadIdx.x % LANES == LANES - 1) {
        unsigned leading = l.first - p.first;
        stretch<Code> own = {l.cost, leading, l.mask ? p.end - l.end : leading, l.mask != 0};

        part[warp] = join(before, own);
    }
    __syncthreads(); // the warps' stretches are there
    if (warp == 0)
        place_warps(part, word, tile);
    __syncthreads(); // and what stands before them

    uint64_t start = part[0].position();
    unsigned skew = (unsigned)((uintptr_t)(code + start) % VECTOR);
    unsigned end = skew + (unsigned)(part[WARPS].position() - start), zeros;
    before = join(part[warp], before);
    zeros = before.trailing;
    unsigned at = put_piece<Code>(p, l, (uint8_t *)staged, skew + (unsigned)(before.position() - start), &zeros);
    if (last && part[WARPS].trailing != 0) {
        end += Code::cost(part[WARPS].trailing) - Code::OPENED;
        if (threadIdx.x == THREADS - 1)
            Code::close((uint8_t *)staged, at, zeros);
    }
    __syncthreads(); // the code is staged
    if (last && threadIdx.x == 0)
        result->length = start + (end - skew);
    if (start < room)
        store_staged(staged, skew, room - start < end - skew ? skew + (unsigned)(room - start) : end, code + start);
}

template <typename Code>
static sb_status launch_encode(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return run_tiles(encode<Code>, inputs[SB_RLE_IN], &outputs[SB_RLE_OUT], workspace);
}

#endif
