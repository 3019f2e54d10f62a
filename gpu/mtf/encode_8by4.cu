// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/8by4: one warp encodes eight chunks at a time, with four lanes each (few_lanes.cuh).
//
// The four lanes of a chunk compare 4 positions of its list in one step. Shared memory: eight lists for each warp, 2080
// bytes.
// Cost: a load, two votes, a store and a __syncwarp for every 4 positions passed, each waiting for the one before, by
// the deepest of eight symbols.
#include "few_lanes.cuh"

enum : unsigned { WIDTH = 4 }; // lanes of a chunk, and positions of a step

extern "C" const sb_variant sb_gpu_mtf_encode_8by4[] = {
    {"mtf.encode", "8by4", "eight chunks in each warp, 4 positions of each compared in one step",
     refuses<THREADS / WIDTH>, nullptr, launch_chunks<encode_lanes<WIDTH>, THREADS / WIDTH, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
