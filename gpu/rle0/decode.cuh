// SPDX-License-Identifier: BSD-2-Clause
//
// rle0.decode and rle0x.decode: one pass over tiles (tile.cuh). `Code::GOES_ON`: a count of 255 continues in the
// next byte.
//
// A byte of the code is a literal, the 0 that begins a run, or a count. One bit of state decides which: is a run open
// before it? A 0 inverts the state: it begins a run, or it is a count of 0 and ends one. In rle0x a 255 keeps the
// state, both as a count that continues and as a literal. Every other byte sets the state to 0: no run is open after
// it. So a stretch of code keeps, inverts or sets the state. Such functions can be composed. The summary of a stretch
// has this function and, for each of the two states before the stretch, the number of bytes to which it decodes; for a
// tile that fits in 64 bits. Two faults are invalid: a count of 0 directly after the 0 that began the run, and a run
// that is open at the end. The code after a fault is decoded as if the run had ended, and nothing is written past the
// capacity.
//   thread  finds the state before each of its 32 bytes by a prefix parity that restarts where the state is set (five
//           shifts of masks), and the number of bytes to which its piece decodes, for both states before the tile
//   warp    finds the state before each lane by votes, and adds the numbers of bytes
//   block   the first warp publishes the summary of the tile and looks back. Then the block assembles the output of the
//           tile in shared memory, 16 KiB at a time: zeros first, then the literals
// Source: parsing by composition of the automaton's functions: W. D. Hillis and G. L. Steele, "Data parallel
// algorithms" (1986); decoupled look-back as samebits/prim/lookback.cuh cites.
// Cost: each byte of code and of output is moved once; 8 bytes of workspace for each tile. A tile decodes to at most 2
// MiB.
#ifndef GPU_RLE0_DECODE_CUH
#define GPU_RLE0_DECODE_CUH

#include "tile.cuh"

enum { WINDOW = 16384 }; // bytes of output that are staged at once; not tuned

namespace
{

// The summary of a stretch of code: its effect on the state, and the number of bytes to which it decodes.
struct parse {
    uint64_t length[2]; // decoded bytes if the state before it is 0, and if it is 1
    bool sets, open;    // the state after it: `open` if `sets`, otherwise the state before it, inverted if `open`

    static __device__ __forceinline__ parse nothing()
    {
        return {{0, 0}, false, false};
    }
    __device__ __forceinline__ bool after(bool state) const
    {
        return sets ? open : state != open;
    }
    __device__ __forceinline__ uint64_t length_from(bool state) const
    {
        return state ? length[1] : length[0];
    }
    __device__ __forceinline__ uint64_t aggregate() const
    {
        return length[0] << 32 | length[1] << 2 | sets << 1 | open;
    }
    __device__ __forceinline__ uint64_t prefix() const
    {
        return length[0] << 1 | open;
    }
    static __device__ __forceinline__ parse from_aggregate(uint64_t content)
    {
        return {{content >> 32, (content & 0xffffffffu) >> 2}, (content & 2) != 0, (content & 1) != 0};
    }
    static __device__ __forceinline__ parse from_prefix(uint64_t content)
    {
        return {{content >> 1, content >> 1}, true, (content & 1) != 0};
    }
    // The summary of this stretch followed by `next`.
    __device__ __forceinline__ parse then(const parse &next) const
    {
        return {{length[0] + next.length_from(after(false)), length[1] + next.length_from(after(true))},
                sets || next.sets,
                next.sets ? next.open : open != next.open};
    }
};

template <typename Move> __device__ __forceinline__ parse map_words(const parse &p, Move move)
{
    return {{move(p.length[0]), move(p.length[1])}, move((int)p.sets) != 0, move((int)p.open) != 0};
}

static_assert((uint64_t)TILE * 255 < 1u << 30, "a tile's lengths fit their 30 bits");

// Masks of a piece, a bit for each byte.
struct states {
    unsigned zero, other; // the byte is in the input and is 0; it is not 0
    unsigned open;        // a run is open before the byte, if the state before the piece is 0
    unsigned kept;        // no byte of the piece before this one sets the state
    bool sets, turns;     // the piece sets the state to `turns` if `sets`; otherwise it inverts the state if `turns`
};

} // namespace

