// SPDX-License-Identifier: BSD-2-Clause
//
// What the variants of spmv.csr share: the arrays of a case, for f32 and for f64. Contract: ref/spmv.h.
//
// Where columns are random, the number of requests that the L2 cache answers bounds the product: each load of x is one,
// whether for 4 bytes or for 32, and whichever way it goes through the L1 cache. Only two lanes that share a sector are one
// request. docs/MEASUREMENTS.md has the numbers.
#ifndef GPU_SPMV_CSR_CUH
#define GPU_SPMV_CSR_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/block.cuh>

enum {
    THREADS = 256, // in a block; not tuned
    WARPS = THREADS / sb::WARP_LANES
};

static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x: a limit of CUDA

namespace
{

// y = A x. The elements of row r are row_offset[r] .. row_offset[r + 1] - 1.
template <typename T> struct csr {
    const uint64_t *row_offset;
    uint64_t rows, elements;
    const uint32_t *column;
    const T *value, *x;
    T *y;
};

} // namespace

static uint64_t row_count(const sb_array *inputs)
{
    return inputs[SB_CSR_ROW_OFFSET].length - 1;
}

template <typename T> static csr<T> csr_of(const sb_array *inputs, sb_array *outputs)
{
    return {(const uint64_t *)inputs[SB_CSR_ROW_OFFSET].data,
            row_count(inputs),
            inputs[SB_CSR_COLUMN].length,
            (const uint32_t *)inputs[SB_CSR_COLUMN].data,
            (const T *)inputs[SB_CSR_VALUE].data,
            (const T *)inputs[SB_SPMV_CSR_X].data,
            (T *)outputs[SB_SPMV_Y].data};
}

// Calls action(a) with the case as csr<float> or csr<double>. A case without rows needs no kernel.
template <typename Action>
static sb_status with_csr(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, Action action)
{
    if (row_count(inputs) == 0)
        return SB_OK;
    if (parameters[SB_SPMV_CSR_TYPE] == SB_F32)
        action(csr_of<float>(inputs, outputs));
    else
        action(csr_of<double>(inputs, outputs));
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

#endif
