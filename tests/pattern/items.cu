// SPDX-License-Identifier: BSD-2-Clause
//
// Patterns over items: transform, reduce, scan, compact. Sizes around a tile of each; behaviours that capture, and that get
// arguments; an operator that does not commute, with an identity and without.
#include "../prim/check.cuh"
#include <samebits/pattern/reduce.cuh>
#include <samebits/pattern/scan.cuh>
#include <samebits/pattern/transform.cuh>
#include <samebits/pattern/transform_compact.cuh>

// Around tiles of `size`, several of them, and no tile.
static std::vector<uint64_t> sizes_around(uint64_t size)
{
    return {0, 1, size - 1, size, size + 1, 3 * size + 5};
}

static void good(cudaError_t error, const char *what, uint64_t size)
{
    check(error == cudaSuccess, what, size, (uint64_t)error);
}

// ---- launch and transform ----

static void test_transform(const char *name)
{
    const sb::context on;

    for (uint64_t n : sizes_around(sb::transform_tune::SIZE)) {
        std::vector<uint32_t> in = random_values<uint32_t>(n), zero(n), expected(n);
        device_array<uint32_t> from(in), to(zero), count(zero);
        uint32_t *counts = count.data;

        good(sb::transform([=] __device__(uint64_t i, const uint32_t *x, uint32_t *y) { y[i] += 3 * x[i]; }, n, on,
                           (const uint32_t *)from.data, to.data),
             name, n);
        good(sb::transform<sb::tune<64, 3>>([=] __device__(uint64_t i) { counts[i]++; }, n, on), name, n);
        for (uint64_t i = 0; i < n; i++)
            expected[i] = 3 * in[i];
        check_equal(to.get(), expected, name, n);
        check_equal(count.get(), std::vector<uint32_t>(n, 1), "once", n);
    }
    end_test(name);
}

// Each block reverses its tile through shared memory.
static void test_cta(const char *name)
{
    const sb::context on;
    const uint64_t n = 4 * 64 + 3;
    std::vector<uint32_t> in = random_values<uint32_t>(n), expected(n), launched(3 * 32);
    device_array<uint32_t> from(in), to(in), seen(launched);
    uint64_t blocks = 0;

    good(sb::cta_transform<sb::tune<64, 1>>(
             [=] __device__(unsigned thread, uint64_t first, unsigned size, const uint32_t *x, uint32_t *y) {
                 __shared__ uint32_t tile[64];

                 if (thread < size)
                     tile[thread] = x[first + thread];
                 __syncthreads(); // the tile is loaded
                 if (thread < size)
                     y[first + thread] = tile[size - 1 - thread];
             },
             n, on, (const uint32_t *)from.data, to.data),
         name, n);
    for (uint64_t i = 0; i < n; i++)
        expected[i] = in[i < 256 ? i / 64 * 64 + 63 - i % 64 : 256 + n - 1 - i];
    check_equal(to.get(), expected, name, n);
    auto mark = [=] __device__(unsigned thread, uint64_t block, uint32_t *y) {
        y[block * 32 + thread] = (uint32_t)block + 1;
    };

    good(sb::cta_launch<32>(mark, 3, on, seen.data), name, 3);
    for (unsigned i = 0; i < launched.size(); i++)
        launched[i] = i / 32 + 1;
    check_equal(seen.get(), launched, name, 3);
    good(sb::occupancy<32>(&blocks, mark, seen.data), name, 3);
    check(blocks > 0, "occupancy", 3, 0);
    end_test(name);
}

// ---- reduce and scan ----

