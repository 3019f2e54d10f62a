/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuFFT: contract in cufft.h. A transform is read into an array of complex doubles, transformed along each dimension (mixed
 * radix, Cooley and Tukey 1965; a prime factor p costs p operations a number), and written.
 */
#include "call.h"

#include "../include/cufft.h"

#include <math.h>
#include <stdlib.h>

#define PLACE __builtin_return_address(0)

enum { RANK = 3 };

/* Where the elements are: sizes of the array around them, and steps in elements. */
typedef struct layout {
    bool is_packed; /* the rest does not count */
    long embed[RANK], stride, distance;
} layout;

typedef struct plan {
    bool made;
    int rank;
    long n[RANK], batch;
    layout in, out;
    cufftType type;
    cudaStream_t stream;
} plan;

static plan *plans;
static bool *in_use;
static int plan_count;

/* --- plans */

static plan *find(const char *name, const void *place, cufftHandle handle)
{
    if (handle > 0 && handle <= plan_count && in_use[handle - 1])
        return &plans[handle - 1];
    simt_library_refuse(name, place, "the plan was not created, or it was destroyed");
    return NULL;
}

static cufftResult refuse(const char *name, const void *place, cufftResult result, const char *what)
{
    simt_library_refuse(name, place, "%s", what);
    return result;
}

static cufftResult create(cufftHandle *handle)
{
    int i = 0;

    if (cudaFree(NULL) != cudaSuccess)
        return CUFFT_SETUP_FAILED;
    while (i < plan_count && in_use[i])
        i++;
    if (i == plan_count) {
        plan *more = realloc(plans, (size_t)(plan_count + 1) * sizeof *plans);
        bool *used = realloc(in_use, (size_t)(plan_count + 1) * sizeof *in_use);

        plans = more ? more : plans;
        in_use = used ? used : in_use;
        if (!more || !used)
            return CUFFT_ALLOC_FAILED;
        plan_count++;
    }
    plans[i] = (plan){0};
    in_use[i] = true;
    *handle = i + 1;
    return CUFFT_SUCCESS;
}

static layout layout_of(int rank, const int *embed, int stride, int distance)
{
    layout l = {.is_packed = !embed, .stride = stride, .distance = distance};

    for (int i = 0; i < rank && embed; i++)
        l.embed[i] = embed[i];
    return l;
}

static cufftResult make(const char *name, const void *place, plan *p, int rank, const int *n, layout in, layout out,
                        cufftType type, int batch)
{
    if (rank < 1 || rank > RANK || !n)
        return refuse(name, place, CUFFT_INVALID_SIZE, "a rank that is not 1, 2 or 3");
    for (int i = 0; i < rank; i++)
        if (n[i] < 1)
            return refuse(name, place, CUFFT_INVALID_SIZE, "a size below 1");
    if (batch < 1 || (!in.is_packed && in.stride < 1) || (!out.is_packed && out.stride < 1))
        return refuse(name, place, CUFFT_INVALID_VALUE, "a batch or a stride below 1");
    if (type != CUFFT_C2C && type != CUFFT_R2C && type != CUFFT_C2R && type != CUFFT_Z2Z && type != CUFFT_D2Z &&
        type != CUFFT_Z2D)
        return refuse(name, place, CUFFT_INVALID_TYPE, "no such kind of transform");
    *p = (plan){.made = true, .rank = rank, .batch = batch, .in = in, .out = out, .type = type, .stream = p->stream};
    for (int i = 0; i < rank; i++)
        p->n[i] = n[i];
    return CUFFT_SUCCESS;
}

static cufftResult remake(const char *name, const void *place, cufftHandle handle, int rank, const int *n, layout in,
                          layout out, cufftType type, int batch, size_t *work_size)
{
    plan *p = find(name, place, handle);

    if (work_size)
        *work_size = 0;
    return p ? make(name, place, p, rank, n, in, out, type, batch) : CUFFT_INVALID_PLAN;
}

