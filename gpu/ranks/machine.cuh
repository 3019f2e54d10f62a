// SPDX-License-Identifier: BSD-2-Clause
//
// The decisions of ref/ranks.h as a machine, so that the threads of a warp, a segment each, do the same at every bit: a
// state for each decision, that knows all that is known by then of the symbol and of the one before, and a step for
// either bit. Estimates stand in shared memory, a column for each thread, which is a bank of its own.
#ifndef GPU_RANKS_MACHINE_CUH
#define GPU_RANKS_MACHINE_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdint.h>

namespace
{

enum { LANES = 32 }; // threads of a block, at most: a warp

// Warps that run side by side on a large GPU.
static const uint64_t BUSY = 512;

enum {
    KNOWN = 4,   // bit lengths in contexts: 0, 1, 2, 3 or more
    LONGEST = 9, // bit length of a symbol
    // nodes, which have estimates
    RANK_NODE = 0,                    // + 4 a + b, with a, b the bit lengths of the two symbols before
    DIGIT_NODE = RANK_NODE + 16,      // + 4 a + b
    LONGER_2_NODE = DIGIT_NODE + 16,  // + 4 a + b
    LONGER_NODE = LONGER_2_NODE + 16, // + 6 a + k - 3
    FIRST_NODE = LONGER_NODE + 24,    // + l - 2
    SECOND_NODE = FIRST_NODE + 7,     // + 2 (l - 3) + first
    NODES = SECOND_NODE + 12,
    // states are nodes, and, where a node does not know it, a
    FIRST_STATE = FIRST_NODE,           // + 7 a + l - 2
    SECOND_STATE = FIRST_STATE + 4 * 7, // + 12 a + 2 (l - 3) + first
    STATES = SECOND_STATE + 4 * 12
};

// What a bit leads to, from the least significant bit: 8 bits the state; 7 its node; 8 the rank, 0 while none is known;
// 2 how many ranks are known now, at the place of the digit; 1: this was a digit; 1: no digit can follow; 3: how many
// bits, all alike, are still to be added to the rank.
enum { NODE_AT = 8, RANK_AT = 15, RANKS_AT = 23, DIGIT_AT = 25, NO_DIGIT_AT = 26, ALIKE_AT = 27 };

__device__ unsigned field(unsigned step, unsigned at, unsigned bits)
{
    return step >> at & ((1u << bits) - 1);
}

__device__ unsigned to_state(unsigned state)
{
    unsigned node = state;

    if (state >= SECOND_STATE)
        node = SECOND_NODE + (state - SECOND_STATE) % 12;
    else if (state >= FIRST_STATE)
        node = FIRST_NODE + (state - FIRST_STATE) % 7;
    return state | node << NODE_AT;
}

// To the first decision of the next symbol.
__device__ unsigned past_symbol(unsigned length, unsigned before, unsigned ranks)
{
    return to_state(4 * (length < KNOWN ? length : KNOWN - 1) + before) | ranks << RANKS_AT;
}

__device__ unsigned past_rank(unsigned length, unsigned before, unsigned symbol, unsigned alike)
{
    return past_symbol(length, before, 1) | (symbol - 1) << RANK_AT | alike << ALIKE_AT;
}

__device__ unsigned past_length(unsigned length, unsigned before)
{
    return length == LONGEST ? past_rank(length, before, 256, 0) : to_state(FIRST_STATE + 7 * before + length - 2);
}

__device__ unsigned step_of(unsigned state, unsigned bit)
{
    unsigned a = state / 4 % 4;

    if (state < DIGIT_NODE)
        return bit ? to_state(state + LONGER_2_NODE) | 1u << NO_DIGIT_AT : to_state(state + DIGIT_NODE);
    if (state < LONGER_2_NODE)
        return past_symbol(bit, a, 1 + bit) | 1u << DIGIT_AT;
    if (state < LONGER_NODE)
        return bit ? to_state(LONGER_NODE + 6 * a) : past_length(2, a);
    if (state < FIRST_STATE) {
        unsigned k = 3 + (state - LONGER_NODE) % 6;

        a = (state - LONGER_NODE) / 6;
        if (!bit)
            return past_length(k, a);
        return k + 1 < LONGEST ? to_state(state + 1) : past_length(LONGEST, a);
    }
    if (state < SECOND_STATE) {
        unsigned length = 2 + (state - FIRST_STATE) % 7;

        a = (state - FIRST_STATE) / 7;
        return length == 2 ? past_rank(2, a, 2 + bit, 0) : to_state(SECOND_STATE + 12 * a + 2 * (length - 3) + bit);
    }
    unsigned rest = (state - SECOND_STATE) % 12 / 2, first = (state - SECOND_STATE) % 2;

    return past_rank(3 + rest, (state - SECOND_STATE) / 12, (4 + 2 * first + bit) << rest, rest);
}

// Shared memory of a block.
struct machine {
    unsigned steps[STATES][2];
    unsigned estimates[NODES][LANES]; // the fast one in the lower half, the slow one in the upper
};

// For the whole block; the caller's barrier is behind it.
__device__ void make_steps(machine *m)
{
    for (unsigned i = threadIdx.x; i < STATES * 2; i += blockDim.x)
        m->steps[i / 2][i % 2] = step_of(i / 2, i % 2);
}

// The machine as one thread runs it.
struct walker {
    machine *m;
    unsigned step; // the last one

    __device__ walker(machine *shared) : m(shared), step(to_state(0))
    {
        for (unsigned i = 0; i < NODES; i++)
            m->estimates[i][threadIdx.x] = 0x80008000;
    }
    __device__ unsigned *estimate(void)
    {
        return &m->estimates[field(step, NODE_AT, 7)][threadIdx.x];
    }
    __device__ unsigned probability(void)
    {
        unsigned e = *estimate();

        return ((e & 0xffff) + (e >> 16)) / 2;
    }
    __device__ void take(unsigned bit)
    {
        unsigned *place = estimate(), e = *place, fast = e & 0xffff, slow = e >> 16;
        unsigned after_1 = e + ((65536 - fast) >> 4) + ((65536 - slow) >> 7 << 16);
        unsigned after_0 = e - (fast >> 4) - (slow >> 7 << 16);

        *place = bit ? after_1 : after_0;
        step = m->steps[field(step, 0, 8)][bit];
    }
    __device__ unsigned alike(void) const
    {
        return step >> ALIKE_AT;
    }
};

// Threads of a block. They wait for each other where their ways part, so only many segments make full warps.
inline unsigned threads_for(uint64_t segments)
{
    const uint64_t each = segments / BUSY;

    return each < 2 ? 2 : each < LANES ? (unsigned)each : (unsigned)LANES;
}

inline unsigned blocks_for(uint64_t segments)
{
    return (unsigned)((segments - 1) / threads_for(segments) + 1);
}

__host__ __device__ uint64_t segment_end(uint64_t begin, uint64_t segment, uint64_t n)
{
    return segment == 0 || segment > n - begin ? n : begin + segment;
}

} // namespace

#endif
