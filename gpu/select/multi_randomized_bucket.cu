// SPDX-License-Identifier: BSD-2-Clause
//
// select.multi/randomized_bucket: one histogram answers all ranks at once: it says in which bucket between sorted random
// keys each rank is, and the keys of these buckets alone are sorted (sample_buckets.cuh).
//
// Ranks that ask for equal keys share a bucket, so many ranks cost little more than their distinct buckets.
// Cost: two reads of all keys, each with a binary search in shared memory for each key, and a sort of about m / 2047 of
// the keys (m / 1023 for 8-byte keys), but never of more than all. Workspace: 5 words and a quarter for each key.
// Source: bucket selection by sampled splitters; T. Ribizel and H. Anzt, "Parallel selection on GPUs" (2020).
#include "sample_buckets.cuh"

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SELECT_KEYS].length > RADIX_MAX_PAIRS ? "more keys than the sort takes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    key_kind kind;
    bucket_arrays<uint32_t> narrow;
    bucket_arrays<uint64_t> wide;
    uint64_t n = inputs[SB_SELECT_KEYS].length, m = inputs[SB_SELECT_MULTI_K].length;

    if (!kind_of(parameters[SB_SELECT_TYPE], &kind))
        return 0;
    return kind.wide ? lay_out_buckets(&wide, n, m, nullptr) : lay_out_buckets(&narrow, n, m, nullptr);
}

template <typename Word>
static sb_status launch_select(const sb_array *inputs, sb::key_order order, void *key, void *workspace)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS], &k = inputs[SB_SELECT_MULTI_K];
    bucket_selection<Word> s = {
        (const Word *)keys.data, keys.length, (const uint64_t *)k.data, k.length, 0, order, {}, (Word *)key};

    lay_out_buckets(&s.a, keys.length, k.length, workspace);
    return select_ranks(s);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    void *key = outputs[SB_SELECT_KEY].data;
    key_kind kind;

    if (!kind_of(parameters[SB_SELECT_TYPE], &kind))
        return SB_INVALID;
    if (inputs[SB_SELECT_MULTI_K].length == 0)
        return SB_OK;
    if (inputs[SB_SELECT_KEYS].length == 0)
        return SB_INVALID;
    return kind.wide ? launch_select<uint64_t>(inputs, kind.order, key, workspace)
                     : launch_select<uint32_t>(inputs, kind.order, key, workspace);
}

static const uint64_t sizes[] = {SORTED_AT_ONCE, 0};

extern "C" const sb_variant sb_gpu_select_multi_randomized_bucket[] = {
    {"select.multi", "randomized_bucket", "one histogram between sorted random keys; the ranks' buckets are sorted",
     refuses, workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
