// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.csr/vector: 2 to 32 lanes of a warp for each row, as many as a row has elements on average, rounded up to a power
// of two.
//
// Lane l adds elements l, l + LANES, ... of its row, so that neighbouring lanes read neighbouring elements; the lanes'
// sums are then added by shuffles. Rows that are much longer than the average keep their warp alone.
// Source: N. Bell and M. Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented processors"
// (2009), the vector kernel; fewer lanes for short rows: the CUSP library (2010).
// Measured: docs/MEASUREMENTS.md. For a band of 16 in each row scalar is faster: each lane here has one element, and waits for a
// row's offsets, for the column and for x in turn. A warp for each row, whatever the mean, takes 1.5 to 1.9 times as long. A power
// law takes long, because 32 lanes add a row of two million elements.
#include "csr.cuh"

template <unsigned LANES, typename T> static __global__ void __launch_bounds__(THREADS) multiply(csr<T> a)
{
    uint64_t row = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / LANES;
    T sum = 0;

    if (row < a.rows)
        for (uint64_t i = a.row_offset[row] + threadIdx.x % LANES, end = a.row_offset[row + 1]; i < end; i += LANES)
            sum += a.value[i] * a.x[a.column[i]];
#pragma unroll
    for (unsigned distance = LANES / 2; distance > 0; distance /= 2)
        sum += sb::shuffle_xor(sum, distance);
    if (row < a.rows && threadIdx.x % LANES == 0)
        a.y[row] = sum;
}

static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    return row_count(inputs) > MAX_GRID * WARPS ? "more rows than warps in a grid" : nullptr;
}

template <unsigned LANES, typename T> static void start(const csr<T> &a)
{
    multiply<LANES><<<(unsigned)sb::divide_up(a.rows, THREADS / LANES), THREADS>>>(a);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    return with_csr(parameters, inputs, outputs, [](auto a) {
        uint64_t mean = sb::divide_up(a.elements, a.rows);

        if (mean <= 2)
            start<2>(a);
        else if (mean <= 4)
            start<4>(a);
        else if (mean <= 8)
            start<8>(a);
        else if (mean <= 16)
            start<16>(a);
        else
            start<32>(a);
    });
}

extern "C" const sb_variant sb_gpu_spmv_csr_vector[] = {
    {"spmv.csr", "vector", "lanes of a warp for each row, as many as the mean row has elements", refuses, nullptr,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
