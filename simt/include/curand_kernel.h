/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random numbers in kernels, with the states and results of cuRAND: XORWOW (Marsaglia, "Xorshift RNGs", 2003: five words of
 * xorshift and a Weyl sequence) and Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011: ten
 * rounds over a counter of 128 bits), MRG32k3a (simt_curand_mrg.h), and Sobol (simt_curand_sobol.h). Integers and uniform numbers have the bits of a GPU. Normal numbers (Box and Muller
 * 1958) have the bits of the toolkit's host functions with the same C library. A GPU fuses products and sums and uses
 * __sincosf, so they differ there in the last bits.
 */
#ifndef SIMT_CURAND_KERNEL_H
#define SIMT_CURAND_KERNEL_H

#include "cuda_runtime.h"

#include "simt_curand.h"
#include "simt_curand_mrg.h"
#include "simt_curand_sobol.h"

#include <math.h>

/* Names, order and sizes of the members are those of the toolkit: programs print sizes and copy states. */
struct curandStateXORWOW {
    unsigned d, v[5]; /* the Weyl sequence; the last five words of the xorshift, oldest first */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};

struct curandStatePhilox4_32_10 {
    uint4 ctr, output; /* output is the block that ctr gives */
    uint2 key;
    unsigned STATE; /* the next word of output, 0 to 3 */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};

typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* --- XORWOW */

SIMT_INLINE unsigned curand(curandStateXORWOW_t *state)
{
    const unsigned oldest = state->v[0] ^ state->v[0] >> 2, newest = state->v[4];

    for (int i = 0; i < 4; i++)
        state->v[i] = state->v[i + 1];
    state->v[4] = newest ^ newest << 4 ^ oldest ^ oldest << 1;
    state->d += 362437;
    return state->d + state->v[4];
}

SIMT_INLINE void simt_skip_xorwow(curandStateXORWOW_t *state, unsigned long long count, unsigned stride)
{
    unsigned words[5];

    for (int i = 0; i < 5; i++)
        words[i] = state->v[i];
    simt_xorwow_jump(words, count, stride);
    for (int i = 0; i < 5; i++)
        state->v[i] = words[i];
}

SIMT_INLINE void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    simt_skip_xorwow(state, n, 0);
    state->d += 362437 * (unsigned)n;
}

/* A sequence is 2^67 steps long. The Weyl sequence has a period of 2^32, so it stays where it is. */
SIMT_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    simt_skip_xorwow(state, n, 67);
}

/* The first state is that of Marsaglia's paper, changed by the two halves of the seed. cuRAND chose the four constants. */
SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStateXORWOW_t *state)
{
    const unsigned low = ((unsigned)seed ^ 0xaad26b49) * 1099087573u;
    const unsigned high = ((unsigned)(seed >> 32) ^ 0xf7dcefdd) * 2591861531u;

    *state = {};
    state->d = 6615241 + low + high;
    state->v[0] = 123456789 + low;
    state->v[1] = 362436069 ^ low;
    state->v[2] = 521288629 + high;
    state->v[3] = 88675123 ^ high;
    state->v[4] = 5783321 + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

/* --- Philox4x32-10 */

/* The block of 128 bits that belongs to a counter: a keyed bijection. */
SIMT_INLINE uint4 curand_Philox4x32_10(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        const unsigned long long x = 0xd2511f53ull * counter.x, z = 0xcd9e8d57ull * counter.z;

        counter.x = (unsigned)(z >> 32) ^ counter.y ^ key.x;
        counter.y = (unsigned)z;
        counter.z = (unsigned)(x >> 32) ^ counter.w ^ key.y;
        counter.w = (unsigned)x;
        key.x += 0x9e3779b9; /* the golden ratio, and the square root of three less one, times 2^32 */
        key.y += 0xbb67ae85;
    }
    return counter;
}