static cufftResult new (const char *name, const void *place, cufftHandle *handle, int rank, const int *n, layout in,
                        layout out, cufftType type, int batch)
{
    cufftResult result = handle ? create(handle) : CUFFT_INVALID_VALUE;

    if (result != CUFFT_SUCCESS)
        return result;
    result = make(name, place, &plans[*handle - 1], rank, n, in, out, type, batch);
    in_use[*handle - 1] = result == CUFFT_SUCCESS;
    return result;
}

static const layout packed = {.is_packed = true};

cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch)
{
    SIMT_LIBRARY_CALL;
    return new ("cufftPlan1d", PLACE, handle, 1, &nx, packed, packed, type, batch);
}

cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type)
{
    SIMT_LIBRARY_CALL;
    return new ("cufftPlan2d", PLACE, handle, 2, (int[]){nx, ny}, packed, packed, type, 1);
}

cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type)
{
    SIMT_LIBRARY_CALL;
    return new ("cufftPlan3d", PLACE, handle, 3, (int[]){nx, ny, nz}, packed, packed, type, 1);
}

/* As the contract says, one array that is missing makes both sides packed. */
cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                          int ostride, int odist, cufftType type, int batch)
{
    SIMT_LIBRARY_CALL;
    bool given = inembed && onembed && rank >= 1 && rank <= RANK;

    return new ("cufftPlanMany", PLACE, handle, rank, n, layout_of(rank, given ? inembed : NULL, istride, idist),
                layout_of(rank, given ? onembed : NULL, ostride, odist), type, batch);
}

cufftResult cufftCreate(cufftHandle *handle)
{
    SIMT_LIBRARY_CALL;
    return handle ? create(handle) : CUFFT_INVALID_VALUE;
}

cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *work_size)
{
    SIMT_LIBRARY_CALL;
    return remake("cufftMakePlan1d", PLACE, handle, 1, &nx, packed, packed, type, batch, work_size);
}

cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *work_size)
{
    SIMT_LIBRARY_CALL;
    return remake("cufftMakePlan2d", PLACE, handle, 2, (int[]){nx, ny}, packed, packed, type, 1, work_size);
}

cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *work_size)
{
    SIMT_LIBRARY_CALL;
    return remake("cufftMakePlan3d", PLACE, handle, 3, (int[]){nx, ny, nz}, packed, packed, type, 1, work_size);
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type, int batch, size_t *work_size)
{
    SIMT_LIBRARY_CALL;
    bool given = inembed && onembed && rank >= 1 && rank <= RANK;

    return remake("cufftMakePlanMany", PLACE, handle, rank, n, layout_of(rank, given ? inembed : NULL, istride, idist),
                  layout_of(rank, given ? onembed : NULL, ostride, odist), type, batch, work_size);
}

