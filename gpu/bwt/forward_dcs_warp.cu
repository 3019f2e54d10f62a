// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/dcs_warp: one warp sorts one block of text by a difference cover (cover_sort.cuh), blocks side by side.
//
// The ranges that are left stand on a stack in shared memory of the warp's own. The smallest of three is on top, so
// that two stand below a third of the rows at most, or one below half of them: 2 log3 n ranges are the most. Memory: 12
// bytes a byte of text for rows and keys, 1 for the copy, and 4 |D| / PERIOD, 0.625, for the ranks, of as many blocks
// as are sorted at once: 13.6, and 15.6 with the text and the result.
#include "cover_sort.cuh"

namespace
{

struct own_ranges {
    range at[STACK];
    uint32_t count;

    __device__ void begin(const range &whole)
    {
        at[0] = whole;
        count = 1;
    }
    __device__ bool take(range *taken)
    {
        __syncwarp(); // what was put is there
        const uint32_t here = count;

        if (here > 0)
            *taken = at[here - 1];
        __syncwarp(); // all lanes have it
        if (here > 0 && lane_index() == 0)
            count = here - 1;
        __syncwarp(); // the next one to ask is told so
        return here > 0;
    }
    // False: there is no room.
    __device__ bool put(const range &more)
    {
        __syncwarp(); // what was put before is counted
        const uint32_t here = count;

        __syncwarp(); // all lanes have the count
        if (here < STACK && lane_index() == 0) {
            at[here] = more;
            count = here + 1;
        }
        return here < STACK;
    }
    __device__ void done()
    {
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_bwt_forward_dcs_warp[] = {
    {"bwt.forward", "dcs_warp", "difference-cover sort, a warp a block of text", refuses, workspace_bytes,
     sort_texts<1, own_ranges>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
