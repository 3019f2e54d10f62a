// SPDX-License-Identifier: BSD-2-Clause
//
// rle0.encode, rle0x.encode and zrun.encode: one pass over tiles (tile.cuh). `Code` defines how each writes a run.
//
// Three numbers summarise a stretch of the input: the zeros with which it begins, the zeros with which it ends, and
// the symbols that the code of all between takes. None of them depends on the input before the stretch. To join two
// adjacent stretches, add their symbols, and those of the run that the end of the first forms with the start of the
// second. Where counts are bytes, each 255 zeros that are followed by more zeros of their run take Code::FULL symbols,
// wherever the run began. So only the last 1..255 zeros of a run are kept, and the summary of a stretch of any length
// fits in one word.
//   thread  makes masks of its 32 bytes, and from them its zeros at both ends and the symbols of the rest
//   warp    a vote gives each lane the last lane before it that has a literal (a byte other than 0); a scan adds symbols
//   block   the first warp joins the summaries of the warps, publishes that of the tile and looks back. Then each thread
//           knows at which symbol its code begins and how long the run is that is open there. It writes its code to
//           shared memory
// A thread writes only those symbols of an open run that later zeros cannot change. So if a run extends over many
// tiles, each tile writes its own part of it, and each thread writes only a few symbols of it.
// Source: run lengths by a prefix scan of composable summaries; decoupled look-back as samebits/prim/lookback.cuh
// cites.
// Shared memory: the code of a tile, Code::MAX_SYMBOLS symbols (12.1 KiB of bytes).
// Cost: each byte of input and of code is moved once; 8 bytes of workspace for each tile.
#ifndef GPU_RLE0_ENCODE_CUH
#define GPU_RLE0_ENCODE_CUH

#include "tile.cuh"

namespace
{

// For codes whose counts are bytes.
struct byte_counts {
    typedef uint8_t symbol;
    enum {
        // Of a tile. Only the code of a single zero is longer than its run: two symbols. At most every second byte is
        // one.
        MAX_SYMBOLS = TILE / 2 * 3 + 16,
        ZERO_BITS = 8, // for the number of zeros at an end of a tile
        OPEN_BITS = 8  // for the number of zeros of an open run
    };

    // The number of groups of 255 zeros that are followed by more zeros of their run. 1..255 zeros are left after
    // them, or 0 if the run is empty.
    static __device__ __forceinline__ unsigned fulls(unsigned zeros)
    {
        return zeros == 0 ? 0 : (zeros - 1) / 255;
    }
    // The symbols of the runs between literals of one thread, which are short.
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
    // Symbols, without those of the zeros at both ends, but with Code::FULL for each group of 255 of these zeros.
    uint64_t written;
    unsigned leading, trailing; // zeros at the ends that are in no such group; equal if there is no literal
    bool literal;

    static __device__ __forceinline__ stretch nothing()
    {
        return {0, 0, 0, false};
    }
    __device__ __forceinline__ uint64_t aggregate() const
    {
        return ((written << Code::ZERO_BITS | leading) << Code::ZERO_BITS | trailing) << 1 | literal;
    }
    // A prefix is stored as if a literal without symbols preceded it, so it has no leading zeros.
    __device__ __forceinline__ uint64_t prefix() const
    {
        return written << Code::OPEN_BITS | trailing;
    }
    static __device__ __forceinline__ stretch from_aggregate(uint64_t content)
    {
        const unsigned mask = (1u << Code::ZERO_BITS) - 1;

        return {content >> (2 * Code::ZERO_BITS + 1), (unsigned)(content >> (Code::ZERO_BITS + 1)) & mask,
                (unsigned)(content >> 1) & mask, (content & 1) != 0};
    }
    static __device__ __forceinline__ stretch from_prefix(uint64_t content)
    {
        return {content >> Code::OPEN_BITS, 0, (unsigned)content & ((1u << Code::OPEN_BITS) - 1), true};
    }
    // The index of the next symbol in the code.
    __device__ __forceinline__ uint64_t position() const
    {
        return written + (trailing != 0 ? Code::OPENED : 0);
    }
    // The summary of this stretch followed by `next`.
    __device__ __forceinline__ stretch then(const stretch &next) const
    {
        unsigned zeros = trailing + next.leading;
        stretch both = {written + next.written, leading, next.trailing, literal || next.literal};

        if (literal && next.literal) {
            both.written += Code::cost(zeros);
            return both;
        }
        both.written += Code::fulls(zeros) * Code::FULL;
        zeros -= Code::fulls(zeros) * 255;
        both.leading = literal ? leading : zeros;
        both.trailing = next.literal ? next.trailing : zeros;
        return both;
    }
};

template <typename Code, typename Move>
__device__ __forceinline__ stretch<Code> map_words(const stretch<Code> &s, Move move)
{
    return {move(s.written), move(s.leading), move(s.trailing), move((int)s.literal) != 0};
}

} // namespace

namespace
{

// The literals of a piece.
struct literals {
    unsigned mask, first, end; // a bit for each; the index of the first, and that of the last plus 1
    unsigned cost;             // symbols for bytes first..end-1
};

} // namespace

