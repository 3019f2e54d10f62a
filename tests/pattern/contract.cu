// SPDX-License-Identifier: BSD-2-Clause
//
// What all patterns promise besides their results: scratch memory comes from the caller's allocator, and goes back; no
// pattern waits for its stream unless it says so; behaviours get extra arguments and values of segments; keys and items are
// integers of 8 to 64 bits, floats, and structures of a user.
#include "../prim/check.cuh"

// Counts when a pattern waits.
static unsigned waits;
#define cudaStreamSynchronize(stream)     (waits++, cudaStreamSynchronize(stream))
#define cudaDeviceSynchronize()           (waits++, cudaDeviceSynchronize())
#define cudaMemcpy(to, from, bytes, kind) (waits++, cudaMemcpy(to, from, bytes, kind))
#include <samebits/pattern/bulk.cuh>
#include <samebits/pattern/inner_join.cuh>
#include <samebits/pattern/interval.cuh>
#include <samebits/pattern/lbs_segreduce.cuh>
#include <samebits/pattern/lbs_workcreate.cuh>
#include <samebits/pattern/mergesort.cuh>
#include <samebits/pattern/radix_sort.cuh>
#include <samebits/pattern/reduce.cuh>
#include <samebits/pattern/segmented_sort.cuh>
#include <samebits/pattern/transform_compact.cuh>
#include <algorithm>

static void good(cudaError_t error, const char *what, uint64_t size)
{
    check(error == cudaSuccess, what, size, (uint64_t)error);
}

// ---- the caller's allocator ----

// Counts what it gives and gets back; refuses when told to.
struct counting {
    unsigned taken, given_back;
    uint64_t bytes;
    bool refuse;
};

static sb::allocator counting_allocator(counting *counts)
{
    sb::allocator a;

    a.user = counts;
    a.take = [](void *user, void **memory, size_t bytes, cudaStream_t) {
        counting *c = (counting *)user;

        if (c->refuse)
            return cudaErrorMemoryAllocation;
        c->taken++;
        c->bytes += bytes;
        return cudaMalloc(memory, bytes);
    };
    a.give_back = [](void *user, void *memory, cudaStream_t) {
        ((counting *)user)->given_back++;
        return cudaFree(memory);
    };
    return a;
}

struct all_arrays {
    uint64_t n, segments;
    uint32_t *in, *out, *more;
    uint64_t *start, *number, *index;
};

struct is_even {
    __device__ bool operator()(uint32_t item, uint64_t) const
    {
        return item % 2 == 0;
    }
};

// Calls each pattern that needs scratch memory, on arrays of n items; expect(error, name, bytes) for each.
template <typename Expect> static void call_all(const all_arrays &a, const sb::context &on, Expect expect)
{
    const uint32_t *in = a.in;
    const uint64_t *start = a.start, n = a.n, s = a.segments, *index = a.index;

    expect(sb::reduce(in, n, sb::add(), 0u, a.out, on), "reduce", sb::reduce_bytes<uint32_t>(n));
    expect(sb::scan(in, n, sb::add(), 0u, sb::INCLUSIVE, a.out, (uint32_t *)nullptr, on), "scan",
           sb::scan_bytes<uint32_t>(n));
    expect(sb::compact(in, n, is_even(), a.out, a.number, on), "compact", sb::compact_bytes<uint32_t>(n));
    expect(sb::merge(in, n / 2, in, n / 2, a.out, sb::less(), on), "merge", sb::merge_bytes<uint32_t>(n / 2 * 2));
    expect(sb::sorted_search<sb::LOWER_BOUND>(in, n, in, n, a.out, sb::less(), on), "sorted_search",
           sb::search_bytes<uint32_t>(2 * n));
    expect(sb::load_balance_search(n, start, s, a.out, a.more, on), "load_balance_search", sb::lbs_bytes(n, s));
    expect(sb::segmented_reduce(in, n, start, s, sb::add(), 0u, a.out, on), "segmented_reduce",
           sb::segreduce_bytes<uint32_t>(n, s));
    expect(sb::interval_expand(in, start, s, n, a.out, on), "interval_expand", sb::lbs_bytes(n, s));
    expect(sb::interval_move(in, start, start, start, s, n, a.out, on), "interval_move", sb::interval_bytes(n, s));
    expect(sb::bulk_remove(in, n, index, s, a.out, on), "bulk_remove", sb::bulk_bytes(n - s, s));
    expect(sb::bulk_insert(in, n, index, in, s, a.out, on), "bulk_insert", sb::bulk_bytes(n, s));
}

