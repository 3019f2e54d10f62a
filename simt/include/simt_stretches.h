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

enum { given_size = 8 /* bytes of a value that a thread gives to an operation of its warp, at most */, warp_lanes = 32 };

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

/* --- rows: the threads of a block that differ in threadIdx.x alone */

template <unsigned count> struct subscripts {
};

/* Of a thread whose row is not known to be anything. */
struct place_of_thread {
    static constexpr bool is_known()
    {
        return false;
    }

    static constexpr bool holds(unsigned)
    {
        return false;
    }

    template <unsigned, typename T> __attribute__((always_inline)) T at(T subscript) const
    {
        return subscript;
    }
};

/* Of number i in a part of a row of which the first thread has the subscripts `first`; bit k of `all`: comparison k holds. */
template <unsigned all> struct place_in_row {
    const int64_t *first;
    unsigned i;

    static constexpr bool is_known()
    {
        return true;
    }

    static constexpr bool holds(unsigned k)
    {
        return all >> k & 1;
    }

    template <unsigned k, typename T> __attribute__((always_inline)) int64_t at(T) const
    {
        return first[k] + (int64_t)i;
    }
};

enum order { order_less, order_less_equal, order_greater, order_greater_equal, order_equal, order_unequal };

/* The threads [from, to) of a row; negated: all others. */
struct cuts {
    unsigned from, to;
    bool negated;
};

/* A comparison of what is one more for each thread of a row with what is the same for all: value(index, take) calls take with both. */
template <order how, typename Value> struct side {
    static constexpr order kind = how;
    mutable Value value; /* as all lambdas of a kernel it is `mutable` */

    /* Has the row an order for the comparison? It has none where a number overflows, or is cut to fewer bits. */
    __attribute__((always_inline)) bool is_in_order(uint3 first, uint3 last) const
    {
        const auto compared = [](auto one, auto other) __attribute__((always_inline))
        {
            return as_compared(other, one);
        };

        return (uint64_t)own(last) - (uint64_t)own(first) == last.x - first.x &&
               value(first, compared) <= value(last, compared);
    }

    __attribute__((always_inline)) cuts cut(uint3 first, uint3 last) const
    {
        const auto is_less = [](auto one, auto other) __attribute__((always_inline))
        {
            return as_compared(other, one) < as_compared(one, other);
        };
        const auto is_less_equal = [](auto one, auto other) __attribute__((always_inline))
        {
            return as_compared(other, one) <= as_compared(one, other);
        };
        const unsigned all = last.x + 1;

        if constexpr (how == order_less)
            return {0, count<false>(is_less, first, last), false};
        else if constexpr (how == order_less_equal)
            return {0, count<true>(is_less_equal, first, last), false};
        else if constexpr (how == order_greater)
            return {count<true>(is_less_equal, first, last), all, false};
        else if constexpr (how == order_greater_equal)
            return {count<false>(is_less, first, last), all, false};
        else
            return {count<false>(is_less, first, last), count<true>(is_less_equal, first, last), how == order_unequal};
    }

  private:
    /* What is one more for each thread: an integer. */
    __attribute__((always_inline)) auto own(uint3 index) const
    {
        return value(index, [](auto one, auto) __attribute__((always_inline)) { return one; });
    }

    /* How many of the row satisfy the condition, as the first ones do: of integers, which do not overflow between, as many as they are less
     * than the other value; `equal`: and one more. */
    template <bool equal, typename Condition>
    __attribute__((always_inline)) unsigned count(Condition condition, uint3 first, uint3 last) const
    {
        const auto distance = [](auto one, auto other) __attribute__((always_inline))
        {
            typedef std::common_type_t<decltype(one), decltype(other)> T;

            if constexpr (std::is_integral_v<T>)
                return (uint64_t)(T)other - (uint64_t)(T)one;
            else
                return 0.0;
        };
        unsigned least = 0, most = last.x + 1;

        if (!value(first, condition))
            return 0;
        if constexpr (std::is_integral_v<decltype(value(first, distance))>) {
            const uint64_t less = value(first, distance);

            return less >= most ? most : (unsigned)less + equal;
        }
        if (value(last, condition))
            return most;
        while (least < most) {
            const unsigned middle = (least + most) / 2;

            if (value(uint3{middle, first.y, first.z}, condition))
                least = middle + 1;
            else
                most = middle;
        }
        return least;
    }
};

/* A bit for each of the sides of this kind. */
template <typename... Sides> constexpr unsigned sides_of(order kind)
{
    unsigned bit = 1, all = 0;

    ((all |= Sides::kind == kind ? bit : 0, bit <<= 1), ...);
    return all;
}

template <order how, typename Value> __attribute__((always_inline)) inline side<how, Value> side_of(Value value)
{
    return {value};
}

/* The threads that run the kernel: all of the block, whose memory for `count` variables of `bytes` in all is the worker's; or one, which
 * waits at barriers as threads do. While all run, none of them gives way to another. */
