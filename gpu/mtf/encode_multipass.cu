// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/multipass: a pass over the first positions of the list for every byte, then passes over deeper positions
// for the few bytes that are left. What a pass does, and why passes compose, is mtf.pass (ref/mtf_pass.h).
//
// A queue is words of four positions in registers (swar.cuh), and a step passes all of them, so that no lane waits for
// a deeper one.
//   first pass    one thread for each chunk: takes 8 bytes at a time where they are aligned, and writes 8 ranks. Each
//                 byte that is not found makes an item for the next pass: its position, the byte, and the value that
//                 left the queue. A chunk's items are in its own part of the workspace, which has an item for each of
//                 its bytes
//   later passes  a few lanes share a chunk, each with an equal part of the queue. A ballot says which lane has the
//                 symbol, and the last byte of each lane before it moves to the next lane. The items for the next pass
//                 are written over those that have been read: as many items as there are lanes are read at once, a
//                 __syncwarp separates that from the writes, and an item written is never ahead of one read. Ranks are
//                 written to their positions, over what the pass before has written there
// Shared memory: none. Workspace: 8 bytes for each byte, 4 for each chunk. What limits it: the first pass has some 20
// instructions for each byte that depend on each other, so it needs more chunks than the card runs threads; in later
// passes each item costs its warp 25 instructions, and 9 for every four positions of a lane, so a text whose bytes are
// not found early (random bytes) is slow. An input in one chunk is one thread.
#include "chunks.cuh"
#include "swar.cuh"
#include <samebits/prim/warp.cuh>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    FIRST_THREADS =
        32,       // of a block in the first pass, where a thread takes a chunk: few chunks still spread over the card
    THREADS = 128 // of a block in later passes. Not tuned.
};

