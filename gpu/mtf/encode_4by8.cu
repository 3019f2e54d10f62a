// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/4by8: one warp encodes four chunks at a time, with eight lanes each (few_lanes.cuh).
//
// The eight lanes of a chunk compare 8 positions of its list in one step. Shared memory: four lists for each warp, 1056
// bytes.
// Cost: a load, two votes, a store and a __syncwarp for every 8 positions passed, each waiting for the one before, by
// the deepest of four symbols.
#include "few_lanes.cuh"

enum : unsigned { WIDTH = 8 }; // lanes of a chunk, and positions of a step

extern "C" const sb_variant sb_gpu_mtf_encode_4by8[] = {
    {"mtf.encode", "4by8", "four chunks in each warp, 8 positions of each compared in one step",
     refuses<THREADS / WIDTH>, nullptr, launch_chunks<encode_lanes<WIDTH>, THREADS / WIDTH, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
