/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuSPARSE: contract in cusparse.h. A sparse matrix is read into a list of entries, whatever its format, and written from one that
 * is in the order of its format. Of dense arrays only those elements are read that the result needs.
 */
#include "request.h"

#include "../include/cusparse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(hidden)
/* What chooses an algorithm, and every buffer, changes nothing here. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A matrix or vector, sparse or dense. */
typedef struct sparse {
    cusparseFormat_t format;
    long rows, columns, count;
    char *offsets, *indices, *row_indices, *values; /* row_indices: of CUSPARSE_FORMAT_COO */
    size_t offset_size, index_size;
    long base;
    cudaDataType type;
    bool upper, unit;
    long row_stride, column_stride;    /* of a dense one */
    long batch, stride, offset_stride; /* matrices of a batch; elements from one to the next */
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
struct cusparseSpVecDescr {
    sparse a; /* of one column: its indices are rows */
};
struct csrilu02Info {
    int zero; /* the row of the first pivot that is 0, or -1 */
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

static simt_library library = {.not_initialized = CUSPARSE_STATUS_NOT_INITIALIZED,
                               .invalid_value = CUSPARSE_STATUS_INVALID_VALUE,
                               .execution_failed = CUSPARSE_STATUS_EXECUTION_FAILED};

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

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    SIMT_LIBRARY_CALL;

    return simt_handle_create(&library, handle);
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    SIMT_LIBRARY_CALL;

    return simt_handle_destroy(&library, "cusparseDestroy", PLACE, handle);
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    SIMT_LIBRARY_CALL;

    *version = CUSPARSE_VERSION;
    return simt_request_begin(&library, "cusparseGetVersion", PLACE, handle).status;
}

SIMT_HANDLE_STREAM(library, cusparseStatus_t, cusparse, cusparseHandle_t)
SIMT_HANDLE_GETTER(library, cusparseStatus_t, cusparseGetPointerMode, cusparseHandle_t, cusparsePointerMode_t,
                   pointer_mode)
SIMT_HANDLE_SETTER(library, cusparseStatus_t, cusparseSetPointerMode, cusparseHandle_t, cusparsePointerMode_t,
                   pointer_mode)

/* --- descriptors */

static size_t index_bytes(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_32I ? 4 : type == CUSPARSE_INDEX_64I ? 8 : 0;
}

/* Checks what all descriptors have, and copies it. */
static cusparseStatus_t describe(simt_request c, void *descriptor, sparse a)
{
    sparse *made;

    if (!descriptor)
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "the address for the descriptor is null");
    if (a.rows < 0 || a.columns < 0 || a.count < 0)
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "a negative size");
    if (!simt_library_size(a.type))
        simt_request_refuse(&c, CUSPARSE_STATUS_NOT_SUPPORTED,
                            "simtcc's cuSPARSE has no values of this type: use float or half");
    if (a.format && (!a.index_size || (a.format != CUSPARSE_FORMAT_COO && !a.offset_size)))
        simt_request_refuse(&c, CUSPARSE_STATUS_NOT_SUPPORTED, "indices have 32 or 64 bits");
    if (c.status != CUSPARSE_STATUS_SUCCESS)
        return c.status;
    made = malloc(sizeof *made);
    if (made)
        *made = a;
    memcpy(descriptor, &made, sizeof made);
    return made ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

/* A matrix by rows or by columns; the sizes of indices in bytes. */
static sparse compressed(cusparseFormat_t format, int64_t rows, int64_t columns, int64_t count, const void *offsets,
                         const void *indices, const void *values, size_t offset_size, size_t index_size,
                         cusparseIndexBase_t base, cudaDataType type)
{
    return (sparse){.format = format,
                    .rows = rows,
                    .columns = columns,
                    .count = count,
                    .offsets = (char *)(uintptr_t)offsets,
                    .indices = (char *)(uintptr_t)indices,
                    .values = (char *)(uintptr_t)values,
                    .offset_size = offset_size,
                    .index_size = index_size,
                    .base = base,
                    .type = type};
}

#define COMPRESSED(name, kind, constness, descriptor_type)                                                             \
    cusparseStatus_t name(descriptor_type *matrix, int64_t rows, int64_t columns, int64_t count,                       \
                          constness void *offsets, constness void *indices, constness void *values,                    \
                          cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base,   \
                          cudaDataType type)                                                                           \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return describe(simt_request_of(&library, #name, PLACE), matrix,                                               \
                        compressed(kind, rows, columns, count, offsets, indices, values, index_bytes(offset_type),     \
                                   index_bytes(index_type), base, type));                                              \
    }

COMPRESSED(cusparseCreateCsr, CUSPARSE_FORMAT_CSR, , cusparseSpMatDescr_t)
COMPRESSED(cusparseCreateCsc, CUSPARSE_FORMAT_CSC, , cusparseSpMatDescr_t)
COMPRESSED(cusparseCreateConstCsr, CUSPARSE_FORMAT_CSR, const, cusparseConstSpMatDescr_t)

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count,
                                   void *row_indices, void *column_indices, void *values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    SIMT_LIBRARY_CALL;

    return describe(simt_request_of(&library, "cusparseCreateCoo", PLACE), matrix,
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

    return describe(simt_request_of(&library, "cusparseCreateDnVec", PLACE), vector,
                    dense(count, 1, count, values, type, CUSPARSE_ORDER_COL));
}

cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t count, const void *values,
                                          cudaDataType type)
{
    SIMT_LIBRARY_CALL;

    return describe(simt_request_of(&library, "cusparseCreateConstDnVec", PLACE), vector,
                    dense(count, 1, count, values, type, CUSPARSE_ORDER_COL));
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld,
                                     void *values, cudaDataType type, cusparseOrder_t order)
{
    SIMT_LIBRARY_CALL;

    return describe(simt_request_of(&library, "cusparseCreateDnMat", PLACE), matrix,
                    dense(rows, columns, ld, values, type, order));
}

cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld,
                                          const void *values, cudaDataType type, cusparseOrder_t order)
{
    SIMT_LIBRARY_CALL;

    return describe(simt_request_of(&library, "cusparseCreateConstDnMat", PLACE), matrix,
                    dense(rows, columns, ld, values, type, order));
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
DESTROYS(cusparseDestroySpVec, cusparseConstSpVecDescr_t)
DESTROYS(cusparseDestroyCsrilu02Info, csrilu02Info_t)
DESTROYS(cusparseSpGEMM_destroyDescr, cusparseSpGEMMDescr_t)
DESTROYS(cusparseSpSV_destroyDescr, cusparseSpSVDescr_t)
DESTROYS(cusparseSpSM_destroyDescr, cusparseSpSMDescr_t)

#define CREATES(name, type)                                                                                            \
    cusparseStatus_t name(type *descriptor)                                                                            \
    {                                                                                                                  \
        *descriptor = calloc(1, sizeof **descriptor);                                                                  \
        return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;                                   \
    }
CREATES(cusparseCreateCsrilu02Info, csrilu02Info_t)
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
VALUES(cusparseSpVecGetValues, cusparseSpVecSetValues, cusparseSpVecDescr_t)

static cusparseStatus_t set_batch(sparse *a, int count, int64_t offsets, int64_t values)
{
    if (!a || count < 1 || offsets < 0 || values < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    a->batch = count;
    a->offset_stride = offsets;
    a->stride = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride)
{
    return set_batch(matrix ? &matrix->a : NULL, count, 0, stride);
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets, int64_t values)
{
    return set_batch(matrix ? &matrix->a : NULL, count, offsets, values);
}

cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t stride)
{
    return set_batch(matrix ? &matrix->a : NULL, count, 0, stride);
}

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

typedef struct sparse_call {
    simt_library_call call;
    operand a, b, c;
    simt_factor alpha, beta;
    long *count; /* on the host: of the entries that the result has */
} sparse_call;

typedef struct entry {
    long row, column, place; /* place: among the entries of the matrix */
    simt_number value;
} entry;

/* Matrix `index` of the operand's batch; one matrix serves a whole batch. */
static void take_of_batch(operand *o, long index)
{
    long values = o->a.batch > 1 ? index * o->a.stride : 0, offsets = o->a.batch > 1 ? index * o->a.offset_stride : 0;

    o->a.values += values * (long)simt_library_size(o->a.type);
    o->a.indices += values * (long)o->a.index_size;
    o->a.row_indices += values * (long)o->a.index_size;
    o->a.offsets += offsets * (long)o->a.offset_size;
}

/* Runs the call for each matrix of the batch that the result is. */
static void for_each_of_batch(const sparse_call *p, void (*run)(const sparse_call *p))
{
    for (long i = 0; i < (p->c.a.batch > 1 ? p->c.a.batch : 1); i++) {
        sparse_call one = *p;

        take_of_batch(&one.a, i);
        take_of_batch(&one.b, i);
        take_of_batch(&one.c, i);
        run(&one);
        simt_library_release();
    }
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
static operand operand_of(simt_request *c, const char *name, const void *descriptor, cusparseOperation_t op)
{
    operand o = {name, {0}, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
    char text[64];

    snprintf(text, sizeof text, "%s is null", name);
    if (!descriptor)
        simt_request_refuse(c, CUSPARSE_STATUS_INVALID_VALUE, text);
    else
        memcpy(&o.a, descriptor, sizeof o.a);
    if ((unsigned)op > CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
        simt_request_refuse(c, CUSPARSE_STATUS_INVALID_VALUE, "no such operation");
    if (op != CUSPARSE_OPERATION_NON_TRANSPOSE)
        o.a = transposed(o.a);
    return o;
}

static simt_factor factor_of(simt_request *c, const char *name, const void *pointer, cudaDataType type)
{
    if (!pointer || !simt_library_size(type))
        simt_request_refuse(c, CUSPARSE_STATUS_INVALID_VALUE,
                            pointer ? "no such compute type" : "alpha or beta is null");
    return simt_factor_of(c, name, pointer, type, 0);
}

static void needs_size(simt_request *c, const operand *o, long rows, long columns)
{
    char text[128];

    snprintf(text, sizeof text, "%s has %ld rows and %ld columns, not %ld and %ld", o->name, o->a.rows, o->a.columns,
             rows, columns);
    if (o->a.rows != rows || o->a.columns != columns)
        simt_request_refuse(c, CUSPARSE_STATUS_INVALID_VALUE, text);
}

enum { BUFFER = 256 }; /* bytes that each call asks for; not 0, because programs take a null buffer for a failure */

/* What says the size of a buffer, and what prepares: the first thing that is wrong, and nothing else. */
static cusparseStatus_t no_buffer(const char *name, const void *place, cusparseHandle_t handle, size_t *size)
{
    simt_request c = simt_request_begin(&library, name, place, handle);

    if (!size)
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "the address for the size is null");
    else
        *size = BUFFER;
    return c.status;
}

/* Where the library of CUDA 13.0 asks for no byte on an H200, a null buffer serves: `or_none`. */
static void needs_buffer(simt_request *c, void *buffer, bool or_none)
{
    if (buffer || !or_none)
        simt_request_workspace(c, buffer, BUFFER, BUFFER);
}

/* --- c = alpha a b + beta c, b and c dense */

static void multiply_by_dense(const sparse_call *p)
{
    const simt_library_call *l = &p->call;
    simt_number alpha = simt_factor_value(l, &p->alpha), beta = simt_factor_value(l, &p->beta);
    long rows = p->c.a.rows, columns = p->c.a.columns, count;
    entry *list = read_entries(l, &p->a, true, &count);
    simt_number *to = simt_library_scratch((size_t)(rows * columns), sizeof *to);

    simt_library_argument(l, p->b.name, -1);
    for (long i = 0; i < count; i++)
        for (long k = 0; k < columns; k++) {
            simt_number *at = &to[list[i].row * columns + k];

            *at =
                simt_number_sum(*at, simt_number_product(true, list[i].value, read_dense(l, &p->b, list[i].column, k)));
        }
    simt_library_argument(l, p->c.name, -1);
    for (long row = 0; row < rows; row++)
        for (long k = 0; k < columns; k++) {
            simt_number v = simt_number_product(true, alpha, to[row * columns + k]);

            if (!simt_number_is_zero(beta))
                v = simt_number_sum(v, simt_number_product(true, beta, read_dense(l, &p->c, row, k)));
            write_dense(l, &p->c, row, k, v);
        }
}

static void run_product(simt_library_call *l)
{
    for_each_of_batch((const sparse_call *)l, multiply_by_dense);
}

/* --- c = alpha (a b) + beta c, where c has an entry */

static void multiply_sampled(const sparse_call *p)
{
    const simt_library_call *l = &p->call;
    simt_number alpha = simt_factor_value(l, &p->alpha), beta = simt_factor_value(l, &p->beta);
    long count, inner = p->a.a.columns;
    entry *list = read_entries(l, &p->c, !simt_number_is_zero(beta), &count);

    for (long i = 0; i < count; i++) {
        simt_number v = {0, 0};

        for (long k = 0; k < inner; k++) {
            simt_number a, b;

            simt_library_argument(l, p->a.name, -1);
            a = read_dense(l, &p->a, list[i].row, k);
            simt_library_argument(l, p->b.name, -1);
            b = read_dense(l, &p->b, k, list[i].column);
            v = simt_number_sum(v, simt_number_product(true, a, b));
        }
        list[i].value =
            simt_number_sum(simt_number_product(true, alpha, v), simt_number_product(true, beta, list[i].value));
    }
    name_part(l, &p->c, "values");
    for (long i = 0; i < count; i++)
        simt_library_write(l, p->c.a.values, p->c.a.type, list[i].place, list[i].value);
}

static void run_sampled(simt_library_call *l)
{
    for_each_of_batch((const sparse_call *)l, multiply_sampled);
}

/* --- a product of two sparse matrices, by rows (F. G. Gustavson, "Two fast algorithms for sparse matrices", 1978) */

static void run_sparse_product(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    simt_number alpha = simt_factor_value(l, &p->alpha);
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
                    row[column] = simt_number_sum(row[column], simt_number_product(true, a[i].value, b[k].value));
                }
            for (long k = first; k < made && pass == 1; k++)
                to[k].value = simt_number_product(true, alpha, row[to[k].column]);
        }
    }
    if (p->count)
        *p->count = made;
    else
        write_entries(l, &p->c, to, made);
}