template <typename Code> static __device__ __forceinline__ literals find_literals(const piece &p)
{
    literals l = {nonzero(p.word, 0), p.end, p.first, 0};

    if (l.mask == 0)
        return l;
    l.first = sb::lowest_bit(l.mask);
    l.end = sb::bit_length(l.mask);
    l.cost = __popc(l.mask) + Code::cost_inside(~l.mask & sb::low_bits(l.end) & ~sb::low_bits(l.first));
    return l;
}

// The stretch between the start of the warp's bytes and the thread's bytes. All lanes call.
template <typename Code> static __device__ __forceinline__ stretch<Code> warp_before(const piece &p, const literals &l)
{
    unsigned voted = __ballot_sync(sb::FULL_MASK, l.mask != 0), below = voted & sb::lanes_below();
    unsigned begin = sb::shuffle(p.position, 0);
    unsigned since = sb::shuffle(p.position + (l.end - p.first), below ? sb::highest_bit(below) : 0);

    if (below == 0)
        since = begin;
    unsigned open = p.position - since, zeros = open + (l.first - p.first);
    unsigned leading = sb::shuffle(zeros - 255 * Code::fulls(zeros), voted ? sb::lowest_bit(voted) : 0);
    unsigned cost = below ? Code::cost(zeros) : Code::fulls(zeros) * Code::FULL;
    unsigned written = sb::warp_exclusive_sum(l.mask ? l.cost + cost : 0) + Code::fulls(open) * Code::FULL;

    open -= 255 * Code::fulls(open);
    return {written, below ? leading : open, open, below != 0};
}

// Writes the thread's code from staged[at] on, and returns the index of its end. On entry *zeros is the number of
// zeros, without groups of 255, of the run that is open before the thread's bytes. On return it is that of the run
// that is open after them.
template <typename Code>
static __device__ __forceinline__ unsigned put_piece(const piece &p, const literals &l, typename Code::symbol *staged,
                                                     unsigned at, unsigned *zeros)
{
    unsigned leading = l.first - p.first, next = l.first;

    if (*zeros == 0 && leading != 0)
        at = Code::open(staged, at);
    *zeros += leading;
    if (Code::fulls(*zeros) != 0) { // once: *zeros was at most 255 before
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

// The first warp calls. On entry part[w] is the summary of warp w. On return it is the summary of all input before
// warp w, and part[WARPS] is the summary of all input before the end of the tile.
template <typename Code>
static __device__ __forceinline__ void find_parts(stretch<Code> *part, uint64_t *state, unsigned tile)
{
    typedef span_policy<stretch<Code>> policy;
    unsigned lane = sb::lane_index();
    stretch<Code> here = lane < WARPS ? part[lane] : stretch<Code>::nothing();

    here = sb::warp_inclusive_scan<WARPS>(here, typename policy::then());
    stretch<Code> before = sb::find_prefix<policy>(state, tile, here, WARPS - 1);
    here = sb::shuffle_up(before.then(here), 1);
    if (lane <= WARPS)
        part[lane] = lane == 0 ? before : here;
}

template <typename Code>
static __global__ void __launch_bounds__(THREADS, 6)
    encode(tiles t, uint64_t *state, outcome *result, void *out, uint64_t capacity)
{
    typedef typename Code::symbol symbol;
    __shared__ uint4 staged[Code::MAX_SYMBOLS * sizeof(symbol) / sb::VECTOR_BYTES + 2];
    __shared__ stretch<Code> part[WARPS + 1];
    unsigned warp = sb::warp_index(), tile = draw_tile(result);
    bool last = tile == t.count - 1;
    piece p = load_piece(t, tile);
    literals l = find_literals<Code>(p);
    stretch<Code> before = warp_before<Code>(p, l);

    if (sb::lane_index() == sb::WARP_LANES - 1) {
        unsigned leading = l.first - p.first;
        stretch<Code> own = {l.cost, leading, l.mask ? p.end - l.end : leading, l.mask != 0};

        part[warp] = before.then(own);
    }
    __syncthreads(); // all warps have written their summaries
    if (warp == 0)
        find_parts(part, state, tile);
    __syncthreads(); // part[] holds the summaries of the input before each warp

    uint64_t start = part[0].position();
    symbol *to = (symbol *)out + start;
    unsigned skew = sb::misalignment(to) / (unsigned)sizeof(symbol);
    unsigned end = skew + (unsigned)(part[WARPS].position() - start), zeros;
    before = part[warp].then(before);
    zeros = before.trailing;
    unsigned at = put_piece<Code>(p, l, (symbol *)staged, skew + (unsigned)(before.position() - start), &zeros);
    if (last && part[WARPS].trailing != 0) {
        end += Code::cost(part[WARPS].trailing) - Code::OPENED;
        if (threadIdx.x == THREADS - 1)
            Code::close((symbol *)staged, at, zeros);
    }
    __syncthreads(); // the code of the tile is in shared memory
    if (last && threadIdx.x == 0)
        result->length = start + (end - skew);
    if (start < capacity) {
        if (capacity - start < end - skew)
            end = skew + (unsigned)(capacity - start);
        sb::store_staged<THREADS>(staged, skew * sizeof(symbol), end * sizeof(symbol), (uint8_t *)to);
    }
}

template <typename Code>
static sb_status launch_encode(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return run_tiles(encode<Code>, inputs[0], &outputs[0], workspace);
}

#endif
