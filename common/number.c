/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Elements as numbers: contract in number.h. A narrow float is sign, exponent and fraction; its bits without the sign count the
 * positive numbers of the type in their order, which is what rounding uses.
 */
#include "number.h"
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t size, kind;
    uint8_t exponent, fraction; /* bits of each, of a float */
} types[] = {
    [SB_U8] = {"u8", 1, SB_KIND_UNSIGNED, 0, 0},       [SB_U16] = {"u16", 2, SB_KIND_UNSIGNED, 0, 0},
    [SB_U32] = {"u32", 4, SB_KIND_UNSIGNED, 0, 0},     [SB_I32] = {"i32", 4, SB_KIND_SIGNED, 0, 0},
    [SB_U64] = {"u64", 8, SB_KIND_UNSIGNED, 0, 0},     [SB_F32] = {"f32", 4, SB_KIND_FLOAT, 8, 23},
    [SB_F64] = {"f64", 8, SB_KIND_FLOAT, 11, 52},      [SB_AFFINE] = {"affine", 8, SB_KIND_MAP, 0, 0},
    [SB_I8] = {"i8", 1, SB_KIND_SIGNED, 0, 0},         [SB_I16] = {"i16", 2, SB_KIND_SIGNED, 0, 0},
    [SB_I64] = {"i64", 8, SB_KIND_SIGNED, 0, 0},       [SB_F16] = {"f16", 2, SB_KIND_FLOAT, 5, 10},
    [SB_BF16] = {"bf16", 2, SB_KIND_FLOAT, 8, 7},      [SB_F8_E4M3] = {"f8e4m3", 1, SB_KIND_FLOAT, 4, 3},
    [SB_F8_E5M2] = {"f8e5m2", 1, SB_KIND_FLOAT, 5, 2},
};

enum { TYPE_END = sizeof types / sizeof *types };

size_t sb_type_size(uint32_t type)
{
    return type < TYPE_END ? types[type].size : 0;
}

const char *sb_type_name(uint32_t type)
{
    return type < TYPE_END && types[type].name != NULL ? types[type].name : "?";
}

uint32_t sb_type_find(const char *name)
{
    for (uint32_t type = 1; type < TYPE_END; type++)
        if (strcmp(types[type].name, name) == 0)
            return type;
    return 0;
}

sb_kind sb_type_kind(uint32_t type)
{
    return type < TYPE_END ? (sb_kind)types[type].kind : SB_KIND_NONE;
}

int sb_float_fraction(uint32_t type)
{
    return types[type].fraction;
}

/* 2^(exponent - 1) - 1 */
static int bias_of(uint32_t type)
{
    return (1 << (types[type].exponent - 1)) - 1;
}

/* The first bits, without the sign, that stand for no finite number. Only the last bits of SB_F8_E4M3 are such ones. */
static uint64_t first_special(uint32_t type)
{
    return type == SB_F8_E4M3 ? 0x7f : (((uint64_t)1 << types[type].exponent) - 1) << types[type].fraction;
}

static uint64_t sign_of(uint32_t type)
{
    return (uint64_t)1 << (8 * types[type].size - 1);
}

static double float_number(uint32_t type, uint64_t bits)
{
    int fraction = types[type].fraction;
    uint64_t sign = sign_of(type), magnitude = bits & (sign - 1), exponent = magnitude >> fraction;
    uint64_t significand = (magnitude & (((uint64_t)1 << fraction) - 1)) | (uint64_t)(exponent > 0) << fraction;
    double number = ldexp((double)significand, (int)(exponent + (exponent == 0)) - bias_of(type) - fraction);

    if (magnitude >= first_special(type))
        number = magnitude == first_special(type) && type != SB_F8_E4M3 ? (double)INFINITY : (double)NAN;
    return bits & sign ? -number : number;
}

static uint64_t float_bits(uint32_t type, double number)
{
    int fraction = types[type].fraction, bias = bias_of(type), exponent;
    uint64_t sign = signbit(number) ? sign_of(type) : 0, special = first_special(type), magnitude;

    number = fabs(number);
    if (isnan(number)) /* quiet: the first bit of its fraction is set */
        return sign | special | (uint64_t)1 << (fraction - 1);
    if (isinf(number))
        return sign | special;
    if (number == 0)
        return sign;
    exponent = ilogb(number) > 1 - bias ? ilogb(number) : 1 - bias;
    /* In units of the last place. A significand that is rounded up to the next power of 2 carries into the exponent. */
    magnitude = (uint64_t)nearbyint(ldexp(number, fraction - exponent));
    magnitude += (uint64_t)(exponent + bias - 1) << fraction;
    return sign | (magnitude < special ? magnitude : special);
}

double sb_float_max(uint32_t type)
{
    return float_number(type, first_special(type) - 1);
}

double sb_float_min(uint32_t type)
{
    return float_number(type, 1);
}

double sb_bits_to_number(uint32_t type, uint64_t bits)
{
    unsigned unused = 64 - 8 * (unsigned)sb_type_size(type);

    switch (sb_type_kind(type)) {
    case SB_KIND_FLOAT:
        return float_number(type, bits);
    case SB_KIND_SIGNED:
        return (double)((int64_t)(bits << unused) >> unused);
    default:
        return (double)(bits << unused >> unused);
    }
}

uint64_t sb_number_to_bits(uint32_t type, double number)
{
    int width = 8 * (int)sb_type_size(type);
    bool has_sign = sb_type_kind(type) == SB_KIND_SIGNED;
    double end = ldexp(1, width - has_sign), rounded = nearbyint(number); /* the first number past the range */

    if (sb_type_kind(type) == SB_KIND_FLOAT)
        return float_bits(type, number);
    if (isnan(number))
        return 0;
    if (rounded >= end)
        return UINT64_MAX >> (64 - width + has_sign);
    if (rounded <= (has_sign ? -end : 0))
        return has_sign ? (uint64_t)1 << (width - 1) : 0;
    return (rounded < 0 ? (uint64_t)(int64_t)rounded : (uint64_t)rounded) & UINT64_MAX >> (64 - width);
}
