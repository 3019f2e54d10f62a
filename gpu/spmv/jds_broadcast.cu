// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/broadcast: as naive, but one lane of a warp loads where a diagonal starts, and the others get it by a shuffle.
//
// The 32 lanes run over the diagonals of the longest of their rows, which is that of lane 0, because rows are sorted by
// length: so all take part in every shuffle. A lane multiplies only in the diagonals of its own row.
// It costs (docs/MEASUREMENTS.md). Lanes that load the same word are served by one
// access anyway. The shuffle adds a wait to each diagonal: the index is asked for only when lane 0 has its start.
#include "jds.cuh"

static __global__ void __launch_bounds__(THREADS) multiply(jds a)
{
    unsigned place;
    bool has_row = a.find_place(&place);
    uint32_t mine = has_row ? a.packs[place / a.warp] : 0, longest = sb::shuffle(mine, 0);
    float sum = 0;

    for (uint32_t d = 0; d < longest; d++) {
        uint64_t loaded = sb::lane_index() == 0 ? a.start[d] : 0, slot = sb::shuffle(loaded, 0) + place;

        if (d < mine && a.index[slot] != SB_JDS_NO_COLUMN)
            sum += a.data[slot] * a.x[a.index[slot]];
    }
    if (has_row)
        a.y[a.order[place]] = sum;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    jds a = jds_of(parameters, inputs, outputs);

    if (a.places > 0)
        multiply<<<block_count(a), THREADS>>>(a);
    return launched();
}

extern "C" const sb_variant sb_gpu_spmv_jds_broadcast[] = {
    {"spmv.jds", "broadcast", "a lane loads where a diagonal starts, for all of its warp", refuses<1>, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
