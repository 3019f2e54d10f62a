// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/2buffers: one warp encodes two chunks at a time, interleaved (buffers.cuh).
//
// As in scalar, a list is 8 registers of each lane, and a ballot compares 32 positions. Shared memory: none. Cost: a
// ballot and two shuffles for each list and row passed; a step ends with the deeper of its two symbols, so the other
// list may pass rows in vain. What limits it: the steps of a chunk depend on each other, two of which are in flight.
#include "buffers.cuh"

enum : unsigned { BUFFERS = 2 }; // chunks of a warp

extern "C" const sb_variant sb_gpu_mtf_encode_2buffers[] = {
    {"mtf.encode", "2buffers", "two chunks interleaved in a warp, 32 positions of each compared in one step",
     refuses<BUFFER_WARPS * BUFFERS>, nullptr,
     launch_chunks<encode_buffers<BUFFERS>, BUFFER_WARPS * BUFFERS, BUFFER_THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
