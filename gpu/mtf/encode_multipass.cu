// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/multipass: a pass over the list's first positions for every byte, then passes over deeper ones for the few
// that are left; what a pass does, and why passes compose, is mtf.pass (ref/mtf_pass.h).
//
// A queue is words of four positions in registers (words.cuh), and a step passes all of them, so that no lane waits for
// a deeper one. In the first pass a thread has a chunk: it takes 8 bytes at a time where they are aligned, and writes 8
// ranks. Each byte that is not found makes an item for the next pass: its place, the byte, and what left the queue; the
// items of a chunk lie in the chunk's own place in the workspace, an item for each of its bytes at most. In later
// passes a few lanes share a chunk, each with as many words of the queue; a ballot says which lane has the symbol, and
// the last byte of each lane before it moves to the next. They read items and leave those for the next pass in the same
// place: as many items as there are lanes are read at once, a __syncwarp stands between that and the writes, and an
// item left is never ahead of one read. Ranks are written where they belong, over what the pass before has written.
// Shared memory: none. Workspace: 8 bytes for each byte, 4 for each chunk.
// What limits it: the first pass, some 20 instructions a byte that depend on each other, needs more chunks than the
// card has places for threads; in later passes each item costs its warp 25 instructions and 9 for every four positions
// a lane holds, so a text that is not found early (random bytes) is slow. One unchunked buffer is one thread.
#include "pieces.cuh"
#include "words.cuh"

enum { LANES = 32, FIRST_THREADS = 32, THREADS = 128 };

static const unsigned ALL = 0xffffffffu;

namespace
{

// A byte that goes on to the next pass. It is moved as 8 bytes, so those that say nothing have a value, too: 0.
struct alignas(8) waiting {
    uint32_t place; // in its chunk
    uint8_t symbol, entering;
    uint16_t rest;
};

struct work {
    pieces p;
    waiting *items;
    uint32_t *count; // items of each chunk
};

// What the first pass knows of its chunk.
template <unsigned DEPTH> struct first_queue {
    uint32_t word[DEPTH / 4];
    waiting *items;
    uint32_t count;

    __device__ __forceinline__ uint32_t rank_of(uint32_t symbol, uint64_t place)
    {
        uint32_t last = word[DEPTH / 4 - 1] >> 24;
        uint32_t position = move_in_words(word, symbol, symbol);

        if (position == DEPTH)
            items[count++] = waiting{(uint32_t)place, (uint8_t)symbol, (uint8_t)last, 0};
        return position;
    }
};

} // namespace

static __device__ __forceinline__ bool aligned(const uint8_t *bytes)
{
    return (uintptr_t)bytes % sizeof(uint64_t) == 0;
}

template <unsigned DEPTH> static __global__ void first_pass(work w)
{
    uint64_t index = blockIdx.x * (uint64_t)FIRST_THREADS + threadIdx.x;
    span piece = piece_at(w.p, index);
    const uint8_t *from = w.p.from + piece.first;
    uint8_t *to = w.p.to + piece.first;
    first_queue<DEPTH> queue;
    uint64_t i = 0;

    if (piece.length == 0)
        return;
    fill_words(queue.word, 0);
    queue.items = w.items + piece.first;
    queue.count = 0;
    while (i < piece.length) {
        if (piece.length - i < 8 || !aligned(from + i) || !aligned(to + i)) {
            to[i] = (uint8_t)queue.rank_of(from[i], i);
            i++;
            continue;
        }
        uint64_t bytes = *(const uint64_t *)(from + i), ranks = 0;

#pragma unroll
        for (unsigned k = 0; k < 8; k++)
            ranks |= (uint64_t)queue.rank_of((uint32_t)(bytes >> 8 * k) & 255, i + k) << 8 * k;
        *(uint64_t *)(to + i) = ranks;
        i += 8;
    }
    w.count[index] = queue.count;
}

