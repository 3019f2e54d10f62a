// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/randomized_bucket: buckets between sorted random keys, which any distribution fills about evenly; the keys
// of the bucket that holds the k-th largest one are sorted (sample_buckets.cuh).
//
// Cost: two reads of all keys, each with a binary search in shared memory for each key, and a sort of about 1 / 2047 of
// the keys (1 / 1023 for 8-byte keys). Workspace: 5 words and a quarter for each key, in case all are sorted.
// Source: randomized bucket select; T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms
// for graphics processing units" (2012).
#include "sample_buckets.cuh"

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SELECT_KEYS].length > RADIX_MAX_PAIRS ? "more keys than the sort takes" : nullptr;
}

// Sets the pointers; the rank is in front.
template <typename Word> static uint64_t lay_out(bucket_arrays<Word> *a, uint64_t **rank, uint64_t n, void *workspace)
{
    *rank = (uint64_t *)workspace;
    return sb::VECTOR_BYTES +
           lay_out_buckets(a, n, 1, workspace == nullptr ? nullptr : (char *)workspace + sb::VECTOR_BYTES);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    key_kind kind;
    bucket_arrays<uint32_t> narrow;
    bucket_arrays<uint64_t> wide;
    uint64_t n = inputs[SB_SELECT_KEYS].length, *rank;

    if (!kind_of(parameters[SB_SELECT_TYPE], &kind))
        return 0;
    return kind.wide ? lay_out(&wide, &rank, n, nullptr) : lay_out(&narrow, &rank, n, nullptr);
}

static __global__ void put_rank(uint64_t k, uint64_t *rank)
{
    *rank = k;
}

template <typename Word>
static sb_status launch_select(const uint64_t *parameters, const sb_array &keys, sb::key_order order, void *key,
                               void *workspace)
{
    bucket_selection<Word> s = {(const Word *)keys.data,           keys.length, nullptr, 1,
                                parameters[SB_SELECT_RANDOM_SEED], order,       {},      (Word *)key};
    uint64_t *rank;

    lay_out(&s.a, &rank, keys.length, workspace);
    put_rank<<<1, 1>>>(parameters[SB_SELECT_K], rank);
    s.k = rank;
    return select_ranks(s);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS];
    uint64_t k = parameters[SB_SELECT_K];
    void *key = outputs[SB_SELECT_KEY].data;
    key_kind kind;

    if (k == 0 || k > keys.length || !kind_of(parameters[SB_SELECT_TYPE], &kind))
        return SB_INVALID;
    return kind.wide ? launch_select<uint64_t>(parameters, keys, kind.order, key, workspace)
                     : launch_select<uint32_t>(parameters, keys, kind.order, key, workspace);
}

static const uint64_t sizes[] = {SORTED_AT_ONCE, 0};

extern "C" const sb_variant sb_gpu_select_kth_randomized_bucket[] = {
    {"select.kth", "randomized_bucket", "buckets between sorted random keys; the k-th key's bucket is sorted", refuses,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