cufftResult cufftGetSize(cufftHandle handle, size_t *work_size)
{
    SIMT_LIBRARY_CALL;

    *work_size = 0;
    return find("cufftGetSize", PLACE, handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *work_area)
{
    SIMT_LIBRARY_CALL;

    (void)work_area;
    return find("cufftSetWorkArea", PLACE, handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic)
{
    SIMT_LIBRARY_CALL;

    (void)automatic;
    return find("cufftSetAutoAllocation", PLACE, handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    SIMT_LIBRARY_CALL;
    plan *p = find("cufftSetStream", PLACE, handle);

    if (!p)
        return CUFFT_INVALID_PLAN;
    if (!simt_library_stream("cufftSetStream", stream))
        return CUFFT_INVALID_VALUE;
    p->stream = stream;
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle)
{
    SIMT_LIBRARY_CALL;

    if (!find("cufftDestroy", PLACE, handle))
        return CUFFT_INVALID_PLAN;
    in_use[handle - 1] = false;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int *version)
{
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    static const int version[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};

    if ((unsigned)type > PATCH_LEVEL || !value)
        return CUFFT_INVALID_VALUE;
    *value = version[type];
    return CUFFT_SUCCESS;
}

/* --- the transform of one line */

typedef struct line {
    long n;
    double *root; /* exp(sign 2 pi i k / n) for k < n */
    double *part; /* as many numbers as the largest factor */
} line;

static void set_roots(line *l, int sign)
{
    for (long k = 0; k < l->n; k++) {
        double angle = sign * 2 * M_PI * (double)k / (double)l->n;

        l->root[2 * k] = cos(angle);
        l->root[2 * k + 1] = sin(angle);
    }
}

static long smallest_factor(long n)
{
    for (long p = 2; p * p <= n; p++)
        if (n % p == 0)
            return p;
    return n;
}

/* to[k] = the sum of from[j * stride] w^(jk), j < n, where w is the n-th root. */
static void transform(const line *l, long n, const double *from, long stride, double *to)
{
    long p = smallest_factor(n), m = n / p, step = l->n / n; /* the n-th root is the step-th of the line's */

    if (n == 1) {
        to[0] = from[0];
        to[1] = from[1];
        return;
    }
    for (long r = 0; r < p; r++)
        transform(l, m, from + 2 * r * stride, stride * p, to + 2 * r * m);
    for (long k = 0; k < m; k++) {
        for (long q = 0; q < p; q++) {
            double x = 0, y = 0;

            for (long r = 0; r < p; r++) {
                const double *v = to + 2 * (r * m + k), *w = l->root + 2 * (r * (k + q * m) % n * step);

                x += v[0] * w[0] - v[1] * w[1];
                y += v[0] * w[1] + v[1] * w[0];
            }
            l->part[2 * q] = x;
            l->part[2 * q + 1] = y;
        }
        for (long q = 0; q < p; q++) {
            to[2 * (q * m + k)] = l->part[2 * q];
            to[2 * (q * m + k) + 1] = l->part[2 * q + 1];
        }
    }
}

/* --- execution */

typedef struct exec_call {
    simt_library_call call;
    plan plan;
    void *in, *out;
    int sign;
} exec_call;

static bool is_real(const exec_call *e, bool output)
{
    return e->plan.type == (e->plan.type & 0x40 ? output ? CUFFT_Z2D : CUFFT_D2Z : output ? CUFFT_C2R : CUFFT_R2C);
}

/* The numbers of a row that are in memory: half of them where the others are their conjugates. */
static long stored(const exec_call *e, bool output)
{
    long n = e->plan.n[e->plan.rank - 1];

    return is_real(e, !output) ? n / 2 + 1 : n;
}

static long place_of(const exec_call *e, bool output, long batch, const long *index)
{
    const plan *p = &e->plan;
    const layout *l = output ? &p->out : &p->in;
    long at = 0, all = 1, last = stored(e, output);

    if (is_real(e, output) && e->in == e->out)
        last = 2 * (p->n[p->rank - 1] / 2 + 1); /* as many reals as fit into the complex row */
    for (int d = 0; d < p->rank; d++) {
        long size = d == p->rank - 1 ? last : p->n[d];

        at = at * (l->is_packed ? size : l->embed[d]) + index[d];
        all *= size;
    }
    return l->is_packed ? at + batch * all : at * l->stride + batch * l->distance;
}

static cudaDataType type_of(const exec_call *e, bool output)
{
    bool is_double = e->plan.type & 0x40;

    return is_real(e, output) ? is_double ? CUDA_R_64F : CUDA_R_32F : is_double ? CUDA_C_64F : CUDA_C_32F;
}

/* The next index; false: there is none. `last` is the size of the last dimension. */
static bool next(const plan *p, long last, long *index)
{
    for (int d = p->rank - 1; d >= 0; d--) {
        if (++index[d] < (d == p->rank - 1 ? last : p->n[d]))
            return true;
        index[d] = 0;
    }
    return false;
}

static long flat(const plan *p, const long *index)
{
    long at = 0;

    for (int d = 0; d < p->rank; d++)
        at = at * p->n[d] + index[d];
    return at;
}

static void read_all(exec_call *e, long batch, double *v)
{
    const plan *p = &e->plan;
    long index[RANK] = {0}, other[RANK], last = stored(e, false);

    simt_library_argument(&e->call, "idata", -1);
    do {
        simt_number x = simt_library_read(&e->call, e->in, type_of(e, false), place_of(e, false, batch, index));
        long at = flat(p, index);

        v[2 * at] = x.real;
        v[2 * at + 1] = x.imaginary;
        for (int d = 0; d < p->rank; d++)
            other[d] = (p->n[d] - index[d]) % p->n[d];
        if (last < p->n[p->rank - 1] && other[p->rank - 1] >= last) {
            at = flat(p, other);
            v[2 * at] = x.real;
            v[2 * at + 1] = -x.imaginary;
        }
    } while (next(p, last, index));
}

static void write_all(exec_call *e, long batch, const double *v)
{
    const plan *p = &e->plan;
    long index[RANK] = {0}, last = stored(e, true);

    simt_library_argument(&e->call, "odata", -1);
    do {
        long at = flat(p, index);

        simt_library_write(&e->call, e->out, type_of(e, true), place_of(e, true, batch, index),
                           (simt_number){v[2 * at], v[2 * at + 1]});
    } while (next(p, last, index));
}

static void run(simt_library_call *call)
{
    exec_call *e = (exec_call *)call;
    const plan *p = &e->plan;
    long total = 1, longest = 1;
    double *v, *to;
    line l;

    for (int d = 0; d < p->rank; d++) {
        total *= p->n[d];
        longest = p->n[d] > longest ? p->n[d] : longest;
    }
    v = simt_library_scratch((size_t)total, 2 * sizeof *v);
    to = simt_library_scratch((size_t)longest, 2 * sizeof *to);
    l.root = simt_library_scratch((size_t)longest, 2 * sizeof *l.root);
    l.part = simt_library_scratch((size_t)longest, 2 * sizeof *l.part);
    for (long batch = 0; batch < p->batch; batch++) {
        long stride = 1;

        read_all(e, batch, v);
        for (int d = p->rank - 1; d >= 0; d--) {
            l.n = p->n[d];
            set_roots(&l, e->sign);
            for (long i = 0; i < total; i++)
                if (i / stride % l.n == 0) { /* a line begins here */
                    transform(&l, l.n, v + 2 * i, stride, to);
                    for (long k = 0; k < l.n; k++) {
                        v[2 * (i + k * stride)] = to[2 * k];
                        v[2 * (i + k * stride) + 1] = to[2 * k + 1];
                    }
                }
            stride *= l.n;
        }
        write_all(e, batch, v);
    }
}

static cufftResult execute(const char *name, const void *place, cufftHandle handle, cufftType type, void *in, void *out,
                           int sign)
{
    plan *p = find(name, place, handle);
    exec_call e = {.in = in, .out = out, .sign = sign};

    if (!p)
        return CUFFT_INVALID_PLAN;
    if (!p->made)
        return refuse(name, place, CUFFT_INVALID_PLAN, "the plan has no sizes yet");
    if (p->type != type)
        return refuse(name, place, CUFFT_INVALID_TYPE, "the plan is of another kind of transform");
    if (!in || !out)
        return refuse(name, place, CUFFT_INVALID_VALUE, "a null pointer");
    if (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE)
        return refuse(name, place, CUFFT_INVALID_VALUE, "a direction that is neither forward nor inverse");
    e.plan = *p;
    e.call = (simt_library_call){.name = name, .place = place, .stream = p->stream, .run = run};
    return simt_library_launch(&e.call, sizeof e, false) ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

#define BOTH_WAYS(kind, T)                                                                                             \
    cufftResult cufftExec##kind(cufftHandle handle, T *in, T *out, int direction)                                      \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return execute("cufftExec" #kind, PLACE, handle, CUFFT_##kind, in, out, direction);                            \
    }
#define ONE_WAY(kind, From, To, direction)                                                                             \
    cufftResult cufftExec##kind(cufftHandle handle, From *in, To *out)                                                 \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return execute("cufftExec" #kind, PLACE, handle, CUFFT_##kind, in, out, direction);                            \
    }

BOTH_WAYS(C2C, cufftComplex)
BOTH_WAYS(Z2Z, cufftDoubleComplex)
ONE_WAY(R2C, cufftReal, cufftComplex, CUFFT_FORWARD)
ONE_WAY(D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)
ONE_WAY(C2R, cufftComplex, cufftReal, CUFFT_INVERSE)
ONE_WAY(Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)
