// SPDX-License-Identifier: BSD-2-Clause
//
// rle0.decode and rle0x.decode: one pass over tiles (tile.cuh). `Code::GOES_ON` says whether 255 continues a run.
//
// A byte of the code is a literal, the 0 that begins a run, or a count, and which of them depends on one bit of state:
// is a run open before it? A 0 changes the state: it begins a run, or ends one (as a count of 0). A 255 that continues
// a run keeps the state; in rle0x every 255 does, since a literal 255 keeps it as well. Every other byte leaves no run
// open. So a stretch of code keeps the state, inverts it or sets it, and such functions compose; how many bytes the
// stretch stands for is known for both states that may stand before it. That is a word of 64 bits for a tile. Invalid
// are a count of 0 right after the 0 that began the run, and a run that is open at the end; the code behind such a
// fault is read as if the run had ended, and nothing is written past the capacity.
//   thread  finds the state before each of its 32 bytes, by a prefix parity that starts anew where the state is set:
//           five shifts of masks; then its length, for both states of its tile
//   warp    finds by votes the state before each lane, and adds up lengths
//   block   its first warp publishes the tile and looks back; then the bytes of the tile are put together in shared
//           memory, 16 KiB at a time: zeros, then the literals
// Source: parsing by composition of the automaton's functions: W. D. Hillis and G. L. Steele, "Data parallel
// algorithms" (1986); decoupled look-back as samebits/prim/lookback.cuh cites.
// Cost: each byte of code and of output is moved once; 8 bytes of workspace a tile. A tile stands for at most 2 MiB.
#ifndef GPU_RLE0_DECODE_CUH
#define GPU_RLE0_DECODE_CUH

#include "tile.cuh"

enum { WINDOW = 16384 }; // bytes of output that are staged at once; not tuned

namespace
{

// What a stretch of code does to the state, and how many bytes it stands for.
struct parse {
    uint64_t length[2]; // if the state before it is 0, and if it is 1
    bool sets, open;    // the state after it: `open` if it sets the state, else the state before, inverted if `open`

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
    // This stretch, and `next` behind it.
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
    unsigned zero, other; // the byte is in the input, and 0, or not
    unsigned open;        // a run is open before the byte, if the state before the piece is 0
    unsigned kept;        // no byte of the piece before this one sets the state
    bool sets, turns;     // the whole piece sets the state, to `turns`; or else inverts it if `turns`
};

} // namespace

template <typename Code> static __device__ __forceinline__ states find_states(const piece &p)
{
    states s;

    s.other = nonzero(p.word, 0);
    s.zero = inside(p) & ~s.other;
    unsigned parity = s.zero; // of the zeros since the state was set
    unsigned sets = Code::GOES_ON ? s.other & nonzero(p.word, 0xffffffffu)
                                  : s.other; // to 0; then: has been set by this byte or before
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

// How many bytes the piece stands for, if a run is open before each byte whose bit is set in `open`.
static __device__ __forceinline__ unsigned length_of(const piece &p, const states &s, unsigned open)
{
    unsigned length = __popc(s.other & ~open);

#pragma unroll
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t counts = (open >> 4 * i & 15) * 0x00204081u & 0x01010101u; // a bit a byte

        length = __dp4a(p.word[i], counts, length);
    }
    return length;
}

// The state before the thread's bytes is *turned if it is *fixed, else the state before the tile, inverted if *turned.
// Leaves in part[w] what warp w does to the state: bit 1, it sets the state, to bit 0; else it inverts it if bit 0. All
// threads call; one barrier, between writing and reading `part`.
static __device__ __forceinline__ void state_before(const states &s, unsigned part[WARPS], bool *fixed, bool *turned)
{
    unsigned sets = __ballot_sync(sb::FULL_MASK, s.sets), turns = __ballot_sync(sb::FULL_MASK, s.turns);
    unsigned last = sets ? sb::highest_bit(sets) : 0, below = sets & sb::lanes_below();

    if (sb::lane_index() == 0) // only the last lane that sets the state counts, with what it sets, and what comes after
        part[sb::warp_index()] = (sets != 0) << 1 | (__popc(turns >> last) & 1);
    __syncthreads(); // part is there
    last = below ? sb::highest_bit(below) : 0;
    *fixed = below != 0;
    *turned = __popc((turns & sb::lanes_below()) >> last) & 1;
    for (unsigned w = sb::warp_index(); w-- > 0 && !*fixed;) {
        *turned = *turned != ((part[w] & 1) != 0);
        *fixed = part[w] >> 1;
    }
}

// What the tile does, from part[] as state_before leaves it. `mine`: of lane w, the lengths of warp w for both states
// of the tile, the second in the upper half; 0 in other lanes. Called by the first warp.
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

// Has the piece a 0 that is the count of a run right after the 0 that began it?
static __device__ __forceinline__ bool run_of_none(const tiles &t, unsigned tile, const states &s, unsigned open)
{
    unsigned counts = open & s.zero;

    if ((counts & s.zero << 1) != 0)
        return true;
    return (counts & 1) != 0 && t.bytes[(uint64_t)tile * TILE + threadIdx.x * EACH - t.skew - 1] == 0;
}

// Writes those literals of the piece that lie in the window from `from` on; the piece's bytes begin at `at`.
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

// Stores the bytes first..end-1 of the tile's output, the first of them at `to`, whose misalignment is that of `first`.
// The thread's bytes are at..at+length-1. All threads call; two barriers a window.
static __device__ __forceinline__ void put_tile(const piece &p, const states &s, unsigned open, unsigned at,
                                                unsigned length, unsigned first, unsigned end, uint8_t *to)
{
    __shared__ uint4 staged[WINDOW / sb::VECTOR_BYTES];

    for (unsigned from = 0; from < end; from += WINDOW) {
        unsigned here = from < first ? first : from;

        for (unsigned i = threadIdx.x; i < WINDOW / sb::VECTOR_BYTES; i += THREADS)
            staged[i] = make_uint4(0, 0, 0, 0);
        __syncthreads(); // all are zeros
        if (at < from + WINDOW && at + length > from)
            put_literals(p, s, open, at, (uint8_t *)staged, from);
        __syncthreads(); // the literals are there
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
    // The lengths for both states of the tile, side by side: a tile's are below 2^32.
    unsigned open[2] = {s.open ^ (turned ? s.kept : 0), s.open ^ (turned != !fixed ? s.kept : 0)};
    uint64_t length = length_of(p, s, open[0]);
    length |= (fixed ? length : length_of(p, s, open[1])) << 32;
    uint64_t at = sb::warp_exclusive_sum(length);

    if (lane == sb::WARP_LANES - 1)
        sums[warp] = at + length;
    __syncthreads(); // the warps' lengths are there
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
    __syncthreads(); // and what stands before the tile
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
