// SPDX-License-Identifier: BSD-2-Clause
//
// rle0.encode, rle0x.encode and zrun.encode: one pass over tiles (tile.cuh). `Code` says how one of them writes a run.
//
// What a stretch of the input does to the code is known without what stands before it, but for the zeros at its ends:
// how many zeros it begins and ends with, and how many symbols all else takes. Where counts are bytes, a run counts as
// 1..255, its last zeros: each 255 before them cost Code::FULL symbols wherever it began. Two stretches join by the
// cost of the run that their ends make, so a stretch of any length fits one word.
//   thread  masks of its 32 bytes, from which come its zeros at both ends and the cost of the rest
//   warp    finds by a vote the last lane before each that has another byte than 0, and adds up costs
//   block   its first warp joins the warps, publishes the tile and looks back; then each thread knows where its code
//           begins and how long the run is that is open there, and puts its code into shared memory
// A thread puts out for an open run what the run's later zeros cannot change. So of a run over many tiles each tile
// writes its part, and no thread more than a few symbols of it.
// Shared memory: the code of a tile, Code::MOST symbols (12.1 KiB of bytes).
// Cost: each byte of input and of code once, and 8 bytes of workspace a tile.
#ifndef GPU_RLE0_ENCODE_CUH
#define GPU_RLE0_ENCODE_CUH

#include "tile.cuh"

namespace
{

// What the codes have in common whose counts are bytes.
struct byte_counts {
    typedef uint8_t symbol;
    enum {
        MOST = TILE / 2 * 3 + 16, // of a tile: no run of its own is shorter than its code but that of a lone zero
        ZERO_BITS = 8,            // of the zeros at an end of a tile
        OPEN_BITS = 8             // of the zeros of an open run
    };

    // How many times 255 zeros of a run are followed by more; what is left is 1..255, or 0 of none.
    static __device__ __forceinline__ unsigned fulls(unsigned zeros)
    {
        return zeros == 0 ? 0 : (zeros - 1) / 255;
    }
    // Of runs between literals of one thread, which are short.
    static __device__ __forceinline__ unsigned cost_inside(unsigned zeros)
    {
        return 2 * __popc(zeros & ~(zeros << 1));
    }
    static __device__ __forceinline__ unsigned put_inside(uint8_t *staged, unsigned at, unsigned zeros)
    {
        staged[at] = 0;
        staged[at + 1] = (uint8_t)zeros;
        return at + 2;
    }
    static __device__ __forceinline__ uint8_t literal(unsigned byte)
    {
        return (uint8_t)byte;
    }
};

template <typename Code> struct stretch {
    uint64_t written; // symbols, without those of the zeros at both ends, but with Code::FULL for each 255 to be full
    unsigned leading, trailing; // zeros left over at the ends; the same when there is no literal
    bool literal;

    static __device__ __forceinline__ stretch nothing()
    {
        return {0, 0, 0, false};
    }
    // A prefix is as if a literal of no symbols stood first.
    static __device__ __forceinline__ stretch start()
    {
        return {0, 0, 0, true};
    }
    __device__ __forceinline__ uint64_t aggregate() const
    {
        return ((written << Code::ZERO_BITS | leading) << Code::ZERO_BITS | trailing) << 1 | literal;
    }
    __device__ __forceinline__ uint64_t prefix() const
    {
        return written << Code::OPEN_BITS | trailing;
    }
    static __device__ __forceinline__ stretch of_aggregate(uint64_t content)
    {
        const unsigned mask = (1u << Code::ZERO_BITS) - 1;

        return {content >> (2 * Code::ZERO_BITS + 1), (unsigned)(content >> (Code::ZERO_BITS + 1)) & mask,
                (unsigned)(content >> 1) & mask, (content & 1) != 0};
    }
    static __device__ __forceinline__ stretch of_prefix(uint64_t content)
    {
        return {content >> Code::OPEN_BITS, 0, (unsigned)content & ((1u << Code::OPEN_BITS) - 1), true};
    }
    __device__ __forceinline__ stretch of_lane(unsigned lane) const
    {
        return {__shfl_sync(ALL, written, (int)lane), __shfl_sync(ALL, leading, (int)lane),
                __shfl_sync(ALL, trailing, (int)lane), __shfl_sync(ALL, (int)literal, (int)lane) != 0};
    }
    // Where in the code the next symbol goes.
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
    s.written += Code::fulls(zeros) * Code::FULL;
    zeros -= Code::fulls(zeros) * 255;
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
    unsigned cost;             // from there to there
};

} // namespace