/* --- the calls for products */

static const char *const of_vectors[] = {"matA", "vecX", "vecY"}, *const of_matrices[] = {"matA", "matB", "matC"};

static cusparseStatus_t multiply(const char *name, const void *place, cusparseHandle_t handle, const char *const *names,
                                 cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha, const void *a,
                                 const void *b, const void *beta, const void *y, cudaDataType compute, long *count,
                                 bool buffered, void *buffer, void (*run)(simt_library_call *call))
{
    simt_request c = simt_request_begin(&library, name, place, handle);
    sparse_call p = {.a = operand_of(&c, names[0], a, op_a),
                     .b = operand_of(&c, names[1], b, op_b),
                     .c = operand_of(&c, names[2], y, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .alpha = factor_of(&c, "alpha", alpha, compute),
                     .beta = factor_of(&c, "beta", beta, compute),
                     .count = count};

    if (run == run_sparse_product && !p.beta.device && !simt_number_is_zero(p.beta.value))
        simt_request_refuse(&c, CUSPARSE_STATUS_NOT_SUPPORTED, "beta is not 0: add the matrices by a kernel");
    needs_size(&c, &p.b, p.a.a.columns, p.c.a.columns);
    needs_size(&c, &p.c, p.a.a.rows, p.b.a.columns);
    if (buffered)
        needs_buffer(&c, buffer,
                     run == run_product && p.a.a.format == CUSPARSE_FORMAT_COO &&
                         (names == of_matrices || op_a != CUSPARSE_OPERATION_NON_TRANSPOSE));
    if (run == run_sampled
            ? p.a.a.batch != p.c.a.batch || p.b.a.batch != p.c.a.batch /* no factor serves all, unlike SpMM's */
        : p.c.a.batch <= 1
            ? p.a.a.batch > 1 || p.b.a.batch > 1
            : (p.a.a.batch > 1 && p.a.a.batch != p.c.a.batch) || (p.b.a.batch > 1 && p.b.a.batch != p.c.a.batch))
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "batches of different lengths");
    return simt_request_launch(&c, &p.call, sizeof p, count != NULL, run);
}

