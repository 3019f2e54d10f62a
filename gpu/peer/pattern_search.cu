// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.search/thrust: Thrust's lower_bound and upper_bound of an array of needles, for integers. They do not say whether
// the haystack has a needle.
#include "peer.cuh"
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    if (parameters[SB_SEARCH_MATCH] != 0)
        return "Thrust's functions give the index alone";
    return parameters[SB_SEARCH_TYPE] == SB_F32 ? "the peer is built for integers" : nullptr;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    const sb_array &needles = inputs[SB_SEARCH_NEEDLES], &haystack = inputs[SB_SEARCH_HAYSTACK];
    uint32_t *index = (uint32_t *)outputs[SB_SEARCH_INDEX].data;
    const bool lower = parameters[SB_SEARCH_BOUND] == SB_BOUND_LOWER;

    if (needles.length == 0)
        return SB_OK;
    return with_integer(
        parameters[SB_SEARCH_TYPE],
        [&](auto key) {
            const decltype(key) *first = (const decltype(key) *)haystack.data, *last = first + haystack.length;
            const decltype(key) *begin = (const decltype(key) *)needles.data, *end = begin + needles.length;

            if (lower)
                thrust::lower_bound(thrust::cuda::par_nosync, first, last, begin, end, index);
            else
                thrust::upper_bound(thrust::cuda::par_nosync, first, last, begin, end, index);
            return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
        },
        SB_UNSUPPORTED);
}

extern "C" const sb_variant sb_gpu_peer_pattern_search[] = {
    {"pattern.search", "thrust", "Thrust's lower_bound and upper_bound", refuses, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
