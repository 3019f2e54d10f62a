// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/4buffers: one warp encodes four chunks at a time, interleaved (buffers.cuh).
//
// As in scalar, a list is 8 registers of each lane, and a ballot compares 32 positions. Shared memory: none. Cost: a
// ballot and two shuffles for each list and row passed; a step ends with the deepest of its four symbols, so the other
// lists may pass rows in vain. What limits it: the steps of a chunk depend on each other, four of which are in flight.
#include "buffers.cuh"

enum : unsigned { BUFFERS = 4 }; // chunks of a warp

extern "C" const sb_variant sb_gpu_mtf_encode_4buffers[] = {
    {"mtf.encode", "4buffers", "four chunks interleaved in a warp, 32 positions of each compared in one step",
     refuses<BUFFER_WARPS * BUFFERS>, nullptr,
     launch_chunks<encode_buffers<BUFFERS>, BUFFER_WARPS * BUFFERS, BUFFER_THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
