// SPDX-License-Identifier: BSD-2-Clause
//
// Patterns over runs of equal keys, partition, differences, and the sequences of iterators.cuh: sizes around a tile, runs within
// tiles and over several; an operator that does not commute, with an identity and without.
#include "../prim/check.cuh"
#include <samebits/pattern/adjacent.cuh>

static void good(cudaError_t error, const char *what, uint64_t size)
{
    check(error == cudaSuccess, what, size, (uint64_t)error);
}

// Runs of up to 2 `each` - 1 keys.
static std::vector<uint32_t> keys_in_runs(uint64_t count, unsigned each)
{
    std::vector<uint32_t> all;

    while (all.size() < count) {
        uint32_t key = (uint32_t)random_number() % 4;

        for (uint64_t i = random_number() % (2 * each); i > 0 && all.size() < count; i--)
            all.push_back(key);
    }
    return all;
}

// The first `number` elements of an array.
template <typename T> static std::vector<T> first_of(const device_array<T> &from, const device_array<uint64_t> &number)
{
    std::vector<T> all = from.get();

    all.resize(number.get()[0]);
    return all;
}

template <typename Identity> static void test_runs(const char *name, Identity identity)
{
    const bool some = std::is_same<Identity, sb::no_identity>::value;
    const sb::context on;
    const uint64_t size = sb::run_tune<4>::SIZE; // of 32-bit values; tiles of `affine` are smaller

    for (uint64_t n : {(uint64_t)0, (uint64_t)1, size, 2 * size + 7})
        for (unsigned each : {1u, 40u, 100000u}) {
            std::vector<uint32_t> keys = keys_in_runs(n, each), unique, lengths;
            std::vector<affine> items = random_values<affine>(n), sums, inclusive, exclusive, first;
            device_array<uint32_t> k(keys), u(random_values<uint32_t>(n)), v(u.get()), l(u.get());
            device_array<affine> x(items), s(items), b(items), f(items), scanned(items);
            device_array<uint64_t> number({7}), encoded({7}), kept({7}), pairs({7});
            const uint32_t *key = k.data;
            affine so_far = {1, 0};

            for (uint64_t i = 0; i < n; i++) {
                if (i == 0 || keys[i] != keys[i - 1]) {
                    unique.push_back(keys[i]), lengths.push_back(0);
                    first.push_back(items[i]), sums.push_back({1, 0});
                    so_far = {1, 0};
                }
                lengths.back()++;
                exclusive.push_back(so_far);
                inclusive.push_back(sums.back() = so_far = compose()(so_far, items[i]));
            }
            good(sb::reduce_by_key(key, (const affine *)x.data, n, sb::equal_keys(), compose(), identity, u.data,
                                   s.data, number.data, on),
                 name, n);
            check_equal(first_of(u, number), unique, "keys of runs", n);
            check_equal(first_of(s, number), sums, "sums of runs", n);
            good(sb::scan_by_key(key, (const affine *)scanned.data, n, sb::equal_keys(), compose(), identity,
                                 sb::INCLUSIVE, scanned.data, on),
                 name, n);
            check_equal(scanned.get(), inclusive, "inclusive, in place", n);
            if (some)
                continue;
            good(sb::scan_by_key(key, (const affine *)x.data, n, sb::equal_keys(), compose(), identity, sb::EXCLUSIVE,
                                 b.data, on),
                 name, n);
            check_equal(b.get(), exclusive, "exclusive", n);
            good(sb::run_length_encode(key, n, sb::equal_keys(), u.data, l.data, encoded.data, on), name, n);
            check_equal(first_of(u, encoded), unique, "keys of lengths", n);
            check_equal(first_of(l, encoded), lengths, "lengths", n);
            good(sb::unique(key, n, sb::equal_keys(), v.data, kept.data, on), name, n);
            check_equal(first_of(v, kept), unique, "unique", n);
            good(sb::unique_by_key(key, (const affine *)x.data, n, sb::equal_keys(), u.data, f.data, pairs.data, on),
                 name, n);
            check_equal(first_of(u, pairs), unique, "unique keys", n);
            check_equal(first_of(f, pairs), first, "their values", n);
        }
    end_test(name);
}

struct wide_key {
    uint64_t high, low;

    wide_key() = default;
    __host__ __device__ explicit wide_key(uint64_t key) : high(key), low(~key)
    {
    }
};

static __host__ __device__ bool operator==(const wide_key &a, const wide_key &b)
{
    return a.high == b.high && a.low == b.low;
}

