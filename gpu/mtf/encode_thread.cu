// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/thread: one thread encodes one chunk.
//
// Each thread keeps the 256-byte list of its chunk in shared memory, and searches it from the front while it shifts
// what it has passed by one: when the symbol is found, everything before it has already moved. A list is a column of
// `list`: consecutive threads have consecutive bytes, so lanes at the same depth touch 8 different banks, not one.
// Shared memory: 256 bytes for each thread, 8 KiB for each warp. Blocks are one warp, so that a short input still
// spreads over the card. No thread reads what another writes, so there is nothing to synchronise. Cost: a step for each
// list position passed, in the warp's slowest lane; the deepest rank bounds it.
#include "chunks.cuh"

enum : unsigned { THREADS = 32 };

static __global__ void encode(chunked c)
{
    __shared__ uint8_t list[256][THREADS];
    span chunk = chunk_at(c, blockIdx.x * (uint64_t)THREADS + threadIdx.x);

    if (chunk.length == 0)
        return;
    for (int i = 0; i < 256; i++)
        list[i][threadIdx.x] = (uint8_t)i;
    for (uint64_t i = chunk.first; i < chunk.first + chunk.length; i++) {
        uint8_t symbol = c.from[i];
        uint8_t moved = symbol;
        int position = 0;

        for (;; position++) {
            uint8_t here = list[position][threadIdx.x];

            list[position][threadIdx.x] = moved;
            if (here == symbol)
                break;
            moved = here;
        }
        c.to[i] = (uint8_t)position;
    }
}

extern "C" const sb_variant sb_gpu_mtf_encode_thread[] = {
    {"mtf.encode", "thread", "one thread for each chunk, its list in shared memory", refuses<THREADS>, nullptr,
     launch_chunks<encode, THREADS, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
