/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cublasLt: contract in cublasLt.h. A layout becomes a view (dense.h); the rest is one product.
 */
#include "dense.h"
#include "request.h"

#include "../include/cublasLt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(hidden)

enum { MAGIC = 0x4c74 }; /* "Lt": in a handle that was created and not destroyed */

struct cublasLtContext {
    int magic;
};

static const simt_library library = {.not_initialized = CUBLAS_STATUS_NOT_INITIALIZED,
                                     .invalid_value = CUBLAS_STATUS_INVALID_VALUE,
                                     .execution_failed = CUBLAS_STATUS_EXECUTION_FAILED};

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    SIMT_LIBRARY_CALL;

    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (cudaFree(NULL) != cudaSuccess || !*handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    (*handle)->magic = MAGIC;
    simt_dense_start();
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    SIMT_LIBRARY_CALL;

    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->magic = 0;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion(void)
{
    return CUBLAS_VERSION;
}

/* --- descriptors */

cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t descriptor, cublasComputeType_t compute, cudaDataType scale)
{
    if (!descriptor)
        return CUBLAS_STATUS_INVALID_VALUE;
    *descriptor = (cublasLtMatmulDescOpaque_t){
        .compute = compute, .scale = scale, .bias_type = (cudaDataType)-1, .epilogue = CUBLASLT_EPILOGUE_DEFAULT};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows,
                                        uint64_t columns, int64_t ld)
{
    if (!layout)
        return CUBLAS_STATUS_INVALID_VALUE;
    *layout = (cublasLtMatrixLayoutOpaque_t){.type = type, .rows = rows, .columns = columns, .ld = ld, .batch = 1};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference)
{
    if (!preference)
        return CUBLAS_STATUS_INVALID_VALUE;
    *preference = (cublasLtMatmulPreferenceOpaque_t){0};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *descriptor, cublasComputeType_t compute,
                                        cudaDataType scale)
{
    *descriptor = malloc(sizeof **descriptor);
    return *descriptor ? cublasLtMatmulDescInit(*descriptor, compute, scale) : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t ld)
{
    *layout = malloc(sizeof **layout);
    return *layout ? cublasLtMatrixLayoutInit(*layout, type, rows, columns, ld) : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    *preference = calloc(1, sizeof **preference);
    return *preference ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t descriptor)
{
    free(descriptor);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    free(layout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    free(preference);
    return CUBLAS_STATUS_SUCCESS;
}

/* Copies a value of exactly that size. */
static cublasStatus_t take(void *to, size_t wanted, const void *value, size_t size)
{
    if (!value || size != wanted)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(to, value, size);
    return CUBLAS_STATUS_SUCCESS;
}

#define TAKE(member) take(&(member), sizeof(member), value, size)

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute, const void *value,
                                                    size_t size)
{
    if (preference && attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
        return TAKE(preference->workspace);
    return preference && value && size ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t descriptor, cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t size)
{
    const void *pointer = NULL;

    if (!descriptor)
        return CUBLAS_STATUS_INVALID_VALUE;
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
        return TAKE(descriptor->compute);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
        return TAKE(descriptor->scale);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
        return TAKE(descriptor->pointer_mode);
    case CUBLASLT_MATMUL_DESC_TRANSA:
        return TAKE(descriptor->a);
    case CUBLASLT_MATMUL_DESC_TRANSB:
        return TAKE(descriptor->b);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
        return TAKE(descriptor->epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
        return TAKE(descriptor->bias);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
        return TAKE(descriptor->bias_stride);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
        return TAKE(descriptor->bias_type);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
        return CUBLAS_STATUS_SUCCESS;
    default: /* a null pointer leaves such a feature out */
        if (size == sizeof pointer && value)
            memcpy(&pointer, value, size);
        descriptor->unsupported |= size != sizeof pointer || pointer;
        return CUBLAS_STATUS_SUCCESS;
    }
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void *value,
                                                size_t size)
{
    if (!layout)
        return CUBLAS_STATUS_INVALID_VALUE;
    switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
        return TAKE(layout->type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
        return TAKE(layout->order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
        return TAKE(layout->rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
        return TAKE(layout->columns);
    case CUBLASLT_MATRIX_LAYOUT_LD:
        return TAKE(layout->ld);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
        return TAKE(layout->batch);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
        return TAKE(layout->stride);
    }
    return CUBLAS_STATUS_INVALID_VALUE;
}

/* The bytes that a found algorithm asks for where it may, and keeps in itself. A GPU's library asks for some, too, and refuses a product
 * without them. */
enum { WORKSPACE = 256 };

/* What the library of CUDA 13.0 answers on an H200 to the orders of C and D, all sixteen with four epilogues; those of A and B are free.
 * Success: it has such a product; otherwise `why` says what is wrong. */
static cublasStatus_t judge_orders(const cublasLtMatmulDescOpaque_t *descriptor, cublasLtMatrixLayout_t c,
                                   cublasLtMatrixLayout_t d, const char **why)
{
    *why = "C and D have different orders";
    if (c && c->order != d->order)
        return CUBLAS_STATUS_INVALID_VALUE;
    *why = "a bias with D by rows";
    if (descriptor->epilogue & CUBLASLT_EPILOGUE_BIAS && d->order == CUBLASLT_ORDER_ROW)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t *results, int *found)
{
    const char *why;

    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!descriptor || !a || !b || !c || !d || wanted < 1 || !results || !found)
        return CUBLAS_STATUS_INVALID_VALUE;
    results[0] = (cublasLtMatmulHeuristicResult_t){.state = judge_orders(descriptor, c, d, &why), .wavesCount = 1};
    if (preference && preference->workspace >= WORKSPACE)
        results[0].algo.data[0] = results[0].workspaceSize = WORKSPACE;
    *found = results[0].state == CUBLAS_STATUS_SUCCESS;
    return results[0].state;
}

/* --- the product */

typedef struct matmul_call {
    simt_library_call call;
    simt_view a, b, c, d;
    simt_factor alpha, beta;
    cudaDataType bias_type;
    const char *bias;
    long bias_stride, batch;
    int activation;
    bool complex;
} matmul_call;

/* 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (D. Hendrycks, K. Gimpel, "Gaussian error linear units", 2016, section 2). */
static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

static void run(simt_library_call *l)
{
    const matmul_call *p = (const matmul_call *)l;
    simt_number alpha = simt_factor_value(l, &p->alpha);
    simt_number beta = simt_factor_value(l, &p->beta);
    long rows = p->d.rows, columns = p->d.columns;

    for (long i = 0; i < p->batch; i++) {
        double *to = simt_library_scratch((size_t)(rows * columns), 2 * sizeof *to), *old = NULL;
        simt_number *bias = NULL;

        if (!simt_number_is_zero(alpha) && p->a.columns > 0) {
            const double *a = simt_view_read(l, &p->a, i, p->complex), *b = simt_view_read(l, &p->b, i, p->complex);

            simt_dense_multiply(p->complex, rows, columns, p->a.columns, a, b, to);
        }
        if (!simt_number_is_zero(beta))
            old = simt_view_read(l, &p->c, i, p->complex);
        if (p->bias) {
            bias = simt_library_scratch((size_t)rows, sizeof *bias);
            simt_library_argument(l, "bias", -1);
            for (long k = 0; k < rows; k++)
                bias[k] = simt_library_read(l, p->bias, p->bias_type, i * p->bias_stride + k);
        }
        for (long k = 0; k < rows * columns; k++) {
            simt_number v = simt_number_product(p->complex, alpha, simt_number_get(to, p->complex, k));
            simt_number w =
                old ? simt_number_product(p->complex, beta, simt_number_get(old, p->complex, k)) : (simt_number){0, 0};
            simt_number shift = bias ? bias[k % rows] : (simt_number){0, 0};

            v = (simt_number){v.real + w.real + shift.real, v.imaginary + w.imaginary + shift.imaginary};
            if (p->activation == CUBLASLT_EPILOGUE_RELU)
                v.real = v.real > 0 ? v.real : 0;
            else if (p->activation == CUBLASLT_EPILOGUE_GELU)
                v.real = gelu(v.real);
            to[p->complex ? 2 * k : k] = v.real;
            if (p->complex)
                to[2 * k + 1] = v.imaginary;
        }
        simt_view_write(l, &p->d, i, p->complex, to);
        simt_library_release();
    }
}

static const char name[] = "cublasLtMatmul";

static simt_view view_of(simt_request *c, const char *argument, const void *at, cublasLtMatrixLayout_t layout,
                         int operation)
{
    bool by_rows = layout && layout->order == CUBLASLT_ORDER_ROW;
    simt_view v = {.name = argument, .at = (void *)(uintptr_t)at};
    char text[96];

    snprintf(text, sizeof text, "%s or its layout is null", argument);
    if (!at || !layout)
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, text);
    if (c->status != CUBLAS_STATUS_SUCCESS)
        return v;
    if (layout->order != CUBLASLT_ORDER_COL && !by_rows)
        simt_request_refuse(c, CUBLAS_STATUS_NOT_SUPPORTED,
                            "simtcc's cublasLt has matrices by columns or by rows only");
    if (!simt_library_size(layout->type))
        simt_request_refuse(c, CUBLAS_STATUS_NOT_SUPPORTED,
                            "simtcc's cublasLt has no matrices of this type: use float or half");
    if (layout->ld < (int64_t)(by_rows ? layout->columns : layout->rows) || layout->batch < 1)
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE,
                            "a leading dimension that is too small, or a batch below 1");
    v.type = layout->type;
    v.rows = (long)layout->rows;
    v.columns = (long)layout->columns;
    v.row_stride = by_rows ? layout->ld : 1;
    v.column_stride = by_rows ? 1 : layout->ld;
    v.batch_stride = layout->stride;
    v.conjugate = operation == CUBLAS_OP_C || operation == CUBLAS_OP_CONJG;
    return operation == CUBLAS_OP_T || operation == CUBLAS_OP_C ? simt_view_transposed(v) : v;
}

