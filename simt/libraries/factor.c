/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Factorisations of dense matrices: contract in factor.h.
 */
#include "factor.h"

#include <math.h>

#pragma GCC visibility push(hidden)

static inline simt_number get(bool complex, const double *a, long i)
{
    return simt_number_get(a, complex, i);
}

static inline void put(bool complex, double *a, long i, simt_number v)
{
    simt_number_put(a, complex, i, v);
}

static double square(simt_number v)
{
    return v.real * v.real + v.imaginary * v.imaginary;
}

/* to -= factor from */
static void subtract(bool complex, long n, double *to, simt_number factor, const double *from)
{
    for (long i = 0; i < n; i++)
        put(complex, to, i,
            simt_number_difference(get(complex, to, i), simt_number_product(complex, factor, get(complex, from, i))));
}

/* x^H y */
static simt_number dot(bool complex, long n, const double *x, const double *y)
{
    simt_number sum = {0, 0};

    for (long i = 0; i < n; i++)
        sum = simt_number_sum(
            sum, simt_number_product(complex, simt_number_conjugate(get(complex, x, i)), get(complex, y, i)));
    return sum;
}

static double *column(bool complex, const double *a, long rows, long j)
{
    return (double *)a + j * rows * (complex ? 2 : 1);
}

/* --- Cholesky (algorithm 4.2.1) and LU with partial pivoting (3.4.1) */

long simt_factor_cholesky(bool complex, long n, double *a)
{
    for (long k = 0; k < n; k++) {
        simt_number d = get(complex, a, k + k * n);

        if (!(d.real > 0))
            return k + 1;
        d = (simt_number){sqrt(d.real), 0};
        put(complex, a, k + k * n, d);
        for (long i = k + 1; i < n; i++)
            put(complex, a, i + k * n, simt_number_quotient(get(complex, a, i + k * n), d));
        for (long j = k + 1; j < n; j++)
            subtract(complex, n - j, column(complex, a, n, j) + j * (complex ? 2 : 1),
                     simt_number_conjugate(get(complex, a, j + k * n)),
                     column(complex, a, n, k) + j * (complex ? 2 : 1));
    }
    return 0;
}

static void exchange(bool complex, double *a, long rows, long columns, long i, long j)
{
    for (long k = 0; k < columns && i != j; k++) {
        simt_number v = get(complex, a, i + k * rows);

        put(complex, a, i + k * rows, get(complex, a, j + k * rows));
        put(complex, a, j + k * rows, v);
    }
}

static double size_of(simt_number v) /* as LAPACK compares complex pivots */
{
    return fabs(v.real) + fabs(v.imaginary);
}

long simt_factor_lu(bool complex, long m, long n, double *a, int *pivots)
{
    long least = m < n ? m : n, info = 0;

    for (long k = 0; k < least; k++) {
        long best = k;

        for (long i = k + 1; i < m && pivots; i++)
            if (size_of(get(complex, a, i + k * m)) > size_of(get(complex, a, best + k * m)))
                best = i;
        if (pivots)
            pivots[k] = (int)best + 1;
        exchange(complex, a, m, n, k, best);
        if (size_of(get(complex, a, k + k * m)) == 0) {
            info = info ? info : k + 1;
            continue;
        }
        for (long i = k + 1; i < m; i++)
            put(complex, a, i + k * m, simt_number_quotient(get(complex, a, i + k * m), get(complex, a, k + k * m)));
        for (long j = k + 1; j < n; j++)
            subtract(complex, m - k - 1, column(complex, a, m, j) + (k + 1) * (complex ? 2 : 1),
                     get(complex, a, k + j * m), column(complex, a, m, k) + (k + 1) * (complex ? 2 : 1));
    }
    return info;
}

/* A triangle of a matrix with `rows` rows. */
typedef struct triangle {
    bool lower, unit, transposed, conjugate;
    long n, rows;
} triangle;

/* b = inverse(a) b, by substitution (algorithms 3.1.1 and 3.1.2). */
static void substitute(bool complex, triangle t, const double *a, long columns, double *b, long rows)
{
    bool forward = t.lower != t.transposed;

    for (long step = 0; step < t.n * columns; step++) {
        long k = forward ? step % t.n : t.n - 1 - step % t.n;
        double *x = column(complex, b, rows, step / t.n);

        if (!t.unit) {
            simt_number d = get(complex, a, k + k * t.rows);

            put(complex, x, k, simt_number_quotient(get(complex, x, k), t.conjugate ? simt_number_conjugate(d) : d));
        }
        for (long i = forward ? k + 1 : 0; i < (forward ? t.n : k); i++) {
            simt_number e = get(complex, a, t.transposed ? k + i * t.rows : i + k * t.rows);

            e = simt_number_product(complex, t.conjugate ? simt_number_conjugate(e) : e, get(complex, x, k));
            put(complex, x, i, simt_number_difference(get(complex, x, i), e));
        }
    }
}

