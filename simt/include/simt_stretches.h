/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Kernels with barriers that run from one to the next for all threads of a block (simtcc/stretches.c).
 */
#ifndef SIMT_STRETCHES_H
#define SIMT_STRETCHES_H

#include "simt_atomic.h"

#include <limits.h>

namespace simt
{

/* Bytes of a number would be kept in a register of integers. */
template <typename T, typename U> SIMT_INLINE void keep_value(T &to, const U &from)
{
    if constexpr (std::is_array_v<U>)
        __builtin_memcpy(&to, &from, sizeof to);
    else
        to = from;
}

/* A variable of each thread, in an array for those of the block. */
template <typename T, bool together> class each_thread
{
  public:
    typedef std::remove_const_t<T> value;

    __attribute__((always_inline)) explicit each_thread(char *memory) : all(reinterpret_cast<value *>(memory))
    {
    }

    __attribute__((always_inline)) value &operator[](unsigned number) const
    {
        return all[number];
    }

    template <typename U> __attribute__((always_inline)) void keep(unsigned number, const U &now) const
    {
        keep_value(all[number], now);
    }

  private:
    value *all;
};

/* The variable of a thread that is alone. */
template <typename T> class each_thread<T, false>
{
  public:
    typedef std::remove_const_t<T> value;

    __attribute__((always_inline)) explicit each_thread(char *) : one()
    {
    }

    __attribute__((always_inline)) value &operator[](unsigned)
    {
        return one;
    }

    template <typename U> __attribute__((always_inline)) void keep(unsigned, const U &now)
    {
        keep_value(one, now);
    }

  private:
    value one;
};

/* The threads that run the kernel: all of the block, whose memory for `count` variables of `bytes` in all is the worker's; or one, which
 * waits at barriers as threads do. While all run, none of them gives way to another. */
template <bool together> class stretches
{
  public:
    __attribute__((always_inline)) stretches(size_t bytes, unsigned count)
    {
        if constexpr (together) {
            threads = simt_row;
            simt_row = 0;
            memory = static_cast<char *>(simt_row_memory(threads * bytes + count * APART));
            countdown = simt_countdown;
            simt_countdown = INT_MAX;
        }
    }

    stretches(const stretches &) = delete;
    stretches &operator=(const stretches &) = delete;

    __attribute__((always_inline)) ~stretches()
    {
        if constexpr (together)
            simt_countdown = countdown;
    }

    template <typename T> __attribute__((always_inline)) each_thread<T, together> each()
    {
        char *const here = memory;

        if constexpr (together)
            memory += (threads * sizeof(T) + APART - 1) / APART * APART;
        return each_thread<T, together>(here);
    }

    static constexpr bool is_alone()
    {
        return !together;
    }

    /* No thread has returned. */
    template <typename Each> __attribute__((always_inline)) void clear(Each &gone) const
    {
        for (unsigned i = 0; i < (together ? threads : 1); i++)
            gone[i] = false;
    }

    /* The threads do not depend on each other until the next barrier, as far as they do not race. */
    template <typename Body> __attribute__((always_inline)) void run(Body &&body) const
    {
        if constexpr (together) {
            const unsigned x = blockDim.x;
            unsigned number = 0;

            for (unsigned z = 0, depth = blockDim.z; z < depth; z++)
                for (unsigned y = 0, height = blockDim.y; y < height; y++) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
                    for (unsigned i = 0; i < x; i++)
                        body(uint3{i, y, z}, number + i);
                    number += x;
                }
        } else {
            body(threadIdx, 0u);
        }
    }

    /* Shared memory has no other user while all threads of its block run. */
    template <typename T, typename U> __attribute__((always_inline)) T add_atomically(T *address, U operand) const
    {
        if constexpr (together && std::is_arithmetic_v<T>)
            if ((uintptr_t)address - (uintptr_t)simt_shared_base < SHARED) {
                const T old = *address;

                *address = (T)(old + (T)operand);
                return old;
            }
        return atomicAdd(address, operand);
    }

  private:
    enum { APART = 64 /* a cache line */, SHARED = 227 << 10 /* bytes that a block can have at most */ };

    unsigned threads = 1;
    int countdown = 0;
    char *memory = nullptr;
};

} // namespace simt

#endif
