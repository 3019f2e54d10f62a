/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuRAND's generators that fill arrays, for C++: XORWOW, MRG32k3a, MTGP32, Philox4_32_10 and Sobol's, with the functions of
 * curand_kernel.h. The order is that of cuRAND's own generators on the host (curandCreateGeneratorHost of CUDA 13.0, with which the test
 * compares): number i of XORWOW is drawn by sequence i mod 4096, of MRG32k3a by subsequence i mod 81920, or a pair of normal numbers by
 * one; Philox draws 4 numbers at a time, by sequence i / 4 mod 65536, and MTGP32 256, by sequence i / 256 mod 192. Sobol's of 32 and 64
 * bits have up to 16 dimensions, whose numbers stand one dimension after the other. A new seed goes on at the number after the last one,
 * as XORWOW's does in cuRAND, but MTGP32 starts again; with Philox, set the offset too. Normal numbers differ on a GPU in the last bits, as
 * in kernels; those that are made by the inverse of the distribution (MTGP32, Sobol) differ in these as doubles from cuRAND's on the host,
 * too. Filling an array is a launch in the generator's stream, and writes it as a kernel does; the call returns when it is done.
 *
 * NOT_INITIALIZED: no such generator. TYPE_ERROR: a generator that is not here, or of the other sort. LENGTH_NOT_MULTIPLE: an odd count of
 * normal numbers where they are drawn in pairs (not by MTGP32 and Sobol's), or no multiple of the dimensions. OUT_OF_RANGE: an ordering or
 * dimension that is not here (only BEST, DEFAULT and LEGACY are, and give the same, but for MTGP32, which has 64 sequences in LEGACY, and
 * that of QUASI). Each is a finding `api`. LAUNCH_FAILURE: the launch failed.
 */
#ifndef SIMT_CURAND_H
#define SIMT_CURAND_H

#ifndef __cplusplus
#error "simtcc's curand.h is for C++: compile the file as C++"
#else

#include "curand_kernel.h"
#include "simt_curand_mtgp.h"
#include "simt_curand_vectors.h"

#include <algorithm>
#include <new>
#include <type_traits>
#include <vector>

#define CURAND_H_        /* the guard of CUDA's own header */
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION   10400

#pragma GCC visibility push(hidden)
extern "C" {
/* Where it is called: the line of a finding. */
const void *simt_library_here(void);
int simt_curand_refuse(const char *call, const void *place, const char *what); /* a finding */
/* Writes `count` values of `size` bytes to memory of the device; 0: the launch failed. */
int simt_curand_write(const char *call, const void *place, cudaStream_t stream, void *to, const void *values,
                      size_t size, size_t count);
}
#pragma GCC visibility pop

/* Numbers are drawn in groups, each by the next of the sequences. */
struct curandGenerator_st {
    curandRngType_t type;
    bool on_host;
    cudaStream_t stream = nullptr;
    unsigned long long seed = 0, offset = 0;
    /* of all sequences; empty until the first call, and after the seed or the offset is set */
    std::vector<curandStateXORWOW_t> xorwow;
    std::vector<curandStateMRG32k3a_t> mrg;
    std::vector<curandStatePhilox4_32_10_t> philox;
    size_t next = 0; /* sequence */
    std::vector<simt::random::MtgpSequence> mtgp;
    bool legacy = false; /* the ordering */
    unsigned dimensions = 1;
    std::vector<curandStateSobol32_t> sobol; /* of each */
    std::vector<curandStateSobol64_t> sobol64;

    bool is_quasi() const
    {
        return type == CURAND_RNG_QUASI_SOBOL32 || type == CURAND_RNG_QUASI_SOBOL64;
    }

    bool is_philox() const
    {
        return type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
    }

    bool is_mtgp() const
    {
        return type == CURAND_RNG_PSEUDO_MTGP32;
    }
};

typedef struct curandGenerator_st *curandGenerator_t;

namespace simt
{
namespace random
{

/* The states of `count` sequences, each of which gives `words` words before the next one does. */
template <typename State> void start(curandGenerator_st &g, std::vector<State> &states, unsigned count, unsigned words)
{
    const unsigned long long groups = g.offset / words;

    if (!states.empty())
        return;
    states.resize(count);
    for (unsigned i = 0; i < count; i++)
        curand_init(g.seed, i, (groups / count + (i < groups % count)) * words, &states[i]);
    g.next = groups % count;
}

/* The same for MRG32k3a, from one subsequence to the next: each alone would take 17 powers of a matrix. */
inline void start(curandGenerator_st &g, std::vector<curandStateMRG32k3a_t> &states, unsigned count)
{
    curandStateMRG32k3a_t state;

    if (!states.empty())
        return;
    states.resize(count);
    curand_init(g.seed, 0, 0, &state);
    for (unsigned i = 0; i < count; i++) {
        states[i] = state;
        skipahead(g.offset / count + (i < g.offset % count), &states[i]);
        skipahead_subsequence(1, &state);
    }
    g.next = g.offset % count;
}

/* The same for MTGP32, which has no jumps: what is before the offset is drawn and dropped. */
inline void start(curandGenerator_st &g, std::vector<MtgpSequence> &states)
{
    const unsigned count = g.legacy ? MTGP_LEGACY_SEQUENCES : MTGP_SEQUENCES, words = 256;

    if (!states.empty())
        return;
    states.resize(count);
    for (unsigned i = 0; i < count; i++)
        states[i].start(i, (unsigned)(g.seed ^ g.seed >> 32) + i + 1);
    for (unsigned long long i = 0; i < g.offset; i++)
        states[i / words % count].next();
}

/* Calls draw(state) for each group. */
template <typename State, typename Draw>
void each_group(curandGenerator_st &g, std::vector<State> &states, size_t groups, Draw draw)
{
    for (size_t i = 0; i < groups; i++) {
        draw(states[g.next], i);
        g.next = (g.next + 1) % states.size();
    }
}

struct Integers {
    static constexpr size_t of_others = 1, of_philox = 4; /* numbers of a group; Philox has overloads of its own */
    template <typename State, typename Word> void operator()(State &s, Word *to) const
    {
        *to = curand(&s);
    }
    void operator()(curandStatePhilox4_32_10_t &s, unsigned *to) const
    {
        const uint4 v = curand4(&s);

        to[0] = v.x;
        to[1] = v.y;
        to[2] = v.z;
        to[3] = v.w;
    }
};

struct Uniform {
    static constexpr size_t of_others = 1, of_philox = 4;
    template <typename State> void operator()(State &s, float *to) const
    {
        *to = curand_uniform(&s);
    }
    void operator()(curandStatePhilox4_32_10_t &s, float *to) const
    {
        const float4 v = curand_uniform4(&s);

        to[0] = v.x;
        to[1] = v.y;
        to[2] = v.z;
        to[3] = v.w;
    }
    template <typename State> void operator()(State &s, double *to) const
    {
        *to = curand_uniform_double(&s);
    }
    void operator()(curandStatePhilox4_32_10_t &s, double *to) const
    {
        const double4 v = curand_uniform4_double(&s);

        to[0] = v.x;
        to[1] = v.y;
        to[2] = v.z;
        to[3] = v.w;
    }
};

/* mean + stddev times a normal number, or its exponential. */
template <typename T> struct Scaled {
    static constexpr size_t of_others = 2, of_philox = 4;
    T mean, deviation;
    bool exponential;

    T scaled(T v) const
    {
        v = mean + deviation * v;
        return !exponential ? v : sizeof(T) == 4 ? (T)expf((float)v) : (T)exp((double)v);
    }
    /* One number of a word, by the inverse of the distribution: small words are negative numbers here, and positive ones in kernels. */
    template <typename State> void of_word(State &s, float *to) const
    {
        *to = scaled(-curand_normal(&s));
    }
    template <typename State> void of_word(State &s, double *to) const
    {
        *to = scaled(-curand_normal_double(&s));
    }
    void of_word(MtgpSequence &s, double *to) const
    {
        if (exponential)
            *to = scaled(-curand_normal_double(&s));
        else
            *to = scaled(-curand_normal(&s)); /* of a float, as cuRAND's are */
    }
    void operator()(curandStatePhilox4_32_10_t &s, double *to) const
    {
        const double4 v = curand_normal4_double(&s);

        to[0] = scaled(v.x);
        to[1] = scaled(v.y);
        to[2] = scaled(v.z);
        to[3] = scaled(v.w);
    }
    template <typename State> void operator()(State &s, double *to) const
    {
        const double2 v = curand_normal2_double(&s);

        to[0] = scaled(v.x);
        to[1] = scaled(v.y);
    }
    template <typename State> void operator()(State &s, float *to) const
    {
        const float2 v = curand_normal2(&s);

        to[0] = scaled(v.x);
        to[1] = scaled(v.y);
    }
    void operator()(curandStatePhilox4_32_10_t &s, float *to) const
    {
        const float4 v = curand_normal4(&s);

        to[0] = scaled(v.x);
        to[1] = scaled(v.y);
        to[2] = scaled(v.z);
        to[3] = scaled(v.w);
    }
};

inline curandStatus_t refused(const char *call, const void *place, curandStatus_t status, const char *what)
{
    simt_curand_refuse(call, place, what);
    return status;
}

template <typename State, typename T, typename Distribution>
void draw_of_word(State &state, T *to, const Distribution &distribution)
{
    if constexpr (Distribution::of_others == 2)
        distribution.of_word(state, to);
    else
        distribution(state, to);
}

/* All points' numbers of the first dimension, then those of the next one. */
template <typename State, typename T, typename Distribution>
void draw_points(curandGenerator_st &g, std::vector<State> &states, std::vector<T> &values, size_t points,
                 const Distribution &distribution)
{
    decltype(State::i) vectors[8 * sizeof(State::i)];

    if (states.empty()) {
        states.resize(g.dimensions);
        for (unsigned i = 0; i < g.dimensions; i++) {
            direction_vectors(i, vectors);
            curand_init(vectors, (decltype(State::i))g.offset, &states[i]);
        }
    }
    for (unsigned i = 0; i < g.dimensions; i++)
        for (size_t k = 0; k < points; k++)
            draw_of_word(states[i], &values[i * points + k], distribution);
}

template <typename T, typename Distribution>
void draw_blocks(curandGenerator_st &g, std::vector<T> &values, const Distribution &distribution)
{
    start(g, g.mtgp);
    for (size_t i = 0; i < values.size(); i++)
        draw_of_word(g.mtgp[(g.offset + i) / 256 % g.mtgp.size()], &values[i], distribution);
}

template <typename T, typename Distribution>
curandStatus_t fill(const char *call, const void *place, curandGenerator_t g, T *to, size_t count, bool pairs,
                    Distribution distribution)
{
    if (!g)
        return refused(call, place, CURAND_STATUS_NOT_INITIALIZED, "the generator is null");
    if (count % g->dimensions)
        return refused(call, place, CURAND_STATUS_LENGTH_NOT_MULTIPLE, "the count is no multiple of the dimensions");
    if (Distribution::of_others == 1 && !std::is_floating_point<T>::value &&
        (sizeof(T) == 8) != (g->type == CURAND_RNG_QUASI_SOBOL64))
        return refused(call, place, CURAND_STATUS_TYPE_ERROR,
                       "integers of 64 bits are CURAND_RNG_QUASI_SOBOL64's, those of 32 bits the other generators'");
    const bool each_of_a_word = g->is_quasi() || g->is_mtgp();
    if (pairs && !each_of_a_word && count % 2)
        return refused(call, place, CURAND_STATUS_LENGTH_NOT_MULTIPLE, "an odd count of normal numbers");
    const size_t each = g->is_philox() ? Distribution::of_philox : each_of_a_word ? 1 : Distribution::of_others;
    const size_t groups = (count + each - 1) / each;
    std::vector<T> values(groups * each);
    const auto draw = [&](auto &state, size_t i) { distribution(state, &values[i * each]); };

    if (g->type == CURAND_RNG_QUASI_SOBOL64) {
        draw_points(*g, g->sobol64, values, count / g->dimensions, distribution);
    } else if (g->is_quasi()) {
        draw_points(*g, g->sobol, values, count / g->dimensions, distribution);
    } else if (g->is_mtgp()) {
        draw_blocks(*g, values, distribution);
    } else if (g->is_philox()) {
        start(*g, g->philox, 65536, 4);
        each_group(*g, g->philox, groups, draw);
    } else if (g->type == CURAND_RNG_PSEUDO_MRG32K3A) {
        start(*g, g->mrg, 81920);
        each_group(*g, g->mrg, groups, draw);
    } else {
        start(*g, g->xorwow, 4096, 1);
        each_group(*g, g->xorwow, groups, draw);
    }
    g->offset += count / g->dimensions; /* where a new seed goes on */
    if (g->on_host)
        std::copy(values.begin(), values.begin() + (ptrdiff_t)count, to);
    else if (!simt_curand_write(call, place, g->stream, to, values.data(), sizeof(T), count))
        return CURAND_STATUS_LAUNCH_FAILURE;
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t create(const char *call, const void *place, curandGenerator_t *g, curandRngType_t type,
                             bool on_host)
{
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    if (type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64)
        return refused(call, place, CURAND_STATUS_TYPE_ERROR,
                       "the scrambles of Sobol's sequences are published nowhere but in NVIDIA's library: use "
                       "CURAND_RNG_QUASI_SOBOL32 or CURAND_RNG_QUASI_SOBOL64");
    if (type == CURAND_RNG_PSEUDO_MT19937)
        return refused(call, place, CURAND_STATUS_TYPE_ERROR,
                       "simtcc lacks the jumps of MT19937: use CURAND_RNG_PSEUDO_MTGP32");
    if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A && type != CURAND_RNG_PSEUDO_MTGP32 &&
        type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && type != CURAND_RNG_QUASI_SOBOL32 && type != CURAND_RNG_QUASI_SOBOL64)
        return refused(call, place, CURAND_STATUS_TYPE_ERROR, "there is no such generator");
    *g = new (std::nothrow) curandGenerator_st{type, on_host};
    return *g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

/* The first numbers again, from this seed and offset. */
inline curandStatus_t restart(const char *call, const void *place, curandGenerator_t g, unsigned long long seed,
                              unsigned long long offset)
{
    if (!g)
        return refused(call, place, CURAND_STATUS_NOT_INITIALIZED, "the generator is null");
    g->seed = seed;
    g->offset = offset;
    g->xorwow.clear();
    g->mrg.clear();
    g->philox.clear();
    g->mtgp.clear();
    g->sobol.clear();
    g->sobol64.clear();
    return CURAND_STATUS_SUCCESS;
}

} // namespace random
} // namespace simt

/* Inlined at any -O, so that findings have the line of the call. */
#define SIMT_CURAND SIMT_INLINE curandStatus_t

SIMT_CURAND curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return simt::random::create(__func__, simt_library_here(), generator, type, false);
}

SIMT_CURAND curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return simt::random::create(__func__, simt_library_here(), generator, type, true);
}

