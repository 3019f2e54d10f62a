// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/vec4: for packs of four elements (P = 4), which a thread loads by 16 bytes each of index and data.
//
// A diagonal then holds four elements of each row, adjacent ones, so a thread runs down its row by four, and a warp loads
// 512 bytes at a time. If index or data is not aligned to 16 bytes, the four are loaded one by one.
// It pays on the band (docs/MEASUREMENTS.md).
#include "jds.cuh"

template <bool ALIGNED> static __global__ void __launch_bounds__(THREADS) multiply(jds a)
{
    unsigned place;
    float sum = 0;

    if (!a.find_place(&place))
        return;
#pragma unroll 2
    for (uint32_t d = 0, end = a.packs[place / a.warp]; d < end; d++) {
        uint64_t slot = 4 * (a.start[d] + place);
        quad four = ALIGNED ? quad::by_vector(a, slot) : quad::one_by_one(a, slot);

#pragma unroll
        for (unsigned p = 0; p < 4; p++)
            if (four.index[p] != SB_JDS_NO_COLUMN)
                sum += four.data[p] * a.x[four.index[p]];
    }
    a.y[a.order[place]] = sum;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    jds a = jds_of(parameters, inputs, outputs);

    if (a.places == 0)
        return SB_OK;
    if (a.is_aligned())
        multiply<true><<<block_count(a), THREADS>>>(a);
    else
        multiply<false><<<block_count(a), THREADS>>>(a);
    return launched();
}

extern "C" const sb_variant sb_gpu_spmv_jds_vec4[] = {
    {"spmv.jds", "vec4", "packs of four elements, loaded by 16 bytes", refuses<4>, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