template <typename Code> static __device__ __forceinline__ literals find_literals(const piece &p)
{
    literals l = {nonzero(p.word, 0), p.end, p.first, 0};

    if (l.mask == 0)
        return l;
    l.first = __ffs((int)l.mask) - 1;
    l.end = 32 - __clz((int)l.mask);
    l.cost = __popc(l.mask) + Code::cost_inside(~l.mask & low_bits(l.end) & ~low_bits(l.first));
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
    unsigned leading = __shfl_sync(ALL, zeros - 255 * Code::fulls(zeros), voted ? __ffs((int)voted) - 1 : 0);
    unsigned cost = below ? Code::cost(zeros) : Code::fulls(zeros) * Code::FULL;
    unsigned written = sum_of_lanes_before(l.mask ? l.cost + cost : 0) + Code::fulls(open) * Code::FULL;

    open -= 255 * Code::fulls(open);
    return {written, below ? leading : open, open, below != 0};
}

// Puts out the thread's code from staged[at], whose place in the input is `before`. Returns where it ends; `zeros`:
// what is left of the run that is open there.
template <typename Code>
static __device__ __forceinline__ unsigned put_piece(const piece &p, const literals &l, typename Code::symbol *staged,
                                                     unsigned at, unsigned *zeros)
{
    unsigned leading = l.first - p.first, next = l.first;

    if (*zeros == 0 && leading != 0)
        at = Code::open(staged, at);
    *zeros += leading;
    if (Code::fulls(*zeros) != 0) { // once: they were at most 255
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
            if (i != next)
                at = Code::put_inside(staged, at, i - next);
            staged[at++] = Code::literal(byte_at(p, i));
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
    encode(tiles t, uint64_t *word, outcome *result, void *out, uint64_t room)
{
    typedef typename Code::symbol symbol;
    __shared__ uint4 staged[Code::MOST * sizeof(symbol) / VECTOR + 2];
    __shared__ stretch<Code> part[WARPS + 1];
    unsigned warp = threadIdx.x / LANES, tile = draw_tile(result);
    bool last = tile == t.count - 1;
    piece p = load_piece(t, tile);
    literals l = find_literals<Code>(p);
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
    symbol *to = (symbol *)out + start;
    unsigned skew = (unsigned)((uintptr_t)to % VECTOR / sizeof(symbol));
    unsigned end = skew + (unsigned)(part[WARPS].position() - start), zeros;
    before = join(part[warp], before);
    zeros = before.trailing;
    unsigned at = put_piece<Code>(p, l, (symbol *)staged, skew + (unsigned)(before.position() - start), &zeros);
    if (last && part[WARPS].trailing != 0) {
        end += Code::cost(part[WARPS].trailing) - Code::OPENED;
        if (threadIdx.x == THREADS - 1)
            Code::close((symbol *)staged, at, zeros);
    }
    __syncthreads(); // the code is staged
    if (last && threadIdx.x == 0)
        result->length = start + (end - skew);
    if (start < room) {
        if (room - start < end - skew)
            end = skew + (unsigned)(room - start);
        store_staged(staged, skew * sizeof(symbol), end * sizeof(symbol), (uint8_t *)to);
    }
}

template <typename Code>
static sb_status launch_encode(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return run_tiles(encode<Code>, inputs[0], &outputs[0], workspace);
}

#endif
