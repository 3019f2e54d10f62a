// SPDX-License-Identifier: BSD-2-Clause
//
// Patterns over sorted sequences: merge, mergesort, sorted_search, inner_join, and bulk_remove and bulk_insert. Keys with many
// duplicates, whose values show stability; a comparison of the user; sizes around a tile and of several tiles.
#include "../prim/check.cuh"
#include <samebits/pattern/bulk.cuh>
#include <samebits/pattern/inner_join.cuh>
#include <samebits/pattern/mergesort.cuh>
#include <samebits/pattern/radix_sort.cuh>
#include <algorithm>

static void good(cudaError_t error, const char *what, uint64_t size)
{
    check(error == cudaSuccess, what, size, (uint64_t)error);
}

static std::vector<uint64_t> sizes_around(uint64_t size)
{
    return {0, 1, size - 1, size, size + 1, 5 * size + 3};
}

// Sorted, about `each` equal keys of a kind.
static std::vector<uint32_t> sorted_keys(uint64_t count, unsigned each)
{
    std::vector<uint32_t> all;

    for (uint64_t i = 0; i < count; i++)
        all.push_back((uint32_t)(random_number() % (count / each + 1)));
    std::sort(all.begin(), all.end());
    return all;
}

template <typename T> static std::vector<T> numbers_from(T first, uint64_t count)
{
    std::vector<T> all;

    for (uint64_t i = 0; i < count; i++)
        all.push_back((T)(first + i));
    return all;
}

// ---- merge and sort ----

// A key of a user: compared by `major` alone.
struct version {
    uint32_t minor, patch;
    uint32_t major;
};

struct by_major {
    __host__ __device__ bool operator()(const version &a, const version &b) const
    {
        return a.major < b.major;
    }
};

static bool operator==(const version &a, const version &b)
{
    return a.major == b.major && a.minor == b.minor && a.patch == b.patch;
}

static void test_merge(const char *name)
{
    const sb::context on;

    for (uint64_t n : sizes_around(sb::merge_tune<4>::SIZE))
        for (uint64_t a_count : {(uint64_t)0, n / 3, n}) {
            std::vector<uint32_t> a = sorted_keys(a_count, 9), b = sorted_keys(n - a_count, 9), keys(n);
            std::vector<uint64_t> av = numbers_from<uint64_t>(0, a_count),
                                  bv = numbers_from<uint64_t>(a_count, n - a_count);
            std::vector<uint64_t> values;
            device_array<uint32_t> da(a), db(b), to(keys), alone(keys);
            device_array<uint64_t> dav(av), dbv(bv), to_values(random_values<uint64_t>(n));

            std::merge(a.begin(), a.end(), b.begin(), b.end(), keys.begin());
            for (uint64_t i = 0, j = 0; i + j < n;)
                values.push_back(i < a.size() && (j == b.size() || a[i] <= b[j]) ? av[i++] : bv[j++]);
            good(sb::merge((const uint32_t *)da.data, (const uint64_t *)dav.data, a_count, (const uint32_t *)db.data,
                           (const uint64_t *)dbv.data, n - a_count, to.data, to_values.data, sb::less(), on),
                 name, n);
            good(sb::merge((const uint32_t *)da.data, a_count, (const uint32_t *)db.data, n - a_count, alone.data,
                           sb::less(), on),
                 name, n);
            check_equal(to.get(), keys, "keys", n);
            check_equal(to_values.get(), values, "values", n);
            check_equal(alone.get(), keys, "keys alone", n);
        }
    end_test(name);
}

