/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA's atomic functions with a memory order and a scope (__nv_atomic_*), for integers and floating point of 4 and 8
 * bytes. A fence before the operation makes it a release, one after it an acquire.
 */
#ifndef SIMT_NV_ATOMIC_H
#define SIMT_NV_ATOMIC_H

#include "simt_atomic.h"

#define __NV_ATOMIC_RELAXED       0
#define __NV_ATOMIC_CONSUME       1
#define __NV_ATOMIC_ACQUIRE       2
#define __NV_ATOMIC_RELEASE       3
#define __NV_ATOMIC_ACQ_REL       4
#define __NV_ATOMIC_SEQ_CST       5
#define __NV_THREAD_SCOPE_THREAD  0
#define __NV_THREAD_SCOPE_BLOCK   1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE  3
#define __NV_THREAD_SCOPE_SYSTEM  4

SIMT_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (order == __NV_ATOMIC_RELAXED)
        return;
    if (scope <= __NV_THREAD_SCOPE_BLOCK)
        __threadfence_block();
    else if (scope <= __NV_THREAD_SCOPE_DEVICE)
        __threadfence();
    else
        __threadfence_system();
}

namespace simt
{

SIMT_INLINE simt_scope scope_of(int scope)
{
    return scope <= __NV_THREAD_SCOPE_BLOCK    ? SIMT_BLOCK
           : scope <= __NV_THREAD_SCOPE_DEVICE ? SIMT_DEVICE
                                               : SIMT_SYSTEM;
}

SIMT_INLINE void fence_before(int order, int scope)
{
    if (order >= __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(order, scope);
}

SIMT_INLINE void fence_after(int order, int scope)
{
    if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(order, scope);
}

template <typename T>
SIMT_INLINE T ordered(simt_atomic_operation operation, T *address, T operand, int order, int scope, T compare = T())
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "simt has __nv_atomic_* for types of 4 and 8 bytes");
    T old;

    fence_before(order, scope);
    old = atomic<T>(operation, scope_of(scope), address, operand, compare);
    fence_after(order, scope);
    return old;
}

} // namespace simt

/* Loads and stores are volatile accesses, which count as relaxed atomics. */
template <typename T> SIMT_INLINE T __nv_atomic_load_n(T *address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    std::remove_cv_t<T> value;

    if (order == __NV_ATOMIC_SEQ_CST)
        __nv_atomic_thread_fence(order, scope);
#ifndef __SIMT_CHECK__
    ::simt::yield(); /* in a checking build the access itself yields */
#endif
    value = *(const volatile std::remove_cv_t<T> *)address;
    ::simt::fence_after(order, scope);
    return value;
}

template <typename T>
SIMT_INLINE void __nv_atomic_load(T *address, std::remove_cv_t<T> *value, int order,
                                  int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *value = __nv_atomic_load_n(address, order, scope);
}

template <typename T>
SIMT_INLINE void __nv_atomic_store_n(T *address, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    ::simt::fence_before(order, scope);
#ifndef __SIMT_CHECK__
    ::simt::yield();
#endif
    *(volatile T *)address = value;
}

template <typename T>
SIMT_INLINE void __nv_atomic_store(T *address, T *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __nv_atomic_store_n(address, *value, order, scope);
}

template <typename T>
SIMT_INLINE T __nv_atomic_exchange_n(T *address, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return ::simt::ordered<T>(SIMT_EXCHANGE, address, value, order, scope);
}

template <typename T>
SIMT_INLINE void __nv_atomic_exchange(T *address, T *value, T *old, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *old = __nv_atomic_exchange_n(address, *value, order, scope);
}

template <typename T>
SIMT_INLINE bool __nv_atomic_compare_exchange_n(T *address, T *expected, T desired, bool weak, int success, int failure,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    const T before = *expected;

    (void)weak;
    *expected =
        ::simt::ordered<T>(SIMT_COMPARE, address, desired, success > failure ? success : failure, scope, before);
    return __builtin_memcmp(expected, &before, sizeof before) == 0;
}

template <typename T>
SIMT_INLINE bool __nv_atomic_compare_exchange(T *address, T *expected, T *desired, bool weak, int success, int failure,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __nv_atomic_compare_exchange_n(address, expected, *desired, weak, success, failure, scope);
}

/* NAME returns nothing, fetch_NAME the old value. */
#define SIMT_NV_ATOMIC(name, operation, operand)                                                                       \
    template <typename T>                                                                                              \
    SIMT_INLINE T __nv_atomic_fetch_##name(T *address, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)       \
    {                                                                                                                  \
        return ::simt::ordered<T>(operation, address, operand, order, scope);                                          \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    SIMT_INLINE void __nv_atomic_##name(T *address, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)          \
    {                                                                                                                  \
        __nv_atomic_fetch_##name(address, value, order, scope);                                                        \
    }

SIMT_NV_ATOMIC(add, std::is_floating_point_v<T> ? SIMT_ADD_FLOAT : SIMT_ADD, value)
SIMT_NV_ATOMIC(sub, std::is_floating_point_v<T> ? SIMT_ADD_FLOAT : SIMT_ADD, (T)-value)
SIMT_NV_ATOMIC(min, std::is_signed_v<T> ? SIMT_MIN_SIGNED : SIMT_MIN, value)
SIMT_NV_ATOMIC(max, std::is_signed_v<T> ? SIMT_MAX_SIGNED : SIMT_MAX, value)
SIMT_NV_ATOMIC(and, SIMT_AND, value)
SIMT_NV_ATOMIC(or, SIMT_OR, value)
SIMT_NV_ATOMIC(xor, SIMT_XOR, value)

#endif
