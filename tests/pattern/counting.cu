// SPDX-License-Identifier: BSD-2-Clause
//
// Patterns that count digits or bins: histograms with few bins and with more than fit shared memory, the largest and smallest keys
// with ties, and sorts in descending order.
#include "../prim/check.cuh"
#include <algorithm>
#include <samebits/pattern/histogram.cuh>
#include <samebits/pattern/top_k.cuh>

static void good(cudaError_t error, const char *what, uint64_t size)
{
    check(error == cudaSuccess, what, size, (uint64_t)error);
}

static void test_histogram(const char *name)
{
    const sb::context on;

    for (uint64_t n : {(uint64_t)0, (uint64_t)1, (uint64_t)sb::histogram_tune::SIZE + 3})
        for (unsigned bins : {1u, 100u, 60000u}) {
            std::vector<float> in, bounds;
            std::vector<int64_t> wide;
            std::vector<unsigned> even(bins), range(bins), whole(bins);
            const int64_t lower = -((int64_t)1 << 62), upper = (int64_t)1 << 62;

            for (unsigned b = 0; b <= bins; b++)
                bounds.push_back((float)(b * b / bins));
            for (uint64_t i = 0; i < n; i++) {
                float x = i % 50 == 49 ? NAN : (float)((double)(random_number() % 1100000) / 1000 - 50);
                int64_t y = (int64_t)random_number();

                in.push_back(x), wide.push_back(y);
                if (x >= 0 && x < 1000) {
                    unsigned b = (unsigned)(x * ((float)bins / 1000));
                    even[b < bins ? b : bins - 1]++;
                }
                if (x >= bounds[0] && x < bounds[bins])
                    range[std::upper_bound(bounds.begin(), bounds.end(), x) - bounds.begin() - 1]++;
                if (y >= lower && y < upper)
                    whole[(unsigned)((unsigned __int128)((uint64_t)y - (uint64_t)lower) * bins >> 63)]++;
            }
            device_array<float> x(in), b(bounds);
            device_array<int64_t> y(wide);
            device_array<unsigned> counts(random_values<unsigned>(bins));
            device_array<unsigned long long> long_counts(random_values<unsigned long long>(bins));

            good(sb::histogram_even((const float *)x.data, n, 0.0f, 1000.0f, counts.data, bins, on), name, n);
            check_equal(counts.get(), even, "even", n);
            good(sb::histogram_even((const int64_t *)y.data, n, lower, upper, counts.data, bins, on), name, n);
            check_equal(counts.get(), whole, "even, integers", n);
            good(sb::histogram_range((const float *)x.data, n, (const float *)b.data, long_counts.data, bins, on), name,
                 n);
            check_equal(long_counts.get(), std::vector<unsigned long long>(range.begin(), range.end()), "range", n);
        }
    unsigned *none = nullptr;
    check(sb::histogram_even((const float *)nullptr, 0, 1.0f, 1.0f, none, 1, on) == cudaErrorInvalidValue, "no width",
          0, 0);
    end_test(name);
}

// keys of few values and many equal ones; values are indices.
static void test_order(const char *name, unsigned kinds)
{
    typedef int16_t key;
    const sb::context on;

    for (uint64_t n : {1u, 6200u}) {
        std::vector<key> in;
        std::vector<uint32_t> down, up;

        for (uint32_t i = 0; i < n; i++)
            in.push_back((key)((int)(random_number() % kinds) - (int)kinds / 2)), down.push_back(i);
        up = down;
        std::stable_sort(down.begin(), down.end(), [&](uint32_t x, uint32_t y) { return in[x] > in[y]; });
        std::stable_sort(up.begin(), up.end(), [&](uint32_t x, uint32_t y) { return in[x] < in[y]; });
        const auto keys_at = [&](std::vector<uint32_t> index, uint64_t k) {
            std::vector<key> keys;

            for (uint64_t i = 0; i < k && i < n; i++)
                keys.push_back(in[index[i]]);
            return keys;
        };
        device_array<key> x(in), sorted(in);
        device_array<uint32_t> index(random_values<uint32_t>(n));
        const auto indices = sb::counting((uint32_t)0);

        good(sb::radix_sort_descending((const key *)x.data, indices, n, sorted.data, index.data, on), name, n);
        check_equal(sorted.get(), keys_at(down, n), "descending", n);
        check_equal(index.get(), down, "values", n);
        for (uint64_t k : {n / 3, n + 1}) {
            const uint64_t some = k < n ? k : n;
            device_array<key> top(random_values<key>(some)), bottom(random_values<key>(some));
            device_array<uint32_t> from(random_values<uint32_t>(some));
            const std::vector<uint32_t> top_index(down.begin(), down.begin() + (long)some);

            good(sb::top_k((const key *)x.data, indices, n, k, top.data, from.data, on), name, n);
            check_equal(top.get(), keys_at(down, k), "largest", n);
            check_equal(from.get(), top_index, "where they were", n);
            good(sb::bottom_k((const key *)x.data, n, k, bottom.data, on), name, n);
            check_equal(bottom.get(), keys_at(up, k), "smallest", n);
        }
    }
    end_test(name);
}

int main(void)
{
    test_histogram("histograms: even and given bounds, few bins and many");
    test_order("top_k, bottom_k, descending order: keys that are all different", 60000);
    test_order("top_k, bottom_k, descending order: keys of few kinds", 60);
    return end_tests();
}
