// SPDX-License-Identifier: BSD-2-Clause
//
// Random numbers of curand_kernel.h. The arguments of each row are seed, subsequence and offset. An exact row mixes several
// draws into one result; the others give one number of the first few. A GPU has __sincosf for normal numbers, whose absolute
// error CUDA's documentation gives as 2^-21.41 where the angle is in [-pi, pi]; angles go to 2 pi here, and the radius to 6.7.
// For doubles sincospi and the sine of a rounded product differ by a few units of 2^-53 of the angle.
//
// With -DCURAND_ON_HOST the functions run on the host, which nvcc permits: the toolkit then needs no GPU. Compared with that,
// every row is exact.
#ifdef CURAND_ON_HOST
#define QUALIFIERS              static __forceinline__ __host__ __device__
#define cudaDeviceSynchronize() cudaSuccess
#endif
#include "table.h"

#include <curand_kernel.h>

namespace
{

typedef curandStateXORWOW_t xorwow;
typedef curandStatePhilox4_32_10_t philox;

#ifdef CURAND_ON_HOST
#define BOTH __host__ __device__
#else
#define BOTH __device__
#endif

template <typename T> BOTH u64 bits(T value)
{
    u64 result = 0;

    static_assert(sizeof value <= 8, "a word");
    memcpy(&result, &value, sizeof value);
    return result;
}

BOTH u64 fold(u64 hash, u64 word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

template <typename T> BOTH u64 fold_four(u64 hash, T v)
{
    return fold(fold(fold(fold(hash, bits(v.x)), bits(v.y)), bits(v.z)), bits(v.w));
}

// One of the numbers that a call gives.
BOTH f32 pick(f32 v, u64)
{
    return v;
}

BOTH f64 pick(f64 v, u64)
{
    return v;
}

BOTH f32 pick(float2 v, u64 i)
{
    return i & 1 ? v.y : v.x;
}

BOTH f64 pick(double2 v, u64 i)
{
    return i & 1 ? v.y : v.x;
}

template <typename T> BOTH auto pick(T v, u64 i) -> decltype(v.w)
{
    return i & 2 ? i & 1 ? v.w : v.z : i & 1 ? v.y : v.x;
}

BOTH u64 all_of(const xorwow &s)
{
    u64 hash = fold(sizeof s, s.d);

    for (int i = 0; i < 5; i++)
        hash = fold(hash, s.v[i]);
    return fold(fold(hash, (u64)s.boxmuller_flag), (u64)s.boxmuller_flag_double);
}

BOTH u64 all_of(const philox &s)
{
    u64 hash = fold_four(fold_four(sizeof s, s.ctr), s.output);

    hash = fold(fold(fold(hash, s.key.x), s.key.y), s.STATE);
    return fold(fold(hash, (u64)s.boxmuller_flag), (u64)s.boxmuller_flag_double);
}

// Jumps from where one and then a few more words were drawn.
template <typename State> BOTH u64 jumps(State *s, u64 seed, u64 subsequence, u64 offset)
{
    u64 hash;

    curand_init(seed, 1, 2, s);
    hash = curand(s);
    skipahead(offset, s);
    hash = fold(hash, curand(s));
    for (u64 i = 0; i < seed % 4; i++)
        hash = fold(hash, curand(s));
    skipahead_sequence(subsequence, s);
    skipahead(subsequence, s);
    hash = fold(hash, curand(s));
    return fold(hash, all_of(*s));
}

// Functions that change the flags of the spare numbers, in turn.
template <typename State> BOTH u64 turns(State *s, u64 seed)
{
    u64 hash = 0;

    for (int i = 0; i < 8; i++) {
        switch ((seed >> 2 * i) & 3) {
        case 0:
            curand_normal(s);
            break;
        case 1:
            curand_log_normal(s, 0.5f, 0.25f);
            break;
        case 2:
            curand_normal_double(s);
            break;
        default:
            curand_log_normal_double(s, 0.5, 0.25);
            break;
        }
        hash = fold(hash, all_of(*s));
    }
    return hash;
}

BOTH u64 block_of(u64 a, u64 b, u64 k)
{
    uint4 counter = make_uint4((u32)a, (u32)(a >> 32), (u32)b, (u32)(b >> 32));

    return fold_four(0, curand_Philox4x32_10(counter, make_uint2((u32)k, (u32)(k >> 32))));
}

// Five jumps of almost 2^64 words carry into the upper half of the counter, whose unit is four words.
BOTH u64 carried(philox *s, u64 offset)
{
    skipahead(~offset, s);
    return all_of(*s);
}

// clang-format off
#define BITS_OF(call) fold(hash, bits(call))
#define FOUR_OF(call) fold_four(hash, call)

// exact(NAME, STATE, EXPRESSION of the state s and the hash so far), near(NAME, RESULT, STATE, ABSOLUTE, EXPRESSION)
#define BOTH_GENERATORS(exact, near, State) \
    exact(State##_curand, State, fold(hash, curand(&s))) \
    exact(State##_state, State, all_of(s)) \
    exact(State##_jumps, State, jumps(&s, seed, subsequence, offset)) \
    exact(State##_turns, State, turns(&s, seed)) \
    exact(State##_uniform, State, BITS_OF(curand_uniform(&s))) \
    exact(State##_uniform_double, State, BITS_OF(curand_uniform_double(&s))) \
    near(State##_normal, f32, State, 4e-6, curand_normal(&s)) \
    near(State##_normal2, f32, State, 4e-6, curand_normal2(&s)) \
    near(State##_normal_double, f64, State, 1e-14, curand_normal_double(&s)) \
    near(State##_normal2_double, f64, State, 1e-14, curand_normal2_double(&s)) \
    near(State##_log_normal, f32, State, 1e-5, curand_log_normal(&s, 0.5f, 0.25f)) \
    near(State##_log_normal2, f32, State, 1e-5, curand_log_normal2(&s, -0.5f, 0.25f)) \
    near(State##_log_normal_double, f64, State, 2e-14, curand_log_normal_double(&s, 0.5, 0.25)) \
    near(State##_log_normal2_double, f64, State, 2e-14, curand_log_normal2_double(&s, -0.5, 0.25))

#define ROWS(exact, near) \
    BOTH_GENERATORS(exact, near, xorwow) \
    BOTH_GENERATORS(exact, near, philox) \
    exact(philox_block, philox, block_of(seed, subsequence, offset)) \
    exact(philox_carry, philox, carried(&s, offset)) \
    exact(philox_curand4, philox, FOUR_OF(curand4(&s))) \
    exact(philox_uniform4, philox, FOUR_OF(curand_uniform4(&s))) \
    exact(philox_uniform2_double, philox, BITS_OF(pick(curand_uniform2_double(&s), hash))) \
    exact(philox_uniform4_double, philox, FOUR_OF(curand_uniform4_double(&s))) \
    near(philox_normal4, f32, philox, 4e-6, curand_normal4(&s)) \
    near(philox_normal4_double, f64, philox, 1e-14, curand_normal4_double(&s)) \
    near(philox_log_normal4, f32, philox, 1e-5, curand_log_normal4(&s, 0.5f, 0.25f)) \
    near(philox_log_normal4_double, f64, philox, 2e-14, curand_log_normal4_double(&s, 0.5, 0.25))
// clang-format on

#define ROW_ENUM(name, ...)               row_##name,
#define ROW_EXACT(name, State, ...)       {#name, U64, {U64, U64, U64}, 0, 0, 0, 0, false},
#define ROW_NEAR(name, R, State, near, ...) {#name, kind<R>(), {U64, U64, U64}, 0, near, 0, 0, false},

#define CASE_EXACT(name, State, ...)                                                                                   \
    case row_##name: {                                                                                                 \
        State s;                                                                                                       \
        curand_init(seed, subsequence, offset, &s);                                                                    \
        for (int i = 0; i < 5; i++)                                                                                    \
            hash = __VA_ARGS__;                                                                                        \
        return hash;                                                                                                   \
    }

#define CASE_NEAR(name, R, State, near, ...)                                                                           \
    case row_##name: {                                                                                                 \
        State s;                                                                                                       \
        R v = 0;                                                                                                       \
        curand_init(seed, subsequence, offset, &s);                                                                    \
        for (u64 i = 0; i <= seed % 5; i++)                                                                            \
            v = pick(__VA_ARGS__, seed / 5);                                                                           \
        return bits(v);                                                                                                \
    }

enum { ROWS(ROW_ENUM, ROW_ENUM) row_count };

BOTH u64 result_of(int row, u64 seed, u64 subsequence, u64 offset)
{
    u64 hash = 0;

    switch (row) {
        ROWS(CASE_EXACT, CASE_NEAR)
    default:
        return hash;
    }
}

#ifndef CURAND_ON_HOST
__global__ void apply(int row, const u64 *arguments, u64 *results, int count, u64 *)
{
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += (int)(gridDim.x * blockDim.x))
        results[i] = result_of(row, arguments[3 * i], arguments[3 * i + 1], arguments[3 * i + 2]);
}
#endif

} // namespace

static std::vector<Row> rows()
{
    return {ROWS(ROW_EXACT, ROW_NEAR)};
}

static void evaluate(size_t row, Words &arguments, Words &results)
{
    arguments_of(rows()[row], arguments);
#ifdef CURAND_ON_HOST
    results.clear();
    for (size_t i = 0; i < arguments.size(); i += 3)
        results.push_back(result_of((int)row, arguments[i], arguments[i + 1], arguments[i + 2]));
#else
    run(apply, (int)row, arguments.size() / 3, arguments, results);
#endif
}

int main(int count, char **argument)
{
    return table_main(count, argument);
}
