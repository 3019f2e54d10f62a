// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.pass/thread: one thread runs the pass over one chunk, one list position in each step. items.cuh finds the chunks
// and gathers what the next pass gets.
//
// As in encode_thread, the queue of a chunk is a column of shared memory, searched from the front while the values
// passed are shifted by one. Shared memory: DEPTH bytes for each thread, 256 to 2048 for each warp. Blocks are one
// warp, so that a short input still spreads over the card. No thread reads what another writes, so there is nothing to
// synchronise.
// Cost: a load and a store in shared memory for each position passed, in the warp's slowest lane, which is nearly
// always one that does not find its symbol and passes all of them; items are loaded byte by byte, a cache line for each
// lane.
#include "items.cuh"

enum : unsigned { THREADS = 32 };

template <unsigned DEPTH> static __global__ void pass(items all)
{
    __shared__ uint8_t queue[DEPTH][THREADS];
    span chunk = segment_at(all, blockIdx.x * (uint64_t)THREADS + threadIdx.x);

    for (unsigned j = 0; j < DEPTH; j++)
        queue[j][threadIdx.x] = (uint8_t)(all.base + j);
    for (uint64_t i = chunk.first; i < chunk.first + chunk.length; i++) {
        uint8_t symbol = all.symbol[i];
        uint8_t moved = all.entering[i];
        unsigned position = 0;

        for (; position < DEPTH; position++) {
            uint8_t here = queue[position][threadIdx.x];

            queue[position][threadIdx.x] = moved;
            moved = here;
            if (here == symbol)
                break;
        }
        give_rank(all, i, position, moved);
    }
}

extern "C" const sb_variant sb_gpu_mtf_pass_thread[] = {
    {"mtf.pass", "thread_8", "one thread for each chunk, 8 list positions", refuses_depth<8>, items_workspace,
     launch_pass<pass<8>, THREADS, THREADS>, item_sizes},
    {"mtf.pass", "thread_16", "one thread for each chunk, 16 list positions", refuses_depth<16>, items_workspace,
     launch_pass<pass<16>, THREADS, THREADS>, item_sizes},
    {"mtf.pass", "thread_32", "one thread for each chunk, 32 list positions", refuses_depth<32>, items_workspace,
     launch_pass<pass<32>, THREADS, THREADS>, item_sizes},
    {"mtf.pass", "thread_64", "one thread for each chunk, 64 list positions", refuses_depth<64>, items_workspace,
     launch_pass<pass<64>, THREADS, THREADS>, item_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
