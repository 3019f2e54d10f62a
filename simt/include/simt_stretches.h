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

enum { GIVEN = 8 /* bytes of a value that a thread gives to an operation of its warp, at most */, LANES = 32 };

/* The value as a comparison with a T takes it. The compiler does not warn that the comparison is always false, as the program's is not. */
template <typename T, typename U> SIMT_INLINE std::common_type_t<T, U> as_compared(T, U value)
{
    return (std::common_type_t<T, U>)value;
}

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
        return each_thread<T, together>(reserve(sizeof(T)));
    }

    __attribute__((always_inline)) char *given()
    {
        return reserve(GIVEN);
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

    /* A loop in step: all threads do their first round, then those that have one their second. `body` returns whether the thread had it. */
    template <typename Body> __attribute__((always_inline)) void rounds(Body &&body) const
    {
        bool any = true;

        while (any) {
            any = false;
            run([&](const uint3 index, unsigned number)
                    __attribute__((always_inline)) { any |= body(index, number, std::false_type(), 0); });
        }
    }

    /* The same of a loop whose condition holds for all threads if it holds for the least and the largest value of a counter. While threads that
     * follow each other have values that do, rounds need no condition, and what they read and write lies side by side. */
    template <typename Body, typename Each, typename Condition, typename Step>
    __attribute__((always_inline)) void rounds(Body &&body, Each &counters, Condition &&condition, Step &&step) const
    {
        typedef typename Each::value T;

        if constexpr (together && std::is_integral_v<T>) {
            T first = counters[0], last;
            bool row = true;

            for (unsigned i = 1; i < threads; i++)
                row &= counters[i] == (T)((uint64_t)first + i);
            if (row) {
                for (; !__builtin_add_overflow(first, threads - 1, &last) && condition(first) && condition(last);
                     first = step(first))
                    run([&](const uint3 index, unsigned number)
                            __attribute__((always_inline)) { body(index, number, std::true_type(), first); });
                for (unsigned i = 0; i < threads; i++)
                    counters[i] = (T)((uint64_t)first + i);
            }
        }
        rounds(body);
    }

    /* Of a thread in such a round: the compiler may know that it did not overflow. */
    template <typename Each, typename Whole, typename T>
    static __attribute__((always_inline)) typename Each::value counter(Each &counters, unsigned number, Whole, T first)
    {
        if constexpr (Whole::value && std::is_integral_v<T>) {
            const uint64_t wide = (uint64_t)first + number;

            if (wide != (uint64_t)(T)wide)
                __builtin_unreachable();
            return (T)wide;
        } else {
            return counters[number];
        }
    }

    /* What the thread gives to an operation whose result is a T. */
    template <typename T, unsigned operation, typename U>
    __attribute__((always_inline)) void give(char *given, unsigned number, const U &value) const
    {
        static_assert(sizeof(T) <= GIVEN, "one value in a place");
        if constexpr (operation <= SIMT_SHUFFLE_XOR)
            reinterpret_cast<T *>(given)[number] = (T)value;
        else if constexpr (operation <= SIMT_ALL)
            reinterpret_cast<unsigned *>(given)[number] = (int)value != 0;
        else
            reinterpret_cast<unsigned *>(given)[number] = (unsigned)(T)value ^ sign<T, operation>();
    }

    /* The value that a shuffle brings. */
    template <typename T, unsigned operation>
    __attribute__((always_inline)) T shuffled(const char *given, unsigned number, unsigned where,
                                              int width = LANES) const
    {
        const unsigned lane = number % LANES;
        const unsigned from =
            number - lane + simt_source_lane(operation, lane, (where & 31) | ((unsigned)width & 63) << 8);

        if (__builtin_expect(from < threads, 1))
            return reinterpret_cast<const T *>(given)[from];
        const uint64_t poison = simt_poison(); /* there is no such thread */
        T result;

        __builtin_memcpy(&result, &poison, sizeof result);
        return result;
    }

    /* Of each warp, whose first thread's place gets the result. */
    template <unsigned operation> void combine(char *given) const
    {
        for (unsigned first = 0; together && first < threads; first += LANES) {
            unsigned *const warp = reinterpret_cast<unsigned *>(given) + first;
            const unsigned lanes = threads - first < LANES ? threads - first : (unsigned)LANES;
            unsigned all = warp[0];

            for (unsigned i = 1; i < lanes; i++)
                all = operation == SIMT_BALLOT                                ? all | warp[i] << i
                      : operation == SIMT_REDUCE_ADD                          ? all + warp[i]
                      : operation == SIMT_REDUCE_MIN                          ? (all < warp[i] ? all : warp[i])
                      : operation == SIMT_REDUCE_MAX                          ? (all > warp[i] ? all : warp[i])
                      : operation == SIMT_ALL || operation == SIMT_REDUCE_AND ? all & warp[i]
                      : operation == SIMT_REDUCE_XOR                          ? all ^ warp[i]
                                                                              : all | warp[i];
            warp[0] = all;
        }
    }

    template <typename T, unsigned operation>
    __attribute__((always_inline)) T combined(const char *given, unsigned number) const
    {
        return (T)(reinterpret_cast<const unsigned *>(given)[number - number % LANES] ^ sign<T, operation>());
    }

    /* The same where each row of threads is divided: those for which `before` is true come first, the side on which a comparison holds ends with
     * the last for which `up_to` is true. */
    template <typename Body, typename Before, typename UpTo>
    __attribute__((always_inline)) void run_sides(Body &&body, Before &&before, UpTo &&up_to) const
    {
        if constexpr (together) {
            const unsigned x = blockDim.x, to = count(up_to, x), from = count(before, to);
            unsigned number = 0;

            for (unsigned z = 0, depth = blockDim.z; z < depth; z++)
                for (unsigned y = 0, height = blockDim.y; y < height; y++) {
                    row(body, uint3{0, y, z}, from, number, std::false_type());
                    row(body, uint3{from, y, z}, to, number, std::true_type());
                    row(body, uint3{to, y, z}, x, number, std::false_type());
                    number += x;
                }
        } else {
            body(threadIdx, 0u, !before(threadIdx.x) && up_to(threadIdx.x));
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

    /* How many of the first `threads` satisfy the condition, as the first ones do. */
    template <typename Condition>
    static __attribute__((always_inline)) unsigned count(Condition &&condition, unsigned threads)
    {
        unsigned least = 0, most = threads;

        while (least < most) {
            const unsigned middle = (least + most) / 2;

            if (condition(middle))
                least = middle + 1;
            else
                most = middle;
        }
        return least;
    }

    /* Threads from `index` on: CHUNK at a time, so many that the compiler need not count them. */
    template <typename Body, typename Side>
    static __attribute__((always_inline)) void row(Body &body, uint3 index, unsigned end, unsigned number, Side side)
    {
        enum { CHUNK = 16 };
        unsigned x = index.x;

        for (; x + CHUNK <= end; x += CHUNK) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
            for (unsigned i = 0; i < CHUNK; i++)
                body(uint3{x + i, index.y, index.z}, number + x + i, side);
        }
        for (; x < end; x++)
            body(uint3{x, index.y, index.z}, number + x, side);
    }

    __attribute__((always_inline)) char *reserve(size_t bytes)
    {
        char *const here = memory;

        if constexpr (together)
            memory += (threads * bytes + APART - 1) / APART * APART;
        return here;
    }

    /* With it, numbers of T have the order of unsigned ones. */
    template <typename T, unsigned operation> static constexpr unsigned sign()
    {
        return std::is_signed_v<T> && (operation == SIMT_REDUCE_MIN || operation == SIMT_REDUCE_MAX) ? 1u << 31 : 0;
    }

    unsigned threads = 1;
    int countdown = 0;
    char *memory = nullptr;
};

} // namespace simt

#endif
