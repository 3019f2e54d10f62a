// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.pass/4buffers: one warp runs the pass over four chunks at a time, interleaved (buffers.cuh). items.cuh finds the
// chunks and gathers what the next pass gets.
//
// A queue is one register of each lane, of which depths below 32 use the first lanes, or two registers at depth 64.
// Shared memory: none. Cost: a ballot and two shuffles for each queue and step, at depth 64 twice as much where a
// symbol is beyond position 32; a warp continues until the longest of its chunks has ended. What limits it: the steps
// of a chunk depend on each other, four of which are in flight.
#include "pass_buffers.cuh"

enum : unsigned { BUFFERS = 4 }; // chunks of a warp

extern "C" const sb_variant sb_gpu_mtf_pass_4buffers[] = {
    {"mtf.pass", "4buffers_8", "four chunks interleaved in a warp, 8 list positions", refuses_depth<8>, items_workspace,
     launch_pass_buffers<8, BUFFERS>, item_sizes},
    {"mtf.pass", "4buffers_16", "four chunks interleaved in a warp, 16 list positions", refuses_depth<16>,
     items_workspace, launch_pass_buffers<16, BUFFERS>, item_sizes},
    {"mtf.pass", "4buffers_32", "four chunks interleaved in a warp, 32 list positions", refuses_depth<32>,
     items_workspace, launch_pass_buffers<32, BUFFERS>, item_sizes},
    {"mtf.pass", "4buffers_64", "four chunks interleaved in a warp, 64 list positions", refuses_depth<64>,
     items_workspace, launch_pass_buffers<64, BUFFERS>, item_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
