/* SPDX-License-Identifier: BSD-2-Clause
 *
 * MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number generators", 1999), a part of
 * curand_kernel.h: two linear recurrences of order 3, whose difference counts. A subsequence has 2^76 numbers, a sequence 2^127; a jump
 * is a power of the recurrence's matrix.
 */
#ifndef SIMT_CURAND_MRG_H
#define SIMT_CURAND_MRG_H

#include "cuda_runtime.h"

#include <math.h>

struct curandStateMRG32k3a {
    unsigned s1[3], s2[3]; /* the last three numbers of each recurrence, oldest first */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace simt
{
namespace random
{

inline constexpr uint64_t mrg_modulus[2] = {4294967087, 4294944443};

struct mrg_matrix {
    uint64_t e[3][3];
};

constexpr mrg_matrix mrg_product(const mrg_matrix &a, const mrg_matrix &b, uint64_t modulus)
{
    mrg_matrix c = {};

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                c.e[i][j] = (c.e[i][j] + a.e[i][k] * b.e[k][j] % modulus) % modulus;
    return c;
}

/* One step of recurrence 0 or 1, squared `doublings` times. */
constexpr mrg_matrix mrg_jump(int which, int doublings)
{
    const uint64_t modulus = mrg_modulus[which];
    mrg_matrix a = which ? mrg_matrix{{{0, 1, 0}, {0, 0, 1}, {modulus - 1370589, 0, 527612}}}
                         : mrg_matrix{{{0, 1, 0}, {0, 0, 1}, {modulus - 810728, 1403580, 0}}};

    for (int i = 0; i < doublings; i++)
        a = mrg_product(a, a, modulus);
    return a;
}

/* s = a^n s */
SIMT_INLINE void mrg_skip(unsigned s[3], mrg_matrix a, unsigned long long n, uint64_t modulus)
{
    for (; n; n >>= 1) {
        if (n & 1) {
            const uint64_t old[3] = {s[0], s[1], s[2]};

            for (int i = 0; i < 3; i++)
                s[i] = (unsigned)((a.e[i][0] * old[0] % modulus + a.e[i][1] * old[1] % modulus +
                                   a.e[i][2] * old[2] % modulus) %
                                  modulus);
        }
        if (n > 1)
            a = mrg_product(a, a, modulus);
    }
}

template <int doublings> SIMT_INLINE void mrg_skip_both(curandStateMRG32k3a_t *state, unsigned long long n)
{
    static constexpr mrg_matrix first = mrg_jump(0, doublings), second = mrg_jump(1, doublings);

    mrg_skip(state->s1, first, n, mrg_modulus[0]);
    mrg_skip(state->s2, second, n, mrg_modulus[1]);
}

} // namespace random
} // namespace simt

/* From 1 to the first modulus. */
SIMT_INLINE double curand_MRG32k3a(curandStateMRG32k3a_t *state)
{
    const uint64_t m1 = simt::random::mrg_modulus[0], m2 = simt::random::mrg_modulus[1];
    unsigned *s = state->s1, *t = state->s2;
    const uint64_t x = (1403580 * (uint64_t)s[1] + (m1 - 810728) * (uint64_t)s[0] % m1) % m1;
    const uint64_t y = (527612 * (uint64_t)t[2] + (m2 - 1370589) * (uint64_t)t[0] % m2) % m2;

    s[0] = s[1];
    s[1] = s[2];
    s[2] = (unsigned)x;
    t[0] = t[1];
    t[1] = t[2];
    t[2] = (unsigned)y;
    return (double)(x > y ? x - y : x + m1 - y);
}

SIMT_INLINE unsigned curand(curandStateMRG32k3a_t *state)
{
    return (unsigned)(curand_MRG32k3a(state) * 1.000000048662); /* (2^32 - 1) / the modulus */
}

SIMT_INLINE double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return curand_MRG32k3a(state) * 2.3283065498378288e-10; /* 1 / the modulus, less a little: at most 1 */
}

SIMT_INLINE void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    simt::random::mrg_skip_both<0>(state, n);
}

SIMT_INLINE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    simt::random::mrg_skip_both<76>(state, n);
}

SIMT_INLINE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    simt::random::mrg_skip_both<127>(state, n);
}

/* Seed 0 is the published state. */
SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStateMRG32k3a_t *state)
{
    const uint64_t low = seed ? (unsigned)seed ^ 0x55555555u : 1,
                   high = seed ? (unsigned)(seed >> 32) ^ 0xaaaaaaaau : 1;

    *state = {};
    for (int i = 0; i < 3; i++) {
        state->s1[i] = (unsigned)((i == 1 ? high : low) * 12345 % simt::random::mrg_modulus[0]);
        state->s2[i] = (unsigned)((i == 1 ? low : high) * 12345 % simt::random::mrg_modulus[1]);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}

namespace simt
{
namespace random
{

SIMT_INLINE float uniform(curandStateMRG32k3a_t *state)
{
    return (float)curand_uniform_double(state);
}

SIMT_INLINE float2 normal(curandStateMRG32k3a_t *state)
{
    const float radius = sqrtf(-2.0f * logf(uniform(state))), angle = uniform(state) * 6.2831855f;

    return {sinf(angle) * radius, cosf(angle) * radius};
}

SIMT_INLINE double2 normal_double(curandStateMRG32k3a_t *state)
{
    const double radius = sqrt(-2.0 * log(curand_uniform_double(state)));
    const double angle = curand_uniform_double(state) * 2.0 * 3.1415926535897932;

    return {sin(angle) * radius, cos(angle) * radius};
}

} // namespace random
} // namespace simt

#endif
