// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/4by8: one warp encodes four chunks at a time, with eight lanes each.
//
// The eight lanes of a chunk compare 8 positions of its list in one step; how stands in lanes.cuh. Shared memory: four
// lists a warp, 1056 bytes. What limits it: a load, two votes, a store and a __syncwarp for every 8 positions passed,
// each waiting for the one before, by the deepest of four.
#include "lanes.cuh"

enum { WIDTH = 8 }; // lanes a chunk, positions a step

extern "C" const sb_variant sb_gpu_mtf_encode_4by8[] = {
    {"mtf.encode", "4by8", "four chunks a warp, 8 positions of each compared in one step", refuses<THREADS / WIDTH>,
     nullptr, launch_encode_lanes<WIDTH>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