SIMT_CURAND curandDestroyGenerator(curandGenerator_t g)
{
    if (!g)
        return simt::random::refused(__func__, simt_library_here(), CURAND_STATUS_NOT_INITIALIZED,
                                     "the generator is null");
    delete g;
    return CURAND_STATUS_SUCCESS;
}

SIMT_CURAND curandGetVersion(int *version)
{
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

SIMT_CURAND curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    if (g && g->is_quasi())
        return simt::random::refused(__func__, simt_library_here(), CURAND_STATUS_TYPE_ERROR,
                                     "a quasirandom generator has no seed");
    if (g && g->is_mtgp()) /* it starts again with another seed, and goes on with the same one */
        return g->seed == seed ? CURAND_STATUS_SUCCESS
                               : simt::random::restart(__func__, simt_library_here(), g, seed, 0);
    return simt::random::restart(__func__, simt_library_here(), g, seed, g ? g->offset : 0);
}

SIMT_CURAND curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions)
{
    if (g && !g->is_quasi())
        return simt::random::refused(__func__, simt_library_here(), CURAND_STATUS_TYPE_ERROR,
                                     "a pseudorandom generator has no dimensions");
    if (dimensions == 0 || dimensions > simt::random::DIMENSIONS)
        return simt::random::refused(__func__, simt_library_here(), CURAND_STATUS_OUT_OF_RANGE,
                                     "simtcc has 1 to 16 dimensions");
    if (g)
        g->dimensions = dimensions;
    return simt::random::restart(__func__, simt_library_here(), g, 0, g ? g->offset : 0);
}