static void test_sort(const char *name)
{
    const sb::context on;

    for (uint64_t n : sizes_around(sb::sort_tune<4>::SIZE)) {
        std::vector<uint32_t> in = random_values<uint32_t>(n), order = numbers_from(0u, n), index(n);

        for (uint32_t &key : in)
            key %= 100;
        device_array<uint32_t> keys(in), again(in), indexed(in), values(order), indices(random_values<uint32_t>(n));

        std::stable_sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) { return in[x] < in[y]; });
        good(sb::mergesort(keys.data, values.data, n, sb::less(), on), name, n);
        good(sb::mergesort(again.data, n, sb::less(), on), name, n);
        good(sb::mergesort_indices(indexed.data, indices.data, n, sb::less(), on), name, n);
        std::stable_sort(in.begin(), in.end());
        check_equal(keys.get(), in, "keys", n);
        check_equal(values.get(), order, "values", n);
        check_equal(again.get(), in, "keys alone", n);
        check_equal(indices.get(), order, "indices", n);
    }
    for (uint64_t n : {(uint64_t)sb::word_merge_tune<8>::SIZE + 1, (uint64_t)sb::word_sort_tune<8>::SIZE + 5}) {
        std::vector<int64_t> in = random_values<int64_t>(n + 1); // from the second on: not at a multiple of 16 bytes
        device_array<int64_t> keys(in), again(in);

        good(sb::mergesort(keys.data + 1, n, sb::less(), on), "words", n);
        good(sb::mergesort_words<0>(again.data + 1, n, again.data + 1, sb::less(), on), "words", n);
        std::sort(in.begin() + 1, in.end());
        check_equal(keys.get(), in, "words", n);
        check_equal(again.get(), in, "words of many tiles", n);
    }
    for (uint64_t n : sizes_around(sb::sort_tune<12>::SIZE)) {
        std::vector<version> in;

        for (uint32_t i = 0; i < n; i++)
            in.push_back({i, i / 7, (uint32_t)(random_number() % 50)});
        device_array<version> keys(in);

        good(sb::mergesort(keys.data, n, by_major(), on), "comparison", n);
        std::stable_sort(in.begin(), in.end(), by_major());
        check_equal(keys.get(), in, "comparison", n);
    }
    end_test(name);
}

// Passes over four runs: of two tiles and a key to nine, so that a group has three runs or four, a pass over two follows, or the last
// group has one run. From the second key on, which is not at a multiple of 16 bytes; few different keys, as well, and keys that ascend
// already, so that all words of a tile stand in one run.
template <typename Key> static void test_four_runs(const char *name)
{
    const uint64_t tile = sb::word_sort_tune<sizeof(Key)>::SIZE;
    const sb::context on;

    for (uint64_t n : {2 * tile + 1, 3 * tile, 4 * tile, 4 * tile + 5, 9 * tile - 3})
        for (unsigned different : {0u, 1u, 7u}) {
            std::vector<Key> in = random_values<Key>(n + 1);

            for (Key &key : in)
                key = different > 1 ? key % (Key)different : key;
            if (different == 1)
                std::sort(in.begin() + 1, in.end());
            device_array<Key> keys(in), again(in), aligned(std::vector<Key>(in.begin() + 1, in.end()));

            good(sb::mergesort(keys.data + 1, n, sb::less(), on), name, n);
            good(sb::mergesort_words<0>(again.data + 1, n, again.data + 1, sb::less(), on), name, n);
            good(sb::mergesort(aligned.data, n, sb::less(), on), name, n);
            std::sort(in.begin() + 1, in.end());
            check_equal(keys.get(), in, "few tiles", n);
            check_equal(again.get(), in, "many tiles", n);
            check_equal(aligned.get(), std::vector<Key>(in.begin() + 1, in.end()), "aligned keys", n);
        }
}

static void test_words(const char *name)
{
    test_four_runs<uint32_t>(name);
    test_four_runs<int64_t>(name);
    end_test(name);
}

