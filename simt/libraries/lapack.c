/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Routines of LAPACK: contract in lapack.h.
 */
#define _GNU_SOURCE
#include "lapack.h"

#include "call.h"

#include <dlfcn.h>
#include <pthread.h>

#pragma GCC visibility push(hidden)

/* Fortran's: all arguments are addresses, and the lengths of characters follow them. Those of complex numbers take real scratch memory,
 * too, before info. */
typedef const char *word;
typedef const int *whole;
static struct {
    void (*dsyev)(word, word, whole, double *, whole, double *, double *, whole, int *, size_t, size_t);
    void (*zheev)(word, word, whole, double *, whole, double *, double *, whole, double *, int *, size_t, size_t);
    void (*dsygv)(whole, word, word, whole, double *, whole, double *, whole, double *, double *, whole, int *, size_t,
                  size_t);
    void (*zhegv)(whole, word, word, whole, double *, whole, double *, whole, double *, double *, whole, double *,
                  int *, size_t, size_t);
    void (*dgesvd)(word, word, whole, whole, double *, whole, double *, double *, whole, double *, whole, double *,
                   whole, int *, size_t, size_t);
    void (*zgesvd)(word, word, whole, whole, double *, whole, double *, double *, whole, double *, whole, double *,
                   whole, double *, int *, size_t, size_t);
} lapack;

static bool is_here;

static void find_library(void)
{
    static const struct {
        const char *name;
        void *at;
    } routines[] = {
        {"dsyev_", &lapack.dsyev}, {"zheev_", &lapack.zheev},   {"dsygv_", &lapack.dsygv},
        {"zhegv_", &lapack.zhegv}, {"dgesvd_", &lapack.dgesvd}, {"zgesvd_", &lapack.zgesvd},
    };
    static const char *const names[] = {"libopenblas.so.0", "liblapack.so.3"};

    for (size_t i = 0; i < sizeof names / sizeof *names && !is_here; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

        is_here = library != NULL;
        for (size_t k = 0; k < sizeof routines / sizeof *routines && is_here; k++)
            is_here = (*(void **)routines[k].at = dlsym(library, routines[k].name)) != NULL;
    }
}

bool simt_lapack_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_library);
    return is_here;
}

/* Of all routines. */
typedef struct routine {
    bool complex;
    int kind, m, n, rows_of_vt;
    char job_u, job_v, half;
    double *a, *b, *values, *u, *vt;
    double *scratch, *reals;
    int scratch_count, info;
} routine;

static void *run_eigen(void *argument)
{
    routine *r = argument;

    if (!r->b && !r->complex)
        lapack.dsyev(&r->job_v, &r->half, &r->n, r->a, &r->n, r->values, r->scratch, &r->scratch_count, &r->info, 1, 1);
    else if (!r->b)
        lapack.zheev(&r->job_v, &r->half, &r->n, r->a, &r->n, r->values, r->scratch, &r->scratch_count, r->reals,
                     &r->info, 1, 1);
    else if (!r->complex)
        lapack.dsygv(&r->kind, &r->job_v, &r->half, &r->n, r->a, &r->n, r->b, &r->n, r->values, r->scratch,
                     &r->scratch_count, &r->info, 1, 1);
    else
        lapack.zhegv(&r->kind, &r->job_v, &r->half, &r->n, r->a, &r->n, r->b, &r->n, r->values, r->scratch,
                     &r->scratch_count, r->reals, &r->info, 1, 1);
    return NULL;
}

static void *run_svd(void *argument)
{
    routine *r = argument;

    if (r->complex)
        lapack.zgesvd(&r->job_u, &r->job_v, &r->m, &r->n, r->a, &r->m, r->values, r->u, &r->m, r->vt, &r->rows_of_vt,
                      r->scratch, &r->scratch_count, r->reals, &r->info, 1, 1);
    else
        lapack.dgesvd(&r->job_u, &r->job_v, &r->m, &r->n, r->a, &r->m, r->values, r->u, &r->m, r->vt, &r->rows_of_vt,
                      r->scratch, &r->scratch_count, &r->info, 1, 1);
    return NULL;
}

static long call(routine *r, void *(*run)(void *))
{
    int largest = r->m > r->n ? r->m : r->n;

    if (r->m == 0 || r->n == 0)
        return 0;
    /* Blocks of LAPACK have up to 64 columns; at most 5 largest + (m + n) blocks are asked for, and 5 largest reals. */
    r->scratch_count = 64 * (r->m + r->n) + 5 * largest;
    r->scratch = simt_library_scratch((size_t)r->scratch_count * 2, sizeof(double));
    r->reals = simt_library_scratch((size_t)largest * 5, sizeof(double));
    simt_library_on_thread(run, r);
    return r->info;
}

long simt_lapack_eigen(bool complex, int kind, bool vectors, bool lower, long n, double *a, double *b, double *w)
{
    routine r = {.complex = complex,
                 .kind = kind,
                 .m = (int)n,
                 .n = (int)n,
                 .job_v = vectors ? 'V' : 'N',
                 .half = lower ? 'L' : 'U',
                 .a = a,
                 .b = b,
                 .values = w};

    return call(&r, run_eigen);
}

long simt_lapack_svd(bool complex, char job_u, char job_v, long m, long n, double *a, double *s, double *u, double *vt)
{
    routine r = {.complex = complex,
                 .m = (int)m,
                 .n = (int)n,
                 .rows_of_vt = (int)(job_v == 'A' || n < m ? n : m),
                 .job_u = job_u,
                 .job_v = job_v,
                 .a = a,
                 .values = s,
                 .u = u,
                 .vt = vt};

    return call(&r, run_svd);
}

#pragma GCC visibility pop
