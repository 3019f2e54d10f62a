/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Matrix fragments of a warp, nvcuda::wmma. A fragment holds the elements that simt_matrix.h says, which are those of an H200; some
 * fragments of __half and of 8-bit numbers have each element twice or four times there, and so here. Loads and stores are ordinary accesses
 * of the lanes. All 32 lanes of a warp must come to the same call: otherwise a finding `warp-mask`. Matrices at no multiple of
 * 16 bytes, and rows of __half and float that are apart by no multiple of 16, are a finding `misaligned`, which ends the launch. (CUDA's
 * guide wants 32 for the former; NVIDIA's own samples rely on 16.)
 */
#ifndef SIMT_MMA_H
#define SIMT_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt_matrix.h"

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

namespace precision
{
struct tf32;
}

namespace experimental
{
namespace precision
{
struct u4;
struct s4;
struct b1;
} // namespace precision

enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

enum layout_t { mem_row_major, mem_col_major };

/* What the machine knows of an element type: `bits` of an element; `type` in fragments and in memory, where an element of less than
 * 8 bits shares a number with others. */
template <typename T> struct simt_traits;

#define SIMT_TRAITS(T, STORED, ELEMENT, BITS)                                                                          \
    template <> struct simt_traits<T> {                                                                                \
        using type = STORED;                                                                                           \
        static constexpr simt_element element = ELEMENT;                                                               \
        static constexpr unsigned bits = BITS;                                                                         \
    };

SIMT_TRAITS(__half, __half, SIMT_F16, 16)
SIMT_TRAITS(__nv_bfloat16, __nv_bfloat16, SIMT_BF16, 16)
SIMT_TRAITS(precision::tf32, float, SIMT_TF32, 32)
SIMT_TRAITS(double, double, SIMT_F64, 64)
SIMT_TRAITS(signed char, signed char, SIMT_S8, 8)
SIMT_TRAITS(unsigned char, unsigned char, SIMT_U8, 8)
SIMT_TRAITS(experimental::precision::s4, int, SIMT_S4, 4)
SIMT_TRAITS(experimental::precision::u4, unsigned, SIMT_U4, 4)
SIMT_TRAITS(experimental::precision::b1, unsigned, SIMT_B1, 1)
SIMT_TRAITS(float, float, SIMT_F32, 32)
SIMT_TRAITS(int, int, SIMT_S32, 32)
#undef SIMT_TRAITS

/* CUDA's shapes. */
template <typename T> constexpr bool simt_has_shape(int m, int n, int k, bool sum)
{
    constexpr simt_element e = simt_traits<T>::element;
    const bool usual = k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
    const bool of_tf32 = m == 16 && n == 16 && k == 8, small = m == 8 && n == 8;

    if (sum)
        return e == SIMT_F16   ? usual
               : e == SIMT_F32 ? usual || of_tf32
               : e == SIMT_S32 ? usual || (small && (k == 32 || k == 128))
                               : e == SIMT_F64 && small && k == 4;
    return e == SIMT_F16 || e == SIMT_BF16 || e == SIMT_S8 || e == SIMT_U8 ? usual
           : e == SIMT_TF32                                                ? of_tf32
           : e == SIMT_F64                                                 ? small && k == 4
           : e == SIMT_S4 || e == SIMT_U4                                  ? small && k == 32
                                                                           : e == SIMT_B1 && small && k == 128;
}

template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment
{
    using traits = simt_traits<T>;

  public:
    static constexpr bool simt_left = std::is_same_v<Use, matrix_a>, simt_sum = std::is_same_v<Use, accumulator>;
    static_assert(simt_left || simt_sum || std::is_same_v<Use, matrix_b>,
                  "a fragment is a matrix_a, a matrix_b or an accumulator");
    static_assert(simt_has_shape<T>(m, n, k, simt_sum), "CUDA has no fragment of this shape and type");
    static_assert(simt_sum == std::is_same_v<Layout, void>, "matrix_a and matrix_b need row_major or col_major");

    /* elements of the matrix that a lane has, and of the fragment */
    static constexpr unsigned simt_elements = simt_sum ? m * n / 32 : simt_left ? m * k / 32 : n * k / 32;
    static constexpr unsigned simt_each = traits::bits < 32 ? 32 / traits::bits : 1; /* in a register */
    static constexpr unsigned simt_packed = traits::bits < 8 ? simt_each : 1;        /* in a number of x */
    static constexpr bool simt_repeated =
        traits::element == SIMT_F16 || (traits::bits == 8 && m == 16); /* in the fragments of A and B */

    enum {
        num_elements = simt_sum || !simt_repeated    ? simt_elements
                       : traits::element == SIMT_F16 ? 16
                                                     : 8,
        num_storage_elements = num_elements / simt_packed
    };

    using element_type = T;
    using storage_element_type = typename traits::type;
    storage_element_type x[num_storage_elements];

    /* The number in memory that x[i] is, of rows or columns that are so many elements apart. */
    static __attribute__((always_inline)) size_t simt_place(unsigned i, unsigned apart, bool by_rows)
    {
        const unsigned lane = ::simt::ptx::laneid(), element = i * simt_packed % simt_elements;
        const simt_element_place place =
            simt_sum ? simt_place_of_sum(m, lane, element)
                     : simt_place_of_left(simt_left ? m : n, simt_each, lane, element); /* of B: transposed */

        if (!simt_sum && !simt_left)
            by_rows = !by_rows;
        return (by_rows ? (size_t)place.row * apart + place.column : (size_t)place.column * apart + place.row) /
               simt_packed;
    }

    /* The registers of mma. */
    static constexpr unsigned simt_registers = simt_elements / simt_each;

    __attribute__((always_inline)) void simt_to_registers(uint64_t *to) const
    {
        for (unsigned i = 0; i < simt_registers; i++)
            if constexpr (traits::bits == 64) {
                to[i] = __builtin_bit_cast(uint64_t, x[i]);
            } else if constexpr (traits::bits == 32 || traits::bits < 8) {
                to[i] = __builtin_bit_cast(uint32_t, x[i]);
            } else {
                using bits = std::conditional_t<traits::bits == 16, uint16_t, uint8_t>;

                to[i] = 0;
                for (unsigned j = 0; j < simt_each; j++)
                    to[i] |= (uint64_t) __builtin_bit_cast(bits, x[i * simt_each + j]) << j * traits::bits;
            }
    }

    __attribute__((always_inline)) void simt_from_registers(const uint64_t *from)
    {
#pragma GCC unroll 8 /* gcc 12 ends with an internal error where it makes vectors of this loop for halves, -O2 */
        for (unsigned i = 0; i < simt_elements; i++)
            if constexpr (traits::bits == 64)
                x[i] = __builtin_bit_cast(storage_element_type, from[i]);
            else if constexpr (traits::bits == 32)
                x[i] = __builtin_bit_cast(storage_element_type, (uint32_t)from[i]);
            else
                x[i] = __builtin_bit_cast(storage_element_type, (uint16_t)(from[i / 2] >> i % 2 * 16));
    }
};

/* All lanes come; nothing else happens. */
SIMT_INLINE void simt_together(const char *file, uint64_t line)
{
    ::simt_switch(::simt_warp(SIMT_FRAGMENT, 0xffffffff, 0, (uint32_t)line, file, (int)line));
}

template <typename T> SIMT_INLINE void simt_check_place(const T *p, unsigned apart, unsigned packed, bool writes)
{
    ::simt_check_row(p, 16, writes);
    if (sizeof(T) == 2 || std::is_same_v<T, float>) /* CUDA says nothing of other types */
        ::simt_check_row(p + apart / packed, 16, writes);
}

template <typename _F, typename T>
SIMT_INLINE void simt_load(_F &to, const T *p, unsigned apart, bool by_rows, const char *file, uint64_t line)
{
    simt_check_place(p, apart, _F::simt_packed, false);
    for (unsigned i = 0; i < _F::num_storage_elements; i++)
        to.x[i] = i * _F::simt_packed < _F::simt_elements ? p[_F::simt_place(i, apart, by_rows)]
                                                          : to.x[i - _F::simt_elements / _F::simt_packed];
    simt_together(file, line);
}

template <typename Use, int m, int n, int k, typename T, typename Layout>
SIMT_INLINE void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &to, const typename simt_traits<T>::type *p,
                                  unsigned apart, SIMT_PLACE)
{
    simt_load(to, p, apart, std::is_same_v<Layout, row_major>, simt_file, simt_line);
}

template <int m, int n, int k, typename T>
SIMT_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T> &to, const T *p, unsigned apart, layout_t layout,
                                  SIMT_PLACE)
{
    simt_load(to, p, apart, layout == mem_row_major, simt_file, simt_line);
}

