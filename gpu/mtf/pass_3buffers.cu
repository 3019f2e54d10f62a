// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.pass/3buffers: one warp runs the pass over three chunks at a time, a step of each in turn.
//
// A queue is one register a lane, of which depths below 32 use the first lanes, or two at depth 64; how three of them
// go on together stands in buffers.cuh, and how chunks of any number of items are found and what is passed on is
// gathered, in items.cuh. Shared memory: none. What limits it: the steps of a chunk depend on each other, and each is a
// ballot and two shuffles a queue, at depth 64 twice that where the deepest of three is deep; a warp goes on until the
// longest of its chunks has ended.
#include "pass_buffers.cuh"

enum { BUFFERS = 3 };

extern "C" const sb_variant sb_gpu_mtf_pass_3buffers[] = {
    {"mtf.pass", "3buffers_8", "three chunks interleaved in a warp, 8 list positions", refuses_depth<8>,
     items_workspace, launch_pass_buffers<8, BUFFERS>},
    {"mtf.pass", "3buffers_16", "three chunks interleaved in a warp, 16 list positions", refuses_depth<16>,
     items_workspace, launch_pass_buffers<16, BUFFERS>},
    {"mtf.pass", "3buffers_32", "three chunks interleaved in a warp, 32 list positions", refuses_depth<32>,
     items_workspace, launch_pass_buffers<32, BUFFERS>},
    {"mtf.pass", "3buffers_64", "three chunks interleaved in a warp, 64 list positions", refuses_depth<64>,
     items_workspace, launch_pass_buffers<64, BUFFERS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
