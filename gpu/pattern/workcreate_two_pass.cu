// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.workcreate/two_pass: sb::lbs_workcreate of <samebits/pattern/lbs_workcreate.cuh>, which says how it works, why it
// is right, and what it costs.
// Source: S. Baxter, "moderngpu 2.0" (2016).
#include "keys.cuh"
#include <samebits/pattern/lbs_workcreate.cuh>

namespace
{

struct count_made {
    __device__ __forceinline__ uint32_t operator()(uint64_t item, uint64_t, uint64_t, const uint32_t *made) const
    {
        return made[item];
    }
};

struct write_segment {
    __device__ __forceinline__ void operator()(uint64_t place, uint64_t begin, uint64_t, uint64_t segment,
                                               uint64_t rank, uint32_t *segment_of, uint32_t *rank_of,
                                               uint64_t *created) const
    {
        segment_of[place] = (uint32_t)segment;
        rank_of[place] = (uint32_t)rank;
        created[place] = begin;
    }
};

} // namespace

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return sb::lbs_workcreate<const uint64_t *>::bytes(inputs[SB_WORKCREATE_MADE].length,
                                                       inputs[SB_WORKCREATE_OFFSET].length - 1);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &made = inputs[SB_WORKCREATE_MADE], &offset = inputs[SB_WORKCREATE_OFFSET];
    uint64_t *created = (uint64_t *)outputs[SB_WORKCREATE_CREATED].data;
    sb::lbs_workcreate<const uint64_t *> work(made.length, (const uint64_t *)offset.data, offset.length - 1,
                                              sb::context(0, sb::given_memory(workspace)));
    sb::created_work all;
    cudaError_t error = work.count(count_made(), &all, (const uint32_t *)made.data);

    (void)parameters;
    outputs[SB_WORKCREATE_SEGMENT].length = outputs[SB_WORKCREATE_RANK].length = all.segments;
    outputs[SB_WORKCREATE_CREATED].length = all.segments + 1;
    if (error == cudaSuccess)
        error = work.write(write_segment(), (uint32_t *)outputs[SB_WORKCREATE_SEGMENT].data,
                           (uint32_t *)outputs[SB_WORKCREATE_RANK].data, created);
    if (error == cudaSuccess) // the end of the last one
        error = cudaMemcpyAsync(created + all.segments, &all.items, sizeof all.items, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(0); // `all` ends here
    return sb_status_of(error);
}

static const uint64_t sizes[] = {sb::default_tune<16>::SIZE, sb::lbs_tune::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_workcreate_two_pass[] = {
    {"pattern.workcreate", "two_pass", "the first pass counts, a scan says where new segments begin, the second writes",
     nullptr, workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