template <typename Code> static __device__ __forceinline__ states find_states(const piece &p)
{
    states s;

    s.other = nonzero(p.word, 0);
    s.zero = inside(p) & ~s.other;
    unsigned parity = s.zero; // after the loop: of the number of zeros since the state was set
    unsigned sets = Code::GOES_ON ? s.other & nonzero(p.word, 0xffffffffu)
                                  : s.other; // to 0; after the loop: this byte or one before it sets
#pragma unroll
    for (unsigned distance = 1; distance < EACH; distance *= 2) {
        parity ^= parity << distance & ~sets;
        sets |= sets << distance;
    }
    s.open = parity << 1;
    s.kept = ~(sets << 1);
    s.sets = sets >> (EACH - 1) != 0;
    s.turns = parity >> (EACH - 1) != 0;
    return s;
}

// The number of bytes to which the piece decodes if a run is open before those bytes whose bit is set in `open`.
static __device__ __forceinline__ unsigned length_of(const piece &p, const states &s, unsigned open)
{
    unsigned length = __popc(s.other & ~open);

#pragma unroll
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t counts = (open >> 4 * i & 15) * 0x00204081u & 0x01010101u; // one bit in each byte

        length = __dp4a(p.word[i], counts, length);
    }
    return length;
}

// Finds the state before the thread's bytes: it is *turned if *fixed, otherwise the state before the tile, inverted if
// *turned. part[w] becomes the effect of warp w on the state: if bit 1 is set, the warp sets the state to bit 0;
// otherwise it inverts the state if bit 0 is set. All threads call; one barrier, between the writes and the reads of
// `part`.
static __device__ __forceinline__ void state_before(const states &s, unsigned part[WARPS], bool *fixed, bool *turned)
{
    unsigned sets = __ballot_sync(sb::FULL_MASK, s.sets), turns = __ballot_sync(sb::FULL_MASK, s.turns);
    unsigned last = sets ? sb::highest_bit(sets) : 0, below = sets & sb::lanes_below();

    if (sb::lane_index() == 0) // the effect of the last lane that sets the state and of the lanes after it
        part[sb::warp_index()] = (sets != 0) << 1 | (__popc(turns >> last) & 1);
    __syncthreads(); // all warps have written part[]
    last = below ? sb::highest_bit(below) : 0;
    *fixed = below != 0;
    *turned = __popc((turns & sb::lanes_below()) >> last) & 1;
    for (unsigned w = sb::warp_index(); w-- > 0 && !*fixed;) {
        *turned = *turned != ((part[w] & 1) != 0);
        *fixed = part[w] >> 1;
    }
}

// The summary of the tile, from part[] of state_before. `mine` of lane w has the numbers of decoded bytes of warp w
// for both states before the tile, that of state 1 in the upper half; it is 0 in other lanes. The first warp calls.
static __device__ __forceinline__ parse of_tile(const unsigned part[WARPS], uint64_t mine)
{
    parse all = parse::nothing();

    mine = sb::warp_reduce(mine, sb::add());
    for (unsigned w = 0; w < WARPS; w++)
        all = all.then({{0, 0}, (part[w] & 2) != 0, (part[w] & 1) != 0});
    all.length[0] = mine & 0xffffffffu;
    all.length[1] = mine >> 32;
    return all;
}

// Does the piece have a count of 0 directly after the 0 that began the run?
static __device__ __forceinline__ bool run_of_none(const tiles &t, unsigned tile, const states &s, unsigned open)
{
    unsigned counts = open & s.zero;

    if ((counts & s.zero << 1) != 0)
        return true;
    return (counts & 1) != 0 && t.bytes[(uint64_t)tile * TILE + threadIdx.x * EACH - t.skew - 1] == 0;
}