struct call_arrays {
    std::vector<uint32_t> items, none;
    std::vector<uint64_t> starts;
    device_array<uint32_t> in, out, more;
    device_array<uint64_t> start, number, index;

    static std::vector<uint64_t> each(uint64_t count, uint64_t step)
    {
        std::vector<uint64_t> all;

        for (uint64_t i = 0; i < count; i++)
            all.push_back(i * step);
        return all;
    }
    explicit call_arrays(uint64_t n)
        : items(n, 5), none(2 * n), starts(each(n / 10, 10)), in(items), out(none), more(none), start(starts),
          number({0}), index(starts)
    {
    }
    all_arrays arrays() const
    {
        return {items.size(), starts.size(), in.data, out.data, more.data, start.data, number.data, index.data};
    }
};

static void test_allocator(const char *name)
{
    const uint64_t n = 7000; // more than a tile of each
    call_arrays data(n);
    counting counts = {0, 0, 0, false};
    const sb::context on(0, counting_allocator(&counts));

    waits = 0;
    call_all(data.arrays(), on, [&](cudaError_t error, const char *what, uint64_t bytes) {
        good(error, what, n);
        check(waits == 0, what, n, waits);
        check(counts.taken == 1 && counts.given_back == 1, what, n, counts.taken);
        check(counts.bytes <= bytes, what, bytes, counts.bytes); // given_memory of so many bytes is enough
        counts = {0, 0, 0, false};
    });
    counts.refuse = true;
    call_all(data.arrays(), on, [&](cudaError_t error, const char *what, uint64_t) {
        check(error == cudaErrorMemoryAllocation && counts.given_back == 0, what, n, (uint64_t)error);
    });
    end_test(name);
}

// ---- values of segments, and extra arguments ----

struct colour {
    uint8_t red, green, blue;
};

struct triples {
    __device__ uint64_t operator[](uint64_t s) const
    {
        return 3 * s;
    }
};

static void test_values(const char *name)
{
    const sb::context on;

    for (unsigned longest : {2u, 30u, 9000u}) {
        std::vector<uint64_t> start, weight, expected;
        std::vector<uint16_t> small;
        std::vector<colour> colours;

        for (unsigned s = 0; s < 40; s++) {
            uint64_t length = s % 3 == 0 ? 0 : random_number() % longest;

            start.push_back(expected.size());
            weight.push_back(random_number());
            small.push_back((uint16_t)random_number());
            colours.push_back({(uint8_t)s, (uint8_t)random_number(), 0});
            for (uint64_t r = 0; r < length; r++)
                expected.push_back(weight[s] + small[s] + colours[s].green + 3 * s + 5 * r + 7 * expected.size() + 11);
        }
        const uint64_t n = expected.size();
        device_array<uint64_t> starts(start), weights(weight), out(random_values<uint64_t>(n));
        device_array<uint16_t> smalls(small);
        device_array<colour> colour_of(colours);
        good(sb::transform_lbs(
                 [] __device__(uint64_t i, uint64_t segment, uint64_t rank, uint64_t w, uint16_t v, colour c,
                               uint64_t triple, uint64_t * to, uint64_t more) {
                     to[i] = w + v + c.green + triple + 5 * rank + 7 * i + more + 0 * segment;
                 },
                 n, (const uint64_t *)starts.data, start.size(),
                 sb::of_segments((const uint64_t *)weights.data, (const uint16_t *)smalls.data,
                                 (const colour *)colour_of.data, triples()),
                 on, out.data, (uint64_t)11),
             name, n);
        check_equal(out.get(), expected, name, n);
    }
    end_test(name);
}

// ---- block size and items of a thread ----