void simt_factor_lu_solve(bool complex, bool transposed, bool conjugate, long n, long columns, const double *a,
                          const int *pivots, double *b)
{
    triangle lower = {true, true, transposed, conjugate, n, n}, upper = {false, false, transposed, conjugate, n, n};

    for (long i = 0; i < n && pivots && !transposed; i++)
        exchange(complex, b, n, columns, i, pivots[i] - 1);
    substitute(complex, transposed ? upper : lower, a, columns, b, n);
    substitute(complex, transposed ? lower : upper, a, columns, b, n);
    for (long i = n - 1; i >= 0 && pivots && transposed; i--)
        exchange(complex, b, n, columns, i, pivots[i] - 1);
}

/* --- QR by Householder's reflectors (algorithms 5.1.1 and 5.2.1) */

/* Of the column x of n numbers: v is left in x[1 ...], beta in x[0]. H^H x = beta e, and beta is real. */
static simt_number reflector(bool complex, long n, double *x)
{
    simt_number alpha = get(complex, x, 0), tau;
    double beta = 0;

    for (long i = 1; i < n; i++)
        beta += square(get(complex, x, i));
    if (beta == 0 && alpha.imaginary == 0)
        return (simt_number){0, 0};
    beta = -copysign(sqrt(beta + square(alpha)), alpha.real);
    tau = (simt_number){(beta - alpha.real) / beta, -alpha.imaginary / beta};
    alpha.real -= beta;
    for (long i = 1; i < n; i++)
        put(complex, x, i, simt_number_quotient(get(complex, x, i), alpha));
    put(complex, x, 0, (simt_number){beta, 0});
    return tau;
}

/* c -= tau v (v^H c), with v[0] = 1, for `columns` columns of n numbers that begin at c, rows apart. */
static void reflect(bool complex, long n, const double *v, simt_number tau, long columns, double *c, long rows)
{
    const long each = complex ? 2 : 1;

    for (long j = 0; j < columns && !simt_number_is_zero(tau); j++) {
        double *to = column(complex, c, rows, j);
        simt_number w = simt_number_sum(get(complex, to, 0), dot(complex, n - 1, v + each, to + each));

        w = simt_number_product(complex, tau, w);
        put(complex, to, 0, simt_number_difference(get(complex, to, 0), w));
        subtract(complex, n - 1, to + each, w, v + each);
    }
}

void simt_factor_qr(bool complex, long m, long n, double *a, double *tau)
{
    const long each = complex ? 2 : 1;

    for (long k = 0; k < (m < n ? m : n); k++) {
        double *v = column(complex, a, m, k) + k * each;
        simt_number t = reflector(complex, m - k, v);

        put(complex, tau, k, t);
        reflect(complex, m - k, v, simt_number_conjugate(t), n - k - 1, column(complex, a, m, k + 1) + k * each, m);
    }
}

void simt_factor_apply_q(bool complex, bool adjoint, long m, long columns, long count, const double *a,
                         const double *tau, double *c)
{
    const long each = complex ? 2 : 1;

    for (long step = 0; step < count; step++) {
        long k = adjoint ? step : count - 1 - step;
        simt_number t = get(complex, tau, k);

        reflect(complex, m - k, column(complex, a, m, k) + k * each, adjoint ? simt_number_conjugate(t) : t, columns,
                c + k * each, m);
    }
}

long simt_factor_least_squares(bool complex, long m, long n, long columns, double *a, double *tau, double *b)
{
    long info = 0;

    simt_factor_qr(complex, m, n, a, tau);
    for (long k = n; k > 0; k--)
        info = size_of(get(complex, a, (k - 1) + (k - 1) * m)) == 0 ? k : info;
    if (!info) {
        simt_factor_apply_q(complex, true, m, columns, n, a, tau, b);
        substitute(complex, (triangle){false, false, false, false, n, m}, a, columns, b, m);
    }
    return info;
}

#pragma GCC visibility pop