template <int m, int n, int k, typename T>
SIMT_INLINE void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &from, unsigned apart, layout_t layout,
                                   SIMT_PLACE)
{
    using _F = fragment<accumulator, m, n, k, T>;

    simt_check_place(p, apart, 1, true);
    simt_together(simt_file, simt_line);
    for (unsigned i = 0; i < _F::num_elements; i++)
        p[_F::simt_place(i, apart, layout == mem_row_major)] = from.x[i];
}

/* Of elements of less than 8 bits, `value` is one element. */
template <typename Use, int m, int n, int k, typename T, typename Layout, typename _V>
SIMT_INLINE void fill_fragment(fragment<Use, m, n, k, T, Layout> &to, const _V &value)
{
    using stored = typename simt_traits<T>::type;

    for (auto &x : to.x)
        if constexpr (simt_traits<T>::element == SIMT_B1)
            x = value & 1 ? ~0u : 0;
        else if constexpr (simt_traits<T>::bits == 4)
            x = (stored)(((unsigned)value & 15) * 0x11111111u);
        else
            x = stored(value);
}

/* satfinite of floating-point numbers: infinities become the largest number, NaN becomes 0. */
template <typename T> SIMT_INLINE T simt_finite(T value)
{
    const float v = (float)value, most = std::is_same_v<T, float> ? 0x1.fffffep127f : 65504.0f;

    return v != v ? T(0.0f) : v > most ? T(most) : v < -most ? T(-most) : value;
}