static void test_tunes(const char *name)
{
    typedef sb::tune<64, 3> small;
    const uint64_t n = 1000;
    const sb::context on;
    std::vector<uint32_t> in = random_values<uint32_t>(n), sum(1), kept, each(n);
    std::vector<uint64_t> start, place;
    device_array<uint32_t> items(in), out(in), total(sum), one(in);
    device_array<uint64_t> number({0}), places(std::vector<uint64_t>(n, 0));

    for (uint64_t i = 0; i < n; i++) {
        sum[0] += in[i];
        each[i] = (uint32_t)i;
        place.push_back(i);
        if (i % 10 == 0)
            start.push_back(i);
        else
            kept.push_back(in[i]);
    }
    device_array<uint64_t> starts(start);
    device_array<uint32_t> sorted(each);
    const uint32_t *x = items.data;
    const uint64_t *s = starts.data;

    good(sb::transform_reduce_by<small>(sb::element_of<const uint32_t *>{x}, n, sb::add(), 0u, total.data, on), name,
         n);
    check_equal(total.get(), sum, "transform_reduce_by", n);
    good(sb::compact_by<small, 1>(
             x, n, [] __device__(uint32_t, uint64_t i) { return i % 10 != 0; }, out.data, number.data, on),
         name, n);
    std::vector<uint32_t> got = out.get();
    got.resize(kept.size());
    check_equal(got, kept, "compact_by", n);
    good(sb::bulk_remove<small>(x, n, s, start.size(), out.data, on), name, n);
    got = out.get();
    got.resize(kept.size());
    check_equal(got, kept, "bulk_remove", n);
    good(sb::lbs_segreduce_by<small>([] __device__(uint64_t, uint64_t, uint64_t rank) { return (uint32_t)rank; }, n, s,
                                     start.size(), sb::add(), 0u, out.data, on),
         name, n);
    got = out.get();
    got.resize(start.size());
    check_equal(got, std::vector<uint32_t>(start.size(), 45), "lbs_segreduce_by", n);
    const uint32_t *keys = sorted.data;
    good(sb::transform_search_by<small, uint32_t, sb::LOWER_BOUND>(keys, n, keys, n, sb::less(),
                                                                   sb::write_place<uint64_t>(), on, places.data),
         name, n);
    check_equal(places.get(), place, "transform_search_by", n);
    end_test(name);
}

// ---- types ----

// Numbers of a user, compared and combined by functions of the user. Not commutative: the text of b follows that of a.
struct interval {
    uint64_t first, last; // first > last: nothing
    uint32_t whole;
    uint32_t unused;
};

static bool operator==(const interval &a, const interval &b)
{
    return a.first == b.first && a.last == b.last && a.whole == b.whole;
}

struct concatenate {
    __host__ __device__ interval operator()(interval a, interval b) const
    {
        if (a.first > a.last)
            return b;
        if (b.first > b.last)
            return a;
        return {a.first, b.last, (uint32_t)(a.whole && b.whole && a.last + 1 == b.first), 0};
    }
};

static void test_structures(const char *name)
{
    const sb::context on;
    const interval nothing = {1, 0, 1, 0};

    for (uint64_t n : {1u, 100u, 3000u}) {
        std::vector<interval> none(n), value(1), expected, segments;
        device_array<interval> to(none), sum(value), each(none);
        std::vector<uint64_t> start;
        auto itself = [] __device__(uint64_t i) { return interval{i, i, 1, 0}; };

        for (uint64_t i = 0; i < n; i++) {
            expected.push_back({0, i, 1, 0});
            if (i % 50 == 0) {
                start.push_back(i);
                segments.push_back({i, i + 50 < n ? i + 49 : n - 1, 1, 0});
            }
        }
        device_array<uint64_t> starts(start);
        device_array<interval> by_segment(segments);

        good(sb::transform_reduce(itself, n, concatenate(), nothing, sum.data, on), name, n);
        check_equal(sum.get(), {expected.back()}, "reduce", n);
        good(sb::transform_reduce(itself, n, concatenate(), sb::no_identity(), sum.data, on), name, n);
        check_equal(sum.get(), {expected.back()}, "reduce without identity", n);
        good(sb::transform_scan(itself, n, concatenate(), nothing, sb::INCLUSIVE, to.data, sum.data, on), name, n);
        check_equal(to.get(), expected, "scan", n);
        good(sb::segmented_reduce(sb::sequence(itself), n, (const uint64_t *)starts.data, start.size(), concatenate(),
                                  nothing, by_segment.data, on),
             name, n);
        check_equal(by_segment.get(), segments, "segmented_reduce", n);
    }
    end_test(name);
}

