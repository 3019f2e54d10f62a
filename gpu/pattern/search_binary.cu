// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.search/binary: each thread searches its needle by itself.
//
// Adjacent needles take nearly the same way through the haystack, so most loads of a warp are of few keys.
// Cost: log2(n) dependent loads for each needle; no workspace. It reads less than `merged` where needles are few.
// Source: D. E. Knuth, "The Art of Computer Programming" 3 (1973), 6.2.1.
#include "search.cuh"
#include <samebits/pattern/transform.cuh>

namespace
{

template <sb::bound BOUND, typename Order> struct search_needle {
    typedef typename Order::key key;
    write_bound<key, BOUND> write;
    Order order;

    __device__ __forceinline__ void operator()(uint64_t i, const key *needles, const key *haystack, uint32_t *index,
                                               uint8_t *matched) const
    {
        write(i, sb::search_bound<BOUND>(haystack, write.count, needles[i], order), needles, haystack, index, matched);
    }
};

} // namespace

template <sb::bound BOUND, typename Order>
static sb_status launch_search(const sb_array *inputs, bool match, Order order, sb_array *outputs)
{
    typedef typename Order::key key;
    const sb_array &needles = inputs[SB_SEARCH_NEEDLES], &haystack = inputs[SB_SEARCH_HAYSTACK];
    const search_needle<BOUND, Order> search = {{haystack.length, match}, order};

    return sb_status_of(sb::transform(search, needles.length, sb::context(), (const key *)needles.data,
                                      (const key *)haystack.data, (uint32_t *)outputs[SB_SEARCH_INDEX].data,
                                      (uint8_t *)outputs[SB_SEARCH_MATCHED].data));
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const bool match = parameters[SB_SEARCH_MATCH] != 0, lower = parameters[SB_SEARCH_BOUND] == SB_BOUND_LOWER;

    (void)workspace;
    return sb_with_order(parameters[SB_SEARCH_TYPE], [=](auto order) {
        return lower ? launch_search<sb::LOWER_BOUND>(inputs, match, order, outputs)
                     : launch_search<sb::UPPER_BOUND>(inputs, match, order, outputs);
    });
}

extern "C" const sb_variant sb_gpu_pattern_search_binary[] = {
    {"pattern.search", "binary", "each thread searches its needle", nullptr, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
