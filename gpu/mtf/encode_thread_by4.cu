// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/thread_by4: one thread encodes one chunk, four list positions in each step.
//
// The list is 64 words of four positions, searched and shifted word by word with SWAR arithmetic (swar.cuh). The next
// symbol is loaded while this one is searched for. Shared memory: 252 bytes for each thread, 8064 bytes for each warp.
// Blocks are one warp, so that a short input still spreads over the card. No thread reads what another writes, so there
// is nothing to synchronise. Cost: a load and a store for every four positions passed, in the warp's slowest lane;
// input and output pass byte by byte.
#include "chunks.cuh"
#include "swar.cuh"

enum : unsigned { THREADS = 32 };

static __global__ void encode(chunked c)
{
    __shared__ uint32_t list[LIST_WORDS - 1][THREADS]; // positions 4..255
    span chunk = chunk_at(c, blockIdx.x * (uint64_t)THREADS + threadIdx.x);

    if (chunk.length == 0)
        return;
    uint32_t front = reset_list(list);
    uint32_t next = c.from[chunk.first];

    for (uint64_t i = 0; i < chunk.length; i++) {
        uint32_t symbol = next;

        if (i + 1 < chunk.length)
            next = c.from[chunk.first + i + 1];
        c.to[chunk.first + i] = (uint8_t)move_to_front(front, list, symbol);
    }
}

extern "C" const sb_variant sb_gpu_mtf_encode_thread_by4[] = {
    {"mtf.encode", "thread_by4", "one thread for each chunk, four list positions in each step", refuses<THREADS>,
     nullptr, launch_chunks<encode, THREADS, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