// Everything that takes keys, for one type of them, descending: the order is the user's.
struct descending {
    template <typename T> __host__ __device__ bool operator()(const T &a, const T &b) const
    {
        return b < a;
    }
};

template <typename T> static void test_keys(const char *name)
{
    const sb::context on;
    const uint64_t n = 4000, m = 700;
    std::vector<T> a, b, merged(n + m), removed, sums(1);
    std::vector<uint64_t> place, start, index;
    std::vector<uint32_t> order;
    uint64_t pairs = 0, expected_pairs = 0;

    for (uint64_t i = 0; i < n; i++)
        a.push_back((T)(random_number() % 250));
    for (uint64_t i = 0; i < m; i++)
        b.push_back((T)(random_number() % 250));
    device_array<T> unsorted(a), out(merged), copy(a), value(sums);
    T sum = 0;

    for (uint64_t i = 0; i < n; i++) {
        sum = (T)(sum + a[i]);
        if (i % 5 == 0)
            index.push_back(i);
        else
            removed.push_back(a[i]);
    }
    good(sb::reduce((const T *)unsorted.data, n, [] __device__(T x, T y) { return (T)(x + y); }, (T)0, value.data, on),
         name, n);
    check_equal(value.get(), {sum}, "reduce", n);
    device_array<uint64_t> at(index), number({0});
    good(sb::bulk_remove((const T *)unsorted.data, n, (const uint64_t *)at.data, index.size(), out.data, on), name, n);
    std::vector<T> got = out.get();
    got.resize(removed.size());
    check_equal(got, removed, "bulk_remove", n);
    good(sb::compact((const T *)unsorted.data, n, [] __device__(const T &, uint64_t i) { return i % 5 != 0; }, out.data,
                     number.data, on),
         name, n);
    got = out.get();
    got.resize(removed.size());
    check_equal(got, removed, "compact", n);
    good(sb::mergesort(copy.data, n, descending(), on), name, n);
    std::sort(a.begin(), a.end(), descending());
    std::sort(b.begin(), b.end(), descending());
    check_equal(copy.get(), a, "mergesort", n);
    device_array<T> keys(b);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin(), descending());
    good(sb::merge((const T *)copy.data, n, (const T *)keys.data, m, out.data, descending(), on), name, n);
    check_equal(out.get(), merged, "merge", n);
    for (T key : b) {
        auto range = std::equal_range(a.begin(), a.end(), key, descending());

        place.push_back((uint64_t)(range.first - a.begin()));
        expected_pairs += (uint64_t)(range.second - range.first);
    }
    device_array<uint64_t> found(place);
    good(sb::sorted_search<sb::LOWER_BOUND>((const T *)keys.data, m, (const T *)copy.data, n, found.data, descending(),
                                            on),
         name, n);
    check_equal(found.get(), place, "sorted_search", n);
    sb::inner_join<T> join(m, n, on);
    waits = 0;
    good(join.count((const T *)keys.data, (const T *)copy.data, descending(), &pairs), name, n);
    check(waits == 1, "inner_join waits for its count", n, waits);
    check(pairs == expected_pairs, "inner_join", n, pairs);
    end_test(name);
}

int main(void)
{
    test_allocator("scratch memory is one piece of the caller's allocator, given back; no pattern waits");
    test_values("transform_lbs: values of segments, and arguments after them");
    test_tunes("other block sizes and items of a thread");
    test_structures("structures of a user, which do not commute");
    test_keys<uint8_t>("keys of 8 bits");
    test_keys<int16_t>("keys of 16 bits");
    test_keys<uint64_t>("keys of 64 bits");
    test_keys<double>("doubles");
    return end_tests();
}
