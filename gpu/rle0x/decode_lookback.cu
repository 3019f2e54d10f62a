// SPDX-License-Identifier: BSD-2-Clause
//
// rle0x.decode/lookback: one pass over tiles of the code, as rle0/decode.cuh says. A run is a 0 and counts, of which
// the last is never 255.
#include "../rle0/decode.cuh"

namespace
{

struct extended {
    enum { GOES_ON = 1 }; // after a count of 255
};

} // namespace

extern "C" const sb_variant sb_gpu_rle0x_decode_lookback[] = {
    {"rle0x.decode", "lookback", "one pass: a tile finds its bytes for both states that may precede it", refuses_more<>,
     workspace_bytes, launch_decode<extended>, tile_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
