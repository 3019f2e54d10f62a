// SPDX-License-Identifier: BSD-2-Clause
//
// Counts past 2^32: reduce, scan, compact, merge, and patterns over segments, of 2^32 + 12345 items that the device makes
// itself, and each result certified on the device: by a formula for its every element, or by an operator that breaks if an
// item is missing, or is combined twice or out of order. For a GPU with 80 GB: a machine with less skips.
#include "large.cuh"
#include <samebits/pattern/bulk.cuh>
#include <samebits/pattern/inner_join.cuh>
#include <samebits/pattern/interval.cuh>
#include <samebits/pattern/lbs_segreduce.cuh>
#include <samebits/pattern/merge.cuh>
#include <samebits/pattern/reduce.cuh>
#include <samebits/pattern/transform_compact.cuh>

// Numbers first .. last in order, if `whole`. Does not commute; a gap, a repetition or another order is not whole.
struct stretch {
    uint64_t first, last, whole;
};

struct follow {
    __host__ __device__ stretch operator()(stretch a, stretch b) const
    {
        return {a.first, b.last, (uint64_t)(a.whole && b.whole && a.last + 1 == b.first)};
    }
};

struct alone {
    __device__ stretch operator()(uint64_t i) const
    {
        return {i, i, 1};
    }
};

static void test_reduce(const char *name)
{
    memory<stretch> whole(1);
    memory<uint64_t> sum(1);

    good(sb::transform_reduce(alone(), N, follow(), sb::no_identity(), whole.data, sb::context()), name);
    const stretch got = whole.get(0);

    check(got.first == 0 && got.last == N - 1 && got.whole == 1, name, N, got.last);
    good(sb::reduce(sb::numbers(), N, sb::add(), (uint64_t)0, sum.data, sb::context()), name);
    check(sum.get(0) == (N % 2 == 0 ? N / 2 * (N - 1) : (N - 1) / 2 * N), "sum", N, sum.get(0));
    end_test(name);
}

static void test_scan(const char *name)
{
    memory<uint32_t> item(N);
    memory<uint64_t> result(N), total(1);
    uint32_t *items = item.data;
    uint64_t *to = result.data;

    good(sb::transform([=] __device__(uint64_t i) { items[i] = (uint32_t)(i % 7); }, N, sb::context()), name);
    good(sb::scan(items, N, sb::add(), (uint64_t)0, sb::EXCLUSIVE, to, total.data, sb::context()), name);
    certify(name, N, [=] __device__(uint64_t i) { return to[i] != i / 7 * 21 + i % 7 * (i % 7 - 1) / 2; });
    check(total.get(0) == N / 7 * 21 + N % 7 * (N % 7 - 1) / 2, "total", N, total.get(0));
    end_test(name);
}

// Every item with i % 3 != 0 is kept, as a number that says which it is.
static void test_compact(const char *name)
{
    const uint64_t kept = N - (N + 2) / 3;
    memory<uint64_t> result(kept), count(1);
    uint64_t *to = result.data, number = 0;

    good(sb::compact(
             sb::numbers(), N, [] __device__(uint64_t item, uint64_t i) { return i % 3 != 0 && item == i; }, to,
             count.data, sb::context()),
         name);
    check(count.get(0) == kept, "count", N, count.get(0));
    certify(name, kept, [=] __device__(uint64_t i) { return to[i] != i / 2 * 3 + 1 + i % 2; });
    good(cudaMemset(to, 0xa5, kept * sizeof *to), name);
    sb::transform_compact passes(N, sb::context());

    good(passes.mark([] __device__(uint64_t i) { return i % 3 != 0; }, &number), name);
    check(number == kept, "marked", N, number);
    good(passes.write([=] __device__(uint64_t place, uint64_t i) { to[place] = i; }), name);
    certify("two passes", kept, [=] __device__(uint64_t i) { return to[i] != i / 2 * 3 + 1 + i % 2; });
    end_test(name);
}

// a: twice each number below 2^31 + 6172, so each even number below N and one more; b: three times each below the rest. A
// key of a has the place i + ceil(2 i / 3), one of b j + floor(3 j / 2) + 1: of equal keys that of a is first.
static void test_merge(const char *name)
{
    const uint64_t a = (N + 1) / 2, b = N - a;
    memory<uint64_t> result(N);
    uint64_t *to = result.data;

    good(sb::merge(sb::sequence([] __device__(uint64_t i) { return 2 * i; }), a,
                   sb::sequence([] __device__(uint64_t j) { return 3 * j; }), b, to, sb::less(), sb::context()),
         name);
    certify("keys of a", a, [=] __device__(uint64_t i) {
        const uint64_t before = (2 * i + 2) / 3;

        return to[i + (before < b ? before : b)] != 2 * i;
    });
    certify("keys of b", b, [=] __device__(uint64_t j) {
        const uint64_t before = 3 * j / 2 + 1;

        return to[j + (before < a ? before : a)] != 3 * j;
    });
    end_test(name);
}

// Segments of 1000 items, and after each one an empty one; the last has what is left.
static void test_segments(const char *name)
{
    const uint64_t segments = (N + 999) / 1000 * 2;
    memory<uint32_t> rank(N);
    memory<uint64_t> start(segments), sum(segments);
    uint32_t *ranks = rank.data;
    uint64_t *starts = start.data, *sums = sum.data;

    good(sb::transform(
             [=] __device__(uint64_t s) {
                 const uint64_t begin = (s + 1) / 2 * 1000;

                 starts[s] = begin < N ? begin : N;
             },
             segments, sb::context()),
         name);
    good(sb::transform_lbs(
             [=] __device__(uint64_t i, uint64_t segment, uint64_t r, uint64_t begin) {
                 ranks[i] = segment == i / 1000 * 2 && begin == i - r ? (uint32_t)r : 0xffffffffu;
             },
             N, (const uint64_t *)starts, segments, sb::of_segments((const uint64_t *)starts), sb::context()),
         name);
    certify(name, N, [=] __device__(uint64_t i) { return ranks[i] != i % 1000; });
    good(sb::segmented_reduce(sb::numbers(), N, (const uint64_t *)starts, segments, sb::add(), (uint64_t)0, sums,
                              sb::context()),
         name);
    certify("segmented_reduce", segments, [=] __device__(uint64_t s) {
        const uint64_t begin = s / 2 * 1000, end = begin + 1000 < N ? begin + 1000 : N;

        return sums[s] != (s % 2 != 0 ? 0 : (end - begin) * (begin + end - 1) / 2);
    });
    end_test(name);
}

int main(void)
{
    if (!has_memory(70)) {
        printf("1..0 # SKIP less than 70 GiB of device memory\n");
        return 0;
    }
    test_reduce("reduce 2^32 + 12345 items");
    test_scan("scan 2^32 + 12345 items");
    test_compact("compact 2^32 + 12345 items, in one pass and in two");
    test_merge("merge 2^32 + 12345 keys");
    test_segments("transform_lbs and segmented_reduce of 2^32 + 12345 items");
    return end_tests();
}
