// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/rows4: a thread takes four neighbouring places, and loads their slots of a diagonal by 16 bytes each of index and
// data.
//
// As vec4 does for packs of four, a warp so loads 512 bytes at a time, but of packs of one element. The four rows must have
// equally many diagonals, so warps have a multiple of four places. A diagonal may start anywhere: where the four slots are not
// aligned to 16 bytes, they are loaded one by one.
// It pays on the band (docs/MEASUREMENTS.md), because memory is read and y written in longer stretches.
#include "jds.cuh"

static const unsigned ROWS = 4; // of a thread

// Rows of equal length are in their order, so often the four are neighbours, and their sums are written together.
template <bool ALIGNED>
static __device__ __forceinline__ void write_sums(const jds &a, unsigned place, const float *sum)
{
    if constexpr (ALIGNED) {
        uint4 row = *(const uint4 *)(a.order + place);

        if (row.x % ROWS == 0 && row.y == row.x + 1 && row.z == row.x + 2 && row.w == row.x + 3) {
            *(float4 *)(a.y + row.x) = make_float4(sum[0], sum[1], sum[2], sum[3]);
            return;
        }
    }
    for (unsigned i = 0; i < ROWS; i++)
        if (a.order[place + i] != SB_JDS_NO_ROW)
            a.y[a.order[place + i]] = sum[i];
}

// ALIGNED: the arrays are aligned to 16 bytes.
template <bool ALIGNED> static __global__ void __launch_bounds__(THREADS) multiply(jds a)
{
    const unsigned place = (blockIdx.x * THREADS + threadIdx.x) * ROWS;
    float sum[ROWS] = {0, 0, 0, 0};

    if (place >= a.places)
        return;
    for (uint32_t d = 0, end = a.packs[place / a.warp]; d < end; d++) {
        uint64_t slot = a.start[d] + place;
        quad four = ALIGNED && slot % 4 == 0 ? quad::by_vector(a, slot) : quad::one_by_one(a, slot);

#pragma unroll
        for (unsigned i = 0; i < ROWS; i++)
            if (four.index[i] != SB_JDS_NO_COLUMN)
                sum[i] += four.data[i] * a.x[four.index[i]];
    }
    write_sums<ALIGNED>(a, place, sum);
}

static const char *refuses_warp(const uint64_t *parameters, const sb_array *inputs)
{
    return parameters[SB_JDS_WARP] % ROWS != 0 ? "warps have no multiple of 4 places" : refuses<1>(parameters, inputs);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    jds a = jds_of(parameters, inputs, outputs);
    unsigned blocks = (unsigned)sb::divide_up(a.places, THREADS * ROWS);

    if (a.places == 0)
        return SB_OK;
    if (a.is_aligned())
        multiply<true><<<blocks, THREADS>>>(a);
    else
        multiply<false><<<blocks, THREADS>>>(a);
    return launched();
}

extern "C" const sb_variant sb_gpu_spmv_jds_rows4[] = {
    {"spmv.jds", "rows4", "four rows for each thread, loaded by 16 bytes", refuses_warp, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
