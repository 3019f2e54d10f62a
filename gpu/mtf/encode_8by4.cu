// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/8by4: one warp encodes eight chunks at a time, with four lanes each.
//
// The four lanes of a chunk compare 4 positions of its list in one step; how stands in lanes.cuh. Shared memory: eight
// lists a warp, 2080 bytes. What limits it: a load, two votes, a store and a __syncwarp for every 4 positions passed,
// each waiting for the one before, by the deepest of eight.
#include "lanes.cuh"

enum { WIDTH = 4 }; // lanes a chunk, positions a step

extern "C" const sb_variant sb_gpu_mtf_encode_8by4[] = {
    {"mtf.encode", "8by4", "eight chunks a warp, 4 positions of each compared in one step", refuses<THREADS / WIDTH>,
     nullptr, launch_encode_lanes<WIDTH>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
