// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/4by8 and 8by4: one warp encodes four chunks at a time with eight lanes each, or eight with four (few_lanes.cuh).
//
// The lanes of a chunk compare as many positions of its list in one step. Shared memory: a list for each chunk, 1056
// bytes for the four of a warp, 2080 for eight.
// Cost: a load, two votes, a store and a __syncwarp for every 8 or 4 positions passed, each waiting for the one before,
// by the deepest of the warp's symbols.
#include "few_lanes.cuh"

// The second number in a name is that of the lanes of a chunk, and of the positions of a step.
extern "C" const sb_variant sb_gpu_mtf_encode_by[] = {
    {"mtf.encode", "4by8", "four chunks in each warp, 8 positions of each compared in one step", refuses<THREADS / 8>,
     nullptr, launch_chunks<encode_lanes<8>, THREADS / 8, THREADS>},
    {"mtf.encode", "8by4", "eight chunks in each warp, 4 positions of each compared in one step", refuses<THREADS / 4>,
     nullptr, launch_chunks<encode_lanes<4>, THREADS / 4, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
