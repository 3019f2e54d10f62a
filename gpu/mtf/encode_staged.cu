// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/staged: like thread_by4, but input and output are staged in shared memory, 16 bytes at a time.
//
// A thread encodes a chunk, with its list in a column of shared memory, four positions in each step (swar.cuh). The
// warp fetches the next 64 bytes of its 32 chunks together, adjacent lanes fetching adjacent vectors of 16 bytes, and
// lays them out as a column of 16 words for each thread. A thread replaces each word by the four ranks, and when all
// threads are done the warp writes the columns back in the same way. Where chunks do not start at multiples of 16
// bytes, and at the end of a chunk, single bytes are moved. A __syncwarp separates the phases, because a column is
// filled by other lanes than the one that uses it. Shared memory: 10112 bytes for each warp. Cost: it saves a global
// load and store for each symbol against thread_by4, and has the same limit: the number of positions that the warp's
// slowest lane passes.
#include "chunks.cuh"
#include "swar.cuh"
#include <samebits/prim/warp.cuh>

enum : unsigned {
    THREADS = sb::WARP_LANES,
    STAGE = 64, // bytes of a chunk that are staged: two sectors of 32 bytes, so a warp stages 2 KiB. Not tuned.
    STAGE_WORDS = STAGE / 4,
    QUADS = STAGE / sizeof(uint4)
};

struct stage {
    uint32_t word[STAGE_WORDS][THREADS];
};

static __device__ __forceinline__ uint8_t *staged_byte(stage *s, unsigned column, unsigned offset)
{
    return (uint8_t *)&s->word[offset / 4][column] + offset % 4;
}

// For each 16 bytes of the stage that this lane moves, calls whole(column, offset, at), or, where they are incomplete
// or not aligned, single(column, offset, at) for each byte. `at` is the position in the input.
template <typename Whole, typename Single>
static __device__ __forceinline__ void move_stage(const chunked &c, uint64_t done, bool aligned, Whole whole,
                                                  Single single)
{
    for (unsigned i = threadIdx.x; i < THREADS * QUADS; i += THREADS) {
        unsigned column = i / QUADS, offset = i % QUADS * 16;
        span chunk = chunk_at(c, blockIdx.x * (uint64_t)THREADS + column);
        uint64_t left = chunk.length > done + offset ? chunk.length - done - offset : 0;

        if (aligned && left >= 16)
            whole(column, offset, chunk.first + done + offset);
        else
            for (unsigned j = 0; j < 16 && j < left; j++)
                single(column, offset + j, chunk.first + done + offset + j);
    }
}

static __device__ __forceinline__ void fetch(const chunked &c, uint64_t done, bool aligned, stage *s)
{
    move_stage(
        c, done, aligned,
        [&](unsigned column, unsigned offset, uint64_t at) {
            uint4 quad = *(const uint4 *)(c.from + at);

            s->word[offset / 4][column] = quad.x;
            s->word[offset / 4 + 1][column] = quad.y;
            s->word[offset / 4 + 2][column] = quad.z;
            s->word[offset / 4 + 3][column] = quad.w;
        },
        [&](unsigned column, unsigned offset, uint64_t at) { *staged_byte(s, column, offset) = c.from[at]; });
}

static __device__ __forceinline__ void put(const chunked &c, uint64_t done, bool aligned, stage *s)
{
    move_stage(
        c, done, aligned,
        [&](unsigned column, unsigned offset, uint64_t at) {
            *(uint4 *)(c.to + at) = make_uint4(s->word[offset / 4][column], s->word[offset / 4 + 1][column],
                                               s->word[offset / 4 + 2][column], s->word[offset / 4 + 3][column]);
        },
        [&](unsigned column, unsigned offset, uint64_t at) { c.to[at] = *staged_byte(s, column, offset); });
}

static __global__ void encode(chunked c)
{
    __shared__ uint32_t list[LIST_WORDS - 1][THREADS]; // positions 4..255
    __shared__ stage s;
    bool aligned = ((uintptr_t)c.from | (uintptr_t)c.to | c.chunk) % 16 == 0;
    span chunk = chunk_at(c, blockIdx.x * (uint64_t)THREADS + threadIdx.x);
    uint32_t front = reset_list(list);

    for (uint64_t done = 0; __any_sync(sb::FULL_MASK, done < chunk.length); done += STAGE) {
        unsigned count = done >= chunk.length          ? 0
                         : chunk.length - done < STAGE ? (unsigned)(chunk.length - done)
                                                       : (unsigned)STAGE;

        fetch(c, done, aligned, &s);
        __syncwarp(); // the stage is filled
        for (unsigned i = 0; i < count; i += 4) {
            uint32_t symbols = s.word[i / 4][threadIdx.x], ranks = 0;

            for (unsigned j = 0; j < 4 && i + j < count; j++)
                ranks |= move_to_front(front, list, symbols >> 8 * j & 255) << 8 * j;
            s.word[i / 4][threadIdx.x] = ranks;
        }
        __syncwarp(); // the ranks are written
        put(c, done, aligned, &s);
    }
}

extern "C" const sb_variant sb_gpu_mtf_encode_staged[] = {
    {"mtf.encode", "staged", "thread_by4 with input and output staged by 16 bytes", refuses<THREADS>, nullptr,
     launch_chunks<encode, THREADS, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
