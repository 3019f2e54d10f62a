// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.merge/cub: CUB's merge of two sorted sequences, of keys and of pairs, under the order of the keys' words.
#include "peer.cuh"

// Compares the bits of keys in the order of `ORDER`.
template <typename Word, sb::key_order ORDER> struct before {
    __device__ bool operator()(Word a, Word b) const
    {
        return sb::to_ordered(a, ORDER) < sb::to_ordered(b, ORDER);
    }
};

template <typename Word, sb::key_order ORDER>
static auto merge_call(const sb_array *inputs, const sb_array *outputs, bool pairs)
{
    const sb_array *a = &inputs[SB_MERGE_A_KEYS], *b = &inputs[SB_MERGE_B_KEYS];
    Word *keys = outputs ? (Word *)outputs[SB_SORT_KEYS].data : nullptr;
    uint32_t *values = outputs ? (uint32_t *)outputs[SB_SORT_VALUES].data : nullptr;

    return [=](void *memory, size_t &bytes) {
        const Word *a_keys = (const Word *)a->data, *b_keys = (const Word *)b->data;

        return pairs ? cub::DeviceMerge::MergePairs(memory, bytes, a_keys, (const uint32_t *)a[1].data, a->length,
                                                    b_keys, (const uint32_t *)b[1].data, b->length, keys, values,
                                                    before<Word, ORDER>())
                     : cub::DeviceMerge::MergeKeys(memory, bytes, a_keys, a->length, b_keys, b->length, keys,
                                                   before<Word, ORDER>());
    };
}

// Calls f with the call of CUB for the type of the keys.
template <typename Function>
static auto with_merge(const uint64_t *parameters, const sb_array *inputs, const sb_array *outputs, Function f)
{
    bool pairs = parameters[SB_SORT_PAIRS] != 0;

    switch (parameters[SB_SORT_TYPE]) {
    case SB_I32:
        return f(merge_call<uint32_t, sb::SIGNED_ORDER>(inputs, outputs, pairs));
    case SB_F32:
        return f(merge_call<uint32_t, sb::FLOAT_ORDER>(inputs, outputs, pairs));
    case SB_U64:
        return f(merge_call<uint64_t, sb::UNSIGNED_ORDER>(inputs, outputs, pairs));
    }
    return f(merge_call<uint32_t, sb::UNSIGNED_ORDER>(inputs, outputs, pairs));
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return with_merge(parameters, inputs, nullptr, [](auto call) { return (uint64_t)temporary_bytes(call); });
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return with_merge(parameters, inputs, outputs, [=](auto call) { return run(call, workspace); });
}

extern "C" const sb_variant sb_gpu_peer_pattern_merge[] = {
    {"pattern.merge", "cub", "CUB's merge", nullptr, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
