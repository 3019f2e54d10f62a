/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuSPARSE: contract in cusparse.h. A sparse matrix is read into a list of entries, whatever its format, and written from one that
 * is in the order of its format. Of dense arrays only those elements are read that the result needs.
 */
#include "call.h"

#include "../include/cusparse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE __builtin_return_address(0)

#pragma GCC visibility push(hidden)

/* A matrix or vector, sparse or dense. */
typedef struct sparse {
    cusparseFormat_t format;
    long rows, columns, count;
    char *offsets, *indices, *row_indices, *values; /* row_indices: of CUSPARSE_FORMAT_COO */
    size_t offset_size, index_size;
    long base;
    cudaDataType type;
    bool upper, unit;
    long row_stride, column_stride; /* of a dense one */
} sparse;

struct cusparseSpMatDescr {
    sparse a;
};
struct cusparseDnVecDescr {
    sparse a;
};
struct cusparseDnMatDescr {
    sparse a;
};
struct cusparseSpGEMMDescr {
    int unused;
};
struct cusparseSpSVDescr {
    int unused;
};
struct cusparseSpSMDescr {
    int unused;
};

struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    cusparseIndexBase_t base;
};

struct cusparseContext {
    struct cusparseContext *next;
    cudaStream_t stream;
    cusparsePointerMode_t mode;
};

static struct cusparseContext *handles;

/* --- statuses and handles */

static const struct {
    const char *name, *text;
} statuses[] = {
#define ROW(name, number, text) [name] = {#name, text},
    SIMT_CUSPARSE_STATUS(ROW)
#undef ROW
};

const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return (size_t)status < sizeof statuses / sizeof *statuses ? statuses[status].name : "unknown error code";
}

const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return (size_t)status < sizeof statuses / sizeof *statuses ? statuses[status].text : "unknown error code";
}

typedef struct request {
    const char *name;
    const void *place;
    cusparseStatus_t status; /* the first thing that is wrong */
} request;

static void refuse(request *c, cusparseStatus_t status, const char *what)
{
    if (c->status == CUSPARSE_STATUS_SUCCESS) {
        simt_library_refuse(c->name, c->place, "%s", what);
        c->status = status;
    }
}

static request begin(const char *name, const void *place, cusparseHandle_t handle)
{
    request c = {name, place, CUSPARSE_STATUS_SUCCESS};
    struct cusparseContext *h = handles;

    while (h && h != handle)
        h = h->next;
    if (!h)
        refuse(&c, CUSPARSE_STATUS_NOT_INITIALIZED, "the handle was not created, or it was destroyed");
    return c;
}

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    SIMT_LIBRARY_CALL;

    if (!handle)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (cudaFree(NULL) != cudaSuccess || !*handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    (*handle)->next = handles;
    handles = *handle;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    SIMT_LIBRARY_CALL;
    request c = begin("cusparseDestroy", PLACE, handle);
    struct cusparseContext **link = &handles;

    if (c.status != CUSPARSE_STATUS_SUCCESS)
        return c.status;
    while (*link != handle)
        link = &(*link)->next;
    *link = handle->next;
    free(handle);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    SIMT_LIBRARY_CALL;

    *version = CUSPARSE_VERSION;
    return begin("cusparseGetVersion", PLACE, handle).status;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    SIMT_LIBRARY_CALL;
    request c = begin("cusparseSetStream", PLACE, handle);

    if (c.status == CUSPARSE_STATUS_SUCCESS && !simt_library_stream(c.name, stream))
        c.status = CUSPARSE_STATUS_INVALID_VALUE;
    if (c.status == CUSPARSE_STATUS_SUCCESS)
        handle->stream = stream;
    return c.status;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream)
{
    SIMT_LIBRARY_CALL;
    request c = begin("cusparseGetStream", PLACE, handle);

    if (c.status == CUSPARSE_STATUS_SUCCESS)
        *stream = handle->stream;
    return c.status;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
    SIMT_LIBRARY_CALL;
    request c = begin("cusparseSetPointerMode", PLACE, handle);

    if (c.status == CUSPARSE_STATUS_SUCCESS)
        handle->mode = mode;
    return c.status;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
{
    SIMT_LIBRARY_CALL;
    request c = begin("cusparseGetPointerMode", PLACE, handle);

    if (c.status == CUSPARSE_STATUS_SUCCESS)
        *mode = handle->mode;
    return c.status;
}

/* --- descriptors */

static size_t index_bytes(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_32I ? 4 : type == CUSPARSE_INDEX_64I ? 8 : 0;
}

/* Checks what all descriptors have, and copies it. */
static cusparseStatus_t describe(request c, void *descriptor, sparse a)
{
    sparse *made;

    if (!descriptor)
        refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "the address for the descriptor is null");
    if (a.rows < 0 || a.columns < 0 || a.count < 0)
        refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "a negative size");
    if (!simt_library_size(a.type))
        refuse(&c, CUSPARSE_STATUS_NOT_SUPPORTED, "simtcc's cuSPARSE has no values of this type: use float or half");
    if (a.format && (!a.index_size || (a.format != CUSPARSE_FORMAT_COO && !a.offset_size)))
        refuse(&c, CUSPARSE_STATUS_NOT_SUPPORTED, "indices have 32 or 64 bits");
    if (c.status != CUSPARSE_STATUS_SUCCESS)
        return c.status;
    made = malloc(sizeof *made);
    if (made)
        *made = a;
    memcpy(descriptor, &made, sizeof made);
    return made ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

static request asked(const char *name, const void *place)
{
    return (request){name, place, CUSPARSE_STATUS_SUCCESS};
}