cusparseStatus_t cusparseSpMV(SIMT_CUSPARSE_SPMV, void *buffer)
{
    SIMT_LIBRARY_CALL;

    return multiply("cusparseSpMV", PLACE, handle, of_vectors, op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, x, beta,
                    y, compute, NULL, true, buffer, run_product);
}

cusparseStatus_t cusparseSpMM(SIMT_CUSPARSE_SPMM, void *buffer)
{
    SIMT_LIBRARY_CALL;

    return multiply("cusparseSpMM", PLACE, handle, of_matrices, op_a, op_b, alpha, a, b, beta, c, compute, NULL, true,
                    buffer, run_product);
}

cusparseStatus_t cusparseSDDMM(SIMT_CUSPARSE_SDDMM, void *buffer)
{
    SIMT_LIBRARY_CALL;

    return multiply("cusparseSDDMM", PLACE, handle, of_matrices, op_a, op_b, alpha, a, b, beta, c, compute, NULL, true,
                    buffer, run_sampled);
}

cusparseStatus_t cusparseSpGEMM_workEstimation(SIMT_CUSPARSE_SPGEMM, size_t *size, void *buffer)
{
    SIMT_LIBRARY_CALL;

    return no_buffer("cusparseSpGEMM_workEstimation", PLACE, handle, size);
}

cusparseStatus_t cusparseSpGEMM_compute(SIMT_CUSPARSE_SPGEMM, size_t *size, void *buffer)
{
    SIMT_LIBRARY_CALL;
    long count = 0;
    cusparseStatus_t status;

    if (!buffer)
        return no_buffer("cusparseSpGEMM_compute", PLACE, handle, size);
    status = multiply("cusparseSpGEMM_compute", PLACE, handle, of_matrices, op_a, op_b, alpha, a, b, beta, c, compute,
                      &count, true, buffer, run_sparse_product);
    if (status == CUSPARSE_STATUS_SUCCESS)
        c->a.count = count;
    return status;
}

cusparseStatus_t cusparseSpGEMM_copy(SIMT_CUSPARSE_SPGEMM)
{
    SIMT_LIBRARY_CALL;

    return multiply("cusparseSpGEMM_copy", PLACE, handle, of_matrices, op_a, op_b, alpha, a, b, beta, c, compute, NULL,
                    false, NULL, run_sparse_product);
}

/* --- c = alpha inverse(a) b, a triangular */

static void run_solution(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    simt_number alpha = simt_factor_value(l, &p->alpha);
    long n = p->a.a.rows, columns = p->c.a.columns, count;
    entry *list = read_entries(l, &p->a, true, &count);
    simt_number *x = simt_library_scratch((size_t)(n * columns), sizeof *x);
    bool upper = p->a.a.upper;

    qsort(list, (size_t)count, sizeof *list, by_row);
    simt_library_argument(l, p->b.name, -1);
    for (long row = 0; row < n; row++)
        for (long k = 0; k < columns; k++)
            x[row * columns + k] = simt_number_product(true, alpha, read_dense(l, &p->b, row, k));
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
                simt_number *at = &x[row * columns + k],
                            v = simt_number_product(true, list[i].value, x[column * columns + k]);

                *at = simt_number_difference(*at, v);
            }
        }
        for (long k = 0; k < columns && !p->a.a.unit; k++)
            x[row * columns + k] = simt_number_quotient(x[row * columns + k], diagonal);
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
    simt_request c = simt_request_begin(&library, name, place, handle);
    sparse_call p = {.a = operand_of(&c, names[0], a, op_a),
                     .b = operand_of(&c, names[1], b, op_b),
                     .c = operand_of(&c, names[2], y, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .alpha = factor_of(&c, "alpha", alpha, compute)};

    needs_size(&c, &p.a, p.a.a.rows, p.a.a.rows);
    needs_size(&c, &p.b, p.a.a.rows, p.c.a.columns);
    needs_size(&c, &p.c, p.a.a.rows, p.b.a.columns);
    return simt_request_launch(&c, &p.call, sizeof p, p.count != NULL, run_solution);
}

cusparseStatus_t cusparseSpSV_solve(SIMT_CUSPARSE_SPSV)
{
    SIMT_LIBRARY_CALL;

    return solve("cusparseSpSV_solve", PLACE, handle, of_vectors, op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, x, y,
                 compute);
}

