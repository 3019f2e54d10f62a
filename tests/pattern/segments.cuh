// SPDX-License-Identifier: BSD-2-Clause
//
// What tests of segments share: their starts; the items of each combined; the keys of each sorted, alone and with values.
#ifndef TESTS_PATTERN_SEGMENTS_CUH
#define TESTS_PATTERN_SEGMENTS_CUH

#include "../prim/check.cuh"
#include <samebits/pattern/lbs_segreduce.cuh>
#include <samebits/pattern/segmented_sort.cuh>
#include <algorithm>

static void good(cudaError_t error, const char *what, uint64_t size)
{
    check(error == cudaSuccess, what, size, (uint64_t)error);
}

struct segments {
    std::vector<uint64_t> start; // with the end of the last
    std::vector<uint64_t> segment, rank;
    uint64_t count, items;

    explicit segments(const std::vector<uint32_t> &length) : count(length.size()), items(0)
    {
        for (uint64_t s = 0; s < count; s++) {
            start.push_back(items);
            for (uint32_t r = 0; r < length[s]; r++) {
                segment.push_back(s);
                rank.push_back(r);
            }
            items += length[s];
        }
        start.push_back(items);
    }
};

template <typename T, typename Op> static void test_reduce(const segments &s, uint64_t size, Op op, T identity)
{
    const sb::context on;
    std::vector<T> in = random_values<T>(s.items), expected(s.count, identity);
    device_array<T> items(in), result(random_values<T>(s.count));
    device_array<uint64_t> start(s.start);

    good(sb::segmented_reduce((const T *)items.data, s.items, (const uint64_t *)start.data, s.count, op, identity,
                              result.data, on),
         "reduce", size);
    for (uint64_t i = 0; i < s.items; i++)
        expected[s.segment[i]] = op(expected[s.segment[i]], in[i]);
    check_equal(result.get(), expected, "value", size);
}

// Keys alone in ascending order, and 64-bit ones.
template <typename Key> static void test_alone(const segments &s, uint64_t size)
{
    const sb::context on;
    std::vector<Key> in = random_values<Key>(s.items);
    device_array<Key> keys(in);
    device_array<uint64_t> start(s.start);

    good(sb::segmented_sort(keys.data, s.items, (const uint64_t *)start.data, s.count, sb::less(), on), "sort", size);
    for (uint64_t i = 0; i < s.count; i++)
        std::sort(in.begin() + (long)s.start[i], in.begin() + (long)s.start[i + 1]);
    check_equal(keys.get(), in, "keys alone", size);
}

// Keys, many of them equal, with their indices and, in place, with values.
template <typename Key, typename Less> static void test_pairs(const segments &s, uint64_t size, Less less)
{
    const sb::context on;
    std::vector<Key> in;
    std::vector<uint32_t> order, value = random_values<uint32_t>(s.items), moved;

    for (uint32_t i = 0; i < s.items; i++) {
        in.push_back((Key)(random_number() % 1000 - 500));
        order.push_back(i);
    }
    device_array<Key> keys(in), again(in);
    device_array<uint32_t> indices(random_values<uint32_t>(s.items)), values(value);
    device_array<uint64_t> start(s.start);

    good(sb::segmented_sort((const Key *)keys.data, sb::numbers(), s.items, (const uint64_t *)start.data, s.count,
                            keys.data, indices.data, less, on),
         "sort", size);
    good(sb::segmented_sort(again.data, values.data, s.items, (const uint64_t *)start.data, s.count, less, on),
         "sort in place", size);
    for (uint64_t i = 0; i < s.count; i++)
        std::stable_sort(order.begin() + (long)s.start[i], order.begin() + (long)s.start[i + 1],
                         [&](uint32_t x, uint32_t y) { return less(in[x], in[y]); });
    std::vector<Key> sorted;

    for (uint32_t i : order) {
        sorted.push_back(in[i]);
        moved.push_back(value[i]);
    }
    check_equal(indices.get(), order, "indices", size);
    check_equal(keys.get(), sorted, "keys", size);
    check_equal(values.get(), moved, "values", size);
    check_equal(again.get(), sorted, "keys with values", size);
}

#endif
