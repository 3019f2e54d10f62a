/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The binary decisions of ref/rangecoder.h as a finite automaton. A state is one decision together with everything that
 * is known by then about the symbol and the one before it. Each bit selects a step to the next state. So neither the
 * encoder nor the decoder branches on bits.
 *
 * Source: the coder is that of ref/rangecoder.h (Martin 1979).
 */
#ifndef CPU_RANGECODER_AUTOMATON_H
#define CPU_RANGECODER_AUTOMATON_H

#include <stdint.h>

enum {
    SB_LENGTHS = 4,    /* bit lengths that contexts tell apart: 0, 1, 2, 3 or more */
    SB_MAX_LENGTH = 9, /* bit length of a symbol */
    /* Indices of estimates; a, b: bit lengths of the preceding symbol and of the one before it. */
    SB_LONGER_1 = 0, /* + 4 a + b */
    SB_DIGIT = SB_LONGER_1 + 16,
    SB_LONGER_2 = SB_DIGIT + 16,
    SB_LONGER = SB_LONGER_2 + 16, /* + 6 a + k - 3: longer than k bits? */
    SB_FIRST = SB_LONGER + 24,    /* + l - 2: first bit below the top one of l bits */
    SB_SECOND = SB_FIRST + 7,     /* + 2 (l - 3) + first: the second bit */
    SB_NODES = SB_SECOND + 12
};

enum { SB_STATES = 3 * 16 + 24 + 4 * 7 + 4 * 12 };

/* The effect of a bit. */
typedef struct sb_step {
    uint16_t state;
    uint8_t node;     /* the estimate of that state */
    uint8_t rank;     /* the decoded rank, without its raw bits; 0: not known yet */
    uint8_t ranks;    /* ranks decoded, in units of 2^digit index: a digit has 1 or 2, a rank 1; 0: none yet */
    uint8_t digit;    /* 1: the digit index grows by 1 */
    uint8_t keep;     /* mask of the digit index: all ones, or 0 if the next digit is the first of a run */
    uint8_t raw_bits; /* equiprobable bits of the rank that follow */
} sb_step;

typedef struct sb_automaton {
    sb_step steps[SB_STATES][2];
} sb_automaton;

/* State 0 is the initial one: the first decision of a symbol, both preceding bit lengths 0. */
void sb_automaton_make(sb_automaton *automaton);

/* The two estimates of a decision: the fast one in the lower 16 bits, the slow one in the upper. */
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

/* Updates both estimates. `mask` is all ones after a 1, else 0; with `bit ? :` compilers make a branch, which would be
 * unpredictable. After a 1, e + ((65536 - e) >> s) equals e + (65536 >> s) - 1 - ((e - 1) >> s), because e > 0. The
 * addition may carry from the lower half into the upper one; the subtraction borrows it back. */
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
