// SPDX-License-Identifier: BSD-2-Clause
//
// rle0.decode/lookback: one pass over tiles of the code, as decode.cuh says. A run is a 0 and one count.
#include "decode.cuh"

namespace
{

struct pairs {
    enum { GOES_ON = 0 }; // after a count of 255
};

} // namespace

extern "C" const sb_variant sb_gpu_rle0_decode_lookback[] = {
    {"rle0.decode", "lookback", "one pass: a tile finds its bytes for both states that may precede it", refuses_more<>,
     workspace_bytes, launch_decode<pairs>, tile_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
