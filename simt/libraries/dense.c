/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Matrices of a library call: contract in dense.h. Large products are those of OpenBLAS where the program finds it when it
 * runs (it must not need it), otherwise of the loop below.
 */
#define _GNU_SOURCE
#include "dense.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* --- views */

simt_view simt_view_transposed(simt_view v)
{
    static const simt_part other[] = {SIMT_FULL, SIMT_UPPER, SIMT_LOWER};
    long rows = v.rows, row_stride = v.row_stride;

    v.rows = v.columns;
    v.columns = rows;
    v.row_stride = v.column_stride;
    v.column_stride = row_stride;
    v.part = other[v.part];
    return v;
}

static void *start_of(const simt_library_call *call, const simt_view *v, long index)
{
    if (v->array)
        return simt_library_pointer(call, v->array, index);
    return (char *)v->at + index * v->batch_stride * (long)simt_library_size(v->type);
}

static bool is_in_part(const simt_view *v, long row, long column)
{
    if (row == column)
        return !v->unit;
    return v->part == SIMT_FULL || (v->part == SIMT_LOWER) == (row > column);
}

/* Elements are visited in the order of their addresses, as far as the strides tell. */
#define FOR_EACH(v, row, column)                                                                                       \
    for (long by_rows = (v)->column_stride < (v)->row_stride, outer = 0, outers = by_rows ? (v)->rows : (v)->columns,  \
              inners = by_rows ? (v)->columns : (v)->rows;                                                             \
         outer < outers; outer++)                                                                                      \
        for (long inner = 0, row = 0, column = 0;                                                                      \
             row = by_rows ? outer : inner, column = by_rows ? inner : outer, inner < inners; inner++)

double *simt_view_read(const simt_library_call *call, const simt_view *v, long index, bool complex)
{
    double *to = simt_library_scratch((size_t)(v->rows * v->columns), (complex ? 2 : 1) * sizeof *to);
    const void *from;

    simt_library_argument(call, v->name, v->array ? index : -1);
    from = start_of(call, v, index);
    FOR_EACH(v, row, column)
    {
        simt_number e = {1, 0};

        if (is_in_part(v, row, column)) {
            e = simt_library_read(call, from, v->type, row * v->row_stride + column * v->column_stride);
            if (v->rest == SIMT_HERMITIAN && row == column)
                e.imaginary = 0;
        } else if (row != column) {
            continue;
        }
        if (v->conjugate)
            e.imaginary = -e.imaginary;
        simt_number_put(to, complex, row + column * v->rows, e);
        if (v->rest == SIMT_ZEROS)
            continue;
        if (v->rest == SIMT_HERMITIAN)
            e.imaginary = -e.imaginary;
        simt_number_put(to, complex, column + row * v->rows, e);
    }
    return to;
}

void simt_view_write(const simt_library_call *call, const simt_view *v, long index, bool complex, const double *from)
{
    void *to;

    simt_library_argument(call, v->name, v->array ? index : -1);
    to = start_of(call, v, index);
    FOR_EACH(v, row, column)
    {
        long i = row + column * v->rows;
        simt_number e = simt_number_get(from, complex, i);

        if (v->rest == SIMT_HERMITIAN && row == column)
            e.imaginary = 0;
        if (is_in_part(v, row, column))
            simt_library_write(call, to, v->type, row * v->row_stride + column * v->column_stride, e);
    }
}

/* --- products */

/* The C interface of BLAS: cblas_dgemm and cblas_zgemm. 102 is by columns, 111 is not transposed. */
typedef void (*product_of_reals)(int, int, int, int, int, int, double, const double *, int, const double *, int, double,
                                 double *, int);
typedef void (*product_of_complex)(int, int, int, int, int, int, const double *, const double *, int, const double *,
                                   int, const double *, double *, int);

static product_of_reals cblas_reals;
static product_of_complex cblas_complex;

static void find_library(void)
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);

    if (library) {
        cblas_reals = (product_of_reals)(uintptr_t)dlsym(library, "cblas_dgemm");
        cblas_complex = (product_of_complex)(uintptr_t)dlsym(library, "cblas_zgemm");
    }
}

void simt_dense_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_library);
}

static void multiply_loop(bool complex, long rows, long columns, long inner, const double *a, const double *b,
                          double *c)
{
    for (long j = 0; j < columns; j++)
        for (long k = 0; k < inner; k++) {
            const double *left = a + k * rows * (complex ? 2 : 1);
            double *to = c + j * rows * (complex ? 2 : 1);

            if (complex) {
                double x = b[2 * (k + j * inner)], y = b[2 * (k + j * inner) + 1];

                for (long i = 0; i < 2 * rows; i += 2) {
                    to[i] += left[i] * x - left[i + 1] * y;
                    to[i + 1] += left[i] * y + left[i + 1] * x;
                }
            } else {
                double x = b[k + j * inner];

                for (long i = 0; i < rows; i++)
                    to[i] += left[i] * x;
            }
        }
}

typedef struct product {
    bool complex;
    int rows, columns, inner;
    const double *a, *b;
    double *c;
} product;

static void *multiply_by_library(void *argument)
{
    static const double one[2] = {1, 0}, zero[2] = {0, 0};
    const product *p = argument;

    if (p->complex)
        cblas_complex(102, 111, 111, p->rows, p->columns, p->inner, one, p->a, p->rows, p->b, p->inner, zero, p->c,
                      p->rows);
    else
        cblas_reals(102, 111, 111, p->rows, p->columns, p->inner, 1, p->a, p->rows, p->b, p->inner, 0, p->c, p->rows);
    return NULL;
}

void simt_dense_multiply(bool complex, long rows, long columns, long inner, const double *a, const double *b, double *c)
{
    /* From here on the library gains more than a thread of its own costs, some 30 us. */
    static const double large = 64.0 * 64 * 64;
    product p = {complex, (int)rows, (int)columns, (int)inner, a, b, c};

    if ((double)rows * (double)columns * (double)inner < large || !cblas_reals || !cblas_complex || rows > INT32_MAX ||
        columns > INT32_MAX || inner > INT32_MAX)
        multiply_loop(complex, rows, columns, inner, a, b, c);
    else
        simt_library_on_thread(multiply_by_library, &p);
}

void simt_dense_solve(bool complex, bool lower, long rows, long columns, const double *a, double *b)
{
    for (long j = 0; j < columns; j++)
        for (long step = 0; step < rows; step++) {
            long k = lower ? step : rows - 1 - step;
            simt_number x = simt_number_quotient(simt_number_get(b, complex, k + j * rows),
                                                 simt_number_get(a, complex, k + k * rows));

            simt_number_put(b, complex, k + j * rows, x);
            for (long i = lower ? k + 1 : 0; i < (lower ? rows : k); i++) {
                simt_number p = simt_number_product(complex, simt_number_get(a, complex, i + k * rows), x),
                            old = simt_number_get(b, complex, i + j * rows);

                simt_number_put(b, complex, i + j * rows, simt_number_difference(old, p));
            }
        }
}
