/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The binary decisions of ref/rangecoder.h as a finite automaton. A state holds the next decision and what is known of
 * the current symbol and of the bit lengths of the preceding ones. The bit of the decision selects one of two steps to
 * the next state. So neither the encoder nor the decoder branches on a bit.
 *
 * Source: the coder and its decisions are those of ref/rangecoder.h (Martin 1979).
 */
#ifndef CPU_RANGECODER_AUTOMATON_H
#define CPU_RANGECODER_AUTOMATON_H

#include <stdint.h>

enum {
    SB_LENGTHS = 4,    /* bit lengths that contexts distinguish: 0, 1, 2, 3 or more */
    SB_MAX_LENGTH = 9, /* max bit length of a symbol: 256 has 9 bits */
    /* Index of the first estimate of each decision, and what is added to it. l: bit length of the symbol; a and b: bit
     * lengths of the preceding symbol and of the one before it, at most 3. */
    SB_LONGER_1 = 0,              /* is l > 1? + 4 a + b */
    SB_DIGIT = SB_LONGER_1 + 16,  /* the symbol, 0 or 1, if l <= 1: + 4 a + b */
    SB_LONGER_2 = SB_DIGIT + 16,  /* is l > 2? + 4 a + b */
    SB_LONGER = SB_LONGER_2 + 16, /* is l > k, for k = 3..8? + 6 a + k - 3 */
    SB_FIRST = SB_LONGER + 24,    /* the first bit below the top bit: + l - 2 */
    SB_SECOND = SB_FIRST + 7,     /* the second bit below the top bit: + 2 (l - 3) + the first */
    SB_NODES = SB_SECOND + 12
};

/* An estimate has one state. Those of SB_FIRST and SB_SECOND have four, one for each a, because a is the next b. */
enum { SB_STATES = 3 * 16 + 24 + 4 * 7 + 4 * 12 };

/* What follows from the bit of a decision. The digit index is that of the next digit in its run of zeros (ref/zrun.h).
 * */
typedef struct sb_step {
    uint16_t state;   /* the next state */
    uint8_t node;     /* index of the estimate of that state */
    uint8_t rank;     /* the decoded rank without its raw bits; 0 unless the step ends a rank other than 0 */
    uint8_t ranks;    /* decoded ranks: 1 for a rank; for a digit 1 or 2, to be shifted left by its index */
    uint8_t digit;    /* 1: the step ends a digit, so the digit index grows by 1 */
    uint8_t keep;     /* mask for the digit index: 255, or 0 if the symbol is not a digit, which ends the run */
    uint8_t raw_bits; /* number of equiprobable bits that follow; they are added to the rank */
} sb_step;

typedef struct sb_automaton {
    sb_step steps[SB_STATES][2];
} sb_automaton;

/* State 0 is the initial state: the first decision of a symbol, where both preceding bit lengths are 0. */
void sb_automaton_make(sb_automaton *automaton);

/* The two estimates of a decision: the fast one in the lower 16 bits, the slow one in the upper. */
typedef uint32_t sb_estimate;
typedef sb_estimate sb_estimates[SB_NODES];

/* Sets each estimate to 32768. */
static inline void sb_estimates_start(sb_estimates estimates)
{
    for (int i = 0; i < SB_NODES; i++)
        estimates[i] = 0x80008000;
}

/* The probability of a 1, in units of 2^-16. */
static inline uint64_t sb_probability(sb_estimate estimate)
{
    return ((estimate & 0xffff) + (estimate >> 16)) / 2;
}

/* Updates both estimates. `mask` is all ones after a 1, and 0 after a 0: compilers turn `bit ? :` into a branch, and
 * it would be unpredictable. After a 1, the new estimate e + ((65536 - e) >> s) equals e + (65536 >> s) - 1 - ((e - 1)
 * >> s), because e > 0. With s = 4 and 7, (65536 >> s) - 1 is 4095 and 511. The addition may carry from the lower half
 * into the upper half. Then the subtraction borrows the same 1 from it. */
static inline sb_estimate sb_adapt(sb_estimate estimate, uint64_t mask)
{
    sb_estimate less = estimate - ((sb_estimate)mask & (1 << 16 | 1));

    estimate += (sb_estimate)mask & (511 << 16 | 4095);
    return estimate - (less >> 4 & 0xfff) - (less >> 7 & 0x1ff << 16);
}

#endif
