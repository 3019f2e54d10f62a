// SPDX-License-Identifier: BSD-2-Clause
//
// rle0.decode and rle0x.decode: one pass over tiles (tile.cuh). `Code::GOES_ON` says whether 255 continues a run.
//
// A byte of the code is a literal, the 0 that begins a run, or a count, and which of them depends on one bit of state:
// is a run open before it? A 0 changes the state: it begins a run, or ends one (as a count that is 0). A 255 that
// continues a run keeps it; in rle0x it does so as a literal as well, so that it always does. Every other byte leaves
// no run open. So a stretch keeps the state, inverts it or sets it, and stretches compose; how many bytes it stands for
// is known for both states that it may meet. That is a word of 64 bits for a tile. Invalid is a 0 in an open run right
// after the 0 that began it, and a run that is open at the end: then the codes behind are read as if that run had
// ended, and nothing is written past the room.
//   thread  the state before each of its 32 bytes, by a prefix parity that starts anew where the state is set: five
//           shifts of masks; then its length, for both states of its tile
//   warp    finds by votes the state before each lane, and adds up lengths
//   block   its first warp publishes the tile and looks back; then the bytes of the tile are put together in shared
//           memory, 16 KiB at a time: zeros, then the literals
// Cost: each byte of code and of output once, 8 bytes of workspace a tile. A tile stands for at most 2 MiB.
#ifndef GPU_RLE0_DECODE_CUH
#define GPU_RLE0_DECODE_CUH

#include "tile.cuh"

enum { WINDOW = 16384 };

namespace
{

// What a stretch of code makes of the state, and how many bytes it stands for, if the state before it is 0, and 1.
struct parse {
    uint64_t length[2];
    bool sets, open; // after it: `open` if it sets the state, else the state before it, inverted if `open`