static void test_radix(const char *name)
{
    const sb::context on;

    for (uint64_t n : sizes_around(sb::radix_tune<8>::SIZE)) {
        std::vector<double> in;
        std::vector<uint32_t> order = numbers_from(0u, n);

        for (uint64_t i = 0; i < n; i++)
            in.push_back((double)(int64_t)random_number() / 3 * (i % 5)); // many are 0
        device_array<double> from(in), to(in), alone(in);
        device_array<uint32_t> values(order), to_values(random_values<uint32_t>(n));

        for (double &key : in) // totalOrder has -0 before 0
            key = key == 0 ? 0.0 : key;
        cudaMemcpy(from.data, in.data(), n * sizeof(double), cudaMemcpyHostToDevice);
        std::stable_sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) { return in[x] < in[y]; });
        good(sb::radix_sort((const double *)from.data, (const uint32_t *)values.data, n, to.data, to_values.data, on),
             name, n);
        good(sb::radix_sort((const double *)from.data, n, alone.data, on), name, n);
        std::stable_sort(in.begin(), in.end());
        check_equal(to.get(), in, "keys", n);
        check_equal(to_values.get(), order, "values", n);
        check_equal(alone.get(), in, "keys alone", n);
    }
    for (uint64_t n : {1u, 5000u}) { // one pass; values are longer than keys, and both are sorted in their place
        std::vector<int8_t> in = random_values<int8_t>(n);
        std::vector<uint64_t> order = numbers_from((uint64_t)0, n);
        device_array<int8_t> keys(in);
        device_array<uint64_t> values(order);

        good(sb::radix_sort((const int8_t *)keys.data, (const uint64_t *)values.data, n, keys.data, values.data, on),
             "bytes", n);
        std::stable_sort(order.begin(), order.end(), [&](uint64_t x, uint64_t y) { return in[x] < in[y]; });
        std::stable_sort(in.begin(), in.end());
        check_equal(keys.get(), in, "bytes", n);
        check_equal(values.get(), order, "values of bytes", n);
    }
    end_test(name);
}

// ---- search and join ----

static void test_search(const char *name)
{
    const sb::context on;

    for (uint64_t n : sizes_around(sb::search_tune<uint32_t>::SIZE))
        for (uint64_t m : {(uint64_t)0, n / 4, n, n + 3000}) {
            std::vector<uint32_t> hay = sorted_keys(n, 9), needle = sorted_keys(m, 3);
            std::vector<uint64_t> lower, upper, none(m);
            device_array<uint32_t> haystack(hay), needles(needle);
            device_array<uint64_t> low(none), high(none), low_each(none), high_each(none);
            const uint32_t *x = needles.data, *y = haystack.data;

            for (uint32_t key : needle) {
                lower.push_back((uint64_t)(std::lower_bound(hay.begin(), hay.end(), key) - hay.begin()));
                upper.push_back((uint64_t)(std::upper_bound(hay.begin(), hay.end(), key) - hay.begin()));
            }
            good(sb::sorted_search<sb::LOWER_BOUND>(x, m, y, n, low.data, sb::less(), on), name, n);
            good(sb::sorted_search<sb::UPPER_BOUND>(x, m, y, n, high.data, sb::less(), on), name, n);
            good(sb::binary_search<sb::LOWER_BOUND>(x, m, y, n, low_each.data, sb::less(), on), name, n);
            good(sb::binary_search<sb::UPPER_BOUND>(x, m, y, n, high_each.data, sb::less(), on), name, n);
            check_equal(low.get(), lower, "lower", n);
            check_equal(high.get(), upper, "upper", n);
            check_equal(low_each.get(), lower, "lower, each by itself", n);
            check_equal(high_each.get(), upper, "upper, each by itself", n);
        }
    end_test(name);
}

// Given memory is in use from the constructor on: `write` refuses, `write_with` takes other memory.
static void test_join_given(const device_array<uint32_t> &a, const device_array<uint32_t> &b, uint64_t pairs)
{
    const uint64_t m = a.count, n = b.count;
    device_array<uint8_t> given(random_values<uint8_t>(sb::inner_join<uint32_t>::bytes(m, n)));
    device_array<unsigned> calls(std::vector<unsigned>(1, 0));
    sb::inner_join<uint32_t> join(m, n, sb::context(0, sb::given_memory(given.data)));
    auto count = [] __device__(uint64_t, uint64_t, uint64_t, unsigned *calls) { atomicAdd(calls, 1); };
    uint64_t counted;

    good(join.count((const uint32_t *)a.data, (const uint32_t *)b.data, sb::less(), &counted), "given memory", n);
    check(join.write(count, calls.data) == cudaErrorInvalidValue, "write refuses given memory", n, pairs);
    good(join.write_with(sb::context(), count, calls.data), "given memory", n);
    check(counted == pairs && calls.get()[0] == pairs, "pairs in given memory", n, calls.get()[0]);
}

