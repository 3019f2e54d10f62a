// SPDX-License-Identifier: BSD-2-Clause
//
// Load balancing in small tiles: segments of random lengths, many of them empty, and the segment of each item.
#include "check.cuh"
#include <samebits/prim/load_balance.cuh>

enum { WARPS = 2, THREADS = WARPS * sb::WARP_LANES, SIZE = 3 * THREADS };

static __global__ void split_tiles(const uint64_t *start, uint64_t segments, uint64_t items, uint64_t tiles,
                                   uint64_t *split)
{
    if (threadIdx.x < tiles)
        split[threadIdx.x] = sb::segments_before(start, segments, items, threadIdx.x * SIZE);
}

static __global__ void __launch_bounds__(THREADS)
    number(const uint64_t *start, uint64_t segments, uint64_t items, const uint64_t *split, uint64_t *segment)
{
    __shared__ unsigned numbers[SIZE], warp_results[WARPS];
    sb::balanced_tile tile = sb::balance_tile<SIZE>(split, blockIdx.x, segments, items);

    sb::number_segments<THREADS>(tile, start, segments, items, numbers, warp_results);
    for (unsigned i = threadIdx.x; i < tile.items; i += THREADS)
        segment[tile.first_item + i] = tile.first_segment - 1 + numbers[i];
}

static void test(const char *name, unsigned segments, unsigned longest, unsigned empty)
{
    for (unsigned round = 0; round < 20; round++) {
        std::vector<uint64_t> start, expected;

        for (uint64_t s = 0; s < segments; s++) {
            uint64_t length = random_number() % 100 < empty ? 0 : 1 + random_number() % longest;

            start.push_back(expected.size());
            expected.insert(expected.end(), length, s);
        }
        uint64_t tiles = sb::divide_up(expected.size() + segments, SIZE);
        device_array<uint64_t> in(start), split(std::vector<uint64_t>(tiles, 0)),
            out(random_values<uint64_t>(expected.size()));

        split_tiles<<<1, 256>>>(in.data, segments, expected.size(), tiles, split.data);
        number<<<(unsigned)tiles, THREADS>>>(in.data, segments, expected.size(), split.data, out.data);
        check_equal(out.get(), expected, name, expected.size());
    }
    end_test(name);
}

int main(void)
{
    test("short segments", 300, 9, 10);
    test("long segments", 3, 2 * SIZE, 10);
    test("mostly empty segments", 2 * SIZE, 50, 98);
    return end_tests();
}