static void take_scalars(simt_request *c, matmul_call *p, const cublasLtMatmulDescOpaque_t *d, const void *alpha,
                         const void *beta)
{
    c->on_device = d->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
    if (!alpha || !beta || !simt_library_size(d->scale))
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, "alpha or beta is null, or there is no such scale type");
    else if (d->pointer_mode != CUBLASLT_POINTER_MODE_HOST && !c->on_device)
        simt_request_refuse(c, CUBLAS_STATUS_NOT_SUPPORTED, "alpha is one number of the host or of the device here");
    p->alpha = simt_factor_of(c, "alpha", alpha, d->scale, 1);
    p->beta = simt_factor_of(c, "beta", beta, d->scale, 0);
}

static void take_epilogue(simt_request *c, matmul_call *p, const cublasLtMatmulDescOpaque_t *d, bool by_rows)
{
    p->activation = d->epilogue & ~CUBLASLT_EPILOGUE_BIAS;
    if (p->activation != 0 && p->activation != CUBLASLT_EPILOGUE_DEFAULT && p->activation != CUBLASLT_EPILOGUE_RELU &&
        p->activation != CUBLASLT_EPILOGUE_GELU)
        simt_request_refuse(c, CUBLAS_STATUS_NOT_SUPPORTED,
                            "simtcc's cublasLt has the epilogues bias, ReLU and GELU only");
    if (d->unsupported)
        simt_request_refuse(c, CUBLAS_STATUS_NOT_SUPPORTED,
                            "the descriptor has an attribute that simtcc's cublasLt has not");
    if (d->bias && !(d->epilogue & CUBLASLT_EPILOGUE_BIAS) && by_rows)
        simt_request_refuse(c, CUBLAS_STATUS_NOT_SUPPORTED, /* of CUDA 13.0 on an H200, whose heuristic finds it right */
                            "D is by rows, and the descriptor has a bias that the epilogue does not add");
    if (d->epilogue & CUBLASLT_EPILOGUE_BIAS) {
        p->bias = d->bias;
        p->bias_type = d->bias_type == (cudaDataType)-1 ? p->d.type : d->bias_type;
        p->bias_stride = d->bias_stride;
        if (!d->bias || !simt_library_size(p->bias_type))
            simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, "the bias is null, or of no type that is here");
    }
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t a_layout, const void *b,
                              cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
                              cublasLtMatrixLayout_t c_layout, void *d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace, size_t workspace_size,
                              cudaStream_t stream)
{
    SIMT_LIBRARY_CALL;
    simt_request asked = simt_request_of(&library, "cublasLtMatmul", PLACE);
    matmul_call p = {.batch = 1};
    cublasStatus_t ordered;
    const char *why;

    if (!handle)
        simt_request_refuse(&asked, CUBLAS_STATUS_NOT_INITIALIZED, "the handle was not created");
    if (!descriptor)
        simt_request_refuse(&asked, CUBLAS_STATUS_INVALID_VALUE, "the descriptor is null");
    if (asked.status != CUBLAS_STATUS_SUCCESS)
        return asked.status;
    p.a = view_of(&asked, "A", a, a_layout, descriptor->a);
    p.b = view_of(&asked, "B", b, b_layout, descriptor->b);
    p.d = view_of(&asked, "D", d, d_layout, CUBLAS_OP_N);
    take_scalars(&asked, &p, descriptor, alpha, beta);
    /* where beta is 0, C may be null */
    p.c =
        c || p.beta.device || !simt_number_is_zero(p.beta.value) ? view_of(&asked, "C", c, c_layout, CUBLAS_OP_N) : p.d;
    if (asked.status == CUBLAS_STATUS_SUCCESS &&
        (p.a.columns != p.b.rows || p.a.rows != p.d.rows || p.b.columns != p.d.columns || p.c.rows != p.d.rows ||
         p.c.columns != p.d.columns))
        simt_request_refuse(&asked, CUBLAS_STATUS_INVALID_VALUE, "the sizes of the matrices do not fit");
    take_epilogue(&asked, &p, descriptor, d_layout && d_layout->order == CUBLASLT_ORDER_ROW);
    if (asked.status == CUBLAS_STATUS_SUCCESS &&
        (ordered = judge_orders(descriptor, c_layout, d_layout, &why)) != CUBLAS_STATUS_SUCCESS)
        simt_request_refuse(&asked, ordered, why);
    if (algorithm && algorithm->data[0] == WORKSPACE)
        simt_request_workspace(&asked, workspace, workspace_size, WORKSPACE);
    if (asked.status == CUBLAS_STATUS_SUCCESS && !simt_library_stream(name, stream))
        asked.status = CUBLAS_STATUS_INVALID_VALUE;
    if (asked.status != CUBLAS_STATUS_SUCCESS)
        return asked.status;
    p.batch = d_layout->batch;
    p.complex = simt_library_is_complex(p.d.type) || simt_library_is_complex(p.a.type);
    p.call = (simt_library_call){name, asked.place, stream, run, asked.workspace, asked.workspace_size};
    return simt_library_launch(&p.call, sizeof p, false) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

#pragma GCC visibility pop
