// SPDX-License-Identifier: BSD-2-Clause
//
// zrun.decode/lookback: one pass over tiles of 4096 symbols (rle0/tile.cuh), 16 a thread.
//
// A digit's worth hangs on its place, that is on how many digits stand right before it; more than 32 are invalid, so
// the masks of the two threads before say it, and the first two threads of a tile look at the 32 symbols before the
// tile. Then each symbol stands for a known number of ranks, and where they begin is a sum: over the warp, over the
// block, and over the tiles before by looking back. The sum stops at 2^32, which is invalid, so it never wraps. One
// digit may stand for 2^32 zeros: the output is cleared first, and of a tile's bytes only windows of 16 KiB in which
// there is another rank are put together in shared memory and stored.
// Shared memory: 17.1 KiB. Cost: each symbol read once; each byte of output written once, and where literals are
// twice; 8 bytes of workspace a tile.
#include "../rle0/tile.cuh"

enum { SYMBOLS = EACH / 2, MOST_DIGITS = 32, WINDOW = 16384 };

static const uint64_t TOO_MANY = 1ull << 32; // ranks
static const uint64_t NOWHERE = ~0ull;

namespace
{

struct amount {
    uint64_t ranks; // or TOO_MANY

    static __device__ __forceinline__ amount nothing()
    {
        return {0};
    }
    static __device__ __forceinline__ amount start()
    {
        return {0};
    }
    __device__ __forceinline__ uint64_t aggregate() const
    {
        return ranks;
    }
    __device__ __forceinline__ uint64_t prefix() const
    {
        return ranks;
    }
    static __device__ __forceinline__ amount of_aggregate(uint64_t content)
    {
        return {content};
    }
    static __device__ __forceinline__ amount of_prefix(uint64_t content)
    {
        return {content};
    }
    __device__ __forceinline__ amount of_lane(unsigned lane) const
    {
        return {__shfl_sync(ALL, ranks, (int)lane)};
    }
};

static __device__ __forceinline__ amount join(const amount &a, const amount &b)
{
    uint64_t sum = a.ranks + b.ranks;

    return {sum < TOO_MANY ? sum : TOO_MANY};
}

// The symbols of a piece, a bit each.
struct kinds {
    unsigned digit, literal;
    bool wrong; // there is a symbol over 256
};

} // namespace

static __device__ __forceinline__ unsigned symbol_at(const piece &p, unsigned i)
{
    return p.word[i / 2] >> i % 2 * 16 & 0xffff;
}

static __device__ __forceinline__ kinds find_kinds(const piece &p)
{
    kinds k = {0, 0, false};

#pragma unroll
    for (unsigned i = 0; i < SYMBOLS; i++) {
        bool there = 2 * i >= p.first && 2 * i < p.end;

        k.digit |= (unsigned)(there && symbol_at(p, i) <= 1) << i;
        k.literal |= (unsigned)(there && symbol_at(p, i) > 1) << i;
        k.wrong = k.wrong || symbol_at(p, i) > 256;
    }
    return k;
}

// Which of the 16 symbols that stand `back` times 16 before the tile are digits.
static __device__ __forceinline__ unsigned digits_before(const tiles &t, unsigned tile, unsigned back)
{
    const uint16_t *symbol = (const uint16_t *)t.bytes;
    uint64_t first = (uint64_t)tile * (TILE / 2) - back * SYMBOLS - t.skew / 2;
    unsigned digit = 0;

    for (unsigned i = 0; i < SYMBOLS && tile > 0; i++)
        digit |= (unsigned)(symbol[first + i] <= 1) << i;
    return digit;
}

// How many digits stand right before the thread's first symbol, up to 32. Each of the block's threads calls.
static __device__ __forceinline__ unsigned place_before(const tiles &t, unsigned tile, const kinds &k)
{
    __shared__ unsigned digit[THREADS + 2];

    digit[threadIdx.x + 2] = k.digit;
    if (threadIdx.x < 2)
        digit[threadIdx.x] = digits_before(t, tile, 2 - threadIdx.x);
    __syncthreads(); // the masks are there
    return __clz((int)~(digit[threadIdx.x + 1] << 16 | digit[threadIdx.x]));
}

// Calls each(i, ranks) for every symbol of the piece; a digit whose place is too high stands for none.
template <typename Each>
static __device__ __forceinline__ void for_symbols(const piece &p, const kinds &k, unsigned place, Each each)
{
#pragma unroll
    for (unsigned i = 0; i < SYMBOLS; i++) {
        if (k.digit >> i & 1) {
            each(i, place < MOST_DIGITS ? (uint64_t)(symbol_at(p, i) + 1) << place : 0);
            place++;
        } else if (k.literal >> i & 1) {
            each(i, (uint64_t)1);
            place = 0;
        }
    }
}

// Where the piece's next literal from `from` on goes.
static __device__ __forceinline__ uint64_t next_literal(const piece &p, const kinds &k, unsigned place, uint64_t at,
                                                        uint64_t from)
{
    uint64_t next = NOWHERE;

    for_symbols(p, k, place, [&](unsigned i, uint64_t ranks) {
        if (next == NOWHERE && at >= from && k.literal >> i & 1)
            next = at;
        at += ranks;
    });
    return next;
}

