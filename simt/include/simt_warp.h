/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Barriers, warp operations, fences, time. The last two parameters of most functions are the caller's file and its line
 * and column, for findings and to tell barriers apart; callers leave them out.
 */
#ifndef SIMT_WARP_H
#define SIMT_WARP_H

#include "simt_launch.h"

/* The column of the call, in the upper half, and its line. gcc has no builtin for the column alone, and the one for the
 * whole place needs this type of the standard library, which only C++20 has. */
#ifdef __clang__
#define SIMT_COLUMN __builtin_COLUMN()
#elif __cplusplus > 201703L
#include <source_location>
#define SIMT_COLUMN std::source_location::current().column()
#else
namespace std
{
struct source_location {
    struct __impl {
        const char *_M_file_name, *_M_function_name;
        unsigned _M_line, _M_column;
    };
};
} // namespace std
#define SIMT_COLUMN (static_cast<const std::source_location::__impl *>(__builtin_source_location())->_M_column)
#endif

#define SIMT_PLACE                                                                                                     \
    const char *simt_file = __builtin_FILE(), uint64_t simt_line = (uint64_t)SIMT_COLUMN << 32 | __builtin_LINE()

/* --- barriers */

SIMT_INLINE void __syncthreads(SIMT_PLACE)
{
    simt_switch(simt_barrier(SIMT_BARRIER, 0, simt_file, simt_line));
}

SIMT_INLINE int __syncthreads_count(int predicate, SIMT_PLACE)
{
    return (int)simt_switch(simt_barrier(SIMT_BARRIER_COUNT, predicate, simt_file, simt_line));
}

SIMT_INLINE int __syncthreads_and(int predicate, SIMT_PLACE)
{
    return (int)simt_switch(simt_barrier(SIMT_BARRIER_AND, predicate, simt_file, simt_line));
}

SIMT_INLINE int __syncthreads_or(int predicate, SIMT_PLACE)
{
    return (int)simt_switch(simt_barrier(SIMT_BARRIER_OR, predicate, simt_file, simt_line));
}

SIMT_INLINE void __barrier_sync(unsigned id, SIMT_PLACE)
{
    simt_named_pass(simt_switch(simt_named_sync(id, SIMT_WHOLE_BLOCK, 0, SIMT_BARRIER, 0, simt_file, simt_line)));
}

SIMT_INLINE void __barrier_sync_count(unsigned id, unsigned count, SIMT_PLACE)
{
    simt_named_pass(simt_switch(simt_named_sync(id, count, 0, SIMT_BARRIER, 0, simt_file, simt_line)));
}

SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu, SIMT_PLACE)
{
    simt_switch(simt_warp(SIMT_SYNC, mask, 0, 0, simt_file, (int)simt_line));
}

/* --- warp operations */

namespace simt
{

template <typename T> SIMT_INLINE uint64_t bits(T value)
{
    uint64_t all = 0;

    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "32 or 64 bits");
    if constexpr (sizeof(T) == 4)
        all = __builtin_bit_cast(uint32_t, value);
    else
        all = __builtin_bit_cast(uint64_t, value);
    return all;
}

template <typename T> SIMT_INLINE T value(uint64_t all)
{
    if constexpr (sizeof(T) == 4)
        return __builtin_bit_cast(T, (uint32_t)all);
    else
        return __builtin_bit_cast(T, all);
}

template <typename T>
SIMT_INLINE T shuffle(unsigned operation, unsigned mask, T mine, unsigned where, int width, SIMT_PLACE)
{
    return value<T>(simt_switch(simt_warp(operation | (sizeof(T) == 8 ? SIMT_WIDE : 0), mask, bits(mine),
                                          (where & 31) | ((unsigned)width & 63) << 8 |
                                              (std::is_floating_point_v<T> ? (unsigned)SIMT_FLOATING : 0u),
                                          simt_file, (int)simt_line)));
}

} // namespace simt

#define SIMT_SHUFFLES(T)                                                                                               \
    SIMT_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = 32, SIMT_PLACE)                            \
    {                                                                                                                  \
        return ::simt::shuffle(SIMT_SHUFFLE_INDEX, mask, value, (unsigned)lane, width, simt_file, simt_line);          \
    }                                                                                                                  \
    SIMT_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_PLACE)                   \
    {                                                                                                                  \
        return ::simt::shuffle(SIMT_SHUFFLE_UP, mask, value, delta, width, simt_file, simt_line);                      \
    }                                                                                                                  \
    SIMT_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_PLACE)                 \
    {                                                                                                                  \
        return ::simt::shuffle(SIMT_SHUFFLE_DOWN, mask, value, delta, width, simt_file, simt_line);                    \
    }                                                                                                                  \
    SIMT_INLINE T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, SIMT_PLACE)                       \
    {                                                                                                                  \
        return ::simt::shuffle(SIMT_SHUFFLE_XOR, mask, value, (unsigned)lanes, width, simt_file, simt_line);           \
    }

