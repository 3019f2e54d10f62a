// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.pass/thread_by4: one thread runs the pass over one chunk, four list positions in each step. items.cuh finds the
// chunks and gathers what the next pass gets.
//
// The queue is words of four positions (swar.cuh) in registers, 2 at depth 8, 16 at depth 64. Every step passes all of
// them, so the lanes of a warp never diverge. The next item is loaded while the symbol of this one is searched for.
// Shared memory: none. Blocks are one warp, so that a short input still spreads over the card; there is nothing to
// synchronise. Cost: about nine instructions for every four positions, so it grows with the depth; at depth 8 the loads
// and stores limit it, which are byte by byte, a cache line for each lane.
#include "items.cuh"
#include "swar.cuh"

enum : unsigned { THREADS = 32 };

template <unsigned DEPTH> static __global__ void pass(items all)
{
    span chunk = segment_at(all, blockIdx.x * (uint64_t)THREADS + threadIdx.x);
    uint64_t end = chunk.first + chunk.length;
    uint32_t word[DEPTH / 4];
    uint32_t next_symbol, next_entering;

    if (chunk.length == 0)
        return;
    fill_words(word, all.base);
    next_symbol = all.symbol[chunk.first];
    next_entering = all.entering[chunk.first];
    for (uint64_t i = chunk.first; i < end; i++) {
        uint32_t symbol = next_symbol, entering = next_entering;
        uint32_t last = word[DEPTH / 4 - 1] >> 24;

        if (i + 1 < end) {
            next_symbol = all.symbol[i + 1];
            next_entering = all.entering[i + 1];
        }
        give_rank(all, i, move_in_words(word, symbol, entering), last);
    }
}

extern "C" const sb_variant sb_gpu_mtf_pass_thread_by4[] = {
    {"mtf.pass", "thread_by4_8", "one thread for each chunk, 8 list positions, four in each step", refuses_depth<8>,
     items_workspace, launch_pass<pass<8>, THREADS, THREADS>, item_sizes},
    {"mtf.pass", "thread_by4_16", "one thread for each chunk, 16 list positions, four in each step", refuses_depth<16>,
     items_workspace, launch_pass<pass<16>, THREADS, THREADS>, item_sizes},
    {"mtf.pass", "thread_by4_32", "one thread for each chunk, 32 list positions, four in each step", refuses_depth<32>,
     items_workspace, launch_pass<pass<32>, THREADS, THREADS>, item_sizes},
    {"mtf.pass", "thread_by4_64", "one thread for each chunk, 64 list positions, four in each step", refuses_depth<64>,
     items_workspace, launch_pass<pass<64>, THREADS, THREADS>, item_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
