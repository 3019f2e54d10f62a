// SPDX-License-Identifier: BSD-2-Clause
//
// Counts past 2^32: sorts of 2^32 + 12345 keys that the device makes itself, certified on the device.
//
//   keys alone      Each key is not above the next one, and a 64-bit sum of hashes is what it was: no key is lost or doubled.
//   with indices    Key i is that of its index, and pairs of key and index ascend strictly. So no index comes twice, and the
//                   sort is a permutation and stable.
//   segments        As keys alone, in each segment; the hash is of the key and its segment.
//
// For a GPU with 120 GiB of free memory: a machine with less skips.
#include "large.cuh"
#include <samebits/pattern/mergesort.cuh>
#include <samebits/pattern/radix_sort.cuh>
#include <samebits/pattern/reduce.cuh>
#include <samebits/pattern/segmented_sort.cuh>

// 16 keys are equal each, a stretch of 2^28 apart.
__host__ __device__ static inline uint32_t key_at(uint64_t i)
{
    return (uint32_t)i * 0x9e3779b1u >> 4;
}

// D. Stafford's mix 13 of 64 bits, a bijection.
__host__ __device__ static inline uint64_t hash(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// Half of the keys are in segments of 1000, the others in one.
static const uint64_t SHORT = 1000, SEGMENTS = N / 2 / SHORT + 1;

__host__ __device__ static inline uint64_t segment_of(uint64_t i, uint64_t segments)
{
    return i / SHORT < segments ? i / SHORT : segments - 1;
}

template <typename Key> static uint64_t sum_hashes(Key key, uint64_t segments, const char *name)
{
    memory<uint64_t> sum(1);

    good(sb::transform_reduce([=] __device__(uint64_t i) { return hash(segment_of(i, segments) << 32 | key(i)); }, N,
                              sb::add(), (uint64_t)0, sum.data, sb::context()),
         name);
    return sum.get(0);
}

// segments: 1, or SEGMENTS.
static void test_keys(const char *name, uint64_t segments, cudaError_t sort(uint32_t *key))
{
    memory<uint32_t> keys(N);
    uint32_t *key = keys.data;
    const uint64_t before = sum_hashes([] __device__(uint64_t i) { return key_at(i); }, segments, name);

    good(sb::transform([=] __device__(uint64_t i) { key[i] = key_at(i); }, N, sb::context()), name);
    good(sort(key), name);
    certify(name, N - 1, [=] __device__(uint64_t i) {
        return segment_of(i, segments) == segment_of(i + 1, segments) && key[i] > key[i + 1];
    });
    const uint64_t after = sum_hashes([=] __device__(uint64_t i) { return key[i]; }, segments, name);

    check(before == after, "keys are what they were", N, after);
    end_test(name);
}

static void test_indices(const char *name, cudaError_t sort(uint32_t *key, uint64_t *index))
{
    memory<uint32_t> keys(N);
    memory<uint64_t> indices(N);
    uint32_t *key = keys.data;
    uint64_t *index = indices.data;

    good(sb::transform([=] __device__(uint64_t i) { key[i] = key_at(i); }, N, sb::context()), name);
    good(sort(key, index), name);
    certify(name, N, [=] __device__(uint64_t i) {
        return index[i] >= N || key[i] != key_at(index[i]) ||
               (i + 1 < N && (key[i] > key[i + 1] || (key[i] == key[i + 1] && index[i] >= index[i + 1])));
    });
    end_test(name);
}

static cudaError_t merge_keys(uint32_t *key)
{
    return sb::mergesort(key, N, sb::less(), sb::context());
}

static cudaError_t radix_keys(uint32_t *key)
{
    return sb::radix_sort((const uint32_t *)key, N, key, sb::context());
}

static cudaError_t segment_keys(uint32_t *key)
{
    return sb::segmented_sort((const uint32_t *)key, sb::no_values(), N,
                              sb::sequence([] __device__(uint64_t s) { return s * SHORT; }), SEGMENTS, key,
                              (sb::no_values *)nullptr, sb::less(), sb::context());
}

static cudaError_t merge_indices(uint32_t *key, uint64_t *index)
{
    return sb::mergesort_indices(key, index, N, sb::less(), sb::context());
}

static cudaError_t radix_indices(uint32_t *key, uint64_t *index)
{
    return sb::radix_sort((const uint32_t *)key, sb::numbers(), N, key, index, sb::context());
}

int main(void)
{
    if (!has_memory(N >> 32 == 0 ? 0 : 120)) {
        printf("1..0 # SKIP less than 120 GiB of device memory\n");
        return 0;
    }
    test_keys("mergesort of 2^32 + 12345 keys", 1, merge_keys);
    test_keys("radix_sort of 2^32 + 12345 keys", 1, radix_keys);
    test_keys("segmented_sort of 2^32 + 12345 keys, half of them in one segment", SEGMENTS, segment_keys);
    test_indices("mergesort of 2^32 + 12345 keys with indices of 64 bits", merge_indices);
    test_indices("radix_sort of 2^32 + 12345 keys with indices of 64 bits", radix_indices);
    return end_tests();
}
