/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers of a library call: two doubles, of which a real one has 0 as the second. An array of numbers is one of doubles, two
 * for each number if they are complex.
 */
#ifndef SIMT_LIBRARIES_NUMBER_H
#define SIMT_LIBRARIES_NUMBER_H

#include <stdbool.h>

typedef struct simt_number {
    double real, imaginary;
} simt_number;

static inline bool simt_number_is_zero(simt_number v)
{
    return v.real == 0 && v.imaginary == 0;
}

static inline simt_number simt_number_sum(simt_number a, simt_number b)
{
    return (simt_number){a.real + b.real, a.imaginary + b.imaginary};
}

static inline simt_number simt_number_difference(simt_number a, simt_number b)
{
    return (simt_number){a.real - b.real, a.imaginary - b.imaginary};
}

static inline simt_number simt_number_conjugate(simt_number a)
{
    return (simt_number){a.real, -a.imaginary};
}

static inline simt_number simt_number_product(bool complex, simt_number a, simt_number b)
{
    if (!complex)
        return (simt_number){a.real * b.real, 0};
    return (simt_number){a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

/* By Smith's formula (R. L. Smith, "Algorithm 116: Complex division", 1962) large parts would not overflow; the parts here are
 * doubles made of floats or doubles of ordinary size. */
static inline simt_number simt_number_quotient(simt_number a, simt_number b)
{
    double norm = b.real * b.real + b.imaginary * b.imaginary;

    if (b.imaginary == 0)
        return (simt_number){a.real / b.real, a.imaginary / b.real};
    return (simt_number){(a.real * b.real + a.imaginary * b.imaginary) / norm,
                         (a.imaginary * b.real - a.real * b.imaginary) / norm};
}

static inline simt_number simt_number_get(const double *from, bool complex, long i)
{
    return (simt_number){complex ? from[2 * i] : from[i], complex ? from[2 * i + 1] : 0};
}

static inline void simt_number_put(double *to, bool complex, long i, simt_number v)
{
    if (complex) {
        to[2 * i] = v.real;
        to[2 * i + 1] = v.imaginary;
    } else {
        to[i] = v.real;
    }
}

#endif