template <bool together> class stretches
{
  public:
    __attribute__((always_inline)) stretches(size_t bytes, unsigned count)
    {
        if constexpr (together) {
            width = blockDim.x; /* read once, since what the threads write could be everywhere */
            height = blockDim.y;
            threads = simt_row;
            simt_row = 0;
            memory = static_cast<char *>(simt_row_memory(threads * bytes + count * cache_line));
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
        return reserve(given_size);
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
            const unsigned x = row_length();

            each_row([&](const uint3 first, const unsigned number) __attribute__((always_inline)) {
#ifdef __clang__ /* clang 14 divides by zero in `if (k) x += n / k`, whose k is the same in all rounds, when it makes vectors */
#pragma clang loop vectorize(disable)
#else
#pragma GCC ivdep
#endif
                for (unsigned i = 0; i < x; i++)
                    body(uint3{i, first.y, first.z}, number + i);
            });
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
        static_assert(sizeof(T) <= given_size, "one value in a place");
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
                                              int width = warp_lanes) const
    {
        const unsigned lane = number % warp_lanes;
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
        for (unsigned first = 0; together && first < threads; first += warp_lanes) {
            unsigned *const warp = reinterpret_cast<unsigned *>(given) + first;
            const unsigned lanes = threads - first < warp_lanes ? threads - first : (unsigned)warp_lanes;
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
        return (T)(reinterpret_cast<const unsigned *>(given)[number - number % warp_lanes] ^ sign<T, operation>());
    }

    /* The same where the compiler gets to know what the rows are. A row is divided where a comparison of one of `sides` changes. `at` computes
     * subscripts, each of which is to be one more for each thread of such a part. Of parts where that is not so, or that are short, nothing is
     * known. */
    template <unsigned count, typename Body, typename At, typename... Sides>
    __attribute__((always_inline)) void run_rows(Body &&body, subscripts<count>, At &&at, const Sides &...sides) const
    {
        if constexpr (together) {
            const unsigned x = row_length();

            each_row([&](const uint3 first, const unsigned number) __attribute__((always_inline)) {
                const uint3 last{x - 1, first.y, first.z};

                if constexpr (sizeof...(Sides) == 0)
                    choose<0, 1, 0, 0, count>(body, first, last, number, at, 0);
                else if (x >= few_threads && (sides.is_in_order(first, last) && ...))
                    divide<count>(body, first, last, number, at, sides...);
                else
                    each(body, first, last, number);
            });
        } else {
            body(threadIdx, 0u, place_of_thread());
        }
    }

    /* Shared memory has no other user while all threads of its block run. */
    template <typename T, typename U> __attribute__((always_inline)) T add_atomically(T *address, U operand) const
    {
        if constexpr (together && std::is_arithmetic_v<T>)
            if ((uintptr_t)address - (uintptr_t)simt_shared_base < most_shared) {
                const T old = *address;

                *address = (T)(old + (T)operand);
                return old;
            }
        return atomicAdd(address, operand);
    }

    /* The same of what is known to be there. */
    template <typename T, typename U> __attribute__((always_inline)) T add_shared(T *address, U operand) const
    {
        if constexpr (together && std::is_arithmetic_v<T>) {
            T old;

            asm volatile("" : "+m"(*address)); /* two threads may have one address: no two in one vector */
            old = *address;
            *address = (T)(old + (T)operand);
            return old;
        } else {
            return atomicAdd(address, operand);
        }
    }

  private:
    enum { cache_line = 64 /* bytes */, most_shared = 227 << 10 /* bytes that a block can have at most */ };

    /* Fewer threads are not worth a loop of their own. */
    enum { few_threads = 8 };

    /* The compiler may know that numbers of threads do not overflow. */
    __attribute__((always_inline)) unsigned row_length() const
    {
        is_thread(width - 1);
        return width;
    }

    /* Calls row(index, number) with those of the first thread of each row. */
    template <typename Row> __attribute__((always_inline)) void each_row(Row &&row) const
    {
        uint3 first{0, 0, 0};

        for (unsigned number = 0; number < threads; number += width) {
            is_thread(number);
            row(first, number);
            if (++first.y == height) {
                first.y = 0;
                first.z++;
            }
        }
    }

    static __attribute__((always_inline)) void is_thread(unsigned number)
    {
        if (number >= 1024)
            __builtin_unreachable();
    }

    template <size_t... k>
    static __attribute__((always_inline)) bool are_apart(const int64_t *begin, const int64_t *end, unsigned distance,
                                                         std::index_sequence<k...>)
    {
        return (((uint64_t)begin[k] + distance == (uint64_t)end[k]) && ... && true);
    }

    /* Threads of which nothing is known. */
    template <typename Body>
    static __attribute__((always_inline)) void each(Body &body, uint3 first, uint3 last, unsigned number)
    {
        for (; first.x <= last.x; first.x++)
            body(first, number + first.x, place_of_thread());
    }

    template <unsigned count, typename Body, typename At, typename... Sides>
    static __attribute__((always_inline)) void divide(Body &body, uint3 first, uint3 last, unsigned number, At &at,
                                                      const Sides &...sides)
    {
        const cuts all[] = {sides.cut(first, last)...};
        const unsigned end = last.x + 1;

        while (first.x < end) {
            unsigned to = end, holds = 0;

            for (unsigned k = 0; k < sizeof...(Sides); k++) {
                to = first.x < all[k].from ? smaller(to, all[k].from)
                     : first.x < all[k].to ? smaller(to, all[k].to)
                                           : to;
                holds |= (unsigned)((first.x >= all[k].from && first.x < all[k].to) != all[k].negated) << k;
            }
            last.x = to - 1;
            choose<0, (1 << sizeof...(Sides)), sides_of<Sides...>(order_equal), sides_of<Sides...>(order_unequal), count>(
                body, first, last, number, at, holds);
            first.x = to;
        }
    }

    static __attribute__((always_inline)) unsigned smaller(unsigned a, unsigned b)
    {
        return a < b ? a : b;
    }

    /* Bit k of `holds` says whether comparison k holds. Where one of `equal` does, or one of `unequal` does not, is one thread. */
    template <unsigned least, unsigned end, unsigned equal, unsigned unequal, unsigned count, typename Body,
              typename At>
    static __attribute__((always_inline)) void choose(Body &body, uint3 first, uint3 last, unsigned number, At &at,
                                                      unsigned holds)
    {
        int64_t from[count + 1] = {}, to[count + 1] = {};

        if (last.x - first.x >= few_threads - 1) {
            at(first, from);
            at(last, to);
        }
        if (last.x - first.x >= few_threads - 1 && are_apart(from, to, last.x - first.x, std::make_index_sequence<count>()))
            part<least, end, equal, unequal>(body, first, last, number, from, holds);
        else
            each(body, first, last, number);
    }

    template <unsigned least, unsigned end, unsigned equal, unsigned unequal, typename Body>
    static __attribute__((always_inline)) void part(Body &body, uint3 first, uint3 last, unsigned number,
                                                    const int64_t *at, unsigned holds)
    {
        if (least + 1 < end && holds != least) {
            if constexpr (least + 1 < end)
                part<least + 1, end, equal, unequal>(body, first, last, number, at, holds);
            return;
        }
        if constexpr ((least & equal) || (~least & unequal))
            return;
        const unsigned count = last.x - first.x + 1;

        is_thread(count - 1);
        is_thread(number);
        is_thread(first.x);
#ifdef __clang__ /* clang 14 divides by zero in `if (k) x += n / k`, whose k is the same in all rounds, when it makes vectors */
#pragma clang loop vectorize(disable)
#else
#pragma GCC ivdep
#endif
        for (unsigned i = 0; i < count; i++)
            body(uint3{first.x + i, first.y, first.z}, number + first.x + i, place_in_row<least>{at, i});
    }

    __attribute__((always_inline)) char *reserve(size_t bytes)
    {
        char *const here = memory;

        if constexpr (together)
            memory += (threads * bytes + cache_line - 1) / cache_line * cache_line;
        return here;
    }

    /* With it, numbers of T have the order of unsigned ones. */
    template <typename T, unsigned operation> static constexpr unsigned sign()
    {
        return std::is_signed_v<T> && (operation == SIMT_REDUCE_MIN || operation == SIMT_REDUCE_MAX) ? 1u << 31 : 0;
    }

    unsigned threads = 1, width = 1, height = 1;
    int countdown = 0;
    char *memory = nullptr;
};

/* --- the processor's widest registers */

/* What runs together does so in registers of 32 bytes, which nearly all processors have: on others each thread has a stack. To compile all for
 * others once more would take a third longer, so simtcc defines SIMT_NARROW where its own processor is such a one. There is no fused
 * multiplication in this, and each operation gives what it gives elsewhere. Not by clang, whose loops over rows are no vectors; not without
 * optimisation. */
#if defined __x86_64__ && defined __OPTIMIZE__ && !defined __clang__ && !defined __AVX2__ && !defined SIMT_NARROW
template <typename Body> __attribute__((target("avx2"), noinline)) void run_wide(Body body)
{
    body(std::true_type());
}

SIMT_INLINE bool is_wide()
{
    return __builtin_cpu_supports("avx2");
}
#else
template <typename Body> SIMT_INLINE void run_wide(Body &body)
{
    body(std::true_type());
}

SIMT_INLINE bool is_wide()
{
    return true;
}
#endif

/* Runs the kernel's body for all threads of the block, or for the one that is alone. The body is given by value: what it has would be
 * everywhere else. */
template <typename Body> SIMT_INLINE void run_body(Body &body)
{
    if (__builtin_expect(simt_row != 0, 0) && is_wide())
        run_wide(body);
    else
        body(std::false_type());
}

} // namespace simt

#endif
