// SPDX-License-Identifier: BSD-2-Clause
//
// rle0.encode/lookback: one pass over tiles of the input, as encode.cuh says. Nothing of a run is written before it
// ends or has more than 255 zeros; then a pair of 0 and count is written.
#include "encode.cuh"

namespace
{

struct pairs : byte_counts {
    enum { OPENED = 0, FULL = 2 }; // bytes written of an open run; bytes for 255 zeros that more zeros follow

    static __device__ __forceinline__ unsigned cost(unsigned zeros)
    {
        return zeros == 0 ? 0 : 2 * fulls(zeros) + 2;
    }
    static __device__ __forceinline__ unsigned open(uint8_t *, unsigned at)
    {
        return at;
    }
    static __device__ __forceinline__ unsigned full(uint8_t *staged, unsigned at)
    {
        return close(staged, at, 255);
    }
    static __device__ __forceinline__ unsigned close(uint8_t *staged, unsigned at, unsigned zeros)
    {
        return put_inside(staged, at, zeros);
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_rle0_encode_lookback[] = {
    {"rle0.encode", "lookback", "one pass: a tile joins runs with the tiles before it", refuses_more<>, workspace_bytes,
     launch_encode<pairs>, tile_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