SIMT_CURAND curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset)
{
    if (g && g->is_mtgp())
        return simt::random::refused(__func__, simt_library_here(), CURAND_STATUS_TYPE_ERROR, "MTGP32 has no offset");
    return simt::random::restart(__func__, simt_library_here(), g, g ? g->seed : 0, offset);
}

SIMT_CURAND curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order)
{
    if (g && g->is_quasi() ? order != CURAND_ORDERING_QUASI_DEFAULT
                           : order != CURAND_ORDERING_PSEUDO_BEST && order != CURAND_ORDERING_PSEUDO_DEFAULT &&
                                 order != CURAND_ORDERING_PSEUDO_LEGACY)
        return simt::random::refused(__func__, simt_library_here(), CURAND_STATUS_OUT_OF_RANGE,
                                     "simtcc has no such ordering");
    if (g)
        g->legacy = order == CURAND_ORDERING_PSEUDO_LEGACY;
    return simt::random::restart(__func__, simt_library_here(), g, g ? g->seed : 0, g ? g->offset : 0);
}

SIMT_CURAND curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    if (!g)
        return simt::random::refused(__func__, simt_library_here(), CURAND_STATUS_NOT_INITIALIZED,
                                     "the generator is null");
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

SIMT_CURAND curandGenerateSeeds(curandGenerator_t g)
{
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED; /* the first call makes the states */
}

