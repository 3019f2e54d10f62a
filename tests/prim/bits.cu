// SPDX-License-Identifier: BSD-2-Clause
//
// Positions and masks of bits, for every width and position, against plain loops.
#include "check.cuh"
#include <samebits/prim/bits.cuh>

enum { RESULTS = 4 };

static __global__ void look(const unsigned *word, unsigned *out)
{
    out[RESULTS * threadIdx.x] = sb::low_bits(threadIdx.x % 33);
    out[RESULTS * threadIdx.x + 1] = word[threadIdx.x] == 0 ? 0 : sb::lowest_bit(word[threadIdx.x]);
    out[RESULTS * threadIdx.x + 2] = word[threadIdx.x] == 0 ? 0 : sb::highest_bit(word[threadIdx.x]);
    out[RESULTS * threadIdx.x + 3] = sb::bit_length(word[threadIdx.x]);
}

int main(void)
{
    std::vector<unsigned> word, expected;

    for (unsigned first = 0; first < 32; first++) // all words of two bits, and 0
        for (unsigned last = first; last < 32; last++)
            word.push_back(1u << first | 1u << last);
    word.push_back(0);
    for (unsigned i = 0; i < word.size(); i++) {
        unsigned low = 0, lowest = 0, highest = 0, length = 0;

        for (unsigned bit = 0; bit < i % 33; bit++)
            low |= 1u << bit;
        for (unsigned bit = 0; bit < 32; bit++)
            if (word[i] >> bit & 1) {
                lowest = length == 0 ? bit : lowest;
                highest = bit;
                length = bit + 1;
            }
        expected.insert(expected.end(), {low, lowest, highest, length});
    }
    device_array<unsigned> from(word), to(std::vector<unsigned>(RESULTS * word.size()));
    look<<<1, (unsigned)word.size()>>>(from.data, to.data);
    check_equal(to.get(), expected, "bits", word.size());
    end_test("masks, lowest and highest bits, lengths");
    return end_tests();
}
