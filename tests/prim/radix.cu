// SPDX-License-Identifier: BSD-2-Clause
//
// One pass of a radix sort by one block: every size from 0 to two tiles, keys of 32 and 64 bits, several digits. The
// expected result is a stable counting of the host.
#include "check.cuh"
#include <samebits/prim/block.cuh>
#include <samebits/prim/radix.cuh>

enum {
    WARPS = 2,
    THREADS = WARPS * sb::WARP_LANES,
    EACH = 2,
    TILE = THREADS * EACH,
    BITS = 5, // not all threads have a digit
    DIGITS = 1 << BITS
};

// Where digit d begins in the output stands in start[d].
template <typename Word>
static __global__ void __launch_bounds__(THREADS)
    pass(const Word *key, Word *key_out, uint32_t *index_out, unsigned n, unsigned shift, const uint32_t *start)
{
    __shared__ uint32_t counters[WARPS][DIGITS], offset[DIGITS], placed[DIGITS], sums[WARPS];
    __shared__ Word staged[TILE];
    __shared__ uint32_t staged_index[TILE];
    const unsigned d = threadIdx.x;

    if (d < DIGITS)
        placed[d] = start[d];
    for (unsigned first = 0; first < n; first += TILE) {
        unsigned count = n - first < TILE ? n - first : (unsigned)TILE;
        uint32_t index[EACH];
        Word mine[EACH];

        if (d < DIGITS)
            for (unsigned w = 0; w < WARPS; w++)
                counters[w][d] = 0;
        __syncthreads(); // the counters are 0, and the tile before has been written
        for (unsigned i = 0; i < EACH; i++) {
            unsigned at = (sb::warp_index() * EACH + i) * sb::WARP_LANES + sb::lane_index();

            mine[i] = at < count ? key[first + at] : ~(Word)0; // behind all others of the largest digit
            index[i] = sb::rank_digit(sb::digit_of<BITS>(mine[i], shift), counters[sb::warp_index()]);
            __syncwarp(); // the counters are there for the next row
        }
        __syncthreads(); // every warp has counted
        uint32_t of_digit = d < DIGITS ? sb::count_digit(counters, d) : 0;
        uint32_t in_tile = sb::block_exclusive_sum(of_digit, sums);
        if (d < DIGITS) {
            offset[d] = placed[d] - in_tile;
            placed[d] += of_digit;
            if (sb::start_digit(counters, d, in_tile) != in_tile + of_digit)
                key_out[0] = 0;
        }
        __syncthreads(); // the starts are there
        for (unsigned i = 0; i < EACH; i++) {
            unsigned at = (sb::warp_index() * EACH + i) * sb::WARP_LANES + sb::lane_index();
            unsigned to = index[i] + counters[sb::warp_index()][sb::digit_of<BITS>(mine[i], shift)];

            staged[to] = mine[i];
            staged_index[to] = first + at;
        }
        __syncthreads(); // the tile is staged
        sb::scatter_digits<BITS, THREADS, EACH>(staged, count, shift, offset,
                                                [&](Word moved, unsigned from, unsigned to) {
                                                    key_out[to] = moved;
                                                    index_out[to] = staged_index[from];
                                                });
    }
}

template <typename Word> static void test(const char *name, unsigned different)
{
    for (unsigned n = 0; n <= 2 * TILE; n++) {
        unsigned shift = n % 8 * sizeof(Word) - n % 8 * sizeof(Word) % 3;
        std::vector<Word> key = random_values<Word>(n), expected(n);
        std::vector<uint32_t> start(DIGITS), index(n);

        for (Word &k : key)
            k = (k % different) << shift | (k >> 7 & (((Word)1 << shift) - 1));
        for (Word k : key)
            for (unsigned d = (unsigned)(k >> shift) % DIGITS + 1; d < DIGITS; d++)
                start[d]++;

        std::vector<uint32_t> next = start;
        for (unsigned i = 0; i < n; i++) {
            unsigned to = next[(unsigned)(key[i] >> shift) % DIGITS]++;

            expected[to] = key[i];
            index[to] = i;
        }
        device_array<Word> from(key), to(std::vector<Word>(key.size()));
        device_array<uint32_t> index_to((std::vector<uint32_t>(n))), starts(start);
        pass<<<1, THREADS>>>(from.data, to.data, index_to.data, n, shift, starts.data);
        check_equal(to.get(), expected, name, n);
        check_equal(index_to.get(), index, "stability", n);
    }
    end_test(name);
}

int main(void)
{
    test<uint32_t>("32-bit keys of all digits", DIGITS);
    test<uint32_t>("32-bit keys of two digits", 2);
    test<uint64_t>("64-bit keys of all digits", DIGITS);
    return end_tests();
}
