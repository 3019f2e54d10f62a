// SPDX-License-Identifier: BSD-2-Clause
//
// Sorting by a block, of one warp and of several: random words, words of which many are equal, and all positions of the
// smallest word. The expected result is that of the host's sort.
#include "check.cuh"
#include <algorithm>
#include <samebits/prim/sort.cuh>

template <unsigned THREADS, unsigned EACH, typename Word>
static __global__ void __launch_bounds__(THREADS) sort(Word *words)
{
    __shared__ Word exchange[THREADS * EACH];
    Word mine[EACH];

    for (unsigned i = 0; i < EACH; i++)
        mine[i] = words[threadIdx.x * EACH + i];
    sb::block_sort<THREADS>(mine, exchange);
    for (unsigned i = 0; i < EACH; i++)
        words[threadIdx.x * EACH + i] = mine[i];
}

// By a warp, if THREADS is 0.
template <unsigned EACH, typename Word> static __global__ void __launch_bounds__(32) sort_by_warp(Word *words)
{
    Word mine[EACH];

    for (unsigned i = 0; i < EACH; i++)
        mine[i] = words[threadIdx.x * EACH + i];
    sb::warp_sort(mine);
    for (unsigned i = 0; i < EACH; i++)
        words[threadIdx.x * EACH + i] = mine[i];
}

template <unsigned THREADS, unsigned EACH, typename Word>
static void sort_and_check(std::vector<Word> word, const char *name, unsigned round)
{
    device_array<Word> array(word);

    if constexpr (THREADS == 0)
        sort_by_warp<EACH><<<1, 32>>>(array.data);
    else
        sort<THREADS, EACH><<<1, THREADS>>>(array.data);
    std::sort(word.begin(), word.end());
    check_equal(array.get(), word, name, round);
}

template <unsigned THREADS, unsigned EACH, typename Word> static void test(const char *name)
{
    constexpr unsigned ALL = (THREADS == 0 ? 32 : THREADS) * EACH;

    for (unsigned round = 0; round < 8; round++) {
        std::vector<Word> word = random_values<Word>(ALL);

        for (Word &w : word)
            w = round % 4 == 0 ? w : round % 4 == 3 ? ~(Word)0 : (Word)(w % (1 + 3 * round)); // few distinct ones
        sort_and_check<THREADS, EACH>(word, name, round);
    }
    for (unsigned at = 0; at < ALL; at += 1 + at / 3) {
        std::vector<Word> word(ALL, 7);

        word[at] = 0;
        word[ALL - 1 - at] = 9;
        sort_and_check<THREADS, EACH>(word, name, at);
    }
    end_test(name);
}

int main(void)
{
    test<32, 1, uint32_t>("one warp, one word for each thread");
    test<128, 4, uint32_t>("four warps, 32-bit words");
    test<64, 2, uint64_t>("two warps, 64-bit words");
    test<0, 2, uint32_t>("a warp, in registers, two words for each lane");
    test<0, 8, uint64_t>("a warp, in registers, 64-bit words");
    return end_tests();
}
