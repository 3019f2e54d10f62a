/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Atomic functions, for the types for which CUDA has them. The runtime does the access, so that the checks see an
 * atomic access and not a plain one.
 */
#ifndef SIMT_ATOMIC_H
#define SIMT_ATOMIC_H

#include "simt_warp.h"

namespace simt
{

SIMT_INLINE void yield()
{
#ifdef __SIMT_CHECK__
    simt_turn turn = simt_maybe_yield();

    if (turn.next != turn.self)
        simt_switch(turn);
#else
    if (--simt_countdown < 0)
        simt_switch(simt_yield());
#endif
}

#ifdef __SIMT_CHECK__
template <typename T>
SIMT_INLINE T atomic(simt_atomic_operation operation, simt_scope scope, T *address, T operand, T compare = T())
{
    simt_old old;

    yield();
    if constexpr (sizeof(T) == 2)
        old = simt_checked_atomic_16(operation, scope, address, operand, compare);
    else if constexpr (sizeof(T) == 4)
        old = simt_checked_atomic_32(operation, scope, address, (uint32_t)bits(operand), (uint32_t)bits(compare));
    else
        old = simt_checked_atomic_64(operation, scope, address, bits(operand), bits(compare));
#ifdef __OPTIMIZE__ /* without it the compiler does not see which values are unused */
    if (__builtin_expect(old.unwritten != 0, 0))
        old.value = simt_unwritten_value(old.value, old.unwritten);
#endif
    if constexpr (sizeof(T) == 2)
        return (T)old.value;
    else
        return value<T>(old.value);
}
#else
template <typename T>
SIMT_INLINE T atomic(simt_atomic_operation operation, simt_scope scope, T *address, T operand, T compare = T())
{
    yield();
    if constexpr (sizeof(T) == 2)
        return (T)simt_atomic_16(operation, scope, address, operand, compare);
    else if constexpr (sizeof(T) == 4)
        return value<T>(simt_atomic_32(operation, scope, address, (uint32_t)bits(operand), (uint32_t)bits(compare)));
    else
        return value<T>(simt_atomic_64(operation, scope, address, bits(operand), bits(compare)));
}
#endif

/* Of 16 bytes, aligned so: two words that change together. */
template <typename T>
SIMT_INLINE T atomic_pair(simt_atomic_operation operation, simt_scope scope, T *address, T operand, T compare)
{
    typedef unsigned __int128 _P;
    simt_old_pair old;

    yield();
    old = simt_atomic_128(operation, scope, address, __builtin_bit_cast(_P, operand), __builtin_bit_cast(_P, compare));
#if defined(__SIMT_CHECK__) && defined(__OPTIMIZE__)
    if (__builtin_expect(old.unwritten != 0, 0))
        old.value = (_P)simt_unwritten_value((uint64_t)(old.value >> 64), old.unwritten) << 64 |
                    simt_unwritten_value((uint64_t)old.value, old.unwritten);
#endif
    return __builtin_bit_cast(T, old.value);
}

template <typename T>
using if_pair = std::enable_if_t<sizeof(T) == 16 && alignof(T) >= 16 && std::is_trivially_copyable<T>::value, T>;

} // namespace simt

#define SIMT_ATOMIC_1(name, T, operation, scope)                                                                       \
    SIMT_INLINE T name(T *address, T operand)                                                                          \
    {                                                                                                                  \
        return ::simt::atomic<T>(operation, scope, address, operand);                                                  \
    }

