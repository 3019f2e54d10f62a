// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.pass/thread_by4: one thread runs the pass over one chunk, four list positions a step.
//
// The queue is words of four positions (words.cuh) in registers, 2 at depth 8, 16 at depth 64, and every step passes
// all of them: the lanes of a warp never part. The next item is loaded while this one's symbol is looked for. How
// chunks of any number of items are found and what is passed on is gathered, stands in items.cuh. Shared memory: none,
// and blocks of one warp, so that a short input still spreads over the card; nothing to synchronise. What limits it:
// some nine instructions for every four positions, so the depth; at depth 8 the loads and stores, byte by byte, a line
// for each lane.
#include "items.cuh"
#include "words.cuh"

enum { THREADS = 32 };

template <unsigned DEPTH> static __global__ void pass(items all)
{
    span piece = segment_at(all, blockIdx.x * (uint64_t)THREADS + threadIdx.x);
    uint64_t end = piece.first + piece.length;
    uint32_t word[DEPTH / 4];
    uint32_t next_symbol, next_entering;

    if (piece.length == 0)
        return;
    fill_words(word, all.base);
    next_symbol = all.symbol[piece.first];
    next_entering = all.entering[piece.first];
    for (uint64_t i = piece.first; i < end; i++) {
        uint32_t symbol = next_symbol, entering = next_entering;
        uint32_t last = word[DEPTH / 4 - 1] >> 24;

        if (i + 1 < end) {
            next_symbol = all.symbol[i + 1];
            next_entering = all.entering[i + 1];
        }
        give_rank(all, i, move_in_words(word, symbol, entering), last);
    }
}

template <unsigned DEPTH>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch_pass<THREADS>(pass<DEPTH>, THREADS, parameters, inputs, outputs, workspace);
}

extern "C" const sb_variant sb_gpu_mtf_pass_thread_by4[] = {
    {"mtf.pass", "thread_by4_8", "a thread a chunk, 8 list positions, four a step", refuses_depth<8>, items_workspace,
     launch<8>},
    {"mtf.pass", "thread_by4_16", "a thread a chunk, 16 list positions, four a step", refuses_depth<16>,
     items_workspace, launch<16>},
    {"mtf.pass", "thread_by4_32", "a thread a chunk, 32 list positions, four a step", refuses_depth<32>,
     items_workspace, launch<32>},
    {"mtf.pass", "thread_by4_64", "a thread a chunk, 64 list positions, four a step", refuses_depth<64>,
     items_workspace, launch<64>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