cusparseStatus_t cusparseSpSM_solve(SIMT_CUSPARSE_SPSM)
{
    SIMT_LIBRARY_CALL;

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

            if (!simt_number_is_zero(v)) {
                to[made] = (entry){row, k, made, v};
                made++;
            }
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
                                const void *b, long *count, void *buffer, void (*run)(simt_library_call *call))
{
    simt_request c = simt_request_begin(&library, name, place, handle);
    sparse_call p = {.a = operand_of(&c, "matA", a, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .c = operand_of(&c, "matB", b, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .count = count};

    needs_buffer(&c, buffer, run == run_to_dense && p.a.a.format == CUSPARSE_FORMAT_COO);
    needs_size(&c, &p.c, p.a.a.rows, p.a.a.columns);
    return simt_request_launch(&c, &p.call, sizeof p, p.count != NULL, run);
}

cusparseStatus_t cusparseSparseToDense(SIMT_CUSPARSE_TO_DENSE, void *buffer)
{
    SIMT_LIBRARY_CALL;

    return convert("cusparseSparseToDense", PLACE, handle, a, b, NULL, buffer, run_to_dense);
}

cusparseStatus_t cusparseDenseToSparse_analysis(SIMT_CUSPARSE_TO_SPARSE, void *buffer)
{
    SIMT_LIBRARY_CALL;
    long count = 0;
    cusparseStatus_t status =
        convert("cusparseDenseToSparse_analysis", PLACE, handle, a, b, &count, buffer, run_to_sparse);

    if (status == CUSPARSE_STATUS_SUCCESS)
        b->a.count = count;
    return status;
}

cusparseStatus_t cusparseDenseToSparse_convert(SIMT_CUSPARSE_TO_SPARSE, void *buffer)
{
    SIMT_LIBRARY_CALL;

    return convert("cusparseDenseToSparse_convert", PLACE, handle, a, b, NULL, buffer, run_to_sparse);
}

cusparseStatus_t cusparseCsr2cscEx2(SIMT_CUSPARSE_TO_CSC, void *buffer)
{
    SIMT_LIBRARY_CALL;
    bool numeric = action == CUSPARSE_ACTION_NUMERIC;
    simt_request c = simt_request_begin(&library, "cusparseCsr2cscEx2", PLACE, handle);
    sparse from = compressed(CUSPARSE_FORMAT_CSR, rows, columns, count, offsets, indices, values, sizeof(int),
                             sizeof(int), base, type),
           to = from;

    if (rows < 0 || columns < 0 || count < 0)
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "a negative size");
    if (!numeric || !simt_library_size(type))
        simt_request_refuse(&c, CUSPARSE_STATUS_NOT_SUPPORTED, "values of this type, or none");
    if (c.status != CUSPARSE_STATUS_SUCCESS)
        return c.status;
    to.format = CUSPARSE_FORMAT_CSC;
    to.offsets = (char *)to_offsets;
    to.indices = (char *)to_indices;
    to.values = to_values;
    return convert(c.name, PLACE, handle, &from, &to, NULL, buffer, run_copy);
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
    simt_request c = simt_request_begin(&library, name, place, handle);
    offsets_call p = {.from = from, .to = to, .count = count, .rows = rows, .base = base};

    if (count < 0 || rows < 0 || !from || !to)
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "a negative size, or an array is null");
    return simt_request_launch(&c, &p.call, sizeof p, false, run);
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

/* --- sparse vectors. Each index stands once in one. */

static cusparseStatus_t describe_vector(const char *name, const void *place, void *descriptor, int64_t rows,
                                        int64_t count, const void *indices, const void *values,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    simt_request c = simt_request_of(&library, name, place);

    if (!index_bytes(index_type))
        simt_request_refuse(&c, CUSPARSE_STATUS_NOT_SUPPORTED, "indices have 32 or 64 bits");
    return describe(c, descriptor,
                    (sparse){.rows = rows,
                             .columns = 1,
                             .count = count,
                             .indices = (char *)(uintptr_t)indices,
                             .values = (char *)(uintptr_t)values,
                             .index_size = index_bytes(index_type),
                             .base = base,
                             .type = type});
}

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t rows, int64_t count, void *indices,
                                     void *values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                     cudaDataType type)
{
    SIMT_LIBRARY_CALL;

    return describe_vector("cusparseCreateSpVec", PLACE, vector, rows, count, indices, values, index_type, base, type);
}

cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *vector, int64_t rows, int64_t count,
                                          const void *indices, const void *values, cusparseIndexType_t index_type,
                                          cusparseIndexBase_t base, cudaDataType type)
{
    SIMT_LIBRARY_CALL;

    return describe_vector("cusparseCreateConstSpVec", PLACE, vector, rows, count, indices, values, index_type, base,
                           type);
}

/* The places in the dense vector; -1: outside. */
static long *read_places(const simt_library_call *l, const operand *x)
{
    long *places = simt_library_scratch((size_t)x->a.count, sizeof *places);

    name_part(l, x, "indices");
    for (long i = 0; i < x->a.count; i++) {
        places[i] = read_index(l, x->a.indices, x->a.index_size, i, x->a.base);
        if (outside(l, x, "index", places[i], x->a.rows))
            places[i] = -1;
    }
    return places;
}

static simt_number read_value(const simt_library_call *l, const operand *x, long i)
{
    simt_number v;

    name_part(l, x, "values");
    v = simt_library_read(l, x->a.values, x->a.type, i);
    if (x->conjugate)
        v.imaginary = -v.imaginary;
    return v;
}

static simt_number read_place(const simt_library_call *l, const operand *y, long i)
{
    simt_library_argument(l, y->name, -1);
    return read_dense(l, y, i, 0);
}

static void run_axpby(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    simt_number alpha = simt_factor_value(l, &p->alpha), beta = simt_factor_value(l, &p->beta);
    simt_number *y = simt_library_scratch((size_t)p->b.a.rows, sizeof *y);
    const long *places = read_places(l, &p->a);

    for (long i = 0; i < p->b.a.rows && !simt_number_is_zero(beta); i++)
        y[i] = simt_number_product(true, beta, read_place(l, &p->b, i));
    for (long i = 0; i < p->a.a.count; i++)
        if (places[i] >= 0)
            y[places[i]] = simt_number_sum(y[places[i]], simt_number_product(true, alpha, read_value(l, &p->a, i)));
    simt_library_argument(l, p->b.name, -1);
    for (long i = 0; i < p->b.a.rows; i++)
        write_dense(l, &p->b, i, 0, y[i]);
}

