// SPDX-License-Identifier: BSD-2-Clause
//
// Canonical codes from their lengths (E. S. Schwartz and B. Kallick, "Generating a canonical prefix encoding", 1964),
// by one block with one thread for each symbol.
//
// Codes are in order of length, and of symbol where lengths are equal; so a code is the first code of its length plus
// the number of symbols before it with this length. Each thread counts the codes before its own: 256 reads of shared
// memory, all threads reading the same address at a time.
#ifndef GPU_HUFFMAN_CANONICAL_CUH
#define GPU_HUFFMAN_CANONICAL_CUH

#include <stdint.h>

enum {
    ALPHABET = 256,
    LONGEST = 45 // bits of the longest code: ref/huffman.h derives it
};

namespace
{

// For each length: its first code, the number of codes of the length, and the number of shorter codes.
struct canonical {
    uint64_t first[LONGEST + 1];
    uint32_t count[LONGEST + 1];
    uint32_t shorter[LONGEST + 1];
    uint32_t longest; // length of any code
};

} // namespace

// The index of this thread's symbol in the order of codes; `length` is at most LONGEST, and a symbol of length 0 has
// none. *codes is complete when the threads return; the symbol's code is then first + index - shorter, each of its
// length. All threads of the block call.
static inline __device__ unsigned order_codes(unsigned length, canonical *codes)
{
    __shared__ uint8_t lengths[ALPHABET];
    unsigned me = threadIdx.x, index = 0;

    lengths[me] = (uint8_t)length;
    if (me <= LONGEST)
        codes->count[me] = 0;
    __syncthreads(); // the lengths are written, and the counts are 0
    atomicAdd(&codes->count[length], 1u);
    for (unsigned s = 0; s < ALPHABET; s++)
        index += lengths[s] != 0 && (lengths[s] < length || (lengths[s] == length && s < me));
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
    __syncthreads(); // first codes are known
    return index;
}

#endif
