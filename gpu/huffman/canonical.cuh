// SPDX-License-Identifier: BSD-2-Clause
//
// Canonical codes from their lengths, by one block of a thread a symbol.
#ifndef GPU_HUFFMAN_CANONICAL_CUH
#define GPU_HUFFMAN_CANONICAL_CUH

#include <stdint.h>

enum {
    ALPHABET = 256,
    LONGEST = 45 // ref/huffman.h derives it
};

namespace
{

// Of each length: its first code, how many codes there are, and how many are shorter.
struct canonical {
    uint64_t first[LONGEST + 1];
    uint32_t count[LONGEST + 1];
    uint32_t shorter[LONGEST + 1];
    uint32_t longest; // length there is
};

} // namespace

// The place of this thread's symbol in the order of codes; `length` is at most LONGEST, and 0 has no place. *codes is
// complete when the threads return. Its code is then first + place - shorter, of its length.
static inline __device__ unsigned order_codes(unsigned length, canonical *codes)
{
    __shared__ uint8_t lengths[ALPHABET];
    unsigned me = threadIdx.x, place = 0;

    lengths[me] = (uint8_t)length;
    if (me <= LONGEST)
        codes->count[me] = 0;
    __syncthreads(); // the lengths are there, and the counts 0
    atomicAdd(&codes->count[length], 1u);
    for (unsigned s = 0; s < ALPHABET; s++)
        place += lengths[s] != 0 && (lengths[s] < length || (lengths[s] == length && s < me));
    __syncthreads(); // the counts are complete
    if (me == 0) {
        uint64_t code = 0;
        unsigned used = 0, longest = 0;

        for (unsigned l = 1; l <= LONGEST; l++) {
            unsigned count = codes->count[l];

            code <<= 1;
            codes->first[l] = code;
            codes->shorter[l] = used;
            code += count;
            used += count;
            longest = count != 0 ? l : longest;
        }
        codes->longest = longest;
    }
    __syncthreads(); // first codes are there
    return place;
}

#endif
