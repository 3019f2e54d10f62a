// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.pass/2buffers, 3buffers and 4buffers: one warp runs the pass over two, three or four chunks at a time, interleaved
// (buffers.cuh). items.cuh finds the chunks and gathers what the next pass gets.
//
// A queue is one register of each lane, of which depths below 32 use the first lanes, or two registers at depth 64.
// Shared memory: none. Cost: a ballot and two shuffles for each queue and step, at depth 64 twice as much where a
// symbol is beyond position 32; a warp continues until the longest of its chunks has ended. What limits it: the steps
// of a chunk depend on each other, and only as many are in flight as there are chunks.
#include "pass_buffers.cuh"

// The first number in a name is that of the chunks of a warp, the second the depth.
extern "C" const sb_variant sb_gpu_mtf_pass_buffers[] = {
    {"mtf.pass", "2buffers_8", "two chunks interleaved in a warp, 8 list positions", refuses_depth<8>, items_workspace,
     launch_pass_buffers<8, 2>, item_sizes},
    {"mtf.pass", "2buffers_16", "two chunks interleaved in a warp, 16 list positions", refuses_depth<16>,
     items_workspace, launch_pass_buffers<16, 2>, item_sizes},
    {"mtf.pass", "2buffers_32", "two chunks interleaved in a warp, 32 list positions", refuses_depth<32>,
     items_workspace, launch_pass_buffers<32, 2>, item_sizes},
    {"mtf.pass", "2buffers_64", "two chunks interleaved in a warp, 64 list positions", refuses_depth<64>,
     items_workspace, launch_pass_buffers<64, 2>, item_sizes},
    {"mtf.pass", "3buffers_8", "three chunks interleaved in a warp, 8 list positions", refuses_depth<8>,
     items_workspace, launch_pass_buffers<8, 3>, item_sizes},
    {"mtf.pass", "3buffers_16", "three chunks interleaved in a warp, 16 list positions", refuses_depth<16>,
     items_workspace, launch_pass_buffers<16, 3>, item_sizes},
    {"mtf.pass", "3buffers_32", "three chunks interleaved in a warp, 32 list positions", refuses_depth<32>,
     items_workspace, launch_pass_buffers<32, 3>, item_sizes},
    {"mtf.pass", "3buffers_64", "three chunks interleaved in a warp, 64 list positions", refuses_depth<64>,
     items_workspace, launch_pass_buffers<64, 3>, item_sizes},
    {"mtf.pass", "4buffers_8", "four chunks interleaved in a warp, 8 list positions", refuses_depth<8>, items_workspace,
     launch_pass_buffers<8, 4>, item_sizes},
    {"mtf.pass", "4buffers_16", "four chunks interleaved in a warp, 16 list positions", refuses_depth<16>,
     items_workspace, launch_pass_buffers<16, 4>, item_sizes},
    {"mtf.pass", "4buffers_32", "four chunks interleaved in a warp, 32 list positions", refuses_depth<32>,
     items_workspace, launch_pass_buffers<32, 4>, item_sizes},
    {"mtf.pass", "4buffers_64", "four chunks interleaved in a warp, 64 list positions", refuses_depth<64>,
     items_workspace, launch_pass_buffers<64, 4>, item_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
