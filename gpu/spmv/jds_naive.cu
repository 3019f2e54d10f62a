// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/naive: a thread for each row, a diagonal after the other (jds.cuh). The kernel that the others are measured by.
//
// Each product waits for an index, and then for x; only other warps hide that. It takes packs of any number of elements,
// so it is also the only variant for packs of neither 1 nor 4.
// Source: the loop of Y. Saad 1989 (ref/jds.h), rows in place of vector elements.
// On the band (docs/MEASUREMENTS.md) it has nearly the speed of a copy: eight blocks of a multiprocessor have enough
// loads under way, so there is little to hide.
#include "jds.cuh"

static __global__ void __launch_bounds__(THREADS) multiply_packs(jds a, uint64_t pack)
{
    unsigned place;
    float sum = 0;

    if (!a.find_place(&place))
        return;
    for (uint32_t d = 0, end = a.packs[place / a.warp]; d < end; d++)
        for (uint64_t slot = (a.start[d] + place) * pack, last = slot + pack; slot < last; slot++)
            if (a.index[slot] != SB_JDS_NO_COLUMN)
                sum += a.data[slot] * a.x[a.index[slot]];
    a.y[a.order[place]] = sum;
}

static const char *refuses_places(const uint64_t *, const sb_array *inputs)
{
    const uint64_t one[] = {1, 1};

    return refuses<1>(one, inputs);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    jds a = jds_of(parameters, inputs, outputs);

    if (parameters[SB_JDS_PACK] == 1)
        return launch_loop<in_turn>(parameters, inputs, outputs, workspace);
    if (a.places > 0)
        multiply_packs<<<block_count(a), THREADS>>>(a, parameters[SB_JDS_PACK]);
    return launched();
}

extern "C" const sb_variant sb_gpu_spmv_jds_naive[] = {
    {"spmv.jds", "naive", "a thread for each row, a diagonal after the other", refuses_places, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