// Writes the literals of the piece that are in the window of output bytes from..from+WINDOW-1. The output of the piece
// begins at byte `at`.
static __device__ __forceinline__ void put_literals(const piece &p, const states &s, unsigned open, unsigned at,
                                                    uint8_t *staged, unsigned from)
{
    unsigned literal = s.other & ~open;

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        if (literal >> i & 1) {
            if (at - from < WINDOW)
                staged[at - from] = (uint8_t)byte_at(p, i);
            at++;
        }
        if (open >> i & 1)
            at += byte_at(p, i);
    }
}

// Stores bytes first..end-1 of the tile's output at `to`, which has the misalignment of `first`. Bytes at..at+length-1
// are those of the thread. All threads call; two barriers for each window.
static __device__ __forceinline__ void put_tile(const piece &p, const states &s, unsigned open, unsigned at,
                                                unsigned length, unsigned first, unsigned end, uint8_t *to)
{
    __shared__ uint4 staged[WINDOW / sb::VECTOR_BYTES];

    for (unsigned from = 0; from < end; from += WINDOW) {
        unsigned here = from < first ? first : from;

        for (unsigned i = threadIdx.x; i < WINDOW / sb::VECTOR_BYTES; i += THREADS)
            staged[i] = make_uint4(0, 0, 0, 0);
        __syncthreads(); // the whole window is zero
        if (at < from + WINDOW && at + length > from)
            put_literals(p, s, open, at, (uint8_t *)staged, from);
        __syncthreads(); // all literals of the window are written
        sb::store_staged<THREADS>(staged, here - from, end - from < WINDOW ? end - from : (unsigned)WINDOW,
                                  to + (here - first));
        // No barrier: a thread clears only vectors that it has stored itself.
    }
}

template <typename Code>
static __global__ void __launch_bounds__(THREADS, 4)
    decode(tiles t, uint64_t *state, outcome *result, void *out, uint64_t capacity)
{
    __shared__ unsigned part[WARPS];
    __shared__ uint64_t sums[WARPS];
    __shared__ parse before;
    unsigned lane = sb::lane_index(), warp = sb::warp_index(), tile = draw_tile(result);
    piece p = load_piece(t, tile);
    states s = find_states<Code>(p);
    bool fixed, turned;

    state_before(s, part, &fixed, &turned);
    // The numbers of decoded bytes for both states before the tile, in one word: for a tile they are below 2^32.
    unsigned open[2] = {s.open ^ (turned ? s.kept : 0), s.open ^ (turned != !fixed ? s.kept : 0)};
    uint64_t length = length_of(p, s, open[0]);
    length |= (fixed ? length : length_of(p, s, open[1])) << 32;
    uint64_t at = sb::warp_exclusive_sum(length);

    if (lane == sb::WARP_LANES - 1)
        sums[warp] = at + length;
    __syncthreads(); // all warps have written sums[]
    if (warp == 0) {
        parse whole = of_tile(part, lane < WARPS ? sums[lane] : 0);

        parse found = sb::find_prefix<span_policy<parse>>(state, tile, whole, 0);

        whole = found.then(whole);
        if (lane == 0) {
            before = found;
            if (tile == t.count - 1)
                result->length = whole.length[0];
            if (tile == t.count - 1 && whole.open)
                atomicOr(&result->invalid, 1u);
        }
    }
    __syncthreads(); // `before` is written
    uint8_t *to = (uint8_t *)out + before.length[0];
    unsigned side = before.open ? 32 : 0, skew = sb::misalignment(to), end = skew;
    uint64_t left = capacity > before.length[0] ? capacity - before.length[0] : 0;

    for (unsigned w = 0; w < WARPS; w++) {
        at += w < warp ? sums[w] : 0;
        end += (unsigned)(sums[w] >> side);
    }
    open[0] = before.open ? open[1] : open[0];
    if (run_of_none(t, tile, s, open[0]))
        atomicOr(&result->invalid, 1u);
    put_tile(p, s, open[0], skew + (unsigned)(at >> side), (unsigned)(length >> side), skew,
             end - skew < left ? end : skew + (unsigned)left, to);
}

template <typename Code>
static sb_status launch_decode(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return run_tiles(decode<Code>, inputs[0], &outputs[0], workspace);
}

#endif