static void run_gather(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    const long *places = read_places(l, &p->a);

    for (long i = 0; i < p->a.a.count; i++) {
        simt_number v = places[i] < 0 ? (simt_number){0, 0} : read_place(l, &p->b, places[i]);

        name_part(l, &p->a, "values");
        simt_library_write(l, p->a.a.values, p->a.a.type, i, v);
    }
}

static void run_scatter(simt_library_call *l)
{
    const sparse_call *p = (const sparse_call *)l;
    const long *places = read_places(l, &p->a);

    for (long i = 0; i < p->a.a.count; i++) {
        simt_number v = read_value(l, &p->a, i);

        simt_library_argument(l, p->b.name, -1);
        if (places[i] >= 0)
            write_dense(l, &p->b, places[i], 0, v);
    }
}

/* alpha: the result, whose type is that of the computation. */
typedef struct dot_call {
    sparse_call of;
    void *result;
    bool on_device;
    cudaDataType type;
} dot_call;

static void run_dot(simt_library_call *l)
{
    const dot_call *d = (const dot_call *)l;
    const sparse_call *p = &d->of;
    const long *places = read_places(l, &p->a);
    simt_number sum = {0, 0};

    for (long i = 0; i < p->a.a.count; i++)
        if (places[i] >= 0)
            sum = simt_number_sum(sum,
                                  simt_number_product(true, read_value(l, &p->a, i), read_place(l, &p->b, places[i])));
    simt_library_argument(l, "result", -1);
    if (d->on_device)
        simt_library_write(l, d->result, d->type, 0, sum);
    else
        simt_library_store(d->result, d->type, 0, sum);
}

static sparse_call vectors(simt_request *c, cusparseOperation_t op, const void *x, const void *y)
{
    sparse_call p = {.a = operand_of(c, "vecX", x, CUSPARSE_OPERATION_NON_TRANSPOSE),
                     .b = operand_of(c, "vecY", y, CUSPARSE_OPERATION_NON_TRANSPOSE)};

    p.a.conjugate = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    needs_size(c, &p.b, p.a.a.rows, 1);
    return p;
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
                               const void *beta, cusparseDnVecDescr_t y)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, "cusparseAxpby", PLACE, handle);
    sparse_call p = vectors(&c, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y);

    p.alpha = factor_of(&c, "alpha", alpha, p.b.a.type);
    p.beta = factor_of(&c, "beta", beta, p.b.a.type);
    return simt_request_launch(&c, &p.call, sizeof p, false, run_axpby);
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, "cusparseGather", PLACE, handle);
    sparse_call p = vectors(&c, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y);

    return simt_request_launch(&c, &p.call, sizeof p, false, run_gather);
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, "cusparseScatter", PLACE, handle);
    sparse_call p = vectors(&c, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y);

    return simt_request_launch(&c, &p.call, sizeof p, false, run_scatter);
}

cusparseStatus_t cusparseSpVV(SIMT_CUSPARSE_SPVV, void *buffer)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, "cusparseSpVV", PLACE, handle);
    dot_call p = {.of = vectors(&c, op, x, y), .result = result, .on_device = c.on_device, .type = compute};

    needs_buffer(&c, buffer, false);
    if (!result || !simt_library_size(compute))
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE,
                            "no such compute type, or the address for the result is null");
    else if (c.status == CUSPARSE_STATUS_SUCCESS && !c.on_device &&
             simt_library_is_device(c.name, c.place, "result", result))
        c.status = CUSPARSE_STATUS_INVALID_VALUE;
    return simt_request_launch(&c, &p.of.call, sizeof p, !c.on_device, run_dot);
}

/* --- older calls, of a matrix by rows with indices of 32 bits */

typedef struct rows_call {
    simt_library_call call;
    operand a;
    int *permutation, *counts, *total;
    bool by_rows, on_device;
    struct csrilu02Info *info;
} rows_call;

static operand rows_of(simt_request *c, cusparseMatDescr_t descriptor, long rows, long columns, long count,
                       const void *offsets, const void *indices, const void *values, cudaDataType type)
{
    if (rows < 0 || columns < 0 || count < 0 || !offsets || !descriptor)
        simt_request_refuse(c, CUSPARSE_STATUS_INVALID_VALUE, "a negative size, or an array or the descriptor is null");
    return (operand){"A",
                     compressed(CUSPARSE_FORMAT_CSR, rows, columns, count, offsets, indices, values, sizeof(int),
                                sizeof(int), descriptor ? descriptor->base : 0, type),
                     false};
}

static void run_sort(simt_library_call *l)
{
    const rows_call *p = (const rows_call *)l;
    long count;
    entry *list = read_entries(l, &p->a, false, &count);
    int *old = p->permutation ? simt_library_scratch((size_t)p->a.a.count, sizeof *old) : NULL;

    qsort(list, (size_t)count, sizeof *list, by_row);
    name_part(l, &p->a, "indices");
    for (long i = 0; i < count; i++)
        write_index(l, p->a.a.indices, sizeof(int), i, list[i].column + p->a.a.base);
    simt_library_argument(l, "P", -1);
    for (long i = 0; i < count && old; i++)
        old[i] = (int)simt_library_read(l, p->permutation, CUDA_R_32I, list[i].place).real;
    for (long i = 0; i < count && old; i++)
        simt_library_copy(l, &p->permutation[i], &old[i], sizeof *old);
}

cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int rows, int columns, int count,
                                                const int *offsets, const int *indices, size_t *size)
{
    SIMT_LIBRARY_CALL;

    return no_buffer("cusparseXcsrsort_bufferSizeExt", PLACE, handle, size);
}

cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int rows, int columns, int count,
                                  const cusparseMatDescr_t descriptor, const int *offsets, int *indices,
                                  int *permutation, void *buffer)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, "cusparseXcsrsort", PLACE, handle);
    rows_call p = {.a = rows_of(&c, descriptor, rows, columns, count, offsets, indices, NULL, CUDA_R_32I),
                   .permutation = permutation};

    needs_buffer(&c, buffer, false);
    return simt_request_launch(&c, &p.call, sizeof p, false, run_sort);
}

static void run_identity(simt_library_call *l)
{
    const rows_call *p = (const rows_call *)l;

    simt_library_argument(l, "p", -1);
    for (int i = 0; i < p->a.a.count; i++)
        simt_library_copy(l, &p->permutation[i], &i, sizeof i);
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int count, int *permutation)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, "cusparseCreateIdentityPermutation", PLACE, handle);
    rows_call p = {.a = {"p", {.count = count}, false}, .permutation = permutation};

    if (count < 0 || !permutation)
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "a negative size, or the array is null");
    return simt_request_launch(&c, &p.call, sizeof p, false, run_identity);
}

static void run_count(simt_library_call *l)
{
    const rows_call *p = (const rows_call *)l;
    long majors = p->by_rows ? p->a.a.rows : p->a.a.columns, minors = p->by_rows ? p->a.a.columns : p->a.a.rows;
    int total = 0;

    for (long i = 0; i < majors; i++) {
        int found = 0;

        simt_library_argument(l, p->a.name, -1);
        for (long k = 0; k < minors; k++)
            found += !simt_number_is_zero(read_dense(l, &p->a, p->by_rows ? i : k, p->by_rows ? k : i));
        simt_library_argument(l, "nnzPerRowColumn", -1);
        simt_library_copy(l, &p->counts[i], &found, sizeof found);
        total += found;
    }
    simt_library_argument(l, "nnzTotalDevHostPtr", -1);
    if (p->on_device)
        simt_library_copy(l, p->total, &total, sizeof total);
    else
        *p->total = total;
}

static cusparseStatus_t count_entries(const char *name, const void *place, cusparseHandle_t handle,
                                      cusparseDirection_t direction, int rows, int columns, const void *values,
                                      cudaDataType type, int ld, int *counts, int *total)
{
    simt_request c = simt_request_begin(&library, name, place, handle);
    rows_call p = {.a = {"A", dense(rows, columns, ld, values, type, CUSPARSE_ORDER_COL), false},
                   .by_rows = direction == CUSPARSE_DIRECTION_ROW,
                   .on_device = c.on_device,
                   .counts = counts,
                   .total = total};

    if (rows < 0 || columns < 0 || p.a.a.count < 0 || !values || !counts || !total)
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE,
                            "a negative size, a leading dimension that is less than the rows, or an array is null");
    else if (c.status == CUSPARSE_STATUS_SUCCESS && !c.on_device &&
             simt_library_is_device(c.name, c.place, "nnzTotalDevHostPtr", total))
        c.status = CUSPARSE_STATUS_INVALID_VALUE;
    return simt_request_launch(&c, &p.call, sizeof p, !c.on_device, run_count);
}

/* ILU(0) by rows (Y. Saad, "Iterative Methods for Sparse Linear Systems", 2nd edition, 2003, algorithm 10.4): LU that keeps only the
 * entries that A has. The indices of each row rise. */
static void run_incomplete_lu(simt_library_call *l)
{
    const rows_call *p = (const rows_call *)l;
    long n = p->a.a.rows, count;
    entry *list = read_entries(l, &p->a, true, &count);
    long *begin = simt_library_scratch((size_t)n + 1, sizeof *begin), *at = simt_library_scratch((size_t)n, sizeof *at);
    long *diagonal = simt_library_scratch((size_t)n, sizeof *diagonal);

    qsort(list, (size_t)count, sizeof *list, by_row);
    for (long i = 0; i < count; i++) {
        begin[list[i].row + 1]++;
        if (list[i].row == list[i].column)
            diagonal[list[i].row] = i + 1;
    }
    for (long i = 0; i < n; i++)
        begin[i + 1] += begin[i];
    for (long row = 0; row < n; row++) {
        for (long i = begin[row]; i < begin[row + 1]; i++)
            at[list[i].column] = i + 1;
        for (long i = begin[row]; i < begin[row + 1] && list[i].column < row; i++) {
            long k = list[i].column;

            if (!diagonal[k] || simt_number_is_zero(list[diagonal[k] - 1].value))
                continue;
            list[i].value = simt_number_quotient(list[i].value, list[diagonal[k] - 1].value);
            for (long j = diagonal[k]; j < begin[k + 1]; j++)
                if (at[list[j].column])
                    list[at[list[j].column] - 1].value = simt_number_difference(
                        list[at[list[j].column] - 1].value, simt_number_product(true, list[i].value, list[j].value));
        }
        for (long i = begin[row]; i < begin[row + 1]; i++)
            at[list[i].column] = 0;
        if (p->info->zero < 0 && (!diagonal[row] || simt_number_is_zero(list[diagonal[row] - 1].value)))
            p->info->zero = (int)(row + p->a.a.base);
    }
    name_part(l, &p->a, "values");
    for (long i = 0; i < count; i++)
        simt_library_write(l, p->a.a.values, p->a.a.type, list[i].place, list[i].value);
}

static void run_incomplete_analysis(simt_library_call *l)
{
    const rows_call *p = (const rows_call *)l;
    long count;

    read_entries(l, &p->a, false, &count);
}