namespace
{

// A byte that the next pass gets. Items are moved as 8 bytes, so the padding has a value as well: 0.
struct alignas(8) waiting {
    uint32_t position; // in its chunk
    uint8_t symbol, entering;
    uint16_t padding;
};

struct work {
    chunked c;
    waiting *items;  // of all chunks
    uint32_t *count; // items of each chunk
};

// The state of the first pass in one chunk.
template <unsigned DEPTH> struct first_queue {
    uint32_t word[DEPTH / 4];
    waiting *items;
    uint32_t count;

    __device__ __forceinline__ uint32_t rank_of(uint32_t symbol, uint64_t at)
    {
        uint32_t last = word[DEPTH / 4 - 1] >> 24;
        uint32_t position = move_in_words(word, symbol, symbol);

        if (position == DEPTH)
            items[count++] = waiting{(uint32_t)at, (uint8_t)symbol, (uint8_t)last, 0};
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
    span chunk = chunk_at(w.c, index);
    const uint8_t *from = w.c.from + chunk.first;
    uint8_t *to = w.c.to + chunk.first;
    first_queue<DEPTH> queue;
    uint64_t i = 0;

    if (chunk.length == 0)
        return;
    fill_words(queue.word, 0);
    queue.items = w.items + chunk.first;
    queue.count = 0;
    while (i < chunk.length) {
        if (chunk.length - i < 8 || !aligned(from + i) || !aligned(to + i)) {
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

// WIDTH lanes for each chunk. In the last pass the last lane may hold positions beyond 255: every symbol is found
// before them.
template <unsigned BASE, unsigned DEPTH, unsigned WIDTH> static __global__ void later_pass(work w)
{
    const unsigned WORDS = (DEPTH + 4 * WIDTH - 1) / (4 * WIDTH); // a lane
    static_assert(BASE % 4 == 0 && (DEPTH == 4 * WIDTH * WORDS || BASE + DEPTH == 256), "the last lane is full");
    uint64_t index = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / WIDTH;
    unsigned member = threadIdx.x % WIDTH, leader = sb::lane_index() - member;
    span chunk = chunk_at(w.c, index);
    waiting *items = w.items + chunk.first;
    uint32_t count = index < w.c.chunks ? w.count[index] : 0, left = 0;
    uint32_t word[WORDS];

    __syncwarp(); // all lanes have read their count, which may be overwritten
    fill_words(word, BASE + 4 * WORDS * member);
    for (uint64_t batch = 0; __any_sync(sb::FULL_MASK, batch < count); batch += WIDTH) {
        waiting mine = {0, 0, 0, 0};

        if (batch + member < count)
            mine = items[batch + member];
        __syncwarp(); // all lanes have read their items, which may be overwritten
        for (unsigned i = 0; i < WIDTH; i++) {
            uint32_t both = __shfl_sync(sb::FULL_MASK, mine.symbol | (uint32_t)mine.entering << 8, (int)i, WIDTH);
            uint32_t at = __shfl_sync(sb::FULL_MASK, mine.position, (int)i, WIDTH);
            uint32_t symbol = both & 255, last = word[WORDS - 1] >> 24;
            uint32_t carried = __shfl_up_sync(sb::FULL_MASK, last, 1, WIDTH);
            uint32_t hits = 0;

#pragma unroll
            for (unsigned k = 0; k < WORDS; k++)
                hits |= equal_bytes(word[k], symbol);
            unsigned holders = __ballot_sync(sb::FULL_MASK, hits != 0) >> leader & ((1u << WIDTH) - 1);
            unsigned holder = holders ? sb::lowest_bit(holders) : WIDTH;

            if (batch + i >= count)
                continue; // the next shuffle needs all lanes
            if (member <= holder) {
                unsigned position = move_in_words(word, symbol, member == 0 ? both >> 8 : carried);

                if (member == holder)
                    w.c.to[chunk.first + at] = (uint8_t)(BASE + 4 * WORDS * member + position);
            }
            if (BASE + DEPTH < 256 && holder == WIDTH) {
                if (member == WIDTH - 1)
                    items[left] = waiting{at, (uint8_t)symbol, (uint8_t)last, 0};
                left++;
            }
        }
    }
    if (BASE + DEPTH < 256 && member == 0 && index < w.c.chunks)
        w.count[index] = left;
}

static const char *refuses_chunks(const uint64_t *parameters, const sb_array *inputs)
{
    chunked c = cut_chunks(parameters, inputs, nullptr);

    if (c.chunk > UINT32_MAX)
        return "a chunk of 2^32 bytes or more";
    return c.chunks > MAX_GRID * (THREADS / sb::WARP_LANES) ? "more chunks than a grid takes" : nullptr;
}

// Lays the workspace out, and returns its size. `outputs` and `memory` are null where only that is asked for.
static uint64_t lay_out(work *w, const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *memory)
{
    sb::workspace space(memory);

    w->c = cut_chunks(parameters, inputs, outputs);
    w->items = space.take<waiting>(w->c.n);
    w->count = space.take<uint32_t>(w->c.chunks);
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    work w = {};

    return lay_out(&w, parameters, inputs, nullptr, nullptr);
}

template <unsigned DEPTH> static void run_first(const work &w)
{
    first_pass<DEPTH><<<(unsigned)sb::divide_up(w.c.chunks, FIRST_THREADS), FIRST_THREADS>>>(w);
}

template <unsigned BASE, unsigned DEPTH, unsigned WIDTH> static void run_later(const work &w)
{
    const unsigned CHUNKS = THREADS / WIDTH; // a block

    later_pass<BASE, DEPTH, WIDTH><<<(unsigned)sb::divide_up(w.c.chunks, CHUNKS), THREADS>>>(w);
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
    work w = {};

    lay_out(&w, parameters, inputs, outputs, workspace);

    if (w.c.n == 0)
        return SB_OK;
    PASSES(w);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_mtf_encode_multipass[] = {
    {"mtf.encode", "multipass_8_248", "8 positions for all bytes, then 248 for those not found", refuses_chunks,
     workspace_bytes, launch<run_8_248>},
    {"mtf.encode", "multipass_16_48_192", "16 positions for all bytes, then 48, then 192 for those left",
     refuses_chunks, workspace_bytes, launch<run_16_48_192>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