/* Adds low + 2^64 high to the counter. */
SIMT_INLINE void simt_skip_philox(curandStatePhilox4_32_10_t *state, unsigned long long low, unsigned long long high)
{
    const uint4 c = state->ctr;
    unsigned long long below = (unsigned long long)c.y << 32 | c.x, above = (unsigned long long)c.w << 32 | c.z;

    below += low;
    above += high + (below < low);
    state->ctr = {(unsigned)below, (unsigned)(below >> 32), (unsigned)above, (unsigned)(above >> 32)};
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

SIMT_INLINE unsigned curand(curandStatePhilox4_32_10_t *state)
{
    const unsigned i = state->STATE & 3;
    const unsigned word = i < 2 ? i ? state->output.y : state->output.x : i < 3 ? state->output.z : state->output.w;

    if (i == 3)
        simt_skip_philox(state, 1, 0);
    state->STATE = (i + 1) & 3;
    return word;
}

SIMT_INLINE uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    const unsigned i = state->STATE & 3;
    const uint4 a = state->output;

    simt_skip_philox(state, 1, 0);
    const uint4 b = state->output;
    const unsigned words[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    return {words[i], words[i + 1], words[i + 2], words[i + 3]};
}

SIMT_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    const unsigned words = state->STATE + (unsigned)(n & 3);

    state->STATE = words & 3;
    simt_skip_philox(state, n / 4 + words / 4, 0);
}

/* A sequence is 2^64 blocks long. */
SIMT_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    simt_skip_philox(state, 0, n);
}

SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStatePhilox4_32_10_t *state)
{
    *state = {};
    state->key = {(unsigned)seed, (unsigned)(seed >> 32)};
    state->ctr = {0, 0, (unsigned)subsequence, (unsigned)(subsequence >> 32)};
    skipahead(offset, state);
}

/* --- distributions */

namespace simt
{
namespace random
{

/* In (0, 1]: the middle of one of 2^32 intervals. The largest ones round to 1. */
SIMT_INLINE float uniform(unsigned word)
{
    return (float)word * 0x1p-32f + 0x1p-33f;
}

SIMT_INLINE unsigned long long fifty_three(unsigned low, unsigned high)
{
    return low ^ (unsigned long long)high << 21;
}

SIMT_INLINE double uniform_double(unsigned low, unsigned high)
{
    return (double)fifty_three(low, high) * 0x1p-53 + 0x1p-54;
}

SIMT_INLINE float2 normal(unsigned x, unsigned y)
{
    const float turn = 0x1p-32f * 6.2831855f; /* 2 pi / 2^32 */
    const float radius = sqrtf(-2.0f * logf(uniform(x))), angle = (float)y * turn + turn / 2;

    return {sinf(angle) * radius, cosf(angle) * radius};
}

SIMT_INLINE double2 normal_double(uint4 words)
{
    const double radius = sqrt(-2.0 * log(uniform_double(words.x, words.y)));
    const double half_turns = (double)fifty_three(words.z, words.w) * 0x1p-52 + 0x1p-53;
    const double angle = half_turns * 3.1415926535897932;

    return {sin(angle) * radius, cos(angle) * radius};
}

template <typename State> SIMT_INLINE float2 normal(State *state)
{
    const unsigned x = curand(state), y = curand(state);

    return normal(x, y);
}

/* Four words, as the functions for doubles draw them. */
SIMT_INLINE uint4 four(curandStateXORWOW_t *state)
{
    const unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);

    return {x, y, z, w};
}

SIMT_INLINE uint4 four(curandStatePhilox4_32_10_t *state)
{
    return curand4(state);
}

template <typename State> SIMT_INLINE float uniform(State *state)
{
    return uniform(curand(state));
}

template <typename State> SIMT_INLINE double2 normal_double(State *state)
{
    return normal_double(four(state));
}

/* What a function changes a normal number to; its flag marks the second number of a pair that waits in the state. */
struct Normal {
    static constexpr int flag = 1;
    template <typename T> T operator()(T v) const
    {
        return v;
    }
};

template <typename T> struct LogNormal {
    static constexpr int flag = 2;
    T mean, deviation;
    SIMT_INLINE float exponential(float v)
    {
        return expf(v);
    }
    SIMT_INLINE double exponential(double v)
    {
        return exp(v);
    }
    T operator()(T v) const
    {
        return exponential(mean + deviation * v);
    }
};

/* One number of a pair; the next call for the same distribution gets the other one. */
template <typename State, typename Change> SIMT_INLINE float single(State *state, Change change)
{
    if (state->boxmuller_flag == Change::flag) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    const float2 v = normal(state);
    state->boxmuller_extra = change(v.y);
    state->boxmuller_flag = Change::flag;
    return change(v.x);
}

template <typename State, typename Change> SIMT_INLINE double single_double(State *state, Change change)
{
    if (state->boxmuller_flag_double == Change::flag) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    const double2 v = normal_double(state);
    state->boxmuller_extra_double = change(v.y);
    state->boxmuller_flag_double = Change::flag;
    return change(v.x);
}

template <typename State, typename Change> SIMT_INLINE float2 pair(State *state, Change change)
{
    const float2 v = normal(state);

    return {change(v.x), change(v.y)};
}

template <typename State, typename Change> SIMT_INLINE double2 pair_double(State *state, Change change)
{
    const double2 v = normal_double(state);

    return {change(v.x), change(v.y)};
}

template <typename Change> SIMT_INLINE float4 quadruple(curandStatePhilox4_32_10_t *state, Change change)
{
    const uint4 words = curand4(state);
    const float2 a = normal(words.x, words.y), b = normal(words.z, words.w);

    return {change(a.x), change(a.y), change(b.x), change(b.y)};
}

template <typename Change> SIMT_INLINE double4 quadruple_double(curandStatePhilox4_32_10_t *state, Change change)
{
    const double2 a = pair_double(state, change), b = pair_double(state, change);

    return {a.x, a.y, b.x, b.y};
}

} // namespace random
} // namespace simt