// The least of the block's values. `least` is used again after the caller's next barrier only.
static __device__ __forceinline__ uint64_t block_least(uint64_t value, uint64_t least[WARPS])
{
    for (unsigned distance = 1; distance < LANES; distance *= 2)
        value = min(value, (uint64_t)__shfl_xor_sync(ALL, value, (int)distance));
    if (threadIdx.x % LANES == 0)
        least[threadIdx.x / LANES] = value;
    __syncthreads(); // the least of each warp is there
    for (unsigned w = 0; w < WARPS; w++)
        value = min(value, least[w]);
    return value;
}

// Stores the tile's literals, those of the thread from `at` on. Places count from a multiple of 16; the tile has
// skew..end-1, the first of which goes to `to`.
static __device__ __forceinline__ void put_tile(const piece &p, const kinds &k, unsigned place, uint64_t at,
                                                unsigned skew, uint64_t end, uint8_t *to)
{
    __shared__ uint4 staged[WINDOW / VECTOR];
    __shared__ uint64_t least[WARPS];

    for (uint64_t from = 0;; from += WINDOW) {
        from = block_least(next_literal(p, k, place, at, from), least);
        if (from >= end)
            return; // all threads do
        from -= from % VECTOR;
        for (unsigned i = threadIdx.x; i < WINDOW / VECTOR; i += THREADS)
            staged[i] = make_uint4(0, 0, 0, 0);
        __syncthreads(); // all are zeros
        uint64_t here = at;
        for_symbols(p, k, place, [&](unsigned i, uint64_t ranks) {
            if (k.literal >> i & 1 && here - from < WINDOW)
                ((uint8_t *)staged)[here - from] = (uint8_t)(symbol_at(p, i) - 1);
            here += ranks;
        });
        __syncthreads(); // the literals are there
        unsigned first = from < skew ? skew : 0;
        store_staged(staged, first, end - from < WINDOW ? (unsigned)(end - from) : (unsigned)WINDOW,
                     to + (from + first - skew));
        // What a thread has stored, the same thread clears.
    }
}

static __global__ void __launch_bounds__(THREADS)
    decode(tiles t, uint64_t *word, outcome *result, void *out, uint64_t room)
{
    __shared__ uint64_t sums[WARPS];
    __shared__ uint64_t before;
    unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, tile = draw_tile(result);
    piece p = load_piece(t, tile);
    kinds k = find_kinds(p);
    unsigned place = place_before(t, tile, k);
    uint64_t length = 0;
    bool wrong = k.wrong;

    for_symbols(p, k, place, [&](unsigned, uint64_t ranks) {
        length += ranks;
        wrong = wrong || ranks == 0;
    });
    if (wrong)
        atomicOr(&result->invalid, 1u);
    uint64_t at = sum_of_lanes_before(length);

    if (lane == LANES - 1)
        sums[warp] = at + length;
    __syncthreads(); // the warps' sums are there
    if (warp == 0) {
        amount whole = amount::nothing();

        for (unsigned w = 0; w < WARPS; w++)
            whole = join(whole, {sums[w]});
        if (lane == 0)
            *(volatile uint64_t *)&word[tile] = AGGREGATE | whole.aggregate();
        amount found = look_back<amount>(word, tile);
        whole = join(found, whole);
        if (lane == 0) {
            *(volatile uint64_t *)&word[tile] = PREFIX | whole.prefix();
            before = found.ranks;
            if (tile == t.count - 1)
                result->length = whole.ranks;
            if (tile == t.count - 1 && whole.ranks == TOO_MANY)
                atomicOr(&result->invalid, 1u);
        }
    }
    __syncthreads(); // and what stands before the tile
    if (before >= room)
        return; // past the last barrier, all threads

    uint8_t *to = (uint8_t *)out + before;
    uint64_t end = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        at += w < warp ? sums[w] : 0;
        end += sums[w];
    }
    unsigned skew = skew_of(to);
    put_tile(p, k, place, skew + at, skew, skew + min(end, room - before), to);
}

static sb_status launch(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb_array bytes = inputs[SB_ZRUN_IN];

    bytes.length *= sizeof(uint16_t);
    if (outputs[SB_ZRUN_OUT].capacity != 0 &&
        cudaMemsetAsync(outputs[SB_ZRUN_OUT].data, 0, outputs[SB_ZRUN_OUT].capacity) != cudaSuccess)
        return SB_FAILED;
    return run_tiles(decode, bytes, &outputs[SB_ZRUN_OUT], workspace);
}

// The workspace is for as many bytes.
static uint64_t workspace_of_symbols(const uint64_t *parameters, const sb_array *inputs)
{
    sb_array bytes = inputs[SB_ZRUN_IN];

    bytes.length *= sizeof(uint16_t);
    return workspace_bytes(parameters, &bytes);
}

extern "C" const sb_variant sb_gpu_zrun_decode_lookback[] = {
    {"zrun.decode", "lookback", "one pass: places of digits from masks, and a sum over tiles",
     refuses_more<0xffffffffu>, workspace_of_symbols, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
