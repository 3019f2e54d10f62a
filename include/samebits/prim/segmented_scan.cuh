// SPDX-License-Identifier: BSD-2-Clause
//
// Scans that begin anew at each head of a segment, made of ordinary scans: a value carries a mark that says whether a
// segment begins in what it stands for.
//
//     (x, unmarked) then (y, m)  gives  (op(x, y), m or the mark of the first)
//     (x, m)        then (y, marked)  gives  (y, marked)
//
// This operator is associative if `op` is, and it never commutes: so every scan and reduction of warp.cuh, block.cuh and
// lookback.cuh that keeps the order of its operands serves, those that need a commutative operator do not. No storage, no
// barriers of its own.
// Source: G. E. Blelloch, "Prefix sums and their applications" (1990).
#ifndef SAMEBITS_PRIM_SEGMENTED_SCAN_CUH
#define SAMEBITS_PRIM_SEGMENTED_SCAN_CUH

#include <samebits/prim/warp.cuh>

namespace sb
{

// A value, and whether a segment begins in the stretch that it stands for; then it covers only what follows the last
// beginning.
template <typename T> struct marked {
    T value;
    unsigned mark; // 0 or 1
};

template <typename T, typename Move> __device__ __forceinline__ marked<T> map_words(marked<T> value, Move move)
{
    return {map_words(value.value, move), move(value.mark)};
}

// The operator on marked values made of `op`.
template <typename Op> struct segmented {
    Op op;

    template <typename T> __device__ __forceinline__ marked<T> operator()(marked<T> first, marked<T> second) const
    {
        if (second.mark == 0) {
            second.value = op(first.value, second.value);
            second.mark = first.mark;
        }
        return second;
    }
};

// The identity of segmented<Op>, if `identity` is that of Op.
template <typename T> __host__ __device__ __forceinline__ marked<T> unmarked(T identity)
{
    return {identity, 0};
}

// The values of the warp's segment up to the caller, combined; a segment begins at each lane with `head` and at lane 0.
// All lanes call.
template <typename T, typename Op> __device__ __forceinline__ T warp_segmented_scan(T value, bool head, Op op)
{
    return warp_inclusive_scan(marked<T>{value, head}, segmented<Op>{op}).value;
}

} // namespace sb

#endif