    static __device__ __forceinline__ parse nothing()
    {
        return {{0, 0}, false, false};
    }
    static __device__ __forceinline__ parse start()
    {
        return {{0, 0}, true, false};
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
    static __device__ __forceinline__ parse of_aggregate(uint64_t content)
    {
        return {{content >> 32, (content & 0xffffffffu) >> 2}, (content & 2) != 0, (content & 1) != 0};
    }
    static __device__ __forceinline__ parse of_prefix(uint64_t content)
    {
        return {{content >> 1, content >> 1}, true, (content & 1) != 0};
    }
    __device__ __forceinline__ parse of_lane(unsigned lane) const
    {
        return {{__shfl_sync(ALL, length[0], (int)lane), __shfl_sync(ALL, length[1], (int)lane)},
                __shfl_sync(ALL, (int)sets, (int)lane) != 0,
                __shfl_sync(ALL, (int)open, (int)lane) != 0};
    }
};

static __device__ __forceinline__ parse join(const parse &a, const parse &b)
{
    return {{a.length[0] + b.length_from(a.after(false)), a.length[1] + b.length_from(a.after(true))},
            a.sets || b.sets,
            b.sets ? b.open : a.open != b.open};
}

static_assert((uint64_t)TILE * 255 < 1u << 30, "a tile's lengths fit their 30 bits");

// The masks of a piece.
struct states {
    unsigned zero, other; // bytes of the input
    unsigned open;        // a run is open before the byte, if the state before the piece is 0
    unsigned kept;        // the state has not been set before the byte
    bool sets, turns;     // what the whole piece does: sets the state, to `turns`, or inverts it if `turns`
};

} // namespace

template <typename Code> static __device__ __forceinline__ states find_states(const piece &p)
{
    states s;

    s.other = nonzero(p.word, 0);
    s.zero = inside(p) & ~s.other;
    unsigned parity = s.zero;                                                 // of the zeros since the state was set
    unsigned sets = Code::GOES_ON ? s.other & nonzero(p.word, ALL) : s.other; // to 0, and that since the start
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

// How many bytes the piece stands for, if a run is open before the bytes of the mask `open`.
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

// The state before the thread's bytes is `turned`, or, unless it is `fixed`, that before the tile's, inverted by it.
// Leaves what the warps do in `part`.
static __device__ __forceinline__ void state_before(const states &s, unsigned part[WARPS], bool *fixed, bool *turned)
{
    unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    unsigned sets = __ballot_sync(ALL, s.sets), turns = __ballot_sync(ALL, s.turns);
    unsigned last = sets ? 31 - __clz((int)sets) : 0, below = sets & low_bits(lane);

    if (lane == 0) // only what comes after the last lane that sets the state counts, with what it sets
        part[warp] = (sets != 0) << 1 | (__popc(turns >> last) & 1);
    __syncthreads(); // part is there
    last = below ? 31 - __clz((int)below) : 0;
    *fixed = below != 0;
    *turned = __popc((turns & low_bits(lane)) >> last) & 1;
    for (unsigned w = warp; w-- > 0 && !*fixed;) {
        *turned = *turned != ((part[w] & 1) != 0);
        *fixed = part[w] >> 1;
    }
}

// What the tile does, from the sums of the warps, `mine` of the caller's lane: called by the first warp.
static __device__ __forceinline__ parse of_tile(const unsigned part[WARPS], uint64_t mine)
{
    parse all = parse::nothing();

    for (unsigned distance = 1; distance < LANES; distance *= 2)
        mine += __shfl_xor_sync(ALL, mine, (int)distance);
    for (unsigned w = 0; w < WARPS; w++) {
        parse warp = {{0, 0}, (part[w] & 2) != 0, (part[w] & 1) != 0};

        all = join(all, warp);
    }
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

// Puts the piece's literals, if they lie there, into the window from `from`; `at` is where the piece's bytes begin.
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

// Writes the bytes first..end-1 of the tile, counted from a multiple of 16; the first of them goes to `to`. Those of
// the thread are at..at+length-1.
static __device__ __forceinline__ void put_tile(const piece &p, const states &s, unsigned open, unsigned at,
                                                unsigned length, unsigned first, unsigned end, uint8_t *to)
{
    __shared__ uint4 staged[WINDOW / VECTOR];

    for (unsigned from = 0; from < end; from += WINDOW) {
        unsigned here = from < first ? first : from;

        for (unsigned i = threadIdx.x; i < WINDOW / VECTOR; i += THREADS)
            staged[i] = make_uint4(0, 0, 0, 0);
        __syncthreads(); // all are zeros
        if (at < from + WINDOW && at + length > from)
            put_literals(p, s, open, at, (uint8_t *)staged, from);
        __syncthreads(); // the literals are there
        store_staged(staged, here - from, end - from < WINDOW ? end - from : (unsigned)WINDOW, to + (here - first));
        // What a thread has stored, the same thread clears.
    }
}

template <typename Code>
static __global__ void __launch_bounds__(THREADS, 4)
    decode(tiles t, uint64_t *word, outcome *result, void *out, uint64_t room)
{
    __shared__ unsigned part[WARPS];
    __shared__ uint64_t sums[WARPS];
    __shared__ parse before;
    unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, tile = draw_tile(result);
    piece p = load_piece(t, tile);
    states s = find_states<Code>(p);
    bool fixed, turned;

    state_before(s, part, &fixed, &turned);
    // The lengths for both states of the tile, side by side: a tile's are below 2^32.
    unsigned open[2] = {s.open ^ (turned ? s.kept : 0), s.open ^ (turned != !fixed ? s.kept : 0)};
    uint64_t length = length_of(p, s, open[0]);
    length |= (fixed ? length : length_of(p, s, open[1])) << 32;
    uint64_t at = sum_of_lanes_before(length);

    if (lane == LANES - 1)
        sums[warp] = at + length;
    __syncthreads(); // the warps' lengths are there
    if (warp == 0) {
        parse whole = of_tile(part, lane < WARPS ? sums[lane] : 0);

        if (lane == 0)
            *(volatile uint64_t *)&word[tile] = AGGREGATE | whole.aggregate();
        parse found = look_back<parse>(word, tile);
        whole = join(found, whole);
        if (lane == 0) {
            *(volatile uint64_t *)&word[tile] = PREFIX | whole.prefix();
            before = found;
            if (tile == t.count - 1)
                result->length = whole.length[0];
            if (tile == t.count - 1 && whole.open)
                atomicOr(&result->invalid, 1u);
        }
    }
    __syncthreads(); // and what stands before the tile
    uint8_t *to = (uint8_t *)out + before.length[0];
    unsigned side = before.open ? 32 : 0, skew = skew_of(to), end = skew;
    uint64_t left = room > before.length[0] ? room - before.length[0] : 0;

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