// Lengths of runs of keys of other sizes, around a tile.
template <typename Key> static void test_lengths(const char *name)
{
    const sb::context on;
    const uint64_t size = sb::encode_tune::SIZE;

    for (uint64_t n : {(uint64_t)1, size, size + 1, 2 * size + 7})
        for (unsigned each : {1u, 3u, 100000u}) {
            std::vector<Key> keys, unique;
            std::vector<uint32_t> lengths;

            for (uint32_t key : keys_in_runs(n, each)) {
                keys.push_back((Key)key);
                if (keys.size() == 1 || !(keys.back() == keys[keys.size() - 2]))
                    unique.push_back(keys.back()), lengths.push_back(0);
                lengths.back()++;
            }
            device_array<Key> k(keys), u(keys);
            device_array<uint32_t> l(random_values<uint32_t>(n)), alone(random_values<uint32_t>(n));
            device_array<uint64_t> number({7}), again({7});

            good(sb::run_length_encode((const Key *)k.data, n, sb::equal_keys(), u.data, l.data, number.data, on), name,
                 n);
            check_equal(first_of(u, number), unique, "keys", n);
            check_equal(first_of(l, number), lengths, "lengths", n);
            good(sb::run_length_encode((const Key *)k.data, n, sb::equal_keys(), (Key *)nullptr, alone.data, again.data,
                                       on),
                 name, n);
            check_equal(first_of(alone, again), lengths, "lengths alone", n);
        }
}

static void test_other_keys(const char *name)
{
    test_lengths<uint8_t>(name);
    test_lengths<uint64_t>(name);
    test_lengths<wide_key>(name);
    end_test(name);
}

static void test_partition(const char *name)
{
    const sb::context on;
    const uint64_t size = sb::compact_tune<4>::SIZE;

    for (uint64_t n : {(uint64_t)0, (uint64_t)1, size, size + 33, 2 * size - 1})
        for (uint32_t limit : {0u, 5u, 16u}) {
            std::vector<uint32_t> in = random_values<uint32_t>(n), good_ones, others, rest;
            device_array<uint32_t> x(in), to(in), left(in);
            device_array<uint64_t> number({7});

            for (uint32_t item : in)
                (item % 16 < limit ? good_ones : others).push_back(item);
            good(sb::partition((const uint32_t *)x.data, n,
                               [=] __device__(uint32_t item, uint64_t) { return item % 16 < limit; }, to.data,
                               left.data, number.data, on),
                 name, n);
            check_equal(first_of(to, number), good_ones, "kept", n);
            rest = left.get();
            rest.resize(others.size());
            check_equal(rest, others, "others", n);
        }
    end_test(name);
}

static void test_sequences(const char *name)
{
    const sb::context on;
    const uint64_t n = 1000;
    std::vector<int> in(n), expected, difference;
    std::vector<uint32_t> index;

    for (uint64_t i = 0; i < n; i++) {
        in[i] = (int)(random_number() % 1000);
        index.push_back((uint32_t)(i * 7 % n));
    }
    device_array<int> x(in), to(in), from_permuted(in);
    device_array<uint32_t> at(index);
    const int *items = x.data;

    for (uint64_t i = 0; i < n; i++) {
        expected.push_back(3 * in[index[i]] + (int)i + 5 + 2);
        difference.push_back(i == 0 ? in[0] : in[i] - in[i - 1]);
    }
    auto triple = [] __device__(int item) { return 3 * item; };
    auto sum = [] __device__(auto all) { return all.first.first + all.first.second + all.second; };
    auto terms =
        sb::zip(sb::zip(sb::transformed(sb::permuted(items, (const uint32_t *)at.data), triple), sb::counting(5)),
                sb::repeated(2));

    good(sb::adjacent_difference(
             sb::transformed(terms, sum), n, [] __device__(int here, int) { return here; }, to.data, on),
         name, n);
    check_equal(to.get(), expected, "zip, transformed, permuted, counting, repeated", n);
    good(sb::adjacent_difference(
             items, n, [] __device__(int here, int before) { return here - before; }, to.data, on),
         name, n);
    check_equal(to.get(), difference, "differences", n);
    end_test(name);
}

int main(void)
{
    test_runs("runs: unique, lengths, reductions and scans", affine{1, 0});
    test_runs("runs: reductions and scans without an identity", sb::no_identity());
    test_other_keys("lengths of runs of keys of 1, 8 and 16 bytes");
    test_partition("partition: kept items and others, in order");
    test_sequences("sequences that are computed, differences");
    return end_tests();
}
