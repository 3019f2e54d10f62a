/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Order of keys: contract in key.h. Floats are compared by their bits: the bits below the sign, read as an integer, are
 * ordered like the magnitudes.
 */
#include "key.h"

static bool float_less(bool left_negative, uint64_t left_magnitude, bool right_negative, uint64_t right_magnitude)
{
    if (left_negative != right_negative)
        return left_negative;
    return left_negative ? left_magnitude > right_magnitude : left_magnitude < right_magnitude;
}

static bool f32_less(uint32_t left, uint32_t right)
{
    return float_less(left >> 31, left & 0x7fffffff, right >> 31, right & 0x7fffffff);
}

static bool f64_less(uint64_t left, uint64_t right)
{
    const uint64_t magnitude = 0x7fffffffffffffff;

    return float_less(left >> 63, left & magnitude, right >> 63, right & magnitude);
}

bool sb_ref_key_less(sb_ref_type type, const void *left, uint64_t i, const void *right, uint64_t j)
{
    switch (type) {
    case SB_REF_U32:
        return ((const uint32_t *)left)[i] < ((const uint32_t *)right)[j];
    case SB_REF_I32:
        return ((const int32_t *)left)[i] < ((const int32_t *)right)[j];
    case SB_REF_U64:
        return ((const uint64_t *)left)[i] < ((const uint64_t *)right)[j];
    case SB_REF_F32:
        return f32_less(((const uint32_t *)left)[i], ((const uint32_t *)right)[j]);
    default: /* SB_REF_F64 */
        return f64_less(((const uint64_t *)left)[i], ((const uint64_t *)right)[j]);
    }
}