#define SIMT_MATCHES(T)                                                                                                \
    SIMT_INLINE unsigned __match_any_sync(unsigned mask, T value, SIMT_PLACE)                                          \
    {                                                                                                                  \
        return (unsigned)simt_switch(simt_warp(SIMT_MATCH_ANY | (sizeof(T) == 8 ? SIMT_WIDE : 0), mask,                \
                                               ::simt::bits(value), 0, simt_file, (int)simt_line));                    \
    }                                                                                                                  \
    SIMT_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all, SIMT_PLACE)                                \
    {                                                                                                                  \
        unsigned same = (unsigned)simt_switch(simt_warp(SIMT_MATCH_ALL | (sizeof(T) == 8 ? SIMT_WIDE : 0), mask,       \
                                                        ::simt::bits(value), 0, simt_file, (int)simt_line));           \
        *all = same != 0;                                                                                              \
        return same;                                                                                                   \
    }

#define SIMT_NUMBERS(row)                                                                                              \
    row(int) row(unsigned) row(long) row(unsigned long) row(long long) row(unsigned long long) row(float) row(double)

SIMT_NUMBERS(SIMT_SHUFFLES)
SIMT_NUMBERS(SIMT_MATCHES)

SIMT_INLINE unsigned __ballot_sync(unsigned mask, int predicate, SIMT_PLACE)
{
    return (unsigned)simt_switch(simt_warp(SIMT_BALLOT, mask, predicate != 0, 0, simt_file, (int)simt_line));
}

SIMT_INLINE int __any_sync(unsigned mask, int predicate, SIMT_PLACE)
{
    return (int)simt_switch(simt_warp(SIMT_ANY, mask, predicate != 0, 0, simt_file, (int)simt_line));
}

SIMT_INLINE int __all_sync(unsigned mask, int predicate, SIMT_PLACE)
{
    return (int)simt_switch(simt_warp(SIMT_ALL, mask, predicate != 0, 0, simt_file, (int)simt_line));
}

#define SIMT_REDUCE(name, T, operation)                                                                                \
    SIMT_INLINE T name(unsigned mask, T value, SIMT_PLACE)                                                             \
    {                                                                                                                  \
        return (T)simt_switch(simt_warp(operation, mask, (unsigned)value, 0, simt_file, (int)simt_line));              \
    }

SIMT_REDUCE(__reduce_add_sync, unsigned, SIMT_REDUCE_ADD)
SIMT_REDUCE(__reduce_add_sync, int, SIMT_REDUCE_ADD)
SIMT_REDUCE(__reduce_min_sync, unsigned, SIMT_REDUCE_MIN)
SIMT_REDUCE(__reduce_min_sync, int, SIMT_REDUCE_MIN_SIGNED)
SIMT_REDUCE(__reduce_max_sync, unsigned, SIMT_REDUCE_MAX)
SIMT_REDUCE(__reduce_max_sync, int, SIMT_REDUCE_MAX_SIGNED)
SIMT_REDUCE(__reduce_and_sync, unsigned, SIMT_REDUCE_AND)
SIMT_REDUCE(__reduce_or_sync, unsigned, SIMT_REDUCE_OR)
SIMT_REDUCE(__reduce_xor_sync, unsigned, SIMT_REDUCE_XOR)

/* Some of the lanes that reach this call: in some launches all that reach it before the warp's other lanes wait. */
SIMT_INLINE unsigned __activemask(SIMT_PLACE)
{
    return (unsigned)simt_switch(simt_active_mask(simt_file, (int)simt_line));
}

/* --- fences, time, end */

SIMT_INLINE void __threadfence()
{
    simt_fence(SIMT_DEVICE);
}

SIMT_INLINE void __threadfence_block()
{
    simt_fence(SIMT_BLOCK);
}

SIMT_INLINE void __threadfence_system()
{
    simt_fence(SIMT_SYSTEM);
}

/* Time is counted in steps of the machine. Reading it is a step, so that loops that wait for time end. */
SIMT_INLINE long long clock64()
{
    simt_switch(simt_pause());
    return (long long)simt_clock();
}

SIMT_INLINE unsigned long long __globaltimer()
{
    simt_switch(simt_pause());
    return simt_timer();
}

SIMT_INLINE void __nanosleep(unsigned)
{
    simt_switch(simt_pause());
}

SIMT_INLINE void __trap()
{
    simt_trap();
}

SIMT_INLINE void __brkpt()
{
}

#endif