template <typename _D, typename _A, typename _B, typename _C>
SIMT_INLINE void simt_multiply(const char *name, _D &d, const _A &a, const _B &b, const _C &c, unsigned m, unsigned n,
                               unsigned k, unsigned flags, const char *file, uint64_t line)
{
    const simt_mma what = {name,
                           (uint16_t)m,
                           (uint16_t)n,
                           (uint16_t)k,
                           simt_traits<typename _A::element_type>::element,
                           simt_traits<typename _B::element_type>::element,
                           simt_traits<typename _C::element_type>::element,
                           simt_traits<typename _D::element_type>::element,
                           (uint8_t)flags,
                           0};
    uint64_t left[_A::simt_registers], right[_B::simt_registers], addend[_C::simt_registers],
        sum[_D::simt_registers] = {};

    a.simt_to_registers(left);
    b.simt_to_registers(right);
    c.simt_to_registers(addend);
    ::simt::ptx::mma(what, left, right, addend, sum, 0, file, line);
    d.simt_from_registers(sum);
}

template <int m, int n, int k, typename _D, typename T, typename Rows, typename Columns, typename _C>
SIMT_INLINE void mma_sync(fragment<accumulator, m, n, k, _D> &d, const fragment<matrix_a, m, n, k, T, Rows> &a,
                          const fragment<matrix_b, m, n, k, T, Columns> &b, const fragment<accumulator, m, n, k, _C> &c,
                          bool saturate = false, SIMT_PLACE)
{
    static_assert(std::is_same_v<_C, _D> || (simt_traits<T>::element == SIMT_F16 && simt_traits<_D>::bits <= 32),
                  "sums of different types exist for __half only");
    simt_multiply("mma_sync", d, a, b, c, m, n, k, saturate ? SIMT_MMA_SATURATE : 0u, simt_file, simt_line);
    if constexpr (std::is_same_v<_D, float> || std::is_same_v<_D, __half>)
        for (auto &x : d.x)
            x = saturate ? simt_finite(x) : x;
}

template <int m, int n, int k, typename T, typename Rows, typename Columns>
SIMT_INLINE void bmma_sync(fragment<accumulator, m, n, k, int> &d, const fragment<matrix_a, m, n, k, T, Rows> &a,
                           const fragment<matrix_b, m, n, k, T, Columns> &b,
                           const fragment<accumulator, m, n, k, int> &c,
                           experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
                           experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC, SIMT_PLACE)
{
    simt_multiply("bmma_sync", d, a, b, c, m, n, k, operation == experimental::bmmaBitOpXOR ? SIMT_MMA_XOR : 0u,
                  simt_file, simt_line);
}

SIMT_INLINE float __float_to_tf32(float value)
{
    return __builtin_bit_cast(float, ::simt::ptx::cvt_rna_tf32(__builtin_bit_cast(uint32_t, value)));
}

} // namespace wmma
} // namespace nvcuda

#endif
