// SPDX-License-Identifier: BSD-2-Clause
//
// segmented_sort of segments that are sorted by digits. Here shorter ones are, two or three tiles of keys, so that a machine
// without a GPU sees many of them under many schedules.
#include "segments.cuh"

namespace sb
{
template <> struct giant_tune<uint32_t, 0> : radix_tuned<uint32_t, no_values> {
    static constexpr unsigned PASSES = 4, LEAST = 9000;
};
template <> struct giant_tune<uint64_t, 0> : radix_tuned<uint64_t, no_values> {
    static constexpr unsigned PASSES = 8, LEAST = 5000;
};
template <> struct giant_tune<uint64_t, 4> : radix_tuned<uint64_t, no_values> {
    static constexpr unsigned PASSES = 4, LEAST = 5000;
};
} // namespace sb

int main(void)
{
    const uint32_t keys = sb::giant_tune<uint32_t, 0>::LEAST, wide = sb::giant_tune<uint64_t, 0>::LEAST;

    // As short as a giant one is, a key shorter, several side by side, one that fills its tiles, more tiles than blocks.
    test_alone<uint32_t>(segments({3, keys, keys - 1, 0, 100, 2 * keys + 7, keys + 1}), 1);
    test_alone<int32_t>(segments({12288, 60000, 1}), 2);
    end_test("keys alone");
    test_alone<int64_t>(segments({7, wide, wide - 1, 2 * wide, 5}), 3);
    end_test("keys of 64 bits");
    test_pairs<int32_t>(segments({5, wide, wide - 1, 2 * wide + 1, 0, 300, wide + 1, 0}), 4, sb::less());
    end_test("keys with indices and values");
    test_pairs<int32_t>(segments({wide - 1}), 5, sb::less());
    test_pairs<int32_t>(segments({wide}), 6, sb::less());
    test_pairs<uint32_t>(segments({2 * wide + 77}), 7, sb::less());
    end_test("one segment with indices and values");
    return end_tests();
}
