// SPDX-License-Identifier: BSD-2-Clause
//
// zrun.decode/lookback: one pass over tiles of 4096 symbols (rle0/tile.cuh), 16 for each thread.
//
// The value of a digit depends on its position, that is, on how many digits directly precede it. More than 32 digits in
// a row are invalid, so the masks of the two threads before say it, and the first two threads of a tile look at the 32
// symbols before the tile. Then each symbol represents a known number of ranks, and where they begin is a sum: over the
// warp, over the block, and by decoupled look-back over the tiles before. The sum saturates at 2^32, which is invalid,
// so it never wraps. One digit may represent 2^32 zeros: the output is cleared first, and of a tile's bytes only those
// windows of 16 KiB that hold a literal are put together in shared memory and stored.
// Source: zero runs in bijective base 2 as in bzip2 (J. Seward, 1996); decoupled look-back as
// samebits/prim/lookback.cuh cites.
// Shared memory: 17.1 KiB. Cost: each symbol is read once; each byte of output is written once, and twice where there
// are literals; 8 bytes of workspace for each tile.
#include "../rle0/tile.cuh"

enum {
    SYMBOLS = EACH / 2,
    MAX_DIGITS = 32, // of a run: ref/zrun.h refuses more
    WINDOW = 16384   // bytes of output that are staged at once; not tuned
};

static const uint64_t TOO_MANY = 1ull << 32; // ranks
static const uint64_t NOWHERE = ~0ull;

namespace
{

// How many ranks a stretch of symbols represents.
struct amount {
    uint64_t ranks; // or TOO_MANY

