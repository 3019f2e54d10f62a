// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/dcs_warp: one warp sorts one block of text by a difference-cover sample (dcs_sort.cuh: method and
// sources); many warps work at once.
//
// The ranges that are left are on a stack of the warp's own, in shared memory. Of the three parts of a split the
// smallest is on top, with at most a third of the rows above two others, or half of them above one: so the stack holds
// at most 2 log3(n) ranges. Memory: 12 bytes for each byte of text for rows and keys, 1 for the copy, and 4 |D| /
// PERIOD, 0.625, for the ranks, of as many blocks as are sorted at once: 13.6, and 15.6 with the text and the result.
#include "dcs_sort.cuh"

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
    __device__ bool pop(range *taken)
    {
        __syncwarp(); // what was pushed or popped before is visible
        const uint32_t here = count;

        if (here > 0)
            *taken = at[here - 1];
        __syncwarp(); // all lanes have read the range
        if (here > 0 && sb::lane_index() == 0)
            count = here - 1;
        return here > 0;
    }
    // False if the stack is full.
    __device__ bool push(const range &more)
    {
        __syncwarp(); // the count includes what was pushed or popped before
        const uint32_t here = count;

        __syncwarp(); // all lanes have read the count
        if (here < STACK && sb::lane_index() == 0) {
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
    {"bwt.forward", "dcs_warp", "difference-cover sort, one warp for each block of text", refuses, workspace_bytes,
     sort_texts<1, own_ranges>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
