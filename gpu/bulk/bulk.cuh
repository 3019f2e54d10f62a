// SPDX-License-Identifier: BSD-2-Clause
//
// What the variants of bulk.* share: the check of indices, and workspace.
#ifndef GPU_BULK_BULK_CUH
#define GPU_BULK_BULK_CUH

#include "../pattern/keys.cuh"
#include <samebits/pattern/bulk.cuh>
#include <samebits/pattern/transform.cuh>

// What is first in the workspace: whether an index is invalid.
static const uint64_t FLAG_BYTES = 16;

namespace
{

struct check_index {
    uint64_t end;
    bool strict; // no two are equal, and none is `end`

    __device__ __forceinline__ void operator()(uint64_t k, const uint32_t *index, unsigned *invalid) const
    {
        const uint64_t here = index[k], least = k == 0 ? 0 : (uint64_t)index[k - 1] + strict;

        if (here < least || here + strict > end)
            atomicOr(invalid, 1u);
    }
};

} // namespace

// SB_OK, or SB_INVALID where an index descends, or is above `end`; waits for the answer.
static sb_status check_indices(const sb_array &index, uint64_t end, bool strict, void *workspace)
{
    unsigned *flag = (unsigned *)workspace, invalid;
    cudaError_t error = cudaMemsetAsync(flag, 0, sizeof *flag, 0);

    if (error == cudaSuccess)
        error =
            sb::transform(check_index{end, strict}, index.length, sb::context(), (const uint32_t *)index.data, flag);
    if (error == cudaSuccess)
        error = sb_fetch(&invalid, flag);
    if (error != cudaSuccess)
        return SB_FAILED;
    return invalid != 0 ? SB_INVALID : SB_OK;
}

static uint64_t bulk_workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return FLAG_BYTES + sb::bulk_bytes(inputs[SB_BULK_ITEMS].length, inputs[SB_BULK_INDEX].length);
}

static sb::context bulk_context(void *workspace)
{
    return sb::context(0, sb::given_memory((char *)workspace + FLAG_BYTES));
}

static const uint64_t bulk_sizes[] = {sb::bulk_tune::SIZE, 0};

#endif
