// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.csr/segreduce: sb::lbs_segreduce of <samebits/pattern/lbs_segreduce.cuh>, with a behaviour that multiplies. The whole
// product is one call of a pattern: an item is an element, a segment is a row.
//
// That header says how items are balanced, why it is right, and what it costs. Beside merge it finds the row of every
// item, which a behaviour may ask for and this one does not need.
// Source: S. Baxter, "Modern GPU" (2013).
// Measured: docs/MEASUREMENTS.md.
#include "csr.cuh"
#include <samebits/pattern/lbs_segreduce.cuh>

namespace
{

struct product {
    template <typename T>
    __device__ __forceinline__ T operator()(uint64_t i, uint64_t, uint64_t, const uint32_t *column, const T *value,
                                            const T *x) const
    {
        return value[i] * x[column[i]];
    }
};

} // namespace

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t elements = inputs[SB_CSR_COLUMN].length;

    if (parameters[SB_SPMV_CSR_TYPE] == SB_F32)
        return sb::segreduce_bytes<float>(elements, row_count(inputs));
    return sb::segreduce_bytes<double>(elements, row_count(inputs));
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb::context on(0, sb::given_memory(workspace));
    cudaError_t error = cudaSuccess;

    sb_status status = with_csr(parameters, inputs, outputs, [&](auto a) {
        decltype(*a.y + 0) zero = 0;

        error = sb::lbs_segreduce(product(), a.elements, a.row_offset, a.rows, sb::add(), zero, a.y, on, a.column,
                                  a.value, a.x);
    });
    return error == cudaSuccess ? status : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_spmv_csr_segreduce[] = {
    {"spmv.csr", "segreduce", "one call of the pattern lbs_segreduce", nullptr, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
