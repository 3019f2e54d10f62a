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

template <typename Word> static uint64_t bytes(uint64_t n)
{
    range_arrays<Word> a;

    return lay_out_ranges(&a, n, nullptr);
}

template <typename Word>
static sb_status launch_select(const sb_array &keys, uint64_t k, uint64_t, sb::key_order order, void *key,
                               void *workspace)
{
    range_arrays<Word> a = {};

    lay_out_ranges(&a, keys.length, workspace);
    const range_selection<Word> s = select_in(a, keys, k, order, key);

    start_ranges<Word><<<1, THREADS>>>(s);
    narrow(s);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_select_kth_radix[] = {
    {"select.kth", "radix", "11-bit digits from the most significant; keys that begin alike are copied", refuses_kth,
     kth_workspace<bytes<uint32_t>, bytes<uint64_t>>, launch_kth<launch_select<uint32_t>, launch_select<uint64_t>>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
