// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/select: as naive, but without a branch for slots that have no element. Such a slot multiplies x[0], and 0 is
// selected in place of the product. To multiply by a value of 0 would not do: 0 * NaN and 0 * infinity are NaN.
//
// A vector without elements has no x[0]; but then no slot has an element, and y is 0.
// It makes no difference (docs/MEASUREMENTS.md). The branch is a predicate of two instructions, and no lane
// waits for another.
#include "jds.cuh"

namespace
{

struct selecting {
    template <typename Start, typename X>
    static __device__ __forceinline__ float sum(const jds &a, Start start, X x, unsigned place, uint32_t first,
                                                uint32_t end)
    {
        float sum = 0;

        for (uint32_t d = first; d < end; d++) {
            uint64_t slot = start[d] + place;
            int32_t column = a.index[slot];
            float product = a.data[slot] * x[column > 0 ? column : 0];

            sum += column != SB_JDS_NO_COLUMN ? product : 0;
        }
        return sum;
    }
};

} // namespace

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &y = outputs[SB_SPMV_Y];

    if (inputs[SB_SPMV_JDS_X].length == 0)
        return cudaMemsetAsync(y.data, 0, y.length * sizeof(float), 0) == cudaSuccess ? SB_OK : SB_FAILED;
    return launch_loop<selecting>(parameters, inputs, outputs, workspace);
}

extern "C" const sb_variant sb_gpu_spmv_jds_select[] = {
    {"spmv.jds", "select", "a select instead of a branch for padding", refuses<1>, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
