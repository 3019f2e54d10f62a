// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.csr/scalar: a thread for each row, which adds the row's products in their order.
//
// It is the plainest kernel, and its bytes are the reference's even where sums are rounded. Neighbouring threads read
// elements that are a row apart, so a load of a warp takes as many sectors as it has rows, and each warp takes as long as
// its longest row.
// Source: N. Bell and M. Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented processors"
// (2009), the scalar kernel.
#include "csr.cuh"

template <typename T> static __global__ void __launch_bounds__(THREADS) multiply(csr<T> a)
{
    uint64_t row = blockIdx.x * (uint64_t)THREADS + threadIdx.x;
    T sum = 0;

    if (row >= a.rows)
        return;
    for (uint64_t i = a.row_offset[row], end = a.row_offset[row + 1]; i < end; i++)
        sum += a.value[i] * a.x[a.column[i]];
    a.y[row] = sum;
}

static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    return sb::divide_up(row_count(inputs), THREADS) > MAX_GRID ? "more rows than threads in a grid" : nullptr;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    return with_csr(parameters, inputs, outputs,
                    [](auto a) { multiply<<<(unsigned)sb::divide_up(a.rows, THREADS), THREADS>>>(a); });
}

extern "C" const sb_variant sb_gpu_spmv_csr_scalar[] = {
    {"spmv.csr", "scalar", "a thread for each row", refuses, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