// WIDTH lanes a chunk. Behind the last position of the last pass a lane may hold some that nothing comes to: symbols
// are found before them.
template <unsigned BASE, unsigned DEPTH, unsigned WIDTH> static __global__ void later_pass(work w)
{
    const unsigned WORDS = (DEPTH + 4 * WIDTH - 1) / (4 * WIDTH); // a lane
    static_assert(BASE % 4 == 0 && (DEPTH == 4 * WIDTH * WORDS || BASE + DEPTH == 256), "the last lane is full");
    uint64_t index = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / WIDTH;
    unsigned place = threadIdx.x % WIDTH, leader = threadIdx.x % LANES - place;
    span piece = piece_at(w.p, index);
    waiting *items = w.items + piece.first;
    uint32_t count = index < w.p.chunks ? w.count[index] : 0, left = 0;
    uint32_t word[WORDS];

    __syncwarp(); // all have read their count: it may be overwritten
    fill_words(word, (BASE + 4 * WORDS * place) % 256);
    for (uint64_t batch = 0; __any_sync(ALL, batch < count); batch += WIDTH) {
        waiting mine = {0, 0, 0, 0};

        if (batch + place < count)
            mine = items[batch + place];
        __syncwarp(); // all have read theirs: they may be overwritten
        for (unsigned i = 0; i < WIDTH; i++) {
            uint32_t both = __shfl_sync(ALL, mine.symbol | (uint32_t)mine.entering << 8, (int)i, WIDTH);
            uint32_t at = __shfl_sync(ALL, mine.place, (int)i, WIDTH);
            uint32_t symbol = both & 255, last = word[WORDS - 1] >> 24;
            uint32_t carried = __shfl_up_sync(ALL, last, 1, WIDTH);
            uint32_t hits = 0;

#pragma unroll
            for (unsigned k = 0; k < WORDS; k++)
                hits |= equal_bytes(word[k], symbol);
            unsigned holders = __ballot_sync(ALL, hits != 0) >> leader & ((1u << WIDTH) - 1);
            unsigned holder = holders ? (unsigned)__ffs((int)holders) - 1 : WIDTH;

            if (batch + i >= count)
                continue; // to the next shuffle, where the others come too
            if (place <= holder) {
                unsigned position = move_in_words(word, symbol, place == 0 ? both >> 8 : carried);

                if (place == holder)
                    w.p.to[piece.first + at] = (uint8_t)(BASE + 4 * WORDS * place + position);
            }
            if (BASE + DEPTH < 256 && holder == WIDTH) {
                if (place == WIDTH - 1)
                    items[left] = waiting{at, (uint8_t)symbol, (uint8_t)last, 0};
                left++;
            }
        }
    }
    if (BASE + DEPTH < 256 && place == 0 && index < w.p.chunks)
        w.count[index] = left;
}

static const char *refuses_places(const uint64_t *parameters, const sb_array *inputs)
{
    pieces p = make_pieces(parameters, inputs, nullptr);

    if (p.chunk > UINT32_MAX)
        return "a chunk of 2^32 bytes or more";
    return p.chunks > MAX_GRID * (THREADS / LANES) ? "more chunks than a grid takes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    pieces p = make_pieces(parameters, inputs, nullptr);

    return p.n * sizeof(waiting) + p.chunks * sizeof(uint32_t);
}

static work make_work(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    work w;

    w.p = make_pieces(parameters, inputs, outputs);
    w.items = (waiting *)workspace;
    w.count = (uint32_t *)(w.items + w.p.n);
    return w;
}

template <unsigned DEPTH> static void run_first(const work &w)
{
    first_pass<DEPTH><<<(unsigned)((w.p.chunks + FIRST_THREADS - 1) / FIRST_THREADS), FIRST_THREADS>>>(w);
}

template <unsigned BASE, unsigned DEPTH, unsigned WIDTH> static void run_later(const work &w)
{
    const unsigned CHUNKS = THREADS / WIDTH; // a block

    later_pass<BASE, DEPTH, WIDTH><<<(unsigned)((w.p.chunks + CHUNKS - 1) / CHUNKS), THREADS>>>(w);
}

static void run_8_248(const work &w)
{
    run_first<8>(w);
    run_later<8, 248, 8>(w);
}

static void run_16_48_192(const work &w)
{
    run_first<16>(w);
    run_later<16, 48, 4>(w);
    run_later<64, 192, 8>(w);
}

template <void (*PASSES)(const work &)>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    work w = make_work(parameters, inputs, outputs, workspace);

    if (w.p.n == 0)
        return SB_OK;
    PASSES(w);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_mtf_encode_multipass[] = {
    {"mtf.encode", "multipass_8_248", "8 positions for all bytes, then 248 for those left", refuses_places,
     workspace_bytes, launch<run_8_248>},
    {"mtf.encode", "multipass_16_48_192", "16 positions for all bytes, then 48, then 192 for those left",
     refuses_places, workspace_bytes, launch<run_16_48_192>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
