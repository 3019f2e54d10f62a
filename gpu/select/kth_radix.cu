// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/radix: finds the k-th largest key digit by digit, 11 bits each, the most significant first.
//
// Keys are compared as unsigned words of the same order (samebits/prim/keys.cuh). A pass counts, among the keys that
// begin with the digits found so far, how many have each next digit, and copies those keys if they are few
// (narrow.cuh). The last block to finish goes down from the largest digit until the counts reach k, which gives the
// next digit. After the last digit the word found is the key.
// Source: selection by radix; T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms for
// graphics processing units" (2012).
// Cost: 3 passes for 4-byte keys, 6 for 8-byte keys. The first two read all keys; the others read what has been copied,
// or all keys if more than a quarter of them begin alike. Workspace for 5/16 of the keys.
// Measured: docs/MEASUREMENTS.md.
#include "narrow.cuh"

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    key_kind kind;
    range_arrays<uint32_t> narrow;
    range_arrays<uint64_t> wide;
    uint64_t n = inputs[SB_SELECT_KEYS].length;

    if (!kind_of(parameters[SB_SELECT_TYPE], &kind))
        return 0;
    return kind.wide ? lay_out_ranges(&wide, n, nullptr) : lay_out_ranges(&narrow, n, nullptr);
}

template <typename Word>
static sb_status launch_select(const sb_array &keys, uint64_t k, sb::key_order order, void *key, void *workspace)
{
    range_arrays<Word> a = {};

    lay_out_ranges(&a, keys.length, workspace);
    const range_selection<Word> s = select_in(a, keys, k, order, key);

    start_ranges<Word><<<1, THREADS>>>(s);
    narrow(s);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS];
    uint64_t k = parameters[SB_SELECT_K];
    void *key = outputs[SB_SELECT_KEY].data;
    key_kind kind;

    if (k == 0 || k > keys.length || !kind_of(parameters[SB_SELECT_TYPE], &kind))
        return SB_INVALID;
    return kind.wide ? launch_select<uint64_t>(keys, k, kind.order, key, workspace)
                     : launch_select<uint32_t>(keys, k, kind.order, key, workspace);
}

extern "C" const sb_variant sb_gpu_select_kth_radix[] = {
    {"select.kth", "radix", "11-bit digits from the most significant; keys that begin alike are copied", refuses_kth,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
