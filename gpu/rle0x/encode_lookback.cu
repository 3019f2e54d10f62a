// SPDX-License-Identifier: BSD-2-Clause
//
// rle0x.encode/lookback: one pass over tiles of the input, as rle0/encode.cuh says. The 0 of a run is written with its
// first zero, 255 each time that 255 zeros are followed by another, and what is left at the end; a run that ends with a
// full 255 zeros ends with the counts 255 and 0.
#include "../rle0/encode.cuh"

namespace
{

struct extended : byte_counts {
    enum { OPENED = 1, FULL = 1 }; // bytes written of an open run; bytes for 255 zeros that more zeros follow

    static __device__ __forceinline__ unsigned cost(unsigned zeros)
    {
        return zeros == 0 ? 0 : 2 + zeros / 255;
    }
    static __device__ __forceinline__ unsigned open(uint8_t *staged, unsigned at)
    {
        staged[at] = 0;
        return at + 1;
    }
    static __device__ __forceinline__ unsigned full(uint8_t *staged, unsigned at)
    {
        staged[at] = 255;
        return at + 1;
    }
    static __device__ __forceinline__ unsigned close(uint8_t *staged, unsigned at, unsigned zeros)
    {
        if (zeros == 255)
            at = full(staged, at);
        staged[at] = (uint8_t)(zeros % 255);
        return at + 1;
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_rle0x_encode_lookback[] = {
    {"rle0x.encode", "lookback", "one pass: a tile joins runs with the tiles before it", refuses_more<>,
     workspace_bytes, launch_encode<extended>, tile_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
