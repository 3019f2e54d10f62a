/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sobol's sequences in the order of Antonov and Saleev ("An economic method of computing LP-tau sequences", 1979), a part of
 * curand_kernel.h: number n is the exclusive or of the direction vectors that the Gray code of n names, and for the scrambled
 * generators of a constant, too. The program passes the vectors: those of the library curand are not here.
 */
#ifndef SIMT_CURAND_SOBOL_H
#define SIMT_CURAND_SOBOL_H

#include "cuda_runtime.h"

#include <math.h>

/* Names, order and sizes of the members are those of the toolkit. */
struct curandStateSobol32 {
    unsigned i, x, c;
    unsigned direction_vectors[32];
};

struct curandStateScrambledSobol32 {
    unsigned i, x, c;
    unsigned direction_vectors[32];
};

struct curandStateSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};

struct curandStateScrambledSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};

typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

namespace simt
{
namespace random
{

template <typename State> SIMT_INLINE void sobol_skip(State *state, decltype(State::i) count)
{
    state->i += count;
    state->x = state->c;
    for (unsigned bit = 0; bit < 8 * sizeof state->i; bit++)
        if ((state->i ^ state->i >> 1) >> bit & 1)
            state->x ^= state->direction_vectors[bit];
}

template <typename State, typename Word>
SIMT_INLINE void sobol_init(State *state, const Word *vectors, Word constant, Word offset)
{
    for (unsigned bit = 0; bit < 8 * sizeof(Word); bit++)
        state->direction_vectors[bit] = vectors[bit];
    state->i = 0;
    state->c = constant;
    sobol_skip(state, offset);
}

/* The Gray codes of i and i + 1 differ in the place of the lowest 0 of i, or, where there is none, in the highest. */
template <typename State> SIMT_INLINE decltype(State::i) sobol_next(State *state)
{
    const decltype(State::i) word = state->x;
    const int zero = sizeof word == 8 ? __builtin_ffsll((long long)~state->i) : __builtin_ffs((int)~state->i);

    state->x ^= state->direction_vectors[zero ? zero - 1 : 8 * (int)sizeof word - 1];
    state->i++;
    return word;
}

/* Normal numbers by the inverse of their distribution, of the half that is nearer, where numbers are denser. */
SIMT_INLINE float sobol_normal(unsigned word)
{
    const bool upper = word > 0x80000000u;
    const float p = (upper ? ~word : word) * 0x1p-32f + 0x1p-33f;

    return (upper ? -1.41421354f : 1.41421354f) * erfcinvf(2 * p);
}

SIMT_INLINE float sobol_normal(unsigned long long word)
{
    return sobol_normal((unsigned)(word >> 32));
}

SIMT_INLINE double sobol_normal_double(unsigned word)
{
    const bool upper = word > 0x80000000u;
    const double p = (upper ? ~word : word) * 0x1p-32 + 0x1p-33;

    return (upper ? -1.4142135623730951 : 1.4142135623730951) * erfcinv(2 * p);
}

SIMT_INLINE double sobol_normal_double(unsigned long long word)
{
    const unsigned long long high = word >> 11; /* as many bits as a double has */
    const bool upper = high > 1ull << 52;
    const double p = (double)(upper ? (1ull << 53) - 1 - high : high) * 0x1p-53 + 0x1p-54;

    return (upper ? -1.4142135623730951 : 1.4142135623730951) * erfcinv(2 * p);
}

SIMT_INLINE float sobol_uniform(unsigned word)
{
    return (float)word * 0x1p-32f + 0x1p-33f;
}

SIMT_INLINE float sobol_uniform(unsigned long long word)
{
    return sobol_uniform((unsigned)(word >> 32));
}

SIMT_INLINE double sobol_uniform_double(unsigned word)
{
    return (double)word * 0x1p-32 + 0x1p-32;
}

SIMT_INLINE double sobol_uniform_double(unsigned long long word)
{
    return (double)(word >> 11) * 0x1p-53 + 0x1p-54;
}

} // namespace random
} // namespace simt

SIMT_INLINE void curand_init(unsigned *vectors, unsigned offset, curandStateSobol32_t *state)
{
    simt::random::sobol_init(state, vectors, 0u, offset);
}

SIMT_INLINE void curand_init(unsigned *vectors, unsigned constant, unsigned offset,
                             curandStateScrambledSobol32_t *state)
{
    simt::random::sobol_init(state, vectors, constant, offset);
}

SIMT_INLINE void curand_init(unsigned long long *vectors, unsigned long long offset, curandStateSobol64_t *state)
{
    simt::random::sobol_init(state, vectors, 0ull, offset);
}

SIMT_INLINE void curand_init(unsigned long long *vectors, unsigned long long constant, unsigned long long offset,
                             curandStateScrambledSobol64_t *state)
{
    simt::random::sobol_init(state, vectors, constant, offset);
}

#define SIMT_CURAND_SOBOL(State, Word)                                                                                 \
    SIMT_INLINE Word curand(State *state)                                                                              \
    {                                                                                                                  \
        return simt::random::sobol_next(state);                                                                        \
    }                                                                                                                  \
    SIMT_INLINE void skipahead(Word count, State *state)                                                               \
    {                                                                                                                  \
        simt::random::sobol_skip(state, count);                                                                        \
    }                                                                                                                  \
    SIMT_INLINE float curand_uniform(State *state)                                                                     \
    {                                                                                                                  \
        return simt::random::sobol_uniform(curand(state));                                                             \
    }                                                                                                                  \
    SIMT_INLINE double curand_uniform_double(State *state)                                                             \
    {                                                                                                                  \
        return simt::random::sobol_uniform_double(curand(state));                                                      \
    }                                                                                                                  \
    SIMT_INLINE float curand_normal(State *state)                                                                      \
    {                                                                                                                  \
        return simt::random::sobol_normal(curand(state));                                                              \
    }                                                                                                                  \
    SIMT_INLINE double curand_normal_double(State *state)                                                              \
    {                                                                                                                  \
        return simt::random::sobol_normal_double(curand(state));                                                       \
    }                                                                                                                  \
    SIMT_INLINE float curand_log_normal(State *state, float mean, float stddev)                                        \
    {                                                                                                                  \
        return expf(mean + stddev * curand_normal(state));                                                             \
    }                                                                                                                  \
    SIMT_INLINE double curand_log_normal_double(State *state, double mean, double stddev)                              \
    {                                                                                                                  \
        return exp(mean + stddev * curand_normal_double(state));                                                       \
    }

SIMT_CURAND_SOBOL(curandStateSobol32_t, unsigned)
SIMT_CURAND_SOBOL(curandStateScrambledSobol32_t, unsigned)
SIMT_CURAND_SOBOL(curandStateSobol64_t, unsigned long long)
SIMT_CURAND_SOBOL(curandStateScrambledSobol64_t, unsigned long long)
#undef SIMT_CURAND_SOBOL

#endif
