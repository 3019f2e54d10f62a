/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The decisions of ref/rangecoder.h as a machine: a state for each, that knows all that is known by then of the symbol
 * and of the one before, and a step for either bit. So neither coder branches on bits.
 */
#ifndef CPU_RANGECODER_AUTOMATON_H
#define CPU_RANGECODER_AUTOMATON_H

#include <stdint.h>

enum {
    SB_KNOWN = 4,   /* bit lengths in contexts: 0, 1, 2, 3 or more */
    SB_LONGEST = 9, /* bit length of a symbol */
    SB_RANK = 0,    /* + 4 a + b, with a, b the bit lengths of the two symbols before */
    SB_DIGIT = SB_RANK + 16,
    SB_LONGER_2 = SB_DIGIT + 16,
    SB_LONGER = SB_LONGER_2 + 16, /* + 6 a + k - 3: than k bits */
    SB_FIRST = SB_LONGER + 24,    /* + l - 2 */
    SB_SECOND = SB_FIRST + 7,     /* + 2 (l - 3) + first */
    SB_NODES = SB_SECOND + 12
};

enum { SB_STATES = 3 * 16 + 24 + 4 * 7 + 4 * 12 };

/* What a bit leads to. */
typedef struct sb_step {
    uint16_t state;
    uint8_t node;  /* of that state */
    uint8_t rank;  /* 0: none is known yet */
    uint8_t ranks; /* how many, at the place of the digit: 1 or 2; for a rank 1; 0 while nothing is known */
    uint8_t digit; /* 1: the place of the next digit is one up */
    uint8_t keep;  /* all ones, or 0: the next digit is the first of a run */
    uint8_t alike; /* bits of the rank that are still to come, all alike */
} sb_step;

typedef struct sb_machine {
    sb_step steps[SB_STATES][2];
} sb_machine;

/* State 0 is the first: of a symbol whose two before have bit length 0. */
void sb_machine_make(sb_machine *machine);

/* The two estimates of a node: the fast one in the lower half, the slow one in the upper. */
typedef uint32_t sb_estimate;
typedef sb_estimate sb_estimates[SB_NODES];

static inline void sb_estimates_start(sb_estimates estimates)
{
    for (int i = 0; i < SB_NODES; i++)
        estimates[i] = 0x80008000;
}

static inline uint64_t sb_probability(sb_estimate estimate)
{
    return ((estimate & 0xffff) + (estimate >> 16)) / 2;
}

/* The mask is all ones for a 1, else 0: compilers make branches, which nobody could predict, of `bit ? :`. After a 1,
 * e + (65536 - e >> s) is e + (65536 >> s) - 1 - (e - 1 >> s), as e is not 0. What is added may carry into the other
 * half, and comes back from there when the rest is taken away. */
static inline sb_estimate sb_adapt(sb_estimate estimate, uint64_t mask)
{
    sb_estimate less = estimate - ((sb_estimate)mask & (1 << 16 | 1));

    estimate += (sb_estimate)mask & (511 << 16 | 4095);
    return estimate - (less >> 4 & 0xfff) - (less >> 7 & 0x1ff << 16);
}

static inline uint64_t sb_segment_end(uint64_t begin, uint64_t segment, uint64_t n)
{
    return segment == 0 || segment > n - begin ? n : begin + segment;
}

#endif