#define COMPRESSED(name, kind, constness, descriptor_type)                                                             \
    cusparseStatus_t name(descriptor_type *matrix, int64_t rows, int64_t columns, int64_t count,                       \
                          constness void *offsets, constness void *indices, constness void *values,                    \
                          cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base,   \
                          cudaDataType type)                                                                           \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return describe(asked(#name, PLACE), matrix,                                                                   \
                        (sparse){.format = kind,                                                                       \
                                 .rows = rows,                                                                         \
                                 .columns = columns,                                                                   \
                                 .count = count,                                                                       \
                                 .offsets = (char *)(uintptr_t)offsets,                                                \
                                 .indices = (char *)(uintptr_t)indices,                                                \
                                 .values = (char *)(uintptr_t)values,                                                  \
                                 .offset_size = index_bytes(offset_type),                                              \
                                 .index_size = index_bytes(index_type),                                                \
                                 .base = base,                                                                         \
                                 .type = type});                                                                       \
    }

COMPRESSED(cusparseCreateCsr, CUSPARSE_FORMAT_CSR, , cusparseSpMatDescr_t)
COMPRESSED(cusparseCreateCsc, CUSPARSE_FORMAT_CSC, , cusparseSpMatDescr_t)
COMPRESSED(cusparseCreateConstCsr, CUSPARSE_FORMAT_CSR, const, cusparseConstSpMatDescr_t)

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count,
                                   void *row_indices, void *column_indices, void *values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    SIMT_LIBRARY_CALL;

    return describe(asked("cusparseCreateCoo", PLACE), matrix,
                    (sparse){.format = CUSPARSE_FORMAT_COO,
                             .rows = rows,
                             .columns = columns,
                             .count = count,
                             .row_indices = row_indices,
                             .indices = column_indices,
                             .values = values,
                             .index_size = index_bytes(index_type),
                             .base = base,
                             .type = type});
}

static sparse dense(int64_t rows, int64_t columns, int64_t ld, const void *values, cudaDataType type,
                    cusparseOrder_t order)
{
    bool by_rows = order == CUSPARSE_ORDER_ROW;

    return (sparse){.rows = rows,
                    .columns = columns,
                    .count = ld < (by_rows ? columns : rows) ? -1 : 0,
                    .values = (char *)(uintptr_t)values,
                    .type = type,
                    .row_stride = by_rows ? ld : 1,
                    .column_stride = by_rows ? 1 : ld};
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t count, void *values, cudaDataType type)
{
    SIMT_LIBRARY_CALL;

    return describe(asked("cusparseCreateDnVec", PLACE), vector,
                    dense(count, 1, count, values, type, CUSPARSE_ORDER_COL));
}

cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t count, const void *values,
                                          cudaDataType type)
{
    SIMT_LIBRARY_CALL;

    return describe(asked("cusparseCreateConstDnVec", PLACE), vector,
                    dense(count, 1, count, values, type, CUSPARSE_ORDER_COL));
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld,
                                     void *values, cudaDataType type, cusparseOrder_t order)
{
    SIMT_LIBRARY_CALL;

    return describe(asked("cusparseCreateDnMat", PLACE), matrix, dense(rows, columns, ld, values, type, order));
}

cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld,
                                          const void *values, cudaDataType type, cusparseOrder_t order)
{
    SIMT_LIBRARY_CALL;

    return describe(asked("cusparseCreateConstDnMat", PLACE), matrix, dense(rows, columns, ld, values, type, order));
}

#define DESTROYS(name, type)                                                                                           \
    cusparseStatus_t name(type descriptor)                                                                             \
    {                                                                                                                  \
        free((void *)(uintptr_t)descriptor);                                                                           \
        return CUSPARSE_STATUS_SUCCESS;                                                                                \
    }
DESTROYS(cusparseDestroySpMat, cusparseConstSpMatDescr_t)
DESTROYS(cusparseDestroyDnVec, cusparseConstDnVecDescr_t)
DESTROYS(cusparseDestroyDnMat, cusparseConstDnMatDescr_t)
DESTROYS(cusparseSpGEMM_destroyDescr, cusparseSpGEMMDescr_t)
DESTROYS(cusparseSpSV_destroyDescr, cusparseSpSVDescr_t)
DESTROYS(cusparseSpSM_destroyDescr, cusparseSpSMDescr_t)

#define CREATES(name, type)                                                                                            \
    cusparseStatus_t name(type *descriptor)                                                                            \
    {                                                                                                                  \
        *descriptor = calloc(1, sizeof **descriptor);                                                                  \
        return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;                                   \
    }
CREATES(cusparseSpGEMM_createDescr, cusparseSpGEMMDescr_t)
CREATES(cusparseSpSV_createDescr, cusparseSpSVDescr_t)
CREATES(cusparseSpSM_createDescr, cusparseSpSMDescr_t)
CREATES(cusparseCreateMatDescr, cusparseMatDescr_t)
DESTROYS(cusparseDestroyMatDescr, cusparseMatDescr_t)