#define SIMT_ATOMIC(name, T, operation)                                                                                \
    SIMT_ATOMIC_1(name, T, operation, SIMT_DEVICE)                                                                     \
    SIMT_ATOMIC_1(name##_block, T, operation, SIMT_BLOCK)                                                              \
    SIMT_ATOMIC_1(name##_system, T, operation, SIMT_SYSTEM)

#define SIMT_ATOMIC_SUB_1(name, T, scope)                                                                              \
    SIMT_INLINE T name(T *address, T operand)                                                                          \
    {                                                                                                                  \
        return ::simt::atomic<T>(SIMT_ADD, scope, address, (T)(0u - (unsigned)operand));                               \
    }

#define SIMT_ATOMIC_SUB(name, T)                                                                                       \
    SIMT_ATOMIC_SUB_1(name, T, SIMT_DEVICE)                                                                            \
    SIMT_ATOMIC_SUB_1(name##_block, T, SIMT_BLOCK)                                                                     \
    SIMT_ATOMIC_SUB_1(name##_system, T, SIMT_SYSTEM)

#define SIMT_ATOMIC_CAS_1(name, T, scope)                                                                              \
    SIMT_INLINE T name(T *address, T compare, T operand)                                                               \
    {                                                                                                                  \
        return ::simt::atomic<T>(SIMT_COMPARE, scope, address, operand, compare);                                      \
    }

#define SIMT_ATOMIC_CAS(T)                                                                                             \
    SIMT_ATOMIC_CAS_1(atomicCAS, T, SIMT_DEVICE)                                                                       \
    SIMT_ATOMIC_CAS_1(atomicCAS_block, T, SIMT_BLOCK)                                                                  \
    SIMT_ATOMIC_CAS_1(atomicCAS_system, T, SIMT_SYSTEM)

SIMT_ATOMIC(atomicAdd, int, SIMT_ADD)
SIMT_ATOMIC(atomicAdd, unsigned, SIMT_ADD)
SIMT_ATOMIC(atomicAdd, unsigned long long, SIMT_ADD)
SIMT_ATOMIC(atomicAdd, float, SIMT_ADD_FLOAT)
SIMT_ATOMIC(atomicAdd, double, SIMT_ADD_FLOAT)
SIMT_ATOMIC_SUB(atomicSub, int)
SIMT_ATOMIC_SUB(atomicSub, unsigned)
SIMT_ATOMIC(atomicExch, int, SIMT_EXCHANGE)
SIMT_ATOMIC(atomicExch, unsigned, SIMT_EXCHANGE)
SIMT_ATOMIC(atomicExch, unsigned long long, SIMT_EXCHANGE)
SIMT_ATOMIC(atomicExch, float, SIMT_EXCHANGE)
SIMT_ATOMIC(atomicMin, int, SIMT_MIN_SIGNED)
SIMT_ATOMIC(atomicMin, unsigned, SIMT_MIN)
SIMT_ATOMIC(atomicMin, long long, SIMT_MIN_SIGNED)
SIMT_ATOMIC(atomicMin, unsigned long long, SIMT_MIN)
SIMT_ATOMIC(atomicMax, int, SIMT_MAX_SIGNED)
SIMT_ATOMIC(atomicMax, unsigned, SIMT_MAX)
SIMT_ATOMIC(atomicMax, long long, SIMT_MAX_SIGNED)
SIMT_ATOMIC(atomicMax, unsigned long long, SIMT_MAX)
SIMT_ATOMIC(atomicInc, unsigned, SIMT_INC)
SIMT_ATOMIC(atomicDec, unsigned, SIMT_DEC)
SIMT_ATOMIC(atomicAnd, int, SIMT_AND)
SIMT_ATOMIC(atomicAnd, unsigned, SIMT_AND)
SIMT_ATOMIC(atomicAnd, unsigned long long, SIMT_AND)
SIMT_ATOMIC(atomicOr, int, SIMT_OR)
SIMT_ATOMIC(atomicOr, unsigned, SIMT_OR)
SIMT_ATOMIC(atomicOr, unsigned long long, SIMT_OR)
SIMT_ATOMIC(atomicXor, int, SIMT_XOR)
SIMT_ATOMIC(atomicXor, unsigned, SIMT_XOR)
SIMT_ATOMIC(atomicXor, unsigned long long, SIMT_XOR)

/* Each number of a vector is added atomically, not all of them together. A GPU has these for global memory only. */
#define SIMT_ATOMIC_VECTOR(name)                                                                                       \
    SIMT_INLINE float2 name(float2 *address, float2 operand)                                                           \
    {                                                                                                                  \
        return {name(&address->x, operand.x), name(&address->y, operand.y)};                                           \
    }                                                                                                                  \
    SIMT_INLINE float4 name(float4 *address, float4 operand)                                                           \
    {                                                                                                                  \
        return {name(&address->x, operand.x), name(&address->y, operand.y), name(&address->z, operand.z),              \
                name(&address->w, operand.w)};                                                                         \
    }

SIMT_ATOMIC_VECTOR(atomicAdd)
SIMT_ATOMIC_VECTOR(atomicAdd_block)
SIMT_ATOMIC_VECTOR(atomicAdd_system)

SIMT_ATOMIC_CAS(int)
SIMT_ATOMIC_CAS(unsigned)
SIMT_ATOMIC_CAS(unsigned long long)
SIMT_ATOMIC_CAS_1(atomicCAS, unsigned short, SIMT_DEVICE) /* CUDA has no other scope for it */

#define SIMT_ATOMIC_PAIR(suffix, scope)                                                                                \
    template <typename T> SIMT_INLINE ::simt::if_pair<T> atomicCAS##suffix(T *address, T compare, T operand)           \
    {                                                                                                                  \
        return ::simt::atomic_pair<T>(SIMT_COMPARE, scope, address, operand, compare);                                 \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE ::simt::if_pair<T> atomicExch##suffix(T *address, T operand)                     \
    {                                                                                                                  \
        return ::simt::atomic_pair<T>(SIMT_EXCHANGE, scope, address, operand, operand);                                \
    }

SIMT_ATOMIC_PAIR(, SIMT_DEVICE)
SIMT_ATOMIC_PAIR(_block, SIMT_BLOCK)
SIMT_ATOMIC_PAIR(_system, SIMT_SYSTEM)

#endif
