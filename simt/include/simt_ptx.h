/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The instructions of PTX, as functions: bfe.u32 is ::simt::ptx::bfe<uint32_t>. simtcc turns asm statements of device code
 * into calls of them (ptx.h of simtcc). The semantics are those of the PTX ISA. Functions that are approximate on a GPU
 * (.approx) are those of the C library here.
 */
#ifndef SIMT_PTX_H
#define SIMT_PTX_H

#include "simt_half.h"
#include "simt_memory.h"

#pragma GCC visibility push(hidden)
extern "C" unsigned simt_multiprocessors(void); /* what the device says of them: runtime/api/shape.c */
extern "C" unsigned simt_threads_each(void);
#pragma GCC visibility pop

namespace simt::ptx
{

/* --- registers. A register holds bits: the instruction says what they mean. */

struct half {
    uint16_t bits;
};

struct bfloat16 {
    uint16_t bits;
};

struct half_pair {
    uint32_t bits;
};

struct bfloat16_pair {
    uint32_t bits;
};

struct unsigned_pair {
    uint32_t bits;
};

struct signed_pair {
    uint32_t bits;
};

/* What a source operand holds. It becomes what the instruction's function takes. */
struct source {
    uint64_t bits;

    template <typename T> __attribute__((always_inline)) operator T() const
    {
        if constexpr (std::is_same_v<T, bool>)
            return bits & 1;
        else if constexpr (std::is_class_v<T>)
            return T{(decltype(T::bits))bits};
        else if constexpr (std::is_same_v<T, float>)
            return __builtin_bit_cast(float, (uint32_t)bits);
        else if constexpr (std::is_same_v<T, double>)
            return __builtin_bit_cast(double, bits);
        else
            return (T)bits;
    }
};

/* A register of 16 bytes. Only mov, ld, st, atom.exch and atom.cas have such operands. */
struct wide_source {
    unsigned __int128 bits;

