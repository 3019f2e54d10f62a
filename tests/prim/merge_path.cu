// SPDX-License-Identifier: BSD-2-Clause
//
// The merge path: every diagonal of every pair of short sequences, and serial merges from there.
#include "check.cuh"
#include <samebits/prim/merge_path.cuh>

enum { EACH = 5, MAX_RUN = 9, MAX_RESULTS = 2 * MAX_RUN };

struct above { // descending order
    __device__ bool operator()(uint32_t first, uint32_t second) const
    {
        return second < first;
    }
};

// Thread d: diagonal d, and the EACH results from there, as pairs (key, index); the keys of b follow those of a.
static __global__ void merge(const uint32_t *keys, unsigned a_count, unsigned b_count, unsigned *from_a,
                             uint32_t *results)
{
    const unsigned d = threadIdx.x, count = a_count + b_count;
    uint32_t key[EACH];
    unsigned index[EACH], a = sb::merge_path(keys, a_count, keys + a_count, b_count, d, above());

    from_a[d] = a;
    sb::merge_serially(keys, a, a_count, a_count + d - a, count, above(), key, index);
    for (unsigned i = 0; i < EACH && d + i < count; i++) {
        results[2 * (d * EACH + i)] = key[i];
        results[2 * (d * EACH + i) + 1] = index[i];
    }
}

// Each warp of a block takes every WARPS-th diagonal.
static __global__ void search(const uint32_t *keys, uint64_t a_count, uint64_t b_count, uint64_t *from_a)
{
    for (uint64_t d = sb::warp_index(); d <= a_count + b_count; d += blockDim.x / sb::WARP_LANES) {
        uint64_t a = sb::warp_merge_path(keys, a_count, keys + a_count, b_count, d, above());

        if (sb::lane_index() == 0)
            from_a[d] = a;
    }
}

// Sequences longer than a warp tries at a time.
static void test_warp(const char *name)
{
    for (unsigned a : {0u, 1u, 31u, 32u, 33u, 1100u})
        for (unsigned b : {1u, 40u, 90u}) {
            std::vector<uint32_t> keys(a + b);
            std::vector<uint64_t> from_a;

            for (unsigned i = 0; i < a + b; i++)
                keys[i] = i != 0 && i != a ? keys[i - 1] - (uint32_t)(random_number() % 2) : 2000;
            for (unsigned i = 0, j = a; i < a || j < a + b;) {
                from_a.push_back(i);
                i < a && (j == a + b || keys[i] >= keys[j]) ? i++ : j++;
            }
            from_a.push_back(a);
            device_array<uint32_t> in(keys);
            device_array<uint64_t> split(random_values<uint64_t>(a + b + 1));

            search<<<1, 128>>>(in.data, a, b, split.data);
            check_equal(split.get(), from_a, name, a + b);
        }
    end_test(name);
}

// Computed sequences, of more elements than 32 bits count: both of the odd numbers, ascending.
struct odd_numbers {
    __device__ uint64_t operator[](uint64_t i) const
    {
        return 2 * i + 1;
    }
};

struct below {
    __device__ bool operator()(uint64_t first, uint64_t second) const
    {
        return first < second;
    }
};

// For each pair of counts: from_a[2 i] by a warp, from_a[2 i + 1] by one thread.
static __global__ void search_long(const uint64_t *a_count, const uint64_t *b_count, const uint64_t *diagonal,
                                   unsigned searches, uint64_t *from_a)
{
    const odd_numbers odd;

    for (unsigned i = sb::warp_index(); i < searches; i += blockDim.x / sb::WARP_LANES) {
        uint64_t a = sb::warp_merge_path(odd, a_count[i], odd, b_count[i], diagonal[i], below());

        if (sb::lane_index() == 0) {
            from_a[2 * i] = a;
            from_a[2 * i + 1] = sb::merge_path(odd, a_count[i], odd, b_count[i], diagonal[i], below());
        }
    }
}

// The merge of i odd numbers and i odd numbers takes them in turn, a first, until the shorter one ends.
static void test_long(const char *name)
{
    const uint64_t LONG = ((uint64_t)1 << 33) + 5;
    std::vector<uint64_t> a_count, b_count, diagonal, expected;

    for (uint64_t a : {(uint64_t)7, LONG, LONG + 1000})
        for (uint64_t b : {(uint64_t)9, LONG + 30})
            for (uint64_t d : {(uint64_t)5, a, b, a + b / 2, a + b - 1, a + b}) {
                const uint64_t in_turn = a < b ? a : b;

                if (d > a + b)
                    continue;
                a_count.push_back(a);
                b_count.push_back(b);
                diagonal.push_back(d);
                for (unsigned twice = 0; twice < 2; twice++)
                    expected.push_back(d <= 2 * in_turn ? (d + 1) / 2 : a > b ? d - b : a);
            }
    const unsigned searches = (unsigned)diagonal.size();
    device_array<uint64_t> a_counts(a_count), b_counts(b_count), diagonals(diagonal);
    device_array<uint64_t> from_a(random_values<uint64_t>(2 * searches));

    search_long<<<1, 128>>>(a_counts.data, b_counts.data, diagonals.data, searches, from_a.data);
    check_equal(from_a.get(), expected, name, searches);
    end_test(name);
}

static void test(const char *name)
{
    for (unsigned a = 0; a <= MAX_RUN; a++)
        for (unsigned b = a == 0; b <= MAX_RUN; b++) {
            std::vector<uint32_t> keys(a + b), order, got((a + b + 1) * EACH * 2), expected(got);
            std::vector<unsigned> from_a;

            for (unsigned i = 0; i < a + b; i++) // few kinds, descending
                keys[i] = i != 0 && i != a ? keys[i - 1] - (uint32_t)(random_number() % 2) : 100;
            for (unsigned i = 0, j = a; i < a || j < a + b;) {
                from_a.push_back(i);
                order.push_back(i < a && (j == a + b || keys[i] >= keys[j]) ? i++ : j++);
            }
            from_a.push_back(a);
            for (unsigned d = 0; d <= a + b; d++)
                for (unsigned i = 0; i < EACH && d + i < a + b; i++) {
                    expected[2 * (d * EACH + i)] = keys[order[d + i]];
                    expected[2 * (d * EACH + i) + 1] = order[d + i];
                }
            device_array<uint32_t> in(keys), out(got);
            device_array<unsigned> split(std::vector<unsigned>(a + b + 1));

            merge<<<1, a + b + 1>>>(in.data, a, b, split.data, out.data);
            check_equal(split.get(), from_a, "diagonal", a + b);
            check_equal(out.get(), expected, name, a + b);
        }
    end_test(name);
}

int main(void)
{
    test_warp("the diagonals of longer ones, by a warp");
    test_long("computed sequences of more than 2^33 elements");
    test("merges of short runs, from every diagonal: keys and where they were");
    return end_tests();
}