    static __device__ __forceinline__ amount nothing()
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
    static __device__ __forceinline__ amount from_aggregate(uint64_t content)
    {
        return {content};
    }
    static __device__ __forceinline__ amount from_prefix(uint64_t content)
    {
        return {content};
    }
    // This stretch, and `next` after it.
    __device__ __forceinline__ amount then(const amount &next) const
    {
        uint64_t sum = ranks + next.ranks;

        return {sum < TOO_MANY ? sum : TOO_MANY};
    }
};

template <typename Move> __device__ __forceinline__ amount map_words(const amount &a, Move move)
{
    return {move(a.ranks)};
}

// The symbols of a piece, one bit for each.
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

// Which of the 16 symbols that begin `back` times 16 before the tile are digits.
static __device__ __forceinline__ unsigned digits_before(const tiles &t, unsigned tile, unsigned back)
{
    const uint16_t *symbol = (const uint16_t *)t.bytes;
    uint64_t first = (uint64_t)tile * (TILE / 2) - back * SYMBOLS - t.skew / 2;
    unsigned digit = 0;

    for (unsigned i = 0; i < SYMBOLS && tile > 0; i++)
        digit |= (unsigned)(symbol[first + i] <= 1) << i;
    return digit;
}

// How many digits directly precede the thread's first symbol, up to 32. All threads of the block call; one barrier.
static __device__ __forceinline__ unsigned digits_in_front(const tiles &t, unsigned tile, const kinds &k)
{
    __shared__ unsigned digit[THREADS + 2];

    digit[threadIdx.x + 2] = k.digit;
    if (threadIdx.x < 2)
        digit[threadIdx.x] = digits_before(t, tile, 2 - threadIdx.x);
    __syncthreads(); // all threads have written their masks
    return __clz((int)~(digit[threadIdx.x + 1] << 16 | digit[threadIdx.x]));
}

// Calls each(i, ranks) for every symbol of the piece. `position` digits directly precede the piece. A digit at a
// position that is too high represents none.
template <typename Each>
static __device__ __forceinline__ void for_symbols(const piece &p, const kinds &k, unsigned position, Each each)
{
#pragma unroll
    for (unsigned i = 0; i < SYMBOLS; i++) {
        if (k.digit >> i & 1) {
            each(i, position < MAX_DIGITS ? (uint64_t)(symbol_at(p, i) + 1) << position : 0);
            position++;
        } else if (k.literal >> i & 1) {
            each(i, (uint64_t)1);
            position = 0;
        }
    }
}

// Where in the output the piece's first literal at or after `from` goes, or NOWHERE. The piece's ranks begin at `at`.
static __device__ __forceinline__ uint64_t next_literal(const piece &p, const kinds &k, unsigned position, uint64_t at,
                                                        uint64_t from)
{
    uint64_t next = NOWHERE;

    for_symbols(p, k, position, [&](unsigned i, uint64_t ranks) {
        if (next == NOWHERE && at >= from && k.literal >> i & 1)
            next = at;
        at += ranks;
    });
    return next;
}

// Stores the tile's literals; the thread's ranks begin at `at`. The tile has the bytes skew..end-1 of an output that
// begins at a multiple of 16, and byte `skew` goes to `to`. All threads of the block call; three barriers a window.
static __device__ __forceinline__ void put_tile(const piece &p, const kinds &k, unsigned position, uint64_t at,
                                                unsigned skew, uint64_t end, uint8_t *to)
{
    __shared__ uint4 staged[WINDOW / sb::VECTOR_BYTES];
    __shared__ uint64_t next[WARPS];

    for (uint64_t from = 0;; from += WINDOW) {
        from = sb::block_reduce(next_literal(p, k, position, at, from), sb::minimum(), next);
        if (from >= end)
            return; // all threads do
        from -= from % sb::VECTOR_BYTES;
        for (unsigned i = threadIdx.x; i < WINDOW / sb::VECTOR_BYTES; i += THREADS)
            staged[i] = make_uint4(0, 0, 0, 0);
        __syncthreads(); // all are zeros
        uint64_t here = at;
        for_symbols(p, k, position, [&](unsigned i, uint64_t ranks) {
            if (k.literal >> i & 1 && here - from < WINDOW)
                ((uint8_t *)staged)[here - from] = (uint8_t)(symbol_at(p, i) - 1);
            here += ranks;
        });
        __syncthreads(); // all threads have written their literals
        unsigned first = from < skew ? skew : 0;
        sb::store_staged<THREADS>(staged, first, end - from < WINDOW ? (unsigned)(end - from) : (unsigned)WINDOW,
                                  to + (from + first - skew));
        // No barrier: a thread clears only vectors that it has stored itself.
    }
}

static __global__ void __launch_bounds__(THREADS)
    decode(tiles t, uint64_t *state, outcome *result, void *out, uint64_t capacity)
{
    __shared__ uint64_t sums[WARPS];
    __shared__ uint64_t before;
    unsigned lane = sb::lane_index(), warp = sb::warp_index(), tile = draw_tile(result);
    piece p = load_piece(t, tile);
    kinds k = find_kinds(p);
    unsigned position = digits_in_front(t, tile, k);
    uint64_t length = 0;
    bool wrong = k.wrong;

    for_symbols(p, k, position, [&](unsigned, uint64_t ranks) {
        length += ranks;
        wrong = wrong || ranks == 0;
    });
    if (wrong)
        atomicOr(&result->invalid, 1u);
    uint64_t at = sb::warp_exclusive_sum(length);

    if (lane == sb::WARP_LANES - 1)
        sums[warp] = at + length;
    __syncthreads(); // all warps have written their sums
    if (warp == 0) {
        amount whole = amount::nothing();

        for (unsigned w = 0; w < WARPS; w++)
            whole = whole.then({sums[w]});
        amount found = sb::find_prefix<span_policy<amount>>(state, tile, whole, 0);

        whole = found.then(whole);
        if (lane == 0) {
            before = found.ranks;
            if (tile == t.count - 1)
                result->length = whole.ranks < TOO_MANY ? whole.ranks : NOWHERE; // which no capacity reaches
        }
    }
    __syncthreads(); // and the first warp has written what precedes the tile
    if (before >= capacity)
        return; // past the last barrier, all threads

    uint8_t *to = (uint8_t *)out + before;
    uint64_t end = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        at += w < warp ? sums[w] : 0;
        end += sums[w];
    }
    unsigned skew = sb::misalignment(to);
    put_tile(p, k, position, skew + at, skew, skew + min(end, capacity - before), to);
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

// That of as many bytes as the symbols have.
static uint64_t workspace_of_symbols(const uint64_t *parameters, const sb_array *inputs)
{
    sb_array bytes = inputs[SB_ZRUN_IN];

    bytes.length *= sizeof(uint16_t);
    return workspace_bytes(parameters, &bytes);
}

static const uint64_t sizes[] = {TILE / 2, 0};

extern "C" const sb_variant sb_gpu_zrun_decode_lookback[] = {
    {"zrun.decode", "lookback", "one pass: positions of digits from masks, and a sum over tiles",
     refuses_more<0xffffffffu>, workspace_of_symbols, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
