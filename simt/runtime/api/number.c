/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Arithmetic in directed rounding modes, and mathematical functions that CUDA has and C does not. Operands and results
 * of a directed operation are volatile, so that the compiler keeps the operation between the two changes of the mode.
 */
#include "../core/machine.h"

#include <fenv.h>
#include <math.h>

static const int modes[] = {
    [SIMT_NEAREST] = FE_TONEAREST, [SIMT_ZERO] = FE_TOWARDZERO, [SIMT_UP] = FE_UPWARD, [SIMT_DOWN] = FE_DOWNWARD};

#define ROUNDED(name, T, root, multiply_add)                                                                           \
    T name(simt_rounded_operation operation, simt_rounding mode, T x, T y, T z)                                        \
    {                                                                                                                  \
        volatile T a = x, b = y, c = z, result;                                                                        \
        const int before = fegetround();                                                                               \
                                                                                                                       \
        fesetround(modes[mode]);                                                                                       \
        switch (operation) {                                                                                           \
        case SIMT_SUM:                                                                                                 \
            result = a + b;                                                                                            \
            break;                                                                                                     \
        case SIMT_PRODUCT:                                                                                             \
            result = a * b;                                                                                            \
            break;                                                                                                     \
        case SIMT_QUOTIENT:                                                                                            \
            result = a / b;                                                                                            \
            break;                                                                                                     \
        case SIMT_ROOT:                                                                                                \
            result = root(a);                                                                                          \
            break;                                                                                                     \
        default:                                                                                                       \
            result = multiply_add(a, b, c);                                                                            \
            break;                                                                                                     \
        }                                                                                                              \
        fesetround(before);                                                                                            \
        return result;                                                                                                 \
    }

ROUNDED(simt_rounded_float, float, sqrtf, fmaf)
ROUNDED(simt_rounded_double, double, sqrt, fma)

/* Zero is not converted: the code for a conversion may add two numbers that cancel, which gives -0 when rounding
 * down. */
#define CONVERTED(name, to, from)                                                                                      \
    to name(simt_rounding mode, from x)                                                                                \
    {                                                                                                                  \
        volatile from value = x;                                                                                       \
        volatile to result;                                                                                            \
        const int before = fegetround();                                                                               \
                                                                                                                       \
        if (x == 0)                                                                                                    \
            return (to)x;                                                                                              \
        fesetround(modes[mode]);                                                                                       \
        result = (to)value;                                                                                            \
        fesetround(before);                                                                                            \
        return result;                                                                                                 \
    }

CONVERTED(simt_float_of_signed, float, int64_t)
CONVERTED(simt_float_of_unsigned, float, uint64_t)
CONVERTED(simt_float_of_double, float, double)
CONVERTED(simt_double_of_signed, double, int64_t)
CONVERTED(simt_double_of_unsigned, double, uint64_t)

/* --- functions, in long double, so that only the last step rounds visibly */

#define PI          3.141592653589793238462643383279502884L
#define ROOT_OF_PI  1.772453850905516027298167483341145183L
#define ROOT_OF_TWO 1.414213562373095048801688724209698079L

/* A first guess of the t > 0 with erf(t) = 1 - x, to about 3 digits (Winitzki 2008). */
static long double guess_erfc_inverse(long double x)
{
    const long double a = 0.147L, w = logl(x * (2 - x)), half = 2 / (PI * a) + w / 2;

    return sqrtl(sqrtl(half * half - w / a) - half);
}

/* Halley's method from that guess, for erfc(t) = x, or for erf(t) = y where that is more exact. */
static long double inverse(long double x, long double y)
{
    long double t = guess_erfc_inverse(x);

    for (int i = 0; i < 8; i++) {
        long double difference = y < 0.5L ? y - erfl(t) : erfcl(t) - x;
        long double step = -difference * ROOT_OF_PI / 2 * expl(t * t);

        t -= step / (1 + t * step);
    }
    return t;
}

double simt_erfinv(double y)
{
    if (!(fabs(y) < 1))
        return fabs(y) == 1 ? copysign(INFINITY, y) : NAN;
    if (fabs(y) < 1e-150)
        return (double)(y * ROOT_OF_PI / 2);
    return copysign((double)inverse(1 - (long double)fabs(y), fabs(y)), y);
}

double simt_erfcinv(double x)
{
    if (!(x > 0 && x < 2))
        return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
    if (x == 1)
        return 0;
    return x < 1 ? (double)inverse(x, 1 - (long double)x) : -(double)inverse(2 - (long double)x, (long double)x - 1);
}

double simt_normcdfinv(double p)
{
    if (!(p > 0 && p < 1))
        return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
    if (p == 0.5)
        return 0;
    return (double)(-ROOT_OF_TWO * (p < 0.5 ? inverse(2 * (long double)p, 1 - 2 * (long double)p)
                                            : -inverse(2 - 2 * (long double)p, 2 * (long double)p - 1)));
}

double simt_normcdf(double x)
{
    return (double)(erfcl(-(long double)x / ROOT_OF_TWO) / 2);
}

/* exp(x * x) * erfc(x); for x >= 25 by its asymptotic series. */
double simt_erfcx(double x)
{
    long double square = (long double)x * x, term = 1, sum = 1;

    if (x < 25)
        return (double)(expl(square) * erfcl(x));
    for (int k = 1; k < 12; k++) {
        term *= -(2 * k - 1) / (2 * square);
        sum += term;
    }
    return (double)(sum / (x * ROOT_OF_PI));
}

/* Modified Bessel functions of order 0 and 1, by their power series, whose terms are all positive. */
double simt_cyl_bessel_i(int order, double x)
{
    long double quarter = (long double)x * x / 4, term = order ? fabsl((long double)x) / 2 : 1, sum = term;

    if (!(fabs(x) < 800))
        return isnan(x) ? x : order ? copysign(INFINITY, x) : INFINITY;
    for (int k = 1; term > sum * 1e-22L; k++) {
        term *= quarter / ((long double)k * (k + order));
        sum += term;
    }
    return order ? copysign((double)sum, x) : (double)sum;
}

/* x = n / 2 + rest, exactly, so that only the rest is multiplied by pi and rounded. */
void simt_sincospi(double x, double *sine, double *cosine)
{
    double turn = fmod(x, 2), n = rint(2 * turn);
    long double rest = PI * (long double)(turn - n / 2), s = sinl(rest), c = cosl(rest);
    int quarter = (int)n & 3;

    if (!isfinite(x)) {
        *sine = *cosine = NAN;
        return;
    }
    *sine = (double)(quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c);
    *cosine = (double)(quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s);
    if (*sine == 0)
        *sine = copysign(0, x);
    if (*cosine == 0)
        *cosine = 0;
}