#define SIMT_CURAND_DISTRIBUTIONS(State)                                                                               \
    SIMT_INLINE float curand_uniform(State *state)                                                                     \
    {                                                                                                                  \
        return simt::random::uniform(state);                                                                           \
    }                                                                                                                  \
    SIMT_INLINE float curand_normal(State *state)                                                                      \
    {                                                                                                                  \
        return simt::random::single(state, simt::random::Normal());                                                    \
    }                                                                                                                  \
    SIMT_INLINE float2 curand_normal2(State *state)                                                                    \
    {                                                                                                                  \
        return simt::random::pair(state, simt::random::Normal());                                                      \
    }                                                                                                                  \
    SIMT_INLINE double curand_normal_double(State *state)                                                              \
    {                                                                                                                  \
        return simt::random::single_double(state, simt::random::Normal());                                             \
    }                                                                                                                  \
    SIMT_INLINE double2 curand_normal2_double(State *state)                                                            \
    {                                                                                                                  \
        return simt::random::pair_double(state, simt::random::Normal());                                               \
    }                                                                                                                  \
    SIMT_INLINE float curand_log_normal(State *state, float mean, float stddev)                                        \
    {                                                                                                                  \
        return simt::random::single(state, simt::random::LogNormal<float>{mean, stddev});                              \
    }                                                                                                                  \
    SIMT_INLINE float2 curand_log_normal2(State *state, float mean, float stddev)                                      \
    {                                                                                                                  \
        return simt::random::pair(state, simt::random::LogNormal<float>{mean, stddev});                                \
    }                                                                                                                  \
    SIMT_INLINE double curand_log_normal_double(State *state, double mean, double stddev)                              \
    {                                                                                                                  \
        return simt::random::single_double(state, simt::random::LogNormal<double>{mean, stddev});                      \
    }                                                                                                                  \
    SIMT_INLINE double2 curand_log_normal2_double(State *state, double mean, double stddev)                            \
    {                                                                                                                  \
        return simt::random::pair_double(state, simt::random::LogNormal<double>{mean, stddev});                        \
    }

SIMT_CURAND_DISTRIBUTIONS(curandStateXORWOW_t)
SIMT_CURAND_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
SIMT_CURAND_DISTRIBUTIONS(curandStateMRG32k3a_t)
#undef SIMT_CURAND_DISTRIBUTIONS

SIMT_INLINE double curand_uniform_double(curandStateXORWOW_t *state)
{
    const unsigned low = curand(state), high = curand(state);

    return simt::random::uniform_double(low, high);
}

/* This one draws 32 bits only. */
SIMT_INLINE double curand_uniform_double(curandStatePhilox4_32_10_t *state)
{
    return (double)curand(state) * 0x1p-32 + 0x1p-32;
}

SIMT_INLINE float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    const uint4 v = curand4(state);

    return {simt::random::uniform(v.x), simt::random::uniform(v.y), simt::random::uniform(v.z),
            simt::random::uniform(v.w)};
}

SIMT_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    const uint4 v = curand4(state);

    return {simt::random::uniform_double(v.x, v.y), simt::random::uniform_double(v.z, v.w)};
}

SIMT_INLINE double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);

    return {a.x, a.y, b.x, b.y};
}

SIMT_INLINE float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    return simt::random::quadruple(state, simt::random::Normal());
}

SIMT_INLINE double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    return simt::random::quadruple_double(state, simt::random::Normal());
}

SIMT_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev)
{
    return simt::random::quadruple(state, simt::random::LogNormal<float>{mean, stddev});
}

SIMT_INLINE double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean, double stddev)
{
    return simt::random::quadruple_double(state, simt::random::LogNormal<double>{mean, stddev});
}

#endif