    __attribute__((always_inline)) operator unsigned __int128() const
    {
        return bits;
    }
};

SIMT_INLINE wide_source get(unsigned __int128 value)
{
    return {value};
}

/* A predicate: a few instructions take one where others take a number. */
struct predicate_source : source {
};

SIMT_INLINE predicate_source get(bool value)
{
    return {{value}};
}

template <typename T> SIMT_INLINE source get(T value)
{
    if constexpr (std::is_same_v<T, float>)
        return {__builtin_bit_cast(uint32_t, value)};
    else if constexpr (std::is_same_v<T, double>)
        return {__builtin_bit_cast(uint64_t, value)};
    else
        return {(uint64_t)value};
}

struct sink {
};

/* A result with a predicate: setp's second is the negation, shfl's says whether the lane was in range. */
template <typename T> struct with_predicate {
    T value;
    bool predicate;
};

template <typename _D, typename T> SIMT_INLINE void put(_D &to, T value)
{
    if constexpr (std::is_class_v<T>)
        to = (_D)value.bits;
    else if constexpr (std::is_floating_point_v<_D> || std::is_floating_point_v<T>)
        to = (_D)get(value);
    else
        to = (_D)value; /* a signed value is extended by its sign */
}

template <typename _D, typename T> SIMT_INLINE void put(_D &to, with_predicate<T> result)
{
    put(to, result.value);
}

template <typename _D, typename T> SIMT_INLINE void put(_D &to, bool &predicate, with_predicate<T> result)
{
    put(to, result.value);
    predicate = result.predicate;
}

template <typename T> SIMT_INLINE void put(sink, bool &predicate, with_predicate<T> result)
{
    predicate = result.predicate;
}

template <typename _D, typename T> SIMT_INLINE void put(_D &to, sink, with_predicate<T> result)
{
    put(to, result.value);
}

template <typename T> SIMT_INLINE void put(sink, T)
{
}

/* Operands of the statement, from and to the C++ types of its expressions. */
template <typename T, typename _U> SIMT_INLINE T in(_U value)
{
    if constexpr (std::is_pointer_v<_U>)
        return (T)(uintptr_t)value;
    else if constexpr (std::is_floating_point_v<_U> != std::is_floating_point_v<T> && sizeof(_U) == sizeof(T))
        return __builtin_bit_cast(T, value);
    else
        return static_cast<T>(value);
}

template <typename _U, typename T> SIMT_INLINE void out(_U &to, T value)
{
    using _V = std::remove_cv_t<_U>;

    if constexpr (std::is_pointer_v<_V>)
        to = (_V)(uintptr_t)value;
    else if constexpr (std::is_floating_point_v<_V> != std::is_floating_point_v<T> && sizeof(_V) == sizeof(T))
        to = __builtin_bit_cast(_V, value);
    else
        to = static_cast<_V>(value);
}

[[noreturn]] SIMT_INLINE void unsupported(const char *what, SIMT_PLACE)
{
    fprintf(stderr, "simt: %s:%d: inline PTX: %s is not supported\n", simt_file, simt_line, what);
    ::simt_trap();
}

/* The thread ends: destructors do not run. */
[[noreturn]] SIMT_INLINE void exit_thread()
{
    ::simt_switch(::simt_end_thread());
    __builtin_unreachable();
}

/* Of a function of the program, by the registers that hold its parameters. */
template <typename _R, typename... _A, typename... _S> SIMT_INLINE _R call(_R (*function)(_A...), _S... parameter)
{
    static_assert(sizeof...(_A) == sizeof...(_S), "inline PTX: a call with another number of parameters");
    return function(static_cast<_A>(parameter)...);
}

/* --- modifiers */

template <typename T> using unsigned_of = std::make_unsigned_t<T>;
template <typename T> using signed_of = std::make_signed_t<T>;
template <typename T> static constexpr unsigned width_of = 8 * sizeof(T);
template <typename T>
using twice =
    std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                       std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
                                          std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

/* .ftz: subnormal operands and results of 32 bits become zeros of their sign. */
SIMT_INLINE float flushed(float value)
{
    return __builtin_fabsf(value) < 0x1p-126f ? __builtin_copysignf(0, value) : value;
}

template <typename T> SIMT_INLINE T flushed(T value)
{
    return value;
}

SIMT_INLINE source flush(source value)
{
    return get(flushed((float)value));
}

template <typename T> SIMT_INLINE T saturated(T value)
{
    return value > 0 ? value < 1 ? value : T(1) : T(0); /* also for not a number */
}

/* --- integers */

template <typename T> SIMT_INLINE T mov(source a)
{
    return a;
}

template <typename T> SIMT_INLINE T mov(wide_source a)
{
    return a;
}

/* .global, .local and .const: their addresses are generic ones */
template <typename T> SIMT_INLINE T cvta(source a)
{
    return a;
}

template <typename T> SIMT_INLINE T cvta_to(source a)
{
    return a;
}

template <typename T> SIMT_INLINE T abs(source a)
{
    T v = a;

    if constexpr (std::is_floating_point_v<T>)
        return v < 0 || v == 0 ? (v == 0 ? T(0) : -v) : v;
    else
        return v < 0 ? (T)(0 - (unsigned_of<T>)v) : v;
}

template <typename T> SIMT_INLINE T neg(source a)
{
    if constexpr (std::is_floating_point_v<T>)
        return -(T)a;
    else
        return (T)(0 - (unsigned_of<T>)(T)a);
}

template <typename T> SIMT_INLINE T clamped(__int128 value)
{
    constexpr T min_value = std::is_signed_v<T> ? (T)((unsigned_of<T>)1 << (width_of<T> - 1)) : T(0);
    constexpr T max_value = (T)~min_value;

    return value < (__int128)min_value ? min_value : value > (__int128)max_value ? max_value : (T)value;
}

template <typename T> SIMT_INLINE T add_sat(source a, source b)
{
    return clamped<T>((__int128)(T)a + (__int128)(T)b);
}

template <typename T> SIMT_INLINE T sub_sat(source a, source b)
{
    return clamped<T>((__int128)(T)a - (__int128)(T)b);
}

/* The carry of a subtraction is its borrow. */
template <typename T> SIMT_INLINE T add_with(unsigned_of<T> a, unsigned_of<T> b, bool in, bool *carry)
{
    unsigned __int128 sum = (unsigned __int128)a + b + in;

    if (carry)
        *carry = sum >> width_of<T> & 1;
    return (T)sum;
}

template <typename T> SIMT_INLINE T sub_with(unsigned_of<T> a, unsigned_of<T> b, bool in, bool *borrow)
{
    unsigned __int128 difference = (unsigned __int128)a - b - in;

    if (borrow)
        *borrow = difference >> width_of<T> & 1;
    return (T)difference;
}

#define SIMT_PTX_CARRY(name)                                                                                           \
    template <typename T> SIMT_INLINE T name##_cc(source a, source b, bool &carry)                                     \
    {                                                                                                                  \
        return name##_with<T>(a, b, false, &carry);                                                                    \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T name##c(source a, source b, bool carry)                                        \
    {                                                                                                                  \
        return name##_with<T>(a, b, carry, nullptr);                                                                   \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T name##c_cc(source a, source b, bool &carry)                                    \
    {                                                                                                                  \
        return name##_with<T>(a, b, carry, &carry);                                                                    \
    }

SIMT_PTX_CARRY(add)
SIMT_PTX_CARRY(sub)

template <typename T> SIMT_INLINE T mul_lo(source a, source b)
{
    return (T)((uint64_t)(T)a * (uint64_t)(T)b);
}

template <typename T> SIMT_INLINE T mul_hi(source a, source b)
{
    return (T)((twice<T>)(T)a * (twice<T>)(T)b >> width_of<T>);
}

template <typename T> SIMT_INLINE twice<T> mul_wide(source a, source b)
{
    return (twice<T>)(T)a * (twice<T>)(T)b;
}

template <typename T> SIMT_INLINE T mad_lo(source a, source b, source c)
{
    return (T)((uint64_t)mul_lo<T>(a, b) + (uint64_t)(T)c);
}

template <typename T> SIMT_INLINE T mad_hi(source a, source b, source c)
{
    return (T)((uint64_t)mul_hi<T>(a, b) + (uint64_t)(T)c);
}

template <typename T> SIMT_INLINE T mad_hi_sat(source a, source b, source c)
{
    return clamped<T>((__int128)mul_hi<T>(a, b) + (T)c);
}

template <typename T> SIMT_INLINE twice<T> mad_wide(source a, source b, source c)
{
    using _W = unsigned_of<twice<T>>;

    return (twice<T>)((_W)mul_wide<T>(a, b) + (_W)(twice<T>)c);
}

#define SIMT_PTX_MAD_CARRY(half)                                                                                       \
    template <typename T> SIMT_INLINE T mad_##half##_cc(source a, source b, source c, bool &carry)                     \
    {                                                                                                                  \
        return add_with<T>((unsigned_of<T>)mul_##half<T>(a, b), c, false, &carry);                                     \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T madc_##half(source a, source b, source c, bool carry)                          \
    {                                                                                                                  \
        return add_with<T>((unsigned_of<T>)mul_##half<T>(a, b), c, carry, nullptr);                                    \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T madc_##half##_cc(source a, source b, source c, bool &carry)                    \
    {                                                                                                                  \
        return add_with<T>((unsigned_of<T>)mul_##half<T>(a, b), c, carry, &carry);                                     \
    }

SIMT_PTX_MAD_CARRY(lo)
SIMT_PTX_MAD_CARRY(hi)

/* The low or the high 32 of the 48 bits of a product of 24 bits. */
template <typename T> SIMT_INLINE int64_t product24(source a, source b)
{
    if constexpr (std::is_signed_v<T>)
        return (int64_t)((int32_t)((uint32_t)a << 8) >> 8) * ((int32_t)((uint32_t)b << 8) >> 8);
    else
        return (int64_t)(((uint32_t)a & 0xffffff) * (uint64_t)((uint32_t)b & 0xffffff));
}

template <typename T> SIMT_INLINE T mul24_lo(source a, source b)
{
    return (T)product24<T>(a, b);
}

template <typename T> SIMT_INLINE T mul24_hi(source a, source b)
{
    return (T)(product24<T>(a, b) >> 16);
}

template <typename T> SIMT_INLINE T mad24_lo(source a, source b, source c)
{
    return (T)((uint32_t)mul24_lo<T>(a, b) + (uint32_t)c);
}

template <typename T> SIMT_INLINE T mad24_hi(source a, source b, source c)
{
    return (T)((uint32_t)mul24_hi<T>(a, b) + (uint32_t)c);
}

template <typename T> SIMT_INLINE T sad(source a, source b, source c)
{
    T x = a, y = b;

    return (T)((uint64_t)(T)c + (x < y ? (uint64_t)y - (uint64_t)x : (uint64_t)x - (uint64_t)y));
}

template <typename T> SIMT_INLINE T rem(source a, source b)
{
    return (T)a % (T)b;
}

template <typename T> SIMT_INLINE uint32_t popc(source a)
{
    return (uint32_t)__builtin_popcountll((uint64_t)(T)a);
}

template <typename T> SIMT_INLINE uint32_t clz(source a)
{
    return (T)a ? (uint32_t)__builtin_clzll((uint64_t)(T)a) - (64 - width_of<T>) : width_of<T>;
}

/* The highest bit that differs from the sign; all ones if there is none. */
template <typename T> SIMT_INLINE uint32_t bfind(source a)
{
    T v = a;
    unsigned_of<T> u = (unsigned_of<T>)(v < 0 ? ~v : v);

    return u ? 63u - (uint32_t)__builtin_clzll(u) : 0xffffffffu;
}

template <typename T> SIMT_INLINE uint32_t bfind_shiftamt(source a)
{
    uint32_t found = bfind<T>(a);

    return found == 0xffffffffu ? found : width_of<T> - 1 - found;
}

template <typename T> SIMT_INLINE T brev(source a)
{
    return (T)(::__brevll((T)a) >> (64 - width_of<T>));
}

template <typename T> SIMT_INLINE T fns(source mask, source base, source offset)
{
    return ::__fns(mask, base, (int)offset);
}

/* `length` low bits; both arguments below 256, as bfe and bfi take them. */
SIMT_INLINE uint64_t low_bits(unsigned length)
{
    return length < 64 ? (1ull << length) - 1 : ~0ull;
}

/* Bits past the highest are zeros or, for signed types, copies of the field's highest bit (or of a's, past it). */
template <typename T> SIMT_INLINE T bfe(source a, source b, source c)
{
    unsigned position = (uint32_t)b & 255, length = (uint32_t)c & 255, last = position + length - 1;
    int64_t value = (int64_t)(T)a; /* for signed types with copies of the sign above it */

    if (length == 0)
        return 0;
    value = position < width_of<T> ? value >> position : value < 0 ? -1 : 0;
    if constexpr (std::is_signed_v<T>) {
        if (last < width_of<T> - 1)
            value = (int64_t)((uint64_t)value << (64 - length)) >> (64 - length);
        return (T)value;
    } else {
        return position < width_of<T> ? (T)(((uint64_t)(T)a >> position) & low_bits(length)) : T(0);
    }
}

template <typename T> SIMT_INLINE T bfi(source a, source b, source c, source d)
{
    unsigned position = (uint32_t)c & 255, length = (uint32_t)d & 255;
    T mask;

    if (position >= width_of<T>)
        return b;
    mask = (T)(low_bits(length) << position);
    return (T)(((T)b & ~mask) | ((T)((uint64_t)a << position) & mask));
}

template <typename T> SIMT_INLINE T bmsk_clamp(source a, source b)
{
    uint32_t position = a, length = b;

    return position < 32 ? (T)(low_bits(length < 32 ? length : 32) << position) : T(0);
}

template <typename T> SIMT_INLINE T bmsk_wrap(source a, source b)
{
    return (T)(low_bits((uint32_t)b & 31) << ((uint32_t)a & 31));
}

template <typename T> SIMT_INLINE T szext_clamp(source a, source b)
{
    uint32_t bits = (uint32_t)b < 32 ? (uint32_t)b : 32;

    if (bits == 0)
        return 0;
    return (T)((T)((uint32_t)a << (32 - bits)) >> (32 - bits));
}

template <typename T> SIMT_INLINE T szext_wrap(source a, source b)
{
    return szext_clamp<T>(a, get((uint32_t)b & 31));
}

/* `and`, `or`, `xor` and `not` are words of C++. */
template <typename T> SIMT_INLINE T and_(source a, source b)
{
    return (T)((T)a & (T)b);
}

template <typename T> SIMT_INLINE T or_(source a, source b)
{
    return (T)((T)a | (T)b);
}

template <typename T> SIMT_INLINE T xor_(source a, source b)
{
    return (T)((T)a ^ (T)b);
}

template <typename T> SIMT_INLINE T not_(source a)
{
    if constexpr (std::is_same_v<T, bool>)
        return !(bool)a;
    else
        return (T) ~(T)a;
}

template <typename T> SIMT_INLINE T cnot(source a)
{
    return (T)a == 0;
}

template <typename T> SIMT_INLINE T shl(source a, source b)
{
    return (uint32_t)b < width_of<T> ? (T)((uint64_t)(T)a << (uint32_t)b) : T(0);
}

template <typename T> SIMT_INLINE T shr(source a, source b)
{
    T v = a;

    return (uint32_t)b < width_of<T> ? (T)(v >> (uint32_t)b) : v < 0 ? (T)-1 : T(0);
}

/* Of the video instructions only those of CUB 1.17: a whole register is shifted, and c added. */
template <typename T> SIMT_INLINE T vshl_clamp_add(source a, source b, source c)
{
    return shl<T>(a, b) + (T)c;
}

template <typename T> SIMT_INLINE T vshr_clamp_add(source a, source b, source c)
{
    return shr<T>(a, b) + (T)c;
}

template <typename T> SIMT_INLINE T vshl_wrap_add(source a, source b, source c)
{
    return shl<T>(a, get((uint32_t)b & 31)) + (T)c;
}

template <typename T> SIMT_INLINE T vshr_wrap_add(source a, source b, source c)
{
    return shr<T>(a, get((uint32_t)b & 31)) + (T)c;
}

template <typename T> SIMT_INLINE T shf_l_wrap(source a, source b, source c)
{
    return ::__funnelshift_l(a, b, c);
}

template <typename T> SIMT_INLINE T shf_l_clamp(source a, source b, source c)
{
    return ::__funnelshift_lc(a, b, c);
}

template <typename T> SIMT_INLINE T shf_r_wrap(source a, source b, source c)
{
    return ::__funnelshift_r(a, b, c);
}

template <typename T> SIMT_INLINE T shf_r_clamp(source a, source b, source c)
{
    return ::__funnelshift_rc(a, b, c);
}

/* Bit 3 of a selector: the byte's sign, eight times. */
template <typename T> SIMT_INLINE T prmt(source a, source b, source c)
{
    uint64_t bytes = (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
    T result = 0;

    for (unsigned i = 0; i < 4; i++) {
        unsigned select = (uint32_t)c >> 4 * i & 15, byte = (unsigned)(bytes >> 8 * (select & 7)) & 255;

        if (select & 8)
            byte = byte & 128 ? 255 : 0;
        result |= (T)byte << 8 * i;
    }
    return result;
}

/* The modes: for each value of c's low two bits, the selectors. */
#define SIMT_PTX_PRMT(mode, s0, s1, s2, s3)                                                                            \
    template <typename T> SIMT_INLINE T prmt_##mode(source a, source b, source c)                                      \
    {                                                                                                                  \
        constexpr uint32_t selectors[4] = {s0, s1, s2, s3};                                                            \
        return prmt<T>(a, b, get(selectors[(uint32_t)c & 3]));                                                         \
    }

SIMT_PTX_PRMT(f4e, 0x3210, 0x4321, 0x5432, 0x6543)
SIMT_PTX_PRMT(b4e, 0x5670, 0x6701, 0x7012, 0x0123)
SIMT_PTX_PRMT(rc8, 0x0000, 0x1111, 0x2222, 0x3333)
SIMT_PTX_PRMT(ecl, 0x3210, 0x3211, 0x3222, 0x3333)
SIMT_PTX_PRMT(ecr, 0x0000, 0x1110, 0x2210, 0x3210)
SIMT_PTX_PRMT(rc16, 0x1010, 0x3232, 0x1010, 0x3232)

/* Each bit of the table is the result for one combination of bits of a (4), b (2) and c (1). */
template <typename T> SIMT_INLINE T lop3(source a, source b, source c, source table)
{
    T result = 0;

    for (unsigned i = 0; i < 8; i++)
        if ((uint32_t)table >> i & 1)
            result |= (i & 4 ? (T)a : (T) ~(T)a) & (i & 2 ? (T)b : (T) ~(T)b) & (i & 1 ? (T)c : (T) ~(T)c);
    return result;
}

template <typename T> SIMT_INLINE T selp(source a, source b, bool which)
{
    return which ? a : b;
}

/* --- floating point. Operations that integers have too choose by type. */

template <typename T> SIMT_INLINE T rounded(simt_rounded_operation operation, simt_rounding mode, T a, T b, T c)
{
    if constexpr (std::is_same_v<T, float>)
        return ::simt_rounded_float(operation, mode, a, b, c);
    else
        return ::simt_rounded_double(operation, mode, a, b, c);
}

template <typename T> SIMT_INLINE T add(source a, source b)
{
    if constexpr (std::is_floating_point_v<T>)
        return (T)a + (T)b;
    else
        return (T)((uint64_t)(T)a + (uint64_t)(T)b);
}

template <typename T> SIMT_INLINE T sub(source a, source b)
{
    if constexpr (std::is_floating_point_v<T>)
        return (T)a - (T)b;
    else
        return (T)((uint64_t)(T)a - (uint64_t)(T)b);
}

template <typename T> SIMT_INLINE T mul(source a, source b)
{
    static_assert(std::is_floating_point_v<T>, "mul of integers needs .lo, .hi or .wide");
    return (T)a * (T)b;
}

template <typename T> SIMT_INLINE T div(source a, source b)
{
    return (T)a / (T)b;
}

template <typename T> SIMT_INLINE T fma(source a, source b, source c)
{
    if constexpr (std::is_same_v<T, float>)
        return __builtin_fmaf(a, b, c);
    else
        return __builtin_fma(a, b, c);
}

template <typename T> SIMT_INLINE T mad(source a, source b, source c)
{
    static_assert(std::is_floating_point_v<T>, "mad of integers needs .lo, .hi or .wide");
    return fma<T>(a, b, c);
}

template <typename T> SIMT_INLINE T rcp(source a)
{
    return 1 / (T)a;
}

template <typename T> SIMT_INLINE T sqrt(source a)
{
    return (T)__builtin_sqrt((double)(T)a);
}

#define SIMT_PTX_ROUNDED(suffix, mode)                                                                                 \
    template <typename T> SIMT_INLINE T add##suffix(source a, source b)                                                \
    {                                                                                                                  \
        return rounded<T>(SIMT_SUM, mode, a, b, 0);                                                                    \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T sub##suffix(source a, source b)                                                \
    {                                                                                                                  \
        return rounded<T>(SIMT_SUM, mode, a, -(T)b, 0);                                                                \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T mul##suffix(source a, source b)                                                \
    {                                                                                                                  \
        return rounded<T>(SIMT_PRODUCT, mode, a, b, 0);                                                                \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T div##suffix(source a, source b)                                                \
    {                                                                                                                  \
        return rounded<T>(SIMT_QUOTIENT, mode, a, b, 0);                                                               \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T fma##suffix(source a, source b, source c)                                      \
    {                                                                                                                  \
        return rounded<T>(SIMT_MULTIPLY_ADD, mode, a, b, c);                                                           \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T mad##suffix(source a, source b, source c)                                      \
    {                                                                                                                  \
        return rounded<T>(SIMT_MULTIPLY_ADD, mode, a, b, c);                                                           \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T rcp##suffix(source a)                                                          \
    {                                                                                                                  \
        return rounded<T>(SIMT_QUOTIENT, mode, 1, a, 0);                                                               \
    }                                                                                                                  \
    template <typename T> SIMT_INLINE T sqrt##suffix(source a)                                                         \
    {                                                                                                                  \
        return rounded<T>(SIMT_ROOT, mode, a, 0, 0);                                                                   \
    }

SIMT_PTX_ROUNDED(_rz, SIMT_ZERO)
SIMT_PTX_ROUNDED(_rm, SIMT_DOWN)
SIMT_PTX_ROUNDED(_rp, SIMT_UP)

template <typename T> SIMT_INLINE T min(source a, source b)
{
    if constexpr (std::is_floating_point_v<T>)
        return ::simt_lesser<T>(a, b);
    else
        return (T)a < (T)b ? (T)a : (T)b;
}

template <typename T> SIMT_INLINE T max(source a, source b)
{
    if constexpr (std::is_floating_point_v<T>)
        return ::simt_greater<T>(a, b);
    else
        return (T)a > (T)b ? (T)a : (T)b;
}

/* Two halves of 16 bits. */
#define SIMT_PTX_PAIRS(name, unsigned_function, signed_function)                                                       \
    template <> inline __attribute__((always_inline)) unsigned_pair name<unsigned_pair>(source a, source b)            \
    {                                                                                                                  \
        return {unsigned_function(a, b)};                                                                              \
    }                                                                                                                  \
    template <> inline __attribute__((always_inline)) signed_pair name<signed_pair>(source a, source b)                \
    {                                                                                                                  \
        return {signed_function(a, b)};                                                                                \
    }

SIMT_PTX_PAIRS(min, ::__vminu2, ::__vmins2)
SIMT_PTX_PAIRS(max, ::__vmaxu2, ::__vmaxs2)
SIMT_PTX_PAIRS(add, ::__vadd2, ::__vadd2)

/* .NaN: one operand that is not a number suffices, and the result is the canonical one. */
template <typename T> SIMT_INLINE T min_NaN(source a, source b)
{
    return (T)a != (T)a || (T)b != (T)b ? __builtin_bit_cast(float, 0x7fffffff) : min<T>(a, b);
}

template <typename T> SIMT_INLINE T max_NaN(source a, source b)
{
    return (T)a != (T)a || (T)b != (T)b ? __builtin_bit_cast(float, 0x7fffffff) : max<T>(a, b);
}

template <typename T> SIMT_INLINE T rsqrt(source a)
{
    return (T)::rsqrt((double)(T)a);
}

template <typename T> SIMT_INLINE T sin(source a)
{
    return __builtin_sinf(a);
}

template <typename T> SIMT_INLINE T cos(source a)
{
    return __builtin_cosf(a);
}

template <typename T> SIMT_INLINE T lg2(source a)
{
    return __builtin_log2f(a);
}

template <typename T> SIMT_INLINE T ex2(source a)
{
    return __builtin_exp2f(a);
}

template <typename T> SIMT_INLINE T tanh(source a)
{
    return __builtin_tanhf(a);
}

/* The sign of a, the rest of b. */
template <typename T> SIMT_INLINE T copysign(source a, source b)
{
    return (T)__builtin_copysign((double)(T)b, (double)(T)a);
}

#define SIMT_PTX_TEST(name, expression)                                                                                \
    template <typename T> SIMT_INLINE bool testp_##name(source a)                                                      \
    {                                                                                                                  \
        T v = a;                                                                                                       \
        return expression;                                                                                             \
    }

SIMT_PTX_TEST(finite, __builtin_isfinite(v))
SIMT_PTX_TEST(infinite, __builtin_isinf(v) != 0)
SIMT_PTX_TEST(number, v == v)
SIMT_PTX_TEST(notanumber, v != v)
SIMT_PTX_TEST(normal, v == 0 || __builtin_isnormal(v)) /* PTX counts zeros */
SIMT_PTX_TEST(subnormal, v != 0 && __builtin_isfinite(v) && !__builtin_isnormal(v))

/* --- comparisons: false for what is not a number, with u before the type's name true */

#define SIMT_PTX_COMPARE(name, expression)                                                                             \
    template <typename T> SIMT_INLINE bool compare_##name(source first, source second)                                 \
    {                                                                                                                  \
        T a = first, b = second;                                                                                       \
        (void)a, (void)b;                                                                                              \
        return expression;                                                                                             \
    }

SIMT_PTX_COMPARE(eq, a == b)
SIMT_PTX_COMPARE(ne, a<b || a> b)
SIMT_PTX_COMPARE(lt, a < b)
SIMT_PTX_COMPARE(le, a <= b)
SIMT_PTX_COMPARE(gt, a > b)
SIMT_PTX_COMPARE(ge, a >= b)
SIMT_PTX_COMPARE(lo, a < b)
SIMT_PTX_COMPARE(ls, a <= b)
SIMT_PTX_COMPARE(hi, a > b)
SIMT_PTX_COMPARE(hs, a >= b)
SIMT_PTX_COMPARE(equ, !(a < b || a > b))
SIMT_PTX_COMPARE(neu, !(a == b))
SIMT_PTX_COMPARE(ltu, !(a >= b))
SIMT_PTX_COMPARE(leu, !(a > b))
SIMT_PTX_COMPARE(gtu, !(a <= b))
SIMT_PTX_COMPARE(geu, !(a < b))
SIMT_PTX_COMPARE(num, a == a && b == b)
SIMT_PTX_COMPARE(nan, a != a || b != b)

SIMT_INLINE with_predicate<bool> setp_alone(bool result)
{
    return {result, !result};
}

enum boolean { with_and, with_or, with_xor };

/* The second predicate gets the negated comparison, combined with c in the same way. */
SIMT_INLINE with_predicate<bool> setp_with(bool result, boolean operation, bool c)
{
    if (operation == with_and)
        return {result && c, !result && c};
    if (operation == with_or)
        return {result || c, !result || c};
    return {result != c, !result != c};
}

/* --- conversions */

enum rounding { round_none, round_rn, round_rz, round_rm, round_rp, round_rni, round_rzi, round_rmi, round_rpi };

SIMT_INLINE simt_rounding mode_of(rounding r)
{
    return r == round_rz ? SIMT_ZERO : r == round_rm ? SIMT_DOWN : r == round_rp ? SIMT_UP : SIMT_NEAREST;
}

SIMT_INLINE double to_whole(double v, rounding r)
{
    switch (r) {
    case round_rni:
        return __builtin_rint(v);
    case round_rmi:
        return __builtin_floor(v);
    case round_rpi:
        return __builtin_ceil(v);
    case round_rzi:
        return __builtin_trunc(v);
    default:
        return v;
    }
}

/* Out of range gives the nearest value. Not a number: 0 from float to 32 bits or less, otherwise the top bit. */
template <typename T, bool from_float> SIMT_INLINE T to_integer(double v)
{
    constexpr T min_value = std::is_signed_v<T> ? (T)((unsigned_of<T>)1 << (width_of<T> - 1)) : T(0);

    if (v != v)
        return from_float && sizeof(T) <= 4 ? T(0) : (T)((unsigned_of<T>)1 << (width_of<T> - 1));
    if (v <= (double)min_value)
        return min_value;
    if (v >= 2 * (double)((unsigned_of<T>)1 << (width_of<T> - 1 - std::is_signed_v<T>)))
        return (T)~min_value;
    return (T)v;
}

template <typename T> SIMT_INLINE T from_double(double v, rounding r)
{
    if constexpr (std::is_same_v<T, half>)
        return half{half_bits(v, mode_of(r))};
    else if constexpr (std::is_same_v<T, bfloat16>)
        return bfloat16{bfloat16_bits(v, mode_of(r))};
    else if constexpr (std::is_same_v<T, float>)
        return ::simt_float_of_double(mode_of(r), v);
    else
        return v;
}

template <typename T, typename _F> SIMT_INLINE T cvt(rounding r, bool sat, source operand)
{
    constexpr bool to_floating = std::is_floating_point_v<T> || std::is_class_v<T>;
    _F value = operand;

    if constexpr (std::is_integral_v<_F> && std::is_integral_v<T>) {
        return sat ? clamped<T>((__int128)value) : (T)value;
    } else if constexpr (std::is_integral_v<_F>) {
        if constexpr (std::is_class_v<T>)
            return from_double<T>(odd_integer(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0), r);
        else if constexpr (std::is_same_v<T, float>)
            return std::is_signed_v<_F> ? ::simt_float_of_signed(mode_of(r), (int64_t)value)
                                        : ::simt_float_of_unsigned(mode_of(r), (uint64_t)value);
        else
            return std::is_signed_v<_F> ? ::simt_double_of_signed(mode_of(r), (int64_t)value)
                                        : ::simt_double_of_unsigned(mode_of(r), (uint64_t)value);
    } else {
        double v;

        if constexpr (std::is_same_v<_F, half>)
            v = half_value(value.bits);
        else if constexpr (std::is_same_v<_F, bfloat16>)
            v = bfloat16_value(value.bits);
        else
            v = value;
        v = to_whole(v, r);
        if constexpr (to_floating)
            return from_double<T>(sat ? saturated(v) : v, r);
        else
            return to_integer<T, !std::is_same_v<_F, double>>(v);
    }
}

template <typename T, size_t size> struct vector {
    T element[size];
};

/* mov to and from {low, high}: the first is the lowest. */
template <typename T, size_t parts> SIMT_INLINE vector<uint64_t, parts> unpack(source a)
{
    vector<uint64_t, parts> result;

    for (size_t i = 0; i < parts; i++)
        result.element[i] = (uint64_t)(T)a >> (width_of<T> / parts * i) & low_bits(width_of<T> / parts);
    return result;
}

template <typename T, size_t parts> SIMT_INLINE vector<uint64_t, parts> unpack(wide_source a)
{
    static_assert(parts == 2, "a register of 16 bytes has two words");
    return {{(uint64_t)a.bits, (uint64_t)(a.bits >> 64)}};
}

template <typename T, typename... Parts> SIMT_INLINE T pack(Parts... part)
{
    if constexpr (sizeof(T) == 16) {
        const uint64_t words[] = {(uint64_t)part...};

        return (T)words[1] << 64 | words[0];
    }
    constexpr unsigned each = width_of<T> / sizeof...(part);
    uint64_t result = 0;
    unsigned at = 0;

    ((result |= ((uint64_t)part & low_bits(each)) << at, at += each), ...);
    return (T)get(result);
}

/* --- special registers */

SIMT_INLINE unsigned linear_thread()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

SIMT_INLINE unsigned laneid()
{
    return linear_thread() % 32;
}

SIMT_INLINE unsigned warpid()
{
    return linear_thread() / 32;
}

SIMT_INLINE unsigned nwarpid() /* of a multiprocessor */
{
    return ::simt_threads_each() / 32;
}

SIMT_INLINE unsigned nsmid()
{
    return ::simt_multiprocessors();
}

SIMT_INLINE unsigned smid()
{
    return blockIdx.x % nsmid();
}

/* --- memory. An address of shared memory has 32 bits and counts from the block's own, or has a rank in a cluster. */

SIMT_INLINE uintptr_t address(source base, int64_t offset)
{
    return (uintptr_t)((uint64_t)base + (uint64_t)offset);
}

SIMT_INLINE uintptr_t shared_address(source base, int64_t offset)
{
    uint32_t at = (uint32_t)((uint64_t)base + (uint64_t)offset);

    return at >> 24 ? (uintptr_t)::simt_cluster_address(at) : (uintptr_t)::simt_shared_base + at;
}

template <typename T> SIMT_INLINE T cvta_shared(source a)
{
    return (T)shared_address(a, 0);
}

template <typename T> SIMT_INLINE T cvta_to_shared(source a)
{
    uint64_t offset = (uint64_t)a - (uint64_t)(uintptr_t)::simt_shared_base;

    return (T)(offset >> 20 ? ::simt_cluster_offset((const void *)(uintptr_t)(uint64_t)a) : offset);
}

/* .shared and .shared::cta */
SIMT_INLINE uintptr_t block_address(source base, int64_t offset)
{
    uint32_t at = (uint32_t)((uint64_t)base + (uint64_t)offset);

    return at >> 24 ? (uintptr_t)::simt_block_address(at) : (uintptr_t)::simt_shared_base + at;
}

enum order { order_weak, order_relaxed, order_acquire, order_release, order_acq_rel, order_volatile, order_read_only };

/* Loads of `size` elements are one access. */
template <typename T, size_t size> struct __attribute__((aligned(sizeof(T) * size), may_alias)) memory_vector {
    T element[size];
};

template <typename T, size_t size> SIMT_INLINE vector<T, size> ld(uintptr_t from, order o, simt_scope scope)
{
    using _V = memory_vector<T, size>;
    _V result;

#ifdef __SIMT_CHECK__
    if (o == order_read_only)
        ::simt_load_read_only((const void *)from, sizeof result);
#endif
    if (o == order_weak || o == order_read_only) {
        if constexpr (size == 1)
            result.element[0] = *(const T __attribute__((may_alias)) *)from;
        else
            result = *(const _V *)from;
    } else {
        yield();
        ::simt_load_ordered((const void *)from, &result, sizeof result, o == order_volatile, scope);
        __asm__ volatile(""); /* no tail call: the return address is the place that findings name */
        if (o == order_acquire)
            ::simt_fence(scope);
    }
    return __builtin_bit_cast(vector<T, size>, result);
}

template <typename T, size_t size>
SIMT_INLINE void st(uintptr_t to, order o, simt_scope scope, memory_vector<T, size> value)
{
    if (o == order_weak) {
        if constexpr (size == 1)
            *(T __attribute__((may_alias)) *)to = value.element[0];
        else
            *(memory_vector<T, size> *)to = value;
        return;
    }
    if (o == order_release)
        ::simt_fence(scope);
    yield();
    ::simt_store_ordered((void *)to, &value, sizeof value, o == order_volatile, scope);
    __asm__ volatile("");
}

template <typename T>
SIMT_INLINE T atom(simt_atomic_operation operation, uintptr_t to, order o, simt_scope scope, T operand, T compare = T())
{
    T old;

    if (o == order_release || o == order_acq_rel)
        ::simt_fence(scope);
    if constexpr (sizeof(T) == 16)
        old = ::simt::atomic_pair<T>(operation, scope, (T *)to, operand, compare);
    else
        old = ::simt::atomic<T>(operation, scope, (T *)to, operand, compare);
    if (o == order_acquire || o == order_acq_rel)
        ::simt_fence(scope);
    return old;
}

#define SIMT_PTX_ATOM(name, operation)                                                                                 \
    template <typename T> SIMT_INLINE T atom_##name(uintptr_t to, order o, simt_scope scope, source operand)           \
    {                                                                                                                  \
        return atom<T>(operation, to, o, scope, operand);                                                              \
    }

SIMT_PTX_ATOM(add, std::is_floating_point_v<T> ? SIMT_ADD_FLOAT : SIMT_ADD)
SIMT_PTX_ATOM(min, std::is_signed_v<T> ? SIMT_MIN_SIGNED : SIMT_MIN)
SIMT_PTX_ATOM(max, std::is_signed_v<T> ? SIMT_MAX_SIGNED : SIMT_MAX)
SIMT_PTX_ATOM(inc, SIMT_INC)
SIMT_PTX_ATOM(dec, SIMT_DEC)
SIMT_PTX_ATOM(and, SIMT_AND)
SIMT_PTX_ATOM(or, SIMT_OR)
SIMT_PTX_ATOM(xor, SIMT_XOR)
SIMT_PTX_ATOM(exch, SIMT_EXCHANGE)

template <typename T> SIMT_INLINE T atom_cas(uintptr_t to, order o, simt_scope scope, source compare, source operand)
{
    return atom<T>(SIMT_COMPARE, to, o, scope, operand, compare);
}

template <typename T> SIMT_INLINE T atom_exch(uintptr_t to, order o, simt_scope scope, wide_source operand)
{
    return atom<T>(SIMT_EXCHANGE, to, o, scope, operand);
}

template <typename T>
SIMT_INLINE T atom_cas(uintptr_t to, order o, simt_scope scope, wide_source compare, wide_source operand)
{
    return atom<T>(SIMT_COMPARE, to, o, scope, operand, compare);
}

SIMT_INLINE bool isspacep_shared(source address)
{
    return ::simt_points_to_shared((const void *)(uintptr_t)address);
}

SIMT_INLINE bool isspacep_global(source address)
{
    return ::simt_points_to_global((const void *)(uintptr_t)address);
}

SIMT_INLINE bool isspacep_local(source address)
{
    return ::simt_points_to_local((const void *)(uintptr_t)address);
}

SIMT_INLINE bool isspacep_const(source)
{
    return false; /* constant variables lie in global memory here */
}

/* --- barriers and warps */

SIMT_INLINE void barrier_sync(bool aligned, uint32_t number, uint32_t threads = SIMT_WHOLE_BLOCK, SIMT_PLACE)
{
    ::simt_named_pass(
        ::simt_switch(::simt_named_sync(number, threads, aligned, SIMT_BARRIER, false, simt_file, simt_line)));
}

SIMT_INLINE void barrier_arrive(bool aligned, uint32_t number, uint32_t threads, SIMT_PLACE)
{
    ::simt_named_arrive(number, threads, aligned, simt_file, simt_line);
}

#define SIMT_PTX_BARRIER(name, type, operation)                                                                        \
    SIMT_INLINE type barrier_##name(bool aligned, bool predicate, uint32_t number,                                     \
                                    uint32_t threads = SIMT_WHOLE_BLOCK, SIMT_PLACE)                                   \
    {                                                                                                                  \
        return (type)::simt_named_pass(                                                                                \
            ::simt_switch(::simt_named_sync(number, threads, aligned, operation, predicate, simt_file, simt_line)));   \
    }

SIMT_PTX_BARRIER(popc, uint32_t, SIMT_BARRIER_COUNT)
SIMT_PTX_BARRIER(and, bool, SIMT_BARRIER_AND)
SIMT_PTX_BARRIER(or, bool, SIMT_BARRIER_OR)

/* c has the segments' mask in bits 8 to 12 and the last lane in bits 0 to 4. A lane whose source is out of range keeps its
 * own value, and its predicate is false. */
SIMT_INLINE with_predicate<uint32_t> shuffled(uint32_t value, int source_lane, bool in_range, uint32_t mask,
                                              const char *file, int line)
{
    uint32_t from = in_range ? (uint32_t)source_lane : laneid();

    return {(uint32_t)simt_switch(::simt_warp(SIMT_SHUFFLE_INDEX, mask, value, (from & 31) | 32u << 8, file, line)),
            in_range};
}

#define SIMT_PTX_SHUFFLE(name, lane_expression, in_range)                                                              \
    SIMT_INLINE with_predicate<uint32_t> shfl_##name(uint32_t value, uint32_t b, uint32_t c, uint32_t mask,            \
                                                     SIMT_PLACE)                                                       \
    {                                                                                                                  \
        int lane = (int)laneid(), segment = (int)(c >> 8 & 31), distance = (int)(b & 31);                              \
        int first = lane & segment, last = first | ((int)(c & 31) & ~segment), from = lane_expression;                 \
        return shuffled(value, from, in_range, mask, simt_file, simt_line);                                            \
    }

SIMT_PTX_SHUFFLE(up, lane - distance, from >= last)
SIMT_PTX_SHUFFLE(down, lane + distance, from <= last)
SIMT_PTX_SHUFFLE(bfly, lane ^ distance, from <= last)
SIMT_PTX_SHUFFLE(idx, first | (distance & ~segment), from <= last)

SIMT_INLINE uint32_t vote_ballot(bool predicate, uint32_t mask, SIMT_PLACE)
{
    return ::__ballot_sync(mask, predicate, simt_file, simt_line);
}

SIMT_INLINE bool vote_any(bool predicate, uint32_t mask, SIMT_PLACE)
{
    return ::__any_sync(mask, predicate, simt_file, simt_line) != 0;
}

SIMT_INLINE bool vote_all(bool predicate, uint32_t mask, SIMT_PLACE)
{
    return ::__all_sync(mask, predicate, simt_file, simt_line) != 0;
}

/* All lanes of the mask have the same predicate. */
SIMT_INLINE bool vote_uni(bool predicate, uint32_t mask, SIMT_PLACE)
{
    uint32_t votes = ::__ballot_sync(mask, predicate, simt_file, simt_line);

    return predicate ? (votes & mask) == mask : votes == 0;
}

template <typename T> SIMT_INLINE uint32_t match_any(T value, uint32_t mask, SIMT_PLACE)
{
    return ::__match_any_sync(mask, value, simt_file, simt_line);
}

template <typename T> SIMT_INLINE with_predicate<uint32_t> match_all(T value, uint32_t mask, SIMT_PLACE)
{
    int all;
    uint32_t lanes = ::__match_all_sync(mask, value, &all, simt_file, simt_line);

    return {lanes, all != 0};
}

#define SIMT_PTX_REDUX(name)                                                                                           \
    template <typename T> SIMT_INLINE T redux_##name(T value, uint32_t mask, SIMT_PLACE)                               \
    {                                                                                                                  \
        return ::__reduce_##name##_sync(mask, value, simt_file, simt_line);                                            \
    }

SIMT_PTX_REDUX(add)
SIMT_PTX_REDUX(min)
SIMT_PTX_REDUX(max)
SIMT_PTX_REDUX(and)
SIMT_PTX_REDUX(or)
SIMT_PTX_REDUX(xor)

/* The lowest lane of the mask leads. */
SIMT_INLINE with_predicate<uint32_t> elect(uint32_t mask, SIMT_PLACE)
{
    uint32_t leader = (uint32_t)__builtin_ctz(::__ballot_sync(mask, 1, simt_file, simt_line) | 1u << 31);

    return {leader, leader == laneid()};
}

SIMT_INLINE uint32_t activemask(SIMT_PLACE)
{
    return ::__activemask(simt_file, simt_line);
}

} // namespace simt::ptx

/* --- the address spaces of pointers */

SIMT_INLINE size_t __cvta_generic_to_shared(const void *address)
{
    return ::simt::ptx::cvta_to_shared<size_t>(::simt::ptx::source{(uintptr_t)address});
}

SIMT_INLINE void *__cvta_shared_to_generic(size_t address)
{
    return (void *)::simt::ptx::shared_address(::simt::ptx::source{address}, 0);
}

SIMT_INLINE size_t __cvta_generic_to_global(const void *address)
{
    return (size_t)address;
}

SIMT_INLINE void *__cvta_global_to_generic(size_t address)
{
    return (void *)address;
}

SIMT_INLINE size_t __cvta_generic_to_local(const void *address)
{
    return (size_t)address;
}

SIMT_INLINE size_t __cvta_generic_to_constant(const void *address)
{
    return (size_t)address;
}

SIMT_INLINE unsigned __isShared(const void *address)
{
    return (unsigned)::simt_points_to_shared(address);
}

SIMT_INLINE unsigned __isClusterShared(const void *address)
{
    return (unsigned)::simt_points_to_shared(address);
}

SIMT_INLINE unsigned __isGlobal(const void *address)
{
    return (unsigned)::simt_points_to_global(address);
}

SIMT_INLINE unsigned __isLocal(const void *address)
{
    return (unsigned)::simt_points_to_local(address);
}

SIMT_INLINE unsigned __isConstant(const void *)
{
    return 0;
}

#endif
