// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/2buffers, 3buffers and 4buffers: one warp encodes two, three or four chunks at a time, interleaved (buffers.cuh).
//
// As in scalar, a list is 8 registers of each lane, and a ballot compares 32 positions. Shared memory: none. Cost: a
// ballot and two shuffles for each list and row passed; a step ends with the deepest of its symbols, so the other lists
// may pass rows in vain. What limits it: the steps of a chunk depend on each other, and only as many are in flight as
// there are chunks.
#include "buffers.cuh"

// The number in a name is that of the chunks of a warp.
extern "C" const sb_variant sb_gpu_mtf_encode_buffers[] = {
    {"mtf.encode", "2buffers", "two chunks interleaved in a warp, 32 positions of each compared in one step",
     refuses<BUFFER_WARPS * 2>, nullptr, launch_chunks<encode_buffers<2>, BUFFER_WARPS * 2, BUFFER_THREADS>},
    {"mtf.encode", "3buffers", "three chunks interleaved in a warp, 32 positions of each compared in one step",
     refuses<BUFFER_WARPS * 3>, nullptr, launch_chunks<encode_buffers<3>, BUFFER_WARPS * 3, BUFFER_THREADS>},
    {"mtf.encode", "4buffers", "four chunks interleaved in a warp, 32 positions of each compared in one step",
     refuses<BUFFER_WARPS * 4>, nullptr, launch_chunks<encode_buffers<4>, BUFFER_WARPS * 4, BUFFER_THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
