// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.pass/thread: one thread runs the pass over one chunk, one list position a step.
//
// As in encode_thread, the queue of a chunk is a column of shared memory, searched from the front while what has been
// passed is shifted by one; how chunks of any number of items are found and what is passed on is gathered, stands in
// items.cuh. Shared memory: DEPTH bytes a thread, 256 to 2048 a warp, and blocks of one warp, so that a short input
// still spreads over the card. No thread reads what another writes: there is nothing to synchronise.
// What limits it: a load and a store in shared memory for each position passed, in the warp's slowest lane, which is
// nearly always one that does not find its symbol and passes all; items are loaded byte by byte, a line for each lane.
#include "items.cuh"

enum { THREADS = 32 };

template <unsigned DEPTH> static __global__ void pass(items all)
{
    __shared__ uint8_t queue[DEPTH][THREADS];
    span piece = segment_at(all, blockIdx.x * (uint64_t)THREADS + threadIdx.x);

    for (unsigned j = 0; j < DEPTH; j++)
        queue[j][threadIdx.x] = (uint8_t)(all.base + j);
    for (uint64_t i = piece.first; i < piece.first + piece.length; i++) {
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

template <unsigned DEPTH>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch_pass<THREADS>(pass<DEPTH>, THREADS, parameters, inputs, outputs, workspace);
}

extern "C" const sb_variant sb_gpu_mtf_pass_thread[] = {
    {"mtf.pass", "thread_8", "a thread a chunk, 8 list positions", refuses_depth<8>, items_workspace, launch<8>},
    {"mtf.pass", "thread_16", "a thread a chunk, 16 list positions", refuses_depth<16>, items_workspace, launch<16>},
    {"mtf.pass", "thread_32", "a thread a chunk, 32 list positions", refuses_depth<32>, items_workspace, launch<32>},
    {"mtf.pass", "thread_64", "a thread a chunk, 64 list positions", refuses_depth<64>, items_workspace, launch<64>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