static void test_join(const char *name)
{
    const sb::context on;

    for (uint64_t n : {0u, 1u, 700u, 5000u})
        for (uint64_t m : {0u, 1u, 3000u}) {
            std::vector<uint32_t> a = sorted_keys(m, 2), b = sorted_keys(n, 4);
            std::vector<uint64_t> left, right;
            device_array<uint32_t> da(a), db(b);
            sb::inner_join<uint32_t> join(m, n, on);
            uint64_t pairs = 0;

            for (uint64_t i = 0; i < m; i++)
                for (uint64_t j = 0; j < n; j++)
                    if (a[i] == b[j])
                        left.push_back(i), right.push_back(j);
            good(join.count((const uint32_t *)da.data, (const uint32_t *)db.data, sb::less(), &pairs), name, n);
            check(pairs == left.size(), "pairs", n, pairs);
            device_array<uint64_t> to_left(random_values<uint64_t>(left.size()));
            device_array<uint64_t> to_right(random_values<uint64_t>(left.size()));
            good(join.write([=] __device__(uint64_t pair, uint64_t i, uint64_t j, uint64_t * x,
                                           uint64_t * y) { x[pair] = i, y[pair] = j; },
                            to_left.data, to_right.data),
                 name, n);
            check_equal(to_left.get(), left, "left", n);
            check_equal(to_right.get(), right, "right", n);
            test_join_given(da, db, pairs);
            sb::inner_join<uint32_t, uint16_t> narrow(m, n, on);
            sb::inner_join<uint32_t, uint8_t> too_narrow(m, n, on);

            good(narrow.count((const uint32_t *)da.data, (const uint32_t *)db.data, sb::less(), &pairs), name, n);
            check(pairs == left.size(), "pairs, places of 16 bits", n, pairs);
            check(too_narrow.count((const uint32_t *)da.data, (const uint32_t *)db.data, sb::less(), &pairs) ==
                      (n > 255 ? cudaErrorInvalidValue : cudaSuccess),
                  "places of 8 bits", n, pairs);
        }
    end_test(name);
}

// ---- bulk ----

static void test_bulk(const char *name)
{
    const sb::context on;

    for (uint64_t n : sizes_around(sb::bulk_tune::SIZE))
        for (unsigned one_in : {1u, 3u, 1000u, 1000000u}) {
            std::vector<uint32_t> in = random_values<uint32_t>(n), index, expected, merged, at, values;

            for (uint32_t i = 0; i < n; i++)
                if (random_number() % one_in == 0)
                    index.push_back(i);
                else
                    expected.push_back(in[i]);
            for (uint32_t i = 0; i <= n; i++) {
                for (; random_number() % (one_in + 1) == 0; values.push_back((uint32_t)values.size()))
                    at.push_back(i), merged.push_back((uint32_t)values.size());
                if (i < n)
                    merged.push_back(in[i]);
            }
            device_array<uint32_t> items(in), removed(index), kept(random_values<uint32_t>(expected.size()));
            device_array<uint32_t> places(at), inserted(values), all(random_values<uint32_t>(merged.size()));
            const uint32_t *x = items.data;

            good(sb::bulk_remove(x, n, (const uint32_t *)removed.data, index.size(), kept.data, on), name, n);
            check_equal(kept.get(), expected, "remove", n);
            good(sb::bulk_insert(x, n, (const uint32_t *)places.data, (const uint32_t *)inserted.data, at.size(),
                                 all.data, on),
                 name, n);
            check_equal(all.get(), merged, "insert", n);
        }
    end_test(name);
}

int main(void)
{
    test_merge("merge: keys and pairs, those of a first");
    test_sort("mergesort: keys, pairs and indices, a comparison of the user");
    test_words("mergesort: passes over four runs");
    test_radix("radix_sort: doubles and bytes, alone and with values");
    test_search("sorted_search, binary_search: lower and upper bound");
    test_join("inner_join: all pairs in order");
    test_bulk("bulk_remove, bulk_insert");
    return end_tests();
}
