// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/4buffers: one warp encodes four chunks at a time, a step of each in turn.
//
// As in scalar, a list is 8 registers a lane and 32 positions are compared by one ballot; how four of them go on
// together stands in buffers.cuh. Shared memory: none. What limits it: the steps of a chunk depend on each other, a
// ballot and two shuffles a list and row passed, and a step ends with the deepest of its four symbols; rows are passed
// in vain by the rest.
#include "buffers.cuh"

enum { BUFFERS = 4 };

extern "C" const sb_variant sb_gpu_mtf_encode_4buffers[] = {
    {"mtf.encode", "4buffers", "four chunks interleaved in a warp, 32 positions of each compared in one step",
     refuses<BUFFER_WARPS * BUFFERS>, nullptr, launch_encode_buffers<BUFFERS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
