// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/3buffers: one warp encodes three chunks at a time, a step of each in turn.
//
// As in scalar, a list is 8 registers a lane and 32 positions are compared by one ballot; how three of them go on
// together stands in buffers.cuh. Shared memory: none. What limits it: the steps of a chunk depend on each other, a
// ballot and two shuffles a list and row passed, and a step ends with the deepest of its three symbols; rows are passed
// in vain by the rest.
#include "buffers.cuh"

enum { BUFFERS = 3 };

extern "C" const sb_variant sb_gpu_mtf_encode_3buffers[] = {
    {"mtf.encode", "3buffers", "three chunks interleaved in a warp, 32 positions of each compared in one step",
     refuses<BUFFER_WARPS * BUFFERS>, nullptr, launch_encode_buffers<BUFFERS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
