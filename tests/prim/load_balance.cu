// SPDX-License-Identifier: BSD-2-Clause
//
// Load balancing in small tiles: segments of random lengths, many of them empty; the segment of each item and its begin.
#include "check.cuh"
#include <samebits/prim/load_balance.cuh>

enum { WARPS = 2, THREADS = WARPS * sb::WARP_LANES, SIZE = 3 * THREADS };

static __global__ void split_tiles(const uint64_t *start, uint64_t segments, uint64_t items, uint64_t tiles,
                                   uint64_t *split)
{
    for (uint64_t tile = sb::warp_index(); tile < tiles; tile += blockDim.x / sb::WARP_LANES) {
        uint64_t before = sb::segments_before(start, segments, items, tile * SIZE);

        if (sb::lane_index() == 0)
            split[tile] = before;
    }
}

static __global__ void __launch_bounds__(THREADS)
    number(const uint64_t *start, uint64_t segments, uint64_t items, const uint64_t *split, uint64_t *segment,
           uint64_t *begin, unsigned *met)
{
    __shared__ unsigned word[SIZE], warp_results[WARPS];
    sb::balanced_tile tile = sb::balance_tile<SIZE>(split, blockIdx.x, segments, items);

    sb::number_segments<THREADS>(tile, start, segments, items, word, warp_results, [&](unsigned slot, uint64_t s) {
        if (slot != 0)
            met[s]++;
    });
    sb::for_rows<THREADS>(tile.items, [&](unsigned i) {
        segment[tile.first_item + i] = tile.first_segment - 1 + sb::number_of(word[i]);
        if (sb::number_of(word[i]) != 0)
            begin[tile.first_item + i] = tile.first_item + sb::begin_of(word[i]);
    });
}

static void test(const char *name, unsigned segments, unsigned longest, unsigned empty)
{
    for (unsigned round = 0; round < 20; round++) {
        std::vector<uint64_t> start, expected, begins;

        for (uint64_t s = 0; s < segments; s++) {
            uint64_t length = random_number() % 100 < empty ? 0 : 1 + random_number() % longest;

            start.push_back(expected.size());
            begins.insert(begins.end(), length, expected.size());
            expected.insert(expected.end(), length, s);
        }
        uint64_t tiles = sb::divide_up(expected.size() + segments, SIZE);
        device_array<uint64_t> in(start), split(std::vector<uint64_t>(tiles, 0)),
            out(random_values<uint64_t>(expected.size())), begin(begins);
        device_array<unsigned> met(std::vector<unsigned>(segments, 0));

        split_tiles<<<1, 256>>>(in.data, segments, expected.size(), tiles, split.data);
        number<<<(unsigned)tiles, THREADS>>>(in.data, segments, expected.size(), split.data, out.data, begin.data,
                                             met.data);
        check_equal(out.get(), expected, name, expected.size());
        check_equal(begin.get(), begins, "begin", expected.size());
        check_equal(met.get(), std::vector<unsigned>(segments, 1), "each segment once", expected.size());
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
