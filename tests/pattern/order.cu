// SPDX-License-Identifier: BSD-2-Clause
//
// The order in which floats are added, as docs/PATTERNS.md gives it: reduce, scan, scan_by_key and reduce_by_key have the bits of
// plain loops on the host. The items have fractions, so that another order gives other bits.
#include "../prim/check.cuh"
#include <samebits/pattern/adjacent.cuh>
#include <samebits/pattern/reduce.cuh>

static void good(cudaError_t error, const char *what, uint64_t size)
{
    check(error == cudaSuccess, what, size, (uint64_t)error);
}

static std::vector<float> fractions(uint64_t count)
{
    std::vector<float> all;

    for (uint64_t i = 0; i < count; i++)
        all.push_back((float)(random_number() % 100000) / 777 - 40);
    return all;
}

// ---- the order of docs/PATTERNS.md, "How floats are added" ----

// Lanes of a warp: an inclusive scan by doubling distances.
template <typename T, typename Op> static void scan_warp(T *lane, Op op)
{
    for (unsigned distance = 1; distance < 32; distance *= 2)
        for (unsigned i = 31; i >= distance; i--)
            lane[i] = op(lane[i - distance], lane[i]);
}

// The values of threads before each, and of all.
template <typename T, typename Op> static std::vector<T> scan_threads(std::vector<T> value, Op op, T identity, T *all)
{
    std::vector<T> before(value.size());

    *all = identity;
    for (size_t w = 0; w < value.size(); w += 32) {
        scan_warp(&value[w], op);
        for (unsigned i = 0; i < 32; i++)
            before[w + i] = i == 0 ? *all : op(*all, value[w + i - 1]);
        *all = op(*all, value[w + 31]);
    }
    return before;
}

template <typename T, typename Op>
static std::vector<T> inclusive_scan(const std::vector<T> &items, Op op, T identity, unsigned threads, unsigned each)
{
    std::vector<T> result(items.size()),
        slots(threads, identity); // of a group of tiles: what is before it, and its tiles

    for (size_t tile = 0; tile * threads * each < items.size(); tile++) {
        std::vector<T> sum;
        T aggregate, before_tile;

        for (unsigned t = 0; t < threads; t++)
            for (unsigned i = 0; i < each; i++) {
                const size_t at = (tile * threads + t) * each + i;
                const T item = at < items.size() ? items[at] : identity;

                if (i == 0)
                    sum.push_back(item);
                else
                    sum.back() = op(sum.back(), item);
            }
        const std::vector<T> before = scan_threads(sum, op, identity, &aggregate);

        scan_threads(slots, op, identity, &before_tile);
        for (unsigned t = 0; t < threads; t++) {
            T next = op(before_tile, before[t]);

            for (unsigned i = 0; i < each; i++) {
                const size_t at = (tile * threads + t) * each + i;

                if (at < items.size())
                    result[at] = next = op(next, items[at]);
            }
        }
        if (tile % threads == threads - 1)
            slots.assign(threads, identity), slots[0] = op(before_tile, aggregate);
        else
            slots[tile % threads + 1] = aggregate;
    }
    return result;
}

template <typename T, typename Op>
static T reduced(std::vector<T> items, Op op, T identity, unsigned threads, unsigned each)
{
    do {
        std::vector<T> results;

        for (size_t first = 0; first < items.size(); first += threads * each) {
            std::vector<T> sum;

            for (unsigned t = 0; t < threads; t++)
                for (unsigned i = 0; i < each; i++) {
                    const size_t at = first + t * each + i;
                    const T item = at < items.size() ? items[at] : identity;

                    if (i == 0)
                        sum.push_back(item);
                    else
                        sum.back() = op(sum.back(), item);
                }
            for (unsigned distance = 1; distance < 32; distance *= 2)
                for (unsigned t = 0; t < threads; t += 2 * distance)
                    sum[t] = op(sum[t], sum[t + distance]);
            for (unsigned t = 32; t < threads; t += 32)
                sum[0] = op(sum[0], sum[t]);
            results.push_back(sum[0]);
        }
        items = results;
    } while (items.size() > 1);
    return items[0];
}

// ---- tests ----

static void test_whole(const char *name)
{
    const sb::context on;
    const uint64_t n = 3 * 64 * 64 * 3 + 100; // more tiles of 64 threads than a group of look-back has
    const std::vector<float> in = fractions(n), one(1);
    device_array<float> x(in), sums(in), sum(one);
    auto load = [] __device__(uint64_t i, const float *items) { return items[i]; };

    good(sb::transform_scan_by<sb::tune<64, 3>>(load, n, sb::add(), 0.0f, sb::INCLUSIVE, sums.data, (float *)nullptr,
                                                on, (const float *)x.data),
         name, n);
    check_equal(sums.get(), inclusive_scan(in, sb::add(), 0.0f, 64, 3), "scan", n);
    good(sb::transform_reduce_by<sb::tune<64, 3>>(load, n, sb::add(), 0.0f, sum.data, on, (const float *)x.data), name,
         n);
    check_equal(sum.get(), {reduced(in, sb::add(), 0.0f, 64, 3)}, "reduce", n);
    end_test(name);
}

// A sum and whether a run begins in what it covers.
struct run_sum {
    float sum;
    bool begins;
};

static void test_runs(const char *name)
{
    typedef sb::run_tune<4> tuned; // of a float
    const sb::context on;
    const uint64_t n = 2 * tuned::SIZE + 100;
    const std::vector<float> in = fractions(n);
    std::vector<uint32_t> keys;
    std::vector<run_sum> items;
    std::vector<float> up_to, runs;

    for (uint64_t i = 0; i < n; i++) {
        keys.push_back((uint32_t)(i * i / 700000));
        items.push_back({in[i], i == 0 || keys[i] != keys[i - 1]});
    }
    const auto add_run = [](run_sum a, run_sum b) { return b.begins ? b : run_sum{a.sum + b.sum, a.begins}; };
    const std::vector<run_sum> sums = inclusive_scan(items, add_run, run_sum{0, false}, tuned::THREADS, tuned::EACH);

    for (uint64_t i = 0; i < n; i++) {
        up_to.push_back(sums[i].sum);
        if (i + 1 == n || items[i + 1].begins)
            runs.push_back(sums[i].sum);
    }
    device_array<float> x(in), scanned(in), of_runs(fractions(runs.size()));
    device_array<uint32_t> k(keys);
    device_array<uint64_t> number({0});

    good(sb::scan_by_key((const uint32_t *)k.data, (const float *)x.data, n, sb::equal_keys(), sb::add(), 0.0f,
                         sb::INCLUSIVE, scanned.data, on),
         name, n);
    check_equal(scanned.get(), up_to, "scan_by_key", n);
    good(sb::reduce_by_key((const uint32_t *)k.data, (const float *)x.data, n, sb::equal_keys(), sb::add(), 0.0f,
                           (uint32_t *)nullptr, of_runs.data, number.data, on),
         name, n);
    check_equal(of_runs.get(), runs, "reduce_by_key", n);
    check_equal(number.get(), {runs.size()}, "runs", n);
    end_test(name);
}

int main(void)
{
    test_whole("reduce, scan: floats in the order of the page");
    test_runs("reduce_by_key, scan_by_key: floats in the order of the page");
    return end_tests();
}
