// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.decode/thread: one thread decodes one chunk.
//
// The rank says where the symbol is: it is read, and the symbols before it move by one position on the way to the
// front. Each thread keeps its list as a column of `list` in shared memory; four consecutive threads share a bank.
// Shared memory: 256 bytes for each thread, 8 KiB for each warp. Blocks are one warp, so that a short input still
// spreads over the card. No thread reads what another writes, so there is nothing to synchronise. Cost: a load and a
// store for each position passed, in the warp's slowest lane; the deepest rank bounds it.
#include "chunks.cuh"

enum : unsigned { THREADS = 32 };

static __global__ void decode(chunked c)
{
    __shared__ uint8_t list[256][THREADS];
    span chunk = chunk_at(c, blockIdx.x * (uint64_t)THREADS + threadIdx.x);

    if (chunk.length == 0)
        return;
    for (int i = 0; i < 256; i++)
        list[i][threadIdx.x] = (uint8_t)i;
    for (uint64_t i = 0; i < chunk.length; i++) {
        unsigned rank = c.from[chunk.first + i];
        uint8_t symbol = list[rank][threadIdx.x];

        for (unsigned position = rank; position > 0; position--)
            list[position][threadIdx.x] = list[position - 1][threadIdx.x];
        list[0][threadIdx.x] = symbol;
        c.to[chunk.first + i] = symbol;
    }
}

extern "C" const sb_variant sb_gpu_mtf_decode_thread[] = {
    {"mtf.decode", "thread", "one thread for each chunk, its list in shared memory", refuses<THREADS>, nullptr,
     launch_chunks<decode, THREADS, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