static cusparseStatus_t incomplete_lu(const char *name, const void *place, cusparseHandle_t handle, int rows, int count,
                                      cusparseMatDescr_t descriptor, const void *values, cudaDataType type,
                                      const int *offsets, const int *indices, csrilu02Info_t info, void *buffer,
                                      void (*run)(simt_library_call *call))
{
    simt_request c = simt_request_begin(&library, name, place, handle);
    rows_call p = {.a = rows_of(&c, descriptor, rows, rows, count, offsets, indices, values, type), .info = info};

    if (!info)
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "the info is null");
    else
        info->zero = -1;
    needs_buffer(&c, buffer, false);
    return simt_request_launch(&c, &p.call, sizeof p, true, run);
}

cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, "cusparseXcsrilu02_zeroPivot", PLACE, handle);

    if (!info || !position)
        simt_request_refuse(&c, CUSPARSE_STATUS_INVALID_VALUE, "the info or the address for the position is null");
    else if (c.on_device ? cudaMemcpy(position, &info->zero, sizeof *position, cudaMemcpyHostToDevice) != cudaSuccess
                         : (*position = info->zero, false))
        c.status = CUSPARSE_STATUS_EXECUTION_FAILED;
    if (c.status == CUSPARSE_STATUS_SUCCESS && info->zero >= 0)
        c.status = CUSPARSE_STATUS_ZERO_PIVOT;
    return c.status;
}

#define OF_TYPE(t, T, type)                                                                                            \
    cusparseStatus_t cusparse##t##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int rows, int columns,   \
                                      const cusparseMatDescr_t descriptor, const T *values, int ld, int *counts,       \
                                      int *total)                                                                      \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return count_entries("cusparse" #t "nnz", PLACE, handle, direction, rows, columns, values, type, ld, counts,   \
                             total);                                                                                   \
    }                                                                                                                  \
    cusparseStatus_t cusparse##t##csrilu02_bufferSize(SIMT_CUSPARSE_ILU(T), int *size)                                 \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        size_t bytes = 0;                                                                                              \
        cusparseStatus_t status = no_buffer("cusparse" #t "csrilu02_bufferSize", PLACE, handle, size ? &bytes : NULL); \
        if (size)                                                                                                      \
            *size = (int)bytes;                                                                                        \
        return status;                                                                                                 \
    }                                                                                                                  \
    cusparseStatus_t cusparse##t##csrilu02_analysis(SIMT_CUSPARSE_ILU(const T), cusparseSolvePolicy_t policy,          \
                                                    void *buffer)                                                      \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return incomplete_lu("cusparse" #t "csrilu02_analysis", PLACE, handle, rows, count, descriptor, values, type,  \
                             offsets, indices, info, buffer, run_incomplete_analysis);                                 \
    }                                                                                                                  \
    cusparseStatus_t cusparse##t##csrilu02(SIMT_CUSPARSE_ILU(T), cusparseSolvePolicy_t policy, void *buffer)           \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return incomplete_lu("cusparse" #t "csrilu02", PLACE, handle, rows, count, descriptor, values, type, offsets,  \
                             indices, info, buffer, run_incomplete_lu);                                                \
    }
OF_TYPE(S, float, CUDA_R_32F)
OF_TYPE(D, double, CUDA_R_64F)
OF_TYPE(C, cuComplex, CUDA_C_32F)
OF_TYPE(Z, cuDoubleComplex, CUDA_C_64F)

/* --- sizes of buffers, and preparations: there is nothing to prepare */

#define ASKS(name, parameters)                                                                                         \
    cusparseStatus_t name(parameters, size_t *size)                                                                    \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return no_buffer(#name, PLACE, handle, size);                                                                  \
    }
#define PREPARES(name, parameters, or_none)                                                                            \
    cusparseStatus_t name(parameters, void *buffer)                                                                    \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        simt_request asked = simt_request_begin(&library, #name, PLACE, handle);                                       \
                                                                                                                       \
        needs_buffer(&asked, buffer, or_none);                                                                         \
        return asked.status;                                                                                           \
    }

ASKS(cusparseSpMV_bufferSize, SIMT_CUSPARSE_SPMV)
PREPARES(cusparseSpMV_preprocess, SIMT_CUSPARSE_SPMV, true)
ASKS(cusparseSpMM_bufferSize, SIMT_CUSPARSE_SPMM)
PREPARES(cusparseSpMM_preprocess, SIMT_CUSPARSE_SPMM, true)
ASKS(cusparseSDDMM_bufferSize, SIMT_CUSPARSE_SDDMM)
PREPARES(cusparseSDDMM_preprocess, SIMT_CUSPARSE_SDDMM, true)
ASKS(cusparseSpSV_bufferSize, SIMT_CUSPARSE_SPSV)
PREPARES(cusparseSpSV_analysis, SIMT_CUSPARSE_SPSV, false)
ASKS(cusparseSpSM_bufferSize, SIMT_CUSPARSE_SPSM)
PREPARES(cusparseSpSM_analysis, SIMT_CUSPARSE_SPSM, false)
ASKS(cusparseSparseToDense_bufferSize, SIMT_CUSPARSE_TO_DENSE)
ASKS(cusparseDenseToSparse_bufferSize, SIMT_CUSPARSE_TO_SPARSE)
ASKS(cusparseCsr2cscEx2_bufferSize, SIMT_CUSPARSE_TO_CSC)
ASKS(cusparseSpVV_bufferSize, SIMT_CUSPARSE_SPVV)

#pragma GCC visibility pop