#define MEMBER(what, of, member)                                                                                       \
    cusparseStatus_t cusparseSet##what(cusparseMatDescr_t descriptor, of value)                                        \
    {                                                                                                                  \
        if (!descriptor)                                                                                               \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                                      \
        descriptor->member = value;                                                                                    \
        return CUSPARSE_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    of cusparseGet##what(const cusparseMatDescr_t descriptor)                                                          \
    {                                                                                                                  \
        return descriptor->member;                                                                                     \
    }
MEMBER(MatType, cusparseMatrixType_t, type)
MEMBER(MatFillMode, cusparseFillMode_t, fill)
MEMBER(MatDiagType, cusparseDiagType_t, diagonal)
MEMBER(MatIndexBase, cusparseIndexBase_t, base)

#define VALUES(get, set, type)                                                                                         \
    cusparseStatus_t get(type descriptor, void **values)                                                               \
    {                                                                                                                  \
        if (!descriptor || !values)                                                                                    \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                                      \
        *values = descriptor->a.values;                                                                                \
        return CUSPARSE_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusparseStatus_t set(type descriptor, void *values)                                                                \
    {                                                                                                                  \
        if (!descriptor)                                                                                               \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                                      \
        descriptor->a.values = values;                                                                                 \
        return CUSPARSE_STATUS_SUCCESS;                                                                                \
    }
VALUES(cusparseSpMatGetValues, cusparseSpMatSetValues, cusparseSpMatDescr_t)
VALUES(cusparseDnVecGetValues, cusparseDnVecSetValues, cusparseDnVecDescr_t)
VALUES(cusparseDnMatGetValues, cusparseDnMatSetValues, cusparseDnMatDescr_t)

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *count)
{
    if (!matrix || !rows || !columns || !count)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *rows = matrix->a.rows;
    *columns = matrix->a.columns;
    *count = matrix->a.count;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t set_pointers(cusparseSpMatDescr_t matrix, cusparseFormat_t format, void *offsets, void *rows,
                                     void *indices, void *values)
{
    if (!matrix || matrix->a.format != format)
        return CUSPARSE_STATUS_INVALID_VALUE;
    matrix->a.offsets = offsets;
    matrix->a.row_indices = rows;
    matrix->a.indices = indices;
    matrix->a.values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices, void *values)
{
    return set_pointers(matrix, CUSPARSE_FORMAT_CSR, offsets, NULL, indices, values);
}

cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices, void *values)
{
    return set_pointers(matrix, CUSPARSE_FORMAT_CSC, offsets, NULL, indices, values);
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *row_indices, void *column_indices,
                                        void *values)
{
    return set_pointers(matrix, CUSPARSE_FORMAT_COO, NULL, row_indices, column_indices, values);
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           const void *value, size_t size)
{
    int is;

    if (!matrix || !value || size != sizeof is || (unsigned)attribute > CUSPARSE_SPMAT_DIAG_TYPE)
        return CUSPARSE_STATUS_INVALID_VALUE;
    memcpy(&is, value, sizeof is);
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        matrix->a.upper = is == CUSPARSE_FILL_MODE_UPPER;
    else
        matrix->a.unit = is == CUSPARSE_DIAG_TYPE_UNIT;
    return CUSPARSE_STATUS_SUCCESS;
}

/* --- calls: the arguments, and the matrices in a launch */

typedef struct operand {
    const char *name;
    sparse a; /* transposed already */
    bool conjugate;
} operand;

typedef struct factor {
    const char *name;
    const void *device; /* NULL: `value` is known already */
    cudaDataType type;
    simt_number value;
} factor;

typedef struct sparse_call {
    simt_library_call call;
    operand a, b, c;
    factor alpha, beta;
    long *count; /* on the host: of the entries that the result has */
} sparse_call;

typedef struct entry {
    long row, column, place; /* place: among the entries of the matrix */
    simt_number value;
} entry;

static simt_number product(simt_number a, simt_number b)
{
    return (simt_number){a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

static simt_number sum(simt_number a, simt_number b)
{
    return (simt_number){a.real + b.real, a.imaginary + b.imaginary};
}

/* By Smith's formula (R. L. Smith, "Algorithm 116: Complex division", 1962) large parts would not overflow; the parts here are
 * doubles made of floats or doubles of ordinary size. */
static simt_number quotient(simt_number a, simt_number b)
{
    double norm = b.real * b.real + b.imaginary * b.imaginary;

    if (b.imaginary == 0)
        return (simt_number){a.real / b.real, a.imaginary / b.real};
    return (simt_number){(a.real * b.real + a.imaginary * b.imaginary) / norm,
                         (a.imaginary * b.real - a.real * b.imaginary) / norm};
}

static bool is_zero(simt_number v)
{
    return v.real == 0 && v.imaginary == 0;
}

static simt_number value_of(const simt_library_call *l, const factor *f)
{
    if (!f->device)
        return f->value;
    simt_library_argument(l, f->name, -1);
    return simt_library_read(l, f->device, f->type, 0);
}

static void name_part(const simt_library_call *l, const operand *o, const char *part)
{
    char text[64];

    snprintf(text, sizeof text, "%s of %s", part, o->name);
    simt_library_argument(l, text, -1);
}

static long read_index(const simt_library_call *l, const char *array, size_t size, long at, long base)
{
    return (size == 4 ? (long)simt_library_read(l, array, CUDA_R_32I, at).real
                      : (long)(intptr_t)simt_library_pointer(l, array, at)) -
           base;
}

static void write_index(const simt_library_call *l, char *array, size_t size, long at, long value)
{
    int32_t narrow = (int32_t)value;

    simt_library_copy(l, array + (size_t)at * size, size == 4 ? (const void *)&narrow : &value, size);
}

static bool outside(const simt_library_call *l, const operand *o, const char *what, long index, long limit)
{
    if (index >= 0 && index < limit)
        return false;
    simt_library_refuse(l->name, l->place, "%s has %s %ld, which is not in 0 ... %ld", o->name, what, index, limit - 1);
    return true;
}

/* The entries of a sparse matrix, in their order in memory; without those outside of it. *count: how many. With `values` their
 * values are read. */
static entry *read_entries(const simt_library_call *l, const operand *o, bool values, long *count)
{
    const sparse *a = &o->a;
    bool by_columns = a->format == CUSPARSE_FORMAT_CSC;
    long majors = by_columns ? a->columns : a->rows, kept = 0;
    entry *list = simt_library_scratch((size_t)a->count, sizeof *list);

    if (a->format == CUSPARSE_FORMAT_COO) {
        name_part(l, o, "row indices");
        for (long i = 0; i < a->count; i++)
            list[i].row = read_index(l, a->row_indices, a->index_size, i, a->base);
    } else {
        long begin, end;

        name_part(l, o, "offsets");
        begin = read_index(l, a->offsets, a->offset_size, 0, a->base);
        for (long i = 0; i < majors; i++, begin = end) {
            end = read_index(l, a->offsets, a->offset_size, i + 1, a->base);
            if ((begin != end && outside(l, o, "an offset", begin, a->count)) || end < begin ||
                (end != a->count && outside(l, o, "an offset", end, a->count)))
                break;
            for (long k = begin; k < end; k++)
                list[k].row = i;
        }
    }
    name_part(l, o, "indices");
    for (long i = 0; i < a->count; i++)
        list[i].column = read_index(l, a->indices, a->index_size, i, a->base);
    name_part(l, o, "values");
    for (long i = 0; i < a->count; i++) {
        entry e = list[i];

        if (by_columns)
            e = (entry){.row = e.column, .column = e.row};
        e.place = i;
        if (outside(l, o, "row", e.row, a->rows) || outside(l, o, "column", e.column, a->columns))
            continue;
        if (values)
            e.value = simt_library_read(l, a->values, a->type, i);
        if (o->conjugate)
            e.value.imaginary = -e.value.imaginary;
        list[kept++] = e;
    }
    *count = kept;
    return list;
}

static int by_row(const void *p, const void *q)
{
    const entry *a = p, *b = q;

    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column ? 1 : a->place < b->place ? -1 : a->place > b->place;
}

static int by_column(const void *p, const void *q)
{
    const entry *a = p, *b = q;

    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return by_row(p, q);
}

/* Into a sparse matrix whose arrays hold so many. */
static void write_entries(const simt_library_call *l, const operand *o, entry *list, long count)
{
    const sparse *a = &o->a;
    bool by_columns = a->format == CUSPARSE_FORMAT_CSC;
    long majors = by_columns ? a->columns : a->rows;

    qsort(list, (size_t)count, sizeof *list, by_columns ? by_column : by_row);
    name_part(l, o, a->format == CUSPARSE_FORMAT_COO ? "row indices" : "offsets");
    if (a->format == CUSPARSE_FORMAT_COO)
        for (long i = 0; i < count; i++)
            write_index(l, a->row_indices, a->index_size, i, list[i].row + a->base);
    else
        for (long i = 0, k = 0; i <= majors; i++) {
            write_index(l, a->offsets, a->offset_size, i, k + a->base);
            while (k < count && (by_columns ? list[k].column : list[k].row) == i)
                k++;
        }
    name_part(l, o, "indices");
    for (long i = 0; i < count; i++)
        write_index(l, a->indices, a->index_size, i, (by_columns ? list[i].row : list[i].column) + a->base);
    name_part(l, o, "values");
    for (long i = 0; i < count; i++)
        simt_library_write(l, a->values, a->type, i, list[i].value);
}

static simt_number read_dense(const simt_library_call *l, const operand *o, long row, long column)
{
    simt_number v = simt_library_read(l, o->a.values, o->a.type, row * o->a.row_stride + column * o->a.column_stride);

    if (o->conjugate)
        v.imaginary = -v.imaginary;
    return v;
}

static void write_dense(const simt_library_call *l, const operand *o, long row, long column, simt_number v)
{
    simt_library_write(l, o->a.values, o->a.type, row * o->a.row_stride + column * o->a.column_stride, v);
}

static sparse transposed(sparse a)
{
    sparse t = a;

    t.rows = a.columns;
    t.columns = a.rows;
    t.row_stride = a.column_stride;
    t.column_stride = a.row_stride;
    t.upper = !a.upper;
    if (a.format == CUSPARSE_FORMAT_COO) {
        t.row_indices = a.indices;
        t.indices = a.row_indices;
    } else if (a.format) {
        t.format = a.format == CUSPARSE_FORMAT_CSR ? CUSPARSE_FORMAT_CSC : CUSPARSE_FORMAT_CSR;
    }
    return t;
}

/* `descriptor` is any: its first member is a sparse. */
static operand operand_of(request *c, const char *name, const void *descriptor, cusparseOperation_t op)
{
    operand o = {name, {0}, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
    char text[64];

    snprintf(text, sizeof text, "%s is null", name);
    if (!descriptor)
        refuse(c, CUSPARSE_STATUS_INVALID_VALUE, text);
    else
        memcpy(&o.a, descriptor, sizeof o.a);
    if ((unsigned)op > CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
        refuse(c, CUSPARSE_STATUS_INVALID_VALUE, "no such operation");
    if (op != CUSPARSE_OPERATION_NON_TRANSPOSE)
        o.a = transposed(o.a);
    return o;
}

static factor factor_of(request *c, cusparseHandle_t handle, const char *name, const void *pointer, cudaDataType type)
{
    factor f = {name, NULL, type, {0, 0}};

    if (c->status != CUSPARSE_STATUS_SUCCESS)
        return f;
    if (!pointer || !simt_library_size(type))
        refuse(c, CUSPARSE_STATUS_INVALID_VALUE, pointer ? "no such compute type" : "alpha or beta is null");
    else if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE)
        f.device = pointer;
    else if (simt_library_is_device(c->name, c->place, name, pointer))
        c->status = CUSPARSE_STATUS_INVALID_VALUE;
    else
        f.value = simt_library_load(pointer, type, 0);
    return f;
}

static void needs_size(request *c, const operand *o, long rows, long columns)
{
    char text[128];

    snprintf(text, sizeof text, "%s has %ld rows and %ld columns, not %ld and %ld", o->name, o->a.rows, o->a.columns,
             rows, columns);
    if (o->a.rows != rows || o->a.columns != columns)
        refuse(c, CUSPARSE_STATUS_INVALID_VALUE, text);
}

static cusparseStatus_t start(request *c, cusparseHandle_t handle, sparse_call *p, void (*run)(simt_library_call *call))
{
    if (c->status != CUSPARSE_STATUS_SUCCESS)
        return c->status;
    p->call = (simt_library_call){c->name, c->place, handle->stream, run};
    return simt_library_launch(&p->call, sizeof *p, p->count != NULL) ? CUSPARSE_STATUS_SUCCESS
                                                                      : CUSPARSE_STATUS_EXECUTION_FAILED;
}

/* What says the size of a buffer, and what prepares: the first thing that is wrong, and nothing else. */
static cusparseStatus_t no_buffer(const char *name, const void *place, cusparseHandle_t handle, size_t *size)
{
    request c = begin(name, place, handle);

    if (!size)
        refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "the address for the size is null");
    else
        *size = 256; /* not 0, because programs take a null buffer for a failure */
    return c.status;
}

/* --- c = alpha a b + beta c, b and c dense */

static void run_product(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    simt_number alpha = value_of(l, &p->alpha), beta = value_of(l, &p->beta);
    long rows = p->c.a.rows, columns = p->c.a.columns, count;
    entry *list = read_entries(l, &p->a, true, &count);
    simt_number *to = simt_library_scratch((size_t)(rows * columns), sizeof *to);

    simt_library_argument(l, p->b.name, -1);
    for (long i = 0; i < count; i++)
        for (long k = 0; k < columns; k++) {
            simt_number *at = &to[list[i].row * columns + k];

            *at = sum(*at, product(list[i].value, read_dense(l, &p->b, list[i].column, k)));
        }
    simt_library_argument(l, p->c.name, -1);
    for (long row = 0; row < rows; row++)
        for (long k = 0; k < columns; k++) {
            simt_number v = product(alpha, to[row * columns + k]);

            if (!is_zero(beta))
                v = sum(v, product(beta, read_dense(l, &p->c, row, k)));
            write_dense(l, &p->c, row, k, v);
        }
}

static cusparseStatus_t multiply(const char *name, const void *place, cusparseHandle_t handle, const char *const *names,
                                 cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha, const void *a,
                                 const void *b, const void *beta, const void *y, cudaDataType compute)
{
    request c = begin(name, place, handle);
    sparse_call p = {.a = operand_of(&c, names[0], a, op_a),
                     .b = operand_of(&c, names[1], b, op_b),
                     .c = operand_of(&c, names[2], y, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .alpha = factor_of(&c, handle, "alpha", alpha, compute),
                     .beta = factor_of(&c, handle, "beta", beta, compute)};

    needs_size(&c, &p.b, p.a.a.columns, p.c.a.columns);
    needs_size(&c, &p.c, p.a.a.rows, p.b.a.columns);
    return start(&c, handle, &p, run_product);
}

static const char *const of_vectors[] = {"matA", "vecX", "vecY"}, *const of_matrices[] = {"matA", "matB", "matC"};

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, void *buffer)
{
    SIMT_LIBRARY_CALL;

    (void)algorithm;
    (void)buffer;
    return multiply("cusparseSpMV", PLACE, handle, of_vectors, op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, x, beta,
                    y, compute);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                              cusparseSpMMAlg_t algorithm, void *buffer)
{
    SIMT_LIBRARY_CALL;

    (void)algorithm;
    (void)buffer;
    return multiply("cusparseSpMM", PLACE, handle, of_matrices, op_a, op_b, alpha, a, b, beta, c, compute);
}

/* --- c = alpha (a b) + beta c, where c has an entry */

static void run_sampled(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    simt_number alpha = value_of(l, &p->alpha), beta = value_of(l, &p->beta);
    long count, inner = p->a.a.columns;
    entry *list = read_entries(l, &p->c, !is_zero(beta), &count);

    for (long i = 0; i < count; i++) {
        simt_number v = {0, 0};

        for (long k = 0; k < inner; k++) {
            simt_number a, b;

            simt_library_argument(l, p->a.name, -1);
            a = read_dense(l, &p->a, list[i].row, k);
            simt_library_argument(l, p->b.name, -1);
            b = read_dense(l, &p->b, k, list[i].column);
            v = sum(v, product(a, b));
        }
        list[i].value = sum(product(alpha, v), product(beta, list[i].value));
    }
    name_part(l, &p->c, "values");
    for (long i = 0; i < count; i++)
        simt_library_write(l, p->c.a.values, p->c.a.type, list[i].place, list[i].value);
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                               const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                               cusparseSDDMMAlg_t algorithm, void *buffer)
{
    SIMT_LIBRARY_CALL;
    request asks = begin("cusparseSDDMM", PLACE, handle);
    sparse_call p = {.a = operand_of(&asks, "matA", a, op_a),
                     .b = operand_of(&asks, "matB", b, op_b),
                     .c = operand_of(&asks, "matC", c, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .alpha = factor_of(&asks, handle, "alpha", alpha, compute),
                     .beta = factor_of(&asks, handle, "beta", beta, compute)};

    (void)algorithm;
    (void)buffer;
    needs_size(&asks, &p.b, p.a.a.columns, p.c.a.columns);
    needs_size(&asks, &p.c, p.a.a.rows, p.b.a.columns);
    return start(&asks, handle, &p, run_sampled);
}

/* --- a product of two sparse matrices, by rows (F. G. Gustavson, "Two fast algorithms for sparse matrices", 1978) */

static void run_sparse_product(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    simt_number alpha = value_of(l, &p->alpha);
    long a_count, b_count, columns = p->c.a.columns, made = 0;
    entry *a = read_entries(l, &p->a, true, &a_count), *b = read_entries(l, &p->b, true, &b_count), *to = NULL;
    simt_number *row = simt_library_scratch((size_t)columns, sizeof *row);
    long *seen = simt_library_scratch((size_t)columns, sizeof *seen);
    long *begin = simt_library_scratch((size_t)p->b.a.rows + 1, sizeof *begin);

    qsort(a, (size_t)a_count, sizeof *a, by_row);
    qsort(b, (size_t)b_count, sizeof *b, by_row);
    for (long i = 0; i < b_count; i++)
        begin[b[i].row + 1]++;
    for (long i = 0; i < p->b.a.rows; i++)
        begin[i + 1] += begin[i];
    for (int pass = 0; pass < 2; pass++) { /* counts, then keeps */
        if (pass == 1)
            to = simt_library_scratch((size_t)made, sizeof *to);
        memset(seen, 0, (size_t)columns * sizeof *seen);
        made = 0;
        for (long i = 0; i < a_count;) {
            long first = made, at = a[i].row;

            for (; i < a_count && a[i].row == at; i++)
                for (long k = begin[a[i].column]; k < begin[a[i].column + 1]; k++) {
                    long column = b[k].column;

                    if (seen[column] != at + 1) {
                        seen[column] = at + 1;
                        row[column] = (simt_number){0, 0};
                        if (pass == 1)
                            to[made] = (entry){.row = at, .column = column};
                        made++;
                    }
                    row[column] = sum(row[column], product(a[i].value, b[k].value));
                }
            for (long k = first; k < made && pass == 1; k++)
                to[k].value = product(alpha, row[to[k].column]);
        }
    }
    if (p->count)
        *p->count = made;
    else
        write_entries(l, &p->c, to, made);
}

static cusparseStatus_t multiply_sparse(const char *name, const void *place, cusparseHandle_t handle,
                                        cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta,
                                        cusparseSpMatDescr_t c, cudaDataType compute, long *count)
{
    request asks = begin(name, place, handle);
    sparse_call p = {.a = operand_of(&asks, "matA", a, op_a),
                     .b = operand_of(&asks, "matB", b, op_b),
                     .c = operand_of(&asks, "matC", c, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .alpha = factor_of(&asks, handle, "alpha", alpha, compute),
                     .beta = factor_of(&asks, handle, "beta", beta, compute),
                     .count = count};

    if (!p.beta.device && !is_zero(p.beta.value))
        refuse(&asks, CUSPARSE_STATUS_NOT_SUPPORTED, "beta is not 0: add the matrices by a kernel");
    needs_size(&asks, &p.b, p.a.a.columns, p.c.a.columns);
    needs_size(&asks, &p.c, p.a.a.rows, p.b.a.columns);
    return start(&asks, handle, &p, run_sparse_product);
}

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
                                               cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                                               cudaDataType compute, cusparseSpGEMMAlg_t algorithm,
                                               cusparseSpGEMMDescr_t descriptor, size_t *size, void *buffer)
{
    SIMT_LIBRARY_CALL;

    (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c, (void)compute, (void)algorithm;
    (void)descriptor, (void)buffer;
    return no_buffer("cusparseSpGEMM_workEstimation", PLACE, handle, size);
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                        const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                        cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descriptor, size_t *size,
                                        void *buffer)
{
    SIMT_LIBRARY_CALL;
    long count = 0;
    cusparseStatus_t status;

    (void)algorithm;
    (void)descriptor;
    if (!buffer)
        return no_buffer("cusparseSpGEMM_compute", PLACE, handle, size);
    status =
        multiply_sparse("cusparseSpGEMM_compute", PLACE, handle, op_a, op_b, alpha, a, b, beta, c, compute, &count);
    if (status == CUSPARSE_STATUS_SUCCESS)
        c->a.count = count;
    return status;
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                     const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                     cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descriptor)
{
    SIMT_LIBRARY_CALL;

    (void)algorithm;
    (void)descriptor;
    return multiply_sparse("cusparseSpGEMM_copy", PLACE, handle, op_a, op_b, alpha, a, b, beta, c, compute, NULL);
}

/* --- c = alpha inverse(a) b, a triangular */

static void run_solution(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    simt_number alpha = value_of(l, &p->alpha);
    long n = p->a.a.rows, columns = p->c.a.columns, count;
    entry *list = read_entries(l, &p->a, true, &count);
    simt_number *x = simt_library_scratch((size_t)(n * columns), sizeof *x);
    bool upper = p->a.a.upper;

    qsort(list, (size_t)count, sizeof *list, by_row);
    simt_library_argument(l, p->b.name, -1);
    for (long row = 0; row < n; row++)
        for (long k = 0; k < columns; k++)
            x[row * columns + k] = product(alpha, read_dense(l, &p->b, row, k));
    for (long step = 0, i = upper ? count - 1 : 0; step < n; step++) {
        long row = upper ? n - 1 - step : step;
        simt_number diagonal = {0, 0};

        for (; i >= 0 && i < count && list[i].row == row; i += upper ? -1 : 1) {
            long column = list[i].column;

            if (column == row)
                diagonal = list[i].value;
            if (upper ? column <= row : column >= row)
                continue;
            for (long k = 0; k < columns; k++) {
                simt_number *at = &x[row * columns + k], v = product(list[i].value, x[column * columns + k]);

                *at = (simt_number){at->real - v.real, at->imaginary - v.imaginary};
            }
        }
        for (long k = 0; k < columns && !p->a.a.unit; k++)
            x[row * columns + k] = quotient(x[row * columns + k], diagonal);
    }
    simt_library_argument(l, p->c.name, -1);
    for (long row = 0; row < n; row++)
        for (long k = 0; k < columns; k++)
            write_dense(l, &p->c, row, k, x[row * columns + k]);
}

static cusparseStatus_t solve(const char *name, const void *place, cusparseHandle_t handle, const char *const *names,
                              cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha, const void *a,
                              const void *b, const void *y, cudaDataType compute)
{
    request c = begin(name, place, handle);
    sparse_call p = {.a = operand_of(&c, names[0], a, op_a),
                     .b = operand_of(&c, names[1], b, op_b),
                     .c = operand_of(&c, names[2], y, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .alpha = factor_of(&c, handle, "alpha", alpha, compute)};

    needs_size(&c, &p.a, p.a.a.rows, p.a.a.rows);
    needs_size(&c, &p.b, p.a.a.rows, p.c.a.columns);
    needs_size(&c, &p.c, p.a.a.rows, p.b.a.columns);
    return start(&c, handle, &p, run_solution);
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType compute, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor)
{
    SIMT_LIBRARY_CALL;

    (void)algorithm;
    (void)descriptor;
    return solve("cusparseSpSV_solve", PLACE, handle, of_vectors, op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, x, y,
                 compute);
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t algorithm,
                                    cusparseSpSMDescr_t descriptor)
{
    SIMT_LIBRARY_CALL;

    (void)algorithm;
    (void)descriptor;
    return solve("cusparseSpSM_solve", PLACE, handle, of_matrices, op_a, op_b, alpha, a, b, c, compute);
}

/* --- conversions */

static void run_to_dense(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    long count, rows = p->c.a.rows, columns = p->c.a.columns;
    entry *list = read_entries(l, &p->a, true, &count);
    simt_number *to = simt_library_scratch((size_t)(rows * columns), sizeof *to);

    for (long i = 0; i < count; i++)
        to[list[i].row * columns + list[i].column] = list[i].value;
    simt_library_argument(l, p->c.name, -1);
    for (long row = 0; row < rows; row++)
        for (long k = 0; k < columns; k++)
            write_dense(l, &p->c, row, k, to[row * columns + k]);
}

static void run_to_sparse(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    long rows = p->a.a.rows, columns = p->a.a.columns, made = 0;
    entry *to = simt_library_scratch((size_t)(rows * columns), sizeof *to);

    simt_library_argument(l, p->a.name, -1);
    for (long row = 0; row < rows; row++)
        for (long k = 0; k < columns; k++) {
            simt_number v = read_dense(l, &p->a, row, k);

            if (!is_zero(v))
                to[made++] = (entry){row, k, made, v};
        }
    if (p->count)
        *p->count = made;
    else
        write_entries(l, &p->c, to, made);
}

static void run_copy(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    long count;
    entry *list = read_entries(l, &p->a, p->a.a.values != NULL, &count);

    write_entries(l, &p->c, list, count);
}

static cusparseStatus_t convert(const char *name, const void *place, cusparseHandle_t handle, const void *a,
                                const void *b, long *count, void (*run)(simt_library_call *call))
{
    request c = begin(name, place, handle);
    sparse_call p = {.a = operand_of(&c, "matA", a, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .c = operand_of(&c, "matB", b, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .count = count};

    needs_size(&c, &p.c, p.a.a.rows, p.a.a.columns);
    return start(&c, handle, &p, run);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t algorithm, void *buffer)
{
    SIMT_LIBRARY_CALL;

    (void)algorithm;
    (void)buffer;
    return convert("cusparseSparseToDense", PLACE, handle, a, b, NULL, run_to_dense);
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                                void *buffer)
{
    SIMT_LIBRARY_CALL;
    long count = 0;
    cusparseStatus_t status = convert("cusparseDenseToSparse_analysis", PLACE, handle, a, b, &count, run_to_sparse);

    (void)algorithm;
    (void)buffer;
    if (status == CUSPARSE_STATUS_SUCCESS)
        b->a.count = count;
    return status;
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                               void *buffer)
{
    SIMT_LIBRARY_CALL;

    (void)algorithm;
    (void)buffer;
    return convert("cusparseDenseToSparse_convert", PLACE, handle, a, b, NULL, run_to_sparse);
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int rows, int columns, int count, const void *values,
                                    const int *offsets, const int *indices, void *to_values, int *to_offsets,
                                    int *to_indices, cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, void *buffer)
{
    SIMT_LIBRARY_CALL;
    bool numeric = action == CUSPARSE_ACTION_NUMERIC;
    request c = begin("cusparseCsr2cscEx2", PLACE, handle);
    sparse from = {.format = CUSPARSE_FORMAT_CSR,
                   .rows = rows,
                   .columns = columns,
                   .count = count,
                   .offsets = (char *)(uintptr_t)offsets,
                   .indices = (char *)(uintptr_t)indices,
                   .values = (char *)(uintptr_t)values,
                   .offset_size = 4,
                   .index_size = 4,
                   .base = base,
                   .type = type},
           to = from;

    (void)algorithm;
    (void)buffer;
    if (rows < 0 || columns < 0 || count < 0)
        refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "a negative size");
    if (!numeric || !simt_library_size(type))
        refuse(&c, CUSPARSE_STATUS_NOT_SUPPORTED, "values of this type, or none");
    if (c.status != CUSPARSE_STATUS_SUCCESS)
        return c.status;
    to.format = CUSPARSE_FORMAT_CSC;
    to.offsets = (char *)to_offsets;
    to.indices = (char *)to_indices;
    to.values = to_values;
    return convert(c.name, PLACE, handle, &from, &to, NULL, run_copy);
}

typedef struct offsets_call {
    simt_library_call call;
    const int *from;
    int *to;
    long count, rows, base;
} offsets_call;

static void run_expand(simt_library_call *l)
{
    const offsets_call *p = (const offsets_call *)l;

    for (long row = 0; row < p->rows; row++) {
        long begin, end;

        simt_library_argument(l, "csrRowPtr", -1);
        begin = read_index(l, (const char *)p->from, sizeof(int), row, p->base);
        end = read_index(l, (const char *)p->from, sizeof(int), row + 1, p->base);
        simt_library_argument(l, "cooRowInd", -1);
        for (long i = begin; i < end; i++)
            write_index(l, (char *)p->to, sizeof(int), i, row + p->base);
    }
}

static void run_compress(simt_library_call *l)
{
    const offsets_call *p = (const offsets_call *)l;
    long *counts = simt_library_scratch((size_t)p->rows + 1, sizeof *counts);
    const operand o = {.name = "cooRowInd"};

    simt_library_argument(l, "cooRowInd", -1);
    for (long i = 0; i < p->count; i++) {
        long row = read_index(l, (const char *)p->from, sizeof(int), i, p->base);

        if (!outside(l, &o, "row", row, p->rows))
            counts[row + 1]++;
    }
    simt_library_argument(l, "csrRowPtr", -1);
    for (long row = 0; row <= p->rows; row++) {
        counts[row] += row ? counts[row - 1] : 0;
        write_index(l, (char *)p->to, sizeof(int), row, counts[row] + p->base);
    }
}

static cusparseStatus_t convert_offsets(const char *name, const void *place, cusparseHandle_t handle, const int *from,
                                        int *to, int count, int rows, cusparseIndexBase_t base,
                                        void (*run)(simt_library_call *call))
{
    request c = begin(name, place, handle);
    offsets_call p = {.from = from, .to = to, .count = count, .rows = rows, .base = base};

    if (count < 0 || rows < 0 || !from || !to)
        refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "a negative size, or an array is null");
    if (c.status != CUSPARSE_STATUS_SUCCESS)
        return c.status;
    p.call = (simt_library_call){name, place, handle->stream, run};
    return simt_library_launch(&p.call, sizeof p, false) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int count, int rows, int *row_indices,
                                  cusparseIndexBase_t base)
{
    SIMT_LIBRARY_CALL;

    return convert_offsets("cusparseXcsr2coo", PLACE, handle, offsets, row_indices, count, rows, base, run_expand);
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *row_indices, int count, int rows, int *offsets,
                                  cusparseIndexBase_t base)
{
    SIMT_LIBRARY_CALL;

    return convert_offsets("cusparseXcoo2csr", PLACE, handle, row_indices, offsets, count, rows, base, run_compress);
}

/* --- sizes of buffers, and preparations: there is nothing to prepare */

#define UNUSED __attribute__((unused))
#define ASKS(name, ...)                                                                                                \
    cusparseStatus_t name(cusparseHandle_t handle, __VA_ARGS__, size_t *size)                                          \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return no_buffer(#name, PLACE, handle, size);                                                                  \
    }
#define PREPARES(name, ...)                                                                                            \
    cusparseStatus_t name(cusparseHandle_t handle, __VA_ARGS__, void *buffer UNUSED)                                   \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return begin(#name, PLACE, handle).status;                                                                     \
    }

/* The parameters of each family between the handle and the buffer. */
#define ONE_OPERATION  cusparseOperation_t op UNUSED
#define TWO_OPERATIONS cusparseOperation_t op_a UNUSED, cusparseOperation_t op_b UNUSED
#define ALPHA          const void *alpha UNUSED
#define BETA           const void *beta UNUSED
#define SPARSE_A       cusparseConstSpMatDescr_t a UNUSED
#define DENSE(x)       cusparseConstDnMatDescr_t x UNUSED
#define TO_DENSE(x)    cusparseDnMatDescr_t x UNUSED
#define TO_SPARSE(x)   cusparseSpMatDescr_t x UNUSED
#define VECTORS        cusparseConstDnVecDescr_t x UNUSED
#define TO_VECTOR      cusparseDnVecDescr_t y UNUSED
#define COMPUTE(type)  cudaDataType compute UNUSED, type algorithm UNUSED
#define SPMV           ONE_OPERATION, ALPHA, SPARSE_A, VECTORS, BETA, TO_VECTOR, COMPUTE(cusparseSpMVAlg_t)
#define SPMM           TWO_OPERATIONS, ALPHA, SPARSE_A, DENSE(b), BETA, TO_DENSE(c), COMPUTE(cusparseSpMMAlg_t)
#define SDDMM          TWO_OPERATIONS, ALPHA, DENSE(a), DENSE(b), BETA, TO_SPARSE(c), COMPUTE(cusparseSDDMMAlg_t)
#define SPSV                                                                                                           \
    ONE_OPERATION, ALPHA, SPARSE_A, VECTORS, TO_VECTOR, COMPUTE(cusparseSpSVAlg_t),                                    \
        cusparseSpSVDescr_t descriptor UNUSED
#define SPSM                                                                                                           \
    TWO_OPERATIONS, ALPHA, SPARSE_A, DENSE(b), TO_DENSE(c), COMPUTE(cusparseSpSMAlg_t),                                \
        cusparseSpSMDescr_t descriptor UNUSED

ASKS(cusparseSpMV_bufferSize, SPMV)
PREPARES(cusparseSpMV_preprocess, SPMV)
ASKS(cusparseSpMM_bufferSize, SPMM)
PREPARES(cusparseSpMM_preprocess, SPMM)
ASKS(cusparseSDDMM_bufferSize, SDDMM)
PREPARES(cusparseSDDMM_preprocess, SDDMM)
ASKS(cusparseSpSV_bufferSize, SPSV)
PREPARES(cusparseSpSV_analysis, SPSV)
ASKS(cusparseSpSM_bufferSize, SPSM)
PREPARES(cusparseSpSM_analysis, SPSM)
ASKS(cusparseSparseToDense_bufferSize, SPARSE_A, TO_DENSE(b), cusparseSparseToDenseAlg_t algorithm UNUSED)
ASKS(cusparseDenseToSparse_bufferSize, DENSE(a), TO_SPARSE(b), cusparseDenseToSparseAlg_t algorithm UNUSED)
ASKS(cusparseCsr2cscEx2_bufferSize, int rows UNUSED, int columns UNUSED, int count UNUSED, const void *values UNUSED,
     const int *offsets UNUSED, const int *indices UNUSED, void *to_values UNUSED, int *to_offsets UNUSED,
     int *to_indices UNUSED, cudaDataType type UNUSED, cusparseAction_t action UNUSED, cusparseIndexBase_t base UNUSED,
     cusparseCsr2CscAlg_t algorithm UNUSED)

#pragma GCC visibility pop