// `first`: the operator's identity, or sb::no_identity.
template <typename T, typename Op, typename Identity>
static void test_fold(const char *name, Op op, T first, Identity identity)
{
    const bool some = std::is_same<Identity, sb::no_identity>::value;
    const sb::context on;

    for (uint64_t n : sizes_around(sb::default_tune<sizeof(T)>::SIZE)) {
        std::vector<T> in = random_values<T>(n), exclusive(n), inclusive(n), value(1), total(1);
        device_array<T> from(in), before(in), up_to(in), sum(value), all(total);
        cudaError_t reduced = sb::reduce((const T *)from.data, n, op, identity, sum.data, on);
        cudaError_t scanned = sb::scan((const T *)from.data, n, op, identity, sb::INCLUSIVE, up_to.data, all.data, on);

        if (some && n == 0) {
            check(reduced == cudaErrorInvalidValue && scanned == cudaErrorInvalidValue, "no item", n, 0);
            continue;
        }
        good(reduced, name, n);
        good(scanned, name, n);
        T result = first;

        for (uint64_t i = 0; i < n; i++) {
            exclusive[i] = result;
            inclusive[i] = result = op(result, in[i]);
        }
        check_equal(up_to.get(), inclusive, "inclusive", n);
        check_equal(sum.get(), {result}, "reduce", n);
        check_equal(all.get(), {result}, "total", n);
        if (!some) {
            good(sb::scan((const T *)before.data, n, op, identity, sb::EXCLUSIVE, before.data, (T *)nullptr, on), name,
                 n);
            check_equal(before.get(), exclusive, "exclusive, in place", n);
        }
    }
    end_test(name);
}

// More tiles than one tile has: three levels of a reduction.
static void test_levels(const char *name)
{
    const sb::context on;
    const uint64_t n = 64 * 64 * 3 + 7;
    std::vector<affine> in = random_values<affine>(n), value(1);
    device_array<affine> from(in), sum(value);
    affine result = {1, 0};

    good(sb::transform_reduce_by<sb::tune<64, 1>>([] __device__(uint64_t i, const affine *x) { return x[i]; }, n,
                                                  compose(), affine{1, 0}, sum.data, on, (const affine *)from.data),
         name, n);
    for (uint64_t i = 0; i < n; i++)
        result = compose()(result, in[i]);
    check_equal(sum.get(), {result}, name, n);
    end_test(name);
}

// ---- compact ----

static void test_compact(const char *name)
{
    const sb::context on;

    for (uint64_t n : sizes_around(sb::mark_tune::SIZE)) {
        for (uint32_t limit : {0u, 5u, 16u}) {
            std::vector<uint32_t> in = random_values<uint32_t>(n), expected;
            std::vector<uint64_t> place(1), indices;
            device_array<uint32_t> from(in), to(in);
            device_array<uint64_t> index(random_values<uint64_t>(n)), number(place);
            const uint32_t *x = from.data;
            sb::transform_compact marked(n, on);
            uint64_t kept = 0;

            for (uint64_t i = 0; i < n; i++)
                if (in[i] % 16 < limit) {
                    expected.push_back(in[i]);
                    indices.push_back(i);
                }
            good(sb::compact(
                     x, n, [=] __device__(uint32_t item, uint64_t) { return item % 16 < limit; }, to.data, number.data,
                     on),
                 name, n);
            check_equal(number.get(), {expected.size()}, "count", n);
            std::vector<uint32_t> got = to.get();
            got.resize(expected.size());
            check_equal(got, expected, "compact", n);
            good(marked.mark([=] __device__(uint64_t i, const uint32_t *y) { return y[i] % 16 < limit; }, &kept, x),
                 name, n);
            check(kept == indices.size(), "marked", n, kept);
            good(marked.write([=] __device__(uint64_t at, uint64_t i, uint64_t * out) { out[at] = i; }, index.data),
                 name, n);
            std::vector<uint64_t> order = index.get();
            order.resize(indices.size());
            check_equal(order, indices, "transform_compact", n);
        }
    }
    end_test(name);
}

int main(void)
{
    test_transform("transform: each index once, captured and passed arguments");
    test_cta("cta_transform, cta_launch, occupancy");
    test_fold<uint32_t>("32-bit sums", sb::add(), 0, 0u);
    test_fold<uint64_t>("64-bit minima", sb::minimum(), ~(uint64_t)0, ~(uint64_t)0);
    test_fold<affine>("affine maps, which do not commute", compose(), affine{1, 0}, affine{1, 0});
    test_fold<affine>("affine maps without an identity", compose(), affine{1, 0}, sb::no_identity());
    test_levels("a reduction of three levels");
    test_compact("compact and transform_compact: the kept items in order");
    return end_tests();
}
