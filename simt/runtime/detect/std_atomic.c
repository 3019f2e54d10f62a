/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The compiler's own atomics, of std::atomic and of static variables, which the ThreadSanitizer pass turns into calls too.
 */
#include "access.h"

#pragma GCC visibility push(hidden)

#define ATOMIC_FETCH(bits, word, name, expression)                                                                     \
    word __tsan_atomic##bits##_##name(volatile word *address, word operand, int order);                                \
    word __tsan_atomic##bits##_##name(volatile word *address, word operand, int order)                                 \
    {                                                                                                                  \
        word old;                                                                                                      \
                                                                                                                       \
        simt_atomic_access((const void *)address, sizeof(word), true, true, order, PLACE);                             \
        old = *address;                                                                                                \
        *address = (word)(expression);                                                                                 \
        return old;                                                                                                    \
    }

/* Plain loads and stores are enough: threads of the host do not share the atomics of kernels. */
#define ATOMICS(bits, word)                                                                                            \
    word __tsan_atomic##bits##_load(const volatile word *address, int order);                                          \
    word __tsan_atomic##bits##_load(const volatile word *address, int order)                                           \
    {                                                                                                                  \
        simt_atomic_access((const void *)address, sizeof(word), true, false, order, PLACE);                            \
        return *address;                                                                                               \
    }                                                                                                                  \
    void __tsan_atomic##bits##_store(volatile word *address, word value, int order);                                   \
    void __tsan_atomic##bits##_store(volatile word *address, word value, int order)                                    \
    {                                                                                                                  \
        simt_atomic_access((const void *)address, sizeof(word), false, true, order, PLACE);                            \
        *address = value;                                                                                              \
    }                                                                                                                  \
    ATOMIC_FETCH(bits, word, exchange, operand)                                                                        \
    ATOMIC_FETCH(bits, word, fetch_add, old + operand)                                                                 \
    ATOMIC_FETCH(bits, word, fetch_sub, old - operand)                                                                 \
    ATOMIC_FETCH(bits, word, fetch_and, old &operand)                                                                  \
    ATOMIC_FETCH(bits, word, fetch_or, old | operand)                                                                  \
    ATOMIC_FETCH(bits, word, fetch_xor, old ^ operand)                                                                 \
    ATOMIC_FETCH(bits, word, fetch_nand, ~(old & operand))                                                             \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile word *address, word *expected, word value, int order,   \
                                                      int otherwise);                                                  \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile word *address, word *expected, word value, int order,   \
                                                      int otherwise)                                                   \
    {                                                                                                                  \
        word old;                                                                                                      \
                                                                                                                       \
        (void)otherwise;                                                                                               \
        simt_atomic_access((const void *)address, sizeof(word), true, true, order, PLACE);                             \
        old = *address;                                                                                                \
        if (old == *expected) {                                                                                        \
            *address = value;                                                                                          \
            return 1;                                                                                                  \
        }                                                                                                              \
        *expected = old;                                                                                               \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile word *address, word *expected, word value, int order,     \
                                                    int otherwise)                                                     \
        __attribute__((alias("__tsan_atomic" #bits "_compare_exchange_strong")));                                      \
    word __tsan_atomic##bits##_compare_exchange_val(volatile word *address, word expected, word value, int order,      \
                                                    int otherwise);                                                    \
    word __tsan_atomic##bits##_compare_exchange_val(volatile word *address, word expected, word value, int order,      \
                                                    int otherwise)                                                     \
    {                                                                                                                  \
        __tsan_atomic##bits##_compare_exchange_strong(address, &expected, value, order, otherwise);                    \
        return expected;                                                                                               \
    }

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    simt_fence(SIMT_DEVICE);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

#pragma GCC visibility pop
