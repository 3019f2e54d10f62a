/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Distributions of keys: contract in distribution.h. Most draw a real number in fixed point, with 32 bits after the point, and
 * make a key of it.
 */
#include "distribution.h"
#include <stddef.h>
#include <string.h>

enum {
    POINT = 32,    /* bits after the point */
    CENTRES = 16,  /* of `clustered` */
    UNIFORMS = 12, /* whose sum is about normal and has the variance 1 */
    MAX_OCTAVE = 63
};

/* A distribution of numbers. The lowest `shift` bits of a number are not in a 32-bit integer. */
typedef struct distribution {
    const char *name;
    int64_t (*draw)(sb_random *random, const int64_t centre[CENTRES]);
    unsigned shift;
} distribution;

static int64_t clamp(int64_t number, int64_t low, int64_t high)
{
    return number < low ? low : number > high ? high : number;
}

static void put_number(sb_array *keys, uint64_t i, int64_t number, unsigned shift)
{
    const uint32_t sign = (uint32_t)1 << 31;
    const unsigned more = 32 - shift; /* bits of a 64-bit integer that are not in a number */
    int64_t narrow, wide;

    switch (keys->type) {
    case SB_F32:
        ((float *)keys->data)[i] = (float)number * 0x1p-32f;
        break;
    case SB_F64:
        ((double *)keys->data)[i] = (double)number * 0x1p-32;
        break;
    case SB_U64:
        wide = clamp(number, -((int64_t)1 << (63 - more)), ((int64_t)1 << (63 - more)) - 1);
        ((uint64_t *)keys->data)[i] = ((uint64_t)wide << more) + ((uint64_t)1 << 63);
        break;
    default:
        narrow = clamp(number < 0 ? ~(~number >> shift) : number >> shift, INT32_MIN, INT32_MAX);
        ((uint32_t *)keys->data)[i] = (uint32_t)narrow + (keys->type == SB_U32 ? sign : 0);
    }
}

static int64_t draw_normal(sb_random *random, const int64_t centre[CENTRES])
{
    int64_t sum = -((int64_t)UNIFORMS / 2 << POINT);

    (void)centre;
    for (unsigned i = 0; i < UNIFORMS; i += 2) {
        uint64_t draw = sb_random_next(random);

        sum += (int64_t)(draw >> 32) + (int64_t)(draw & UINT32_MAX);
    }
    return sum;
}

static int64_t draw_half_normal(sb_random *random, const int64_t centre[CENTRES])
{
    int64_t number = draw_normal(random, centre);

    return number < 0 ? -number : number;
}

/* -log2(u) for u in (0, 1]: leading zeros count the octaves, and within an octave, at the fraction f, the logarithm of 1 + f is
 * taken for f + 0.34375 f (1 - f), which is right to 0.01. */
static int64_t draw_exponential(sb_random *random, const int64_t centre[CENTRES])
{
    uint64_t draw = sb_random_next(random), fraction;
    unsigned octave = 0;

    (void)centre;
    for (; octave < MAX_OCTAVE && draw >> 63 == 0; octave++)
        draw <<= 1;
    fraction = draw << 1 >> 32;
    fraction += (fraction * (((uint64_t)1 << POINT) - fraction) >> POINT) * 11 / 32;
    return (int64_t)(((uint64_t)(octave + 1) << POINT) - fraction);
}

/* The quotient of the coordinates of a random point in the disc. */
static int64_t draw_cauchy(sb_random *random, const int64_t centre[CENTRES])
{
    const uint64_t radius = (uint64_t)1 << 31;

    (void)centre;
    for (;;) {
        uint64_t draw = sb_random_next(random);
        int64_t x = (int64_t)(draw >> 32) - (int64_t)radius, y = (int64_t)(draw & UINT32_MAX) - (int64_t)radius;

        if (y != 0 && (uint64_t)(x * x) + (uint64_t)(y * y) < radius * radius)
            return x * ((int64_t)1 << POINT) / y;
    }
}

static int64_t draw_clustered(sb_random *random, const int64_t centre[CENTRES])
{
    uint64_t cluster = sb_random_below(random, CENTRES);

    return centre[cluster] + (int64_t)(sb_random_next(random) >> 44);
}

/* ---- those that are bits rather than numbers ---- */

static void put_bits(sb_array *keys, uint64_t i, uint64_t bits)
{
    if (keys->type == SB_U64 || keys->type == SB_F64)
        ((uint64_t *)keys->data)[i] = bits;
    else
        ((uint32_t *)keys->data)[i] = (uint32_t)bits;
}

static void make_uniform(sb_array *keys, sb_random *random)
{
    for (uint64_t i = 0; i < keys->length; i++) {
        uint64_t draw = sb_random_next(random);

        if (keys->type == SB_F32)
            ((float *)keys->data)[i] = (float)(draw >> 40) * 0x1p-24f;
        else if (keys->type == SB_F64)
            ((double *)keys->data)[i] = (double)(draw >> 11) * 0x1p-53;
        else
            put_bits(keys, i, draw);
    }
}

static void make_exponents(sb_array *keys, sb_random *random)
{
    for (uint64_t i = 0; i < keys->length; i++) {
        uint64_t draw = sb_random_next(random), bits;

        switch (keys->type) {
        case SB_F32:
            bits = (draw & 0x807fffff) | sb_random_below(random, 255) << 23;
            break;
        case SB_F64:
            bits = (draw & 0x800fffffffffffff) | sb_random_below(random, 2047) << 52;
            break;
        case SB_I32:
            bits = (draw & INT32_MAX) >> sb_random_below(random, 31);
            bits = draw >> 63 != 0 ? ~bits : bits;
            break;
        case SB_U32:
            bits = (draw & UINT32_MAX) >> sb_random_below(random, 32);
            break;
        default:
            bits = draw >> sb_random_below(random, 64);
        }
        put_bits(keys, i, bits);
    }
}

static void make_last_digit(sb_array *keys, sb_random *random)
{
    uint64_t common = sb_random_next(random);

    for (uint64_t i = 0; i < keys->length; i++)
        put_bits(keys, i, (common & ~(uint64_t)255) | (sb_random_next(random) & 255));
}

bool sb_distribute(sb_array *keys, const char *name, sb_random *random)
{
    static const distribution numbers[] = {{"normal", draw_normal, 4},
                                           {"half-normal", draw_half_normal, 4},
                                           {"exponential", draw_exponential, 6},
                                           {"cauchy", draw_cauchy, 16},
                                           {"clustered", draw_clustered, 4}};
    static const struct {
        const char *name;
        void (*make)(sb_array *keys, sb_random *random);
    } others[] = {{"uniform", make_uniform}, {"exponents", make_exponents}, {"last-digit", make_last_digit}};

    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k].name, name) == 0) {
            others[k].make(keys, random);
            return true;
        }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strcmp(numbers[k].name, name) == 0) {
            int64_t centre[CENTRES] = {0};

            for (unsigned i = 0; i < CENTRES && numbers[k].draw == draw_clustered; i++)
                centre[i] = (int64_t)(sb_random_next(random) >> 28) - ((int64_t)1 << 35);
            for (uint64_t i = 0; i < keys->length; i++)
                put_number(keys, i, numbers[k].draw(random, centre), numbers[k].shift);
            return true;
        }
    return false;
}