SIMT_CURAND curandGenerate(curandGenerator_t g, unsigned *to, size_t count)
{
    return simt::random::fill(__func__, simt_library_here(), g, to, count, false, simt::random::Integers());
}

SIMT_CURAND curandGenerateLongLong(curandGenerator_t g, unsigned long long *to, size_t count)
{
    return simt::random::fill(__func__, simt_library_here(), g, to, count, false, simt::random::Integers());
}

SIMT_CURAND curandGenerateUniform(curandGenerator_t g, float *to, size_t count)
{
    return simt::random::fill(__func__, simt_library_here(), g, to, count, false, simt::random::Uniform());
}

SIMT_CURAND curandGenerateUniformDouble(curandGenerator_t g, double *to, size_t count)
{
    return simt::random::fill(__func__, simt_library_here(), g, to, count, false, simt::random::Uniform());
}

#define SIMT_CURAND_NORMAL(name, T, exponential)                                                                       \
    SIMT_CURAND name(curandGenerator_t g, T *to, size_t count, T mean, T stddev)                                       \
    {                                                                                                                  \
        return simt::random::fill(__func__, simt_library_here(), g, to, count, true,                                   \
                                  simt::random::Scaled<T>{mean, stddev, exponential});                                 \
    }

SIMT_CURAND_NORMAL(curandGenerateNormal, float, false)
SIMT_CURAND_NORMAL(curandGenerateNormalDouble, double, false)
SIMT_CURAND_NORMAL(curandGenerateLogNormal, float, true)
SIMT_CURAND_NORMAL(curandGenerateLogNormalDouble, double, true)
#undef SIMT_CURAND_NORMAL

#endif

#endif
