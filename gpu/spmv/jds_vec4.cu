// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/vec4: for packs of four elements (P = 4), which a thread loads by 16 bytes each of index and data.
//
// A diagonal then holds four elements of each row, adjacent ones, so a thread runs down its row by four, and a warp loads
// 512 bytes at a time. If index or data is not aligned to 16 bytes, the four are loaded one by one.
// It pays on the H200, a little: 0.110 ms for 50 million elements in a band of 16 a row, 102% of the speed of a copy; naive takes
// 0.116 for the same packs. cuSPARSE takes 0.144 with CSR, and 0.106 with sliced ELLPACK.
#include "jds.cuh"

namespace
{

// The four elements of the pack at slot 4 p.
template <bool ALIGNED> struct quad {
    int32_t index[4];
    float data[4];

    __device__ __forceinline__ quad(const jds &a, uint64_t pack)
    {
        if constexpr (ALIGNED) {
            int4 i = ((const int4 *)a.index)[pack];
            float4 v = ((const float4 *)a.data)[pack];

            index[0] = i.x, index[1] = i.y, index[2] = i.z, index[3] = i.w;
            data[0] = v.x, data[1] = v.y, data[2] = v.z, data[3] = v.w;
        } else {
            for (unsigned p = 0; p < 4; p++) {
                index[p] = a.index[4 * pack + p];
                data[p] = a.data[4 * pack + p];
            }
        }
    }
};

} // namespace

template <bool ALIGNED> static __global__ void __launch_bounds__(THREADS) multiply(jds a)
{
    unsigned place;
    float sum = 0;

    if (!a.find_place(&place))
        return;
#pragma unroll 2
    for (uint32_t d = 0, end = a.packs[place / a.warp]; d < end; d++) {
        quad<ALIGNED> four(a, a.start[d] + place);

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
    if (((uintptr_t)a.index | (uintptr_t)a.data) % sizeof(int4) == 0)
        multiply<true><<<block_count(a), THREADS>>>(a);
    else
        multiply<false><<<block_count(a), THREADS>>>(a);
    return launched();
}

extern "C" const sb_variant sb_gpu_spmv_jds_vec4[] = {
    {"spmv.jds", "vec4", "packs of four elements, loaded by 16 bytes", refuses<4>, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
