/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of spmv.csr and spmv.jds. Their sums are compared by ref/product.h, row by row.
 */
#include "../../ref/spmv.h"
#include "../../common/case.h"
#include "../../ref/product.h"
#include "code.h"
#include "csr.h"
#include "matrix_market.h"
#include <samebits/algorithms.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_words[] = {"", "", "", "", "", "", "f32", "f64", NULL};
static const uint64_t warps[] = {1, 2, 3, 4, 31, 32, 64};
/* Most variants take packs of 1 or 4 alone. */
static const uint64_t packs[] = {1, 1, 1, 1, 4, 4, 2, 3, 8, 64};

_Static_assert(SB_F32 == 6 && SB_F64 == 7, "the words are at the values of sb_type");

/* Collects the products of a row of a case: for spmv.csr row `at`, for spmv.jds the row at place `at`. */
typedef void collect_row(const sb_case *c, uint64_t at, sb_ref_products *row);

/* Where a row has too many products for the bound (2^22 of f32), normalising leaves this many that are not 0. */
enum { MAX_REAL = 1 << 20 };

static sb_ref_type type_of(const sb_array *numbers)
{
    return numbers->type == SB_F32 ? SB_REF_F32 : SB_REF_F64;
}

/* The largest magnitude, and the smallest that is not 0; 0 and infinity of no numbers, infinity for a NaN. */
static void find_magnitudes(const sb_array *numbers, double *smallest, double *largest)
{
    double low = INFINITY, high = 0;

    for (uint64_t i = 0; i < numbers->length; i++) {
        double magnitude = fabs(sb_number_at(numbers, i));

        low = magnitude != 0 && !(magnitude >= low) ? magnitude : low;
        high = !(magnitude <= high) ? magnitude : high;
    }
    *smallest = low;
    *largest = isnan(high) || isnan(low) ? (double)INFINITY : high;
}

/* Do all sums of up to `longest` of these products fit, whichever they are? Then no row needs to be looked at, which takes
 * ten times as long. 2^22 products of 2^-100 to 2^80 are within the limits of ref/product.h for both types. */
static bool any_row_fits(const sb_array *value, const sb_array *x, uint64_t longest)
{
    double low[2], high[2];

    if (longest > (uint64_t)1 << 22)
        return false;
    find_magnitudes(value, &low[0], &high[0]);
    find_magnitudes(x, &low[1], &high[1]);
    return low[0] * low[1] >= 0x1p-100 && high[0] * high[1] <= 0x1p80;
}

/* Does every row have a result that ref/product.h decides? */
static bool rows_fit(const sb_case *c, uint64_t rows, sb_ref_type type, collect_row *collect, char *why, size_t size)
{
    for (uint64_t at = 0; at < rows; at++) {
        sb_ref_products row;
        const char *unfit;

        sb_ref_products_clear(&row, type, NULL);
        collect(c, at, &row);
        unfit = sb_ref_products_unfit(&row);
        if (unfit != NULL) {
            snprintf(why, size, "row %llu of those stored: %s", (unsigned long long)at, unfit);
            return false;
        }
    }
    return true;
}

static bool same_bits(const sb_array *left, const sb_array *right, uint64_t i)
{
    size_t size = sb_type_size(left->type);

    return memcmp((const char *)left->data + i * size, (const char *)right->data + i * size, size) == 0;
}

/* Row `at` of those stored is row order[at]; NULL: row `at`. */
static bool rows_right(const sb_case *c, const uint32_t *order, const sb_array *expected, const sb_array *got,
                       collect_row *collect, char *why, size_t size)
{
    for (uint64_t at = 0; at < got->length; at++) {
        uint64_t r = order != NULL ? order[at] : at;
        sb_ref_products row;
        sb_ref_sum sum;

        if (same_bits(expected, got, r))
            continue;
        sb_ref_products_clear(&row, type_of(got), &sum);
        collect(c, at, &row);
        if (!sb_ref_products_right(&row, sb_number_at(got, r))) {
            snprintf(why, size, "y[%llu] is %a, not the sum of the %llu products of its row", (unsigned long long)r,
                     sb_number_at(got, r), (unsigned long long)row.count);
            return false;
        }
    }
    return true;
}

/* spmv.csr */

static void csr_row(const sb_case *c, uint64_t r, sb_ref_products *row)
{
    const uint64_t *row_offset = c->inputs[SB_CSR_ROW_OFFSET].data;
    const uint32_t *column = c->inputs[SB_CSR_COLUMN].data;

    for (uint64_t i = row_offset[r]; i < row_offset[r + 1]; i++)
        sb_ref_products_add(row, sb_number_at(&c->inputs[SB_CSR_VALUE], i),
                            sb_number_at(&c->inputs[SB_SPMV_CSR_X], column[i]));
}

static bool csr_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const uint64_t *row_offset = c->inputs[SB_CSR_ROW_OFFSET].data;
    const sb_array *x = &c->inputs[SB_SPMV_CSR_X];
    uint64_t longest = 0;

    if (!sb_csr_shape(c->inputs, x->length, why, size))
        return false;
    capacity[SB_SPMV_Y] = c->inputs[SB_CSR_ROW_OFFSET].length - 1;
    for (uint64_t r = 0; r < capacity[SB_SPMV_Y]; r++)
        longest = row_offset[r + 1] - row_offset[r] > longest ? row_offset[r + 1] - row_offset[r] : longest;
    return any_row_fits(&c->inputs[SB_CSR_VALUE], x, longest) ||
           rows_fit(c, capacity[SB_SPMV_Y], type_of(x), csr_row, why, size);
}

/* Clears the values of a row behind the first MAX_REAL. */
static void csr_shorten_rows(sb_case *c)
{
    const uint64_t *row_offset = c->inputs[SB_CSR_ROW_OFFSET].data;
    sb_array *value = &c->inputs[SB_CSR_VALUE];
    size_t size = sb_type_size(value->type);

    for (uint64_t r = 0; r + 1 < c->inputs[SB_CSR_ROW_OFFSET].length; r++)
        for (uint64_t i = row_offset[r] + MAX_REAL; i < row_offset[r + 1]; i++)
            memset((char *)value->data + i * size, 0, size);
}

static bool csr_normalise(sb_case *c)
{
    sb_array *x = &c->inputs[SB_SPMV_CSR_X];
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    if (csr_shape(c, capacity, why, sizeof why))
        return true;
    if (!sb_csr_shape(c->inputs, x->length, why, sizeof why) && !sb_csr_normalise(c->inputs, x->length))
        return false;
    if (csr_shape(c, capacity, why, sizeof why))
        return true;
    sb_make_moderate(&c->inputs[SB_CSR_VALUE]);
    sb_make_moderate(x);
    if (!csr_shape(c, capacity, why, sizeof why))
        csr_shorten_rows(c);
    return true;
}

/* 1, 2, ..., 8, 1, 2, ...: short, and a column that is taken for another is seen. */
static bool make_vector(sb_array *x, uint64_t columns, char *why, size_t size)
{
    if (!sb_array_set(x, NULL, columns)) {
        snprintf(why, size, "out of memory");
        return false;
    }
    for (uint64_t i = 0; i < columns; i++)
        if (x->type == SB_F32)
            ((float *)x->data)[i] = (float)(1 + i % 8);
        else
            ((double *)x->data)[i] = (double)(1 + i % 8);
    return true;
}

static bool csr_generate(sb_case *c, const char *name, uint64_t n, uint64_t seed)
{
    sb_random random = {seed};
    uint64_t columns;

    return sb_csr_generate(c->inputs, name, n, &random, &columns) &&
           sb_csr_generate_x(&c->inputs[SB_SPMV_CSR_X], columns, &random);
}

static bool csr_read(sb_case *c, FILE *in, char *why, size_t size)
{
    uint64_t columns;

    return sb_matrix_read(in, c->inputs, &columns, why, size) &&
           make_vector(&c->inputs[SB_SPMV_CSR_X], columns, why, size);
}

static void csr(const sb_case *c, sb_result *result)
{
    const sb_array *in = c->inputs;

    sb_ref_spmv_csr(type_of(&in[SB_SPMV_CSR_X]), in[SB_CSR_ROW_OFFSET].data, in[SB_CSR_ROW_OFFSET].length - 1,
                    in[SB_CSR_COLUMN].data, in[SB_CSR_VALUE].data, in[SB_SPMV_CSR_X].data,
                    result->outputs[SB_SPMV_Y].data);
}

/* 5 ns for each row and for each element: 1.4 where x fits into the cache, up to 10 where each element of x misses it. */
static double csr_cost(const sb_case *c)
{
    return 5.0 * (double)(c->inputs[SB_CSR_ROW_OFFSET].length + c->inputs[SB_CSR_COLUMN].length);
}

static bool csr_within(const sb_case *c, const sb_result *expected, const sb_result *got, char *why, size_t size)
{
    return rows_right(c, NULL, &expected->outputs[SB_SPMV_Y], &got->outputs[SB_SPMV_Y], csr_row, why, size);
}

/* spmv.jds */

static void jds_row(const sb_case *c, uint64_t place, sb_ref_products *row)
{
    const uint32_t *pack_count = c->inputs[SB_JDS_PACKS].data;
    const uint64_t *start = c->inputs[SB_JDS_START].data;
    const int32_t *index = c->inputs[SB_JDS_INDEX].data;
    const float *data = c->inputs[SB_JDS_DATA].data, *x = c->inputs[SB_SPMV_JDS_X].data;
    uint64_t pack = c->parameters[SB_JDS_PACK];

    for (uint64_t d = 0; d < pack_count[place / c->parameters[SB_JDS_WARP]]; d++)
        for (uint64_t slot = (start[d] + place) * pack; slot < (start[d] + place + 1) * pack; slot++)
            if (index[slot] != SB_JDS_NO_COLUMN)
                sb_ref_products_add(row, data[slot], x[index[slot]]);
}

/* The rows are a permutation in front of the places without one. Sets `rows`. */
static bool order_fits(const sb_array *order, uint64_t *rows, char *why, size_t size)
{
    const uint32_t *row = order->data;
    uint64_t place = 0;
    bool *seen = calloc(order->length + 1, sizeof *seen), fits = seen != NULL;

    while (place < order->length && row[place] != SB_JDS_NO_ROW)
        place++;
    *rows = place;
    if (!fits)
        snprintf(why, size, "out of memory");
    for (place = 0; fits && place < order->length; place++) {
        fits = place < *rows ? row[place] < *rows && !seen[row[place]] : row[place] == SB_JDS_NO_ROW;
        if (!fits)
            snprintf(why, size, "order[%llu] is %lu: the rows are no permutation", (unsigned long long)place,
                     (unsigned long)row[place]);
        else if (place < *rows)
            seen[row[place]] = true;
    }
    free(seen);
    return fits;
}

/* The warps in diagonal d are the first ones. */
static uint64_t warps_in(const sb_array *pack_counts, uint64_t d)
{
    const uint32_t *count = pack_counts->data;
    uint64_t warp = 0;

    while (warp < pack_counts->length && count[warp] > d)
        warp++;
    return warp;
}

static bool diagonals_fit(const sb_case *c, char *why, size_t size)
{
    const sb_array *pack_counts = &c->inputs[SB_JDS_PACKS], *starts = &c->inputs[SB_JDS_START];
    const uint32_t *count = pack_counts->data;
    const uint64_t *start = starts->data;
    uint64_t diagonals = pack_counts->length > 0 ? count[0] : 0, slots = c->inputs[SB_JDS_INDEX].length;
    uint64_t pack = c->parameters[SB_JDS_PACK];

    for (uint64_t w = 1; w < pack_counts->length; w++) {
        if (count[w] > count[w - 1]) {
            snprintf(why, size, "packs ascends at %llu", (unsigned long long)w);
            return false;
        }
    }
    if (starts->length != diagonals + 1 || start[0] != 0 || c->inputs[SB_JDS_DATA].length != slots ||
        slots % pack != 0 || start[diagonals] != slots / pack) {
        snprintf(why, size, "the lengths of start, index and data do not fit the %llu diagonals",
                 (unsigned long long)diagonals);
        return false;
    }
    for (uint64_t d = 0; d < diagonals; d++) {
        if (start[d + 1] < start[d] || start[d + 1] > slots / pack ||
            (start[d + 1] - start[d]) / c->parameters[SB_JDS_WARP] < warps_in(pack_counts, d)) {
            snprintf(why, size, "diagonal %llu is too short for its warps", (unsigned long long)d);
            return false;
        }
    }
    return true;
}

/* Slots behind the rows of a diagonal have no element; others a column below `columns`, or none. */
static bool slots_fit(const sb_case *c, uint64_t rows, char *why, size_t size)
{
    const uint64_t *start = c->inputs[SB_JDS_START].data;
    const int32_t *index = c->inputs[SB_JDS_INDEX].data;
    uint64_t pack = c->parameters[SB_JDS_PACK], columns = c->inputs[SB_SPMV_JDS_X].length;

    for (uint64_t d = 0; d + 1 < c->inputs[SB_JDS_START].length; d++) {
        uint64_t height = warps_in(&c->inputs[SB_JDS_PACKS], d) * c->parameters[SB_JDS_WARP];
        uint64_t end = start[d] + (height < rows ? height : rows);

        for (uint64_t slot = start[d] * pack; slot < start[d + 1] * pack; slot++) {
            bool fits = index[slot] == SB_JDS_NO_COLUMN ||
                        (slot < end * pack && index[slot] >= 0 && (uint64_t)index[slot] < columns);

            if (!fits) {
                snprintf(why, size, "index[%llu] is %ld", (unsigned long long)slot, (long)index[slot]);
                return false;
            }
        }
    }
    return true;
}

static bool jds_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t warp = c->parameters[SB_JDS_WARP], places = c->inputs[SB_JDS_ORDER].length, rows;

    if (warp == 0 || c->parameters[SB_JDS_PACK] == 0) {
        snprintf(why, size, "warp or pack is 0");
        return false;
    }
    if (!order_fits(&c->inputs[SB_JDS_ORDER], &rows, why, size))
        return false;
    if (places % warp != 0 || places / warp != c->inputs[SB_JDS_PACKS].length || places - rows >= warp) {
        snprintf(why, size, "%llu places, %llu rows and %llu packs do not fit warps of %llu",
                 (unsigned long long)places, (unsigned long long)rows,
                 (unsigned long long)c->inputs[SB_JDS_PACKS].length, (unsigned long long)warp);
        return false;
    }
    capacity[SB_SPMV_Y] = rows;
    return diagonals_fit(c, why, size) && slots_fit(c, rows, why, size) &&
           (any_row_fits(&c->inputs[SB_JDS_DATA], &c->inputs[SB_SPMV_JDS_X],
                         (c->inputs[SB_JDS_START].length - 1) * c->parameters[SB_JDS_PACK]) ||
            rows_fit(c, rows, SB_REF_F32, jds_row, why, size));
}

/* Builds the diagonals of a matrix. False: they exceed `limit` slots, or memory ran out. */
static bool jds_build(sb_case *c, const sb_array matrix[3], uint64_t align, uint64_t limit)
{
    sb_ref_jds_layout layout = {c->parameters[SB_JDS_WARP], c->parameters[SB_JDS_PACK], align};
    const uint64_t *row_offset = matrix[SB_CSR_ROW_OFFSET].data, rows = matrix[SB_CSR_ROW_OFFSET].length - 1;
    sb_ref_jds_size length;
    sb_array *in = c->inputs;

    return sb_ref_jds_measure(row_offset, rows, layout, limit, &length) == SB_REF_OK &&
           sb_array_resize(&in[SB_JDS_ORDER], length.places) && sb_array_resize(&in[SB_JDS_PACKS], length.warps) &&
           sb_array_resize(&in[SB_JDS_START], length.starts) && sb_array_resize(&in[SB_JDS_INDEX], length.slots) &&
           sb_array_resize(&in[SB_JDS_DATA], length.slots) &&
           sb_ref_jds_build(row_offset, rows, matrix[SB_CSR_COLUMN].data, matrix[SB_CSR_VALUE].data, layout,
                            in[SB_JDS_ORDER].data, in[SB_JDS_PACKS].data, in[SB_JDS_START].data, in[SB_JDS_INDEX].data,
                            in[SB_JDS_DATA].data) == SB_REF_OK;
}

static void init_matrix(sb_array matrix[3])
{
    matrix[SB_CSR_ROW_OFFSET] = (sb_array){.type = SB_U64};
    matrix[SB_CSR_COLUMN] = (sb_array){.type = SB_U32};
    matrix[SB_CSR_VALUE] = (sb_array){.type = SB_F32};
}

static void free_matrix(sb_array matrix[3])
{
    for (int i = 0; i < 3; i++)
        free(matrix[i].data);
}

/* Takes `start` for the offsets of rows, `index` for columns and `data` for values, and builds jagged diagonals of this
 * matrix. Returns false only for want of memory. */
static bool jds_rebuild(sb_case *c)
{
    sb_array *in = c->inputs, matrix[3];
    uint64_t columns = in[SB_SPMV_JDS_X].length, limit, align = 1 + in[SB_JDS_PACKS].length % 4;
    bool done;

    init_matrix(matrix);
    done = sb_array_set(&matrix[SB_CSR_ROW_OFFSET], in[SB_JDS_START].data, in[SB_JDS_START].length) &&
           sb_array_set(&matrix[SB_CSR_COLUMN], in[SB_JDS_INDEX].data, in[SB_JDS_INDEX].length) &&
           sb_array_set(&matrix[SB_CSR_VALUE], in[SB_JDS_DATA].data, in[SB_JDS_DATA].length) &&
           sb_csr_normalise(matrix, columns < INT32_MAX ? columns : INT32_MAX);
    limit = sb_max_decoded(matrix[SB_CSR_ROW_OFFSET].length + matrix[SB_CSR_COLUMN].length);
    if (done && !jds_build(c, matrix, align, limit)) {
        c->parameters[SB_JDS_WARP] = c->parameters[SB_JDS_PACK] = 1;
        done = jds_build(c, matrix, 1, UINT64_MAX);
    }
    free_matrix(matrix);
    return done;
}

static bool jds_generate(sb_case *c, const char *name, uint64_t n, uint64_t seed)
{
    sb_random random = {seed};
    sb_array matrix[3];
    uint64_t columns;
    bool made;

    for (int i = 0; i <= SB_JDS_PACK; i++)
        c->parameters[i] += c->parameters[i] == 0;
    init_matrix(matrix);
    made = sb_csr_generate(matrix, name, n, &random, &columns) && jds_build(c, matrix, 1, UINT64_MAX) &&
           sb_csr_generate_x(&c->inputs[SB_SPMV_JDS_X], columns, &random);
    free_matrix(matrix);
    return made;
}

static bool jds_read(sb_case *c, FILE *in, char *why, size_t size)
{
    sb_array matrix[3];
    uint64_t columns;
    bool read;

    init_matrix(matrix);
    read = sb_matrix_read(in, matrix, &columns, why, size);
    if (read && !jds_build(c, matrix, 1, UINT64_MAX)) {
        snprintf(why, size, "out of memory");
        read = false;
    }
    free_matrix(matrix);
    return read && make_vector(&c->inputs[SB_SPMV_JDS_X], columns, why, size);
}

/* Clears the numbers of a row behind the first MAX_REAL. */
static void jds_shorten_rows(sb_case *c)
{
    const uint64_t *start = c->inputs[SB_JDS_START].data;
    float *data = c->inputs[SB_JDS_DATA].data;
    uint64_t first = MAX_REAL / c->parameters[SB_JDS_PACK];

    if (first + 1 < c->inputs[SB_JDS_START].length)
        for (uint64_t slot = start[first] * c->parameters[SB_JDS_PACK]; slot < c->inputs[SB_JDS_DATA].length; slot++)
            data[slot] = 0;
}

static bool jds_normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    if (jds_shape(c, capacity, why, sizeof why))
        return true;
    for (int i = 0; i <= SB_JDS_PACK; i++)
        c->parameters[i] = c->parameters[i] == 0 ? 1 : (c->parameters[i] - 1) % 64 + 1;
    if (!jds_rebuild(c))
        return false;
    sb_make_moderate(&c->inputs[SB_JDS_DATA]);
    sb_make_moderate(&c->inputs[SB_SPMV_JDS_X]);
    if (!jds_shape(c, capacity, why, sizeof why))
        jds_shorten_rows(c);
    return true;
}

static void jds(const sb_case *c, sb_result *result)
{
    const sb_array *in = c->inputs;

    sb_ref_spmv_jds(c->parameters[SB_JDS_WARP], c->parameters[SB_JDS_PACK], in[SB_JDS_ORDER].data,
                    in[SB_JDS_PACKS].data, in[SB_JDS_PACKS].length, in[SB_JDS_START].data, in[SB_JDS_INDEX].data,
                    in[SB_JDS_DATA].data, in[SB_SPMV_JDS_X].data, result->outputs[SB_SPMV_Y].data);
}

/* 10 ns for each place and for each slot: 4 to 18 were measured. */
static double jds_cost(const sb_case *c)
{
    return 10.0 * (double)(c->inputs[SB_JDS_ORDER].length + c->inputs[SB_JDS_INDEX].length);
}

static bool jds_within(const sb_case *c, const sb_result *expected, const sb_result *got, char *why, size_t size)
{
    return rows_right(c, c->inputs[SB_JDS_ORDER].data, &expected->outputs[SB_SPMV_Y], &got->outputs[SB_SPMV_Y], jds_row,
                      why, size);
}

/* A sparse matrix in compressed sparse rows: row_offset u64[rows + 1], column u32[nnz], value type[nnz]. The elements of
 * row r are row_offset[r] .. row_offset[r + 1] - 1; row_offset[0] is 0, the last is nnz.
 *
 * spmv.csr: the matrix, x type[columns] -> y type[rows], y = A x. type: f32 f64. Sums may differ within the bound of
 * ref/product.h; a row without elements gives +0. Every input is valid. */
static const sb_algorithm spmv_csr = {
    .name = "spmv.csr",
    .summary = "a sparse matrix in compressed sparse rows times a vector",
    SB_PARAMETERS([SB_SPMV_CSR_TYPE] = SB_WORD("type", type_words, SB_F32)),
    SB_INPUTS([SB_CSR_ROW_OFFSET] = SB_FIELD("row_offset", SB_U64), [SB_CSR_COLUMN] = SB_FIELD("column", SB_U32),
              [SB_CSR_VALUE] = SB_FIELD("value", SB_TYPE_PARAMETER),
              [SB_SPMV_CSR_X] = SB_FIELD("x", SB_TYPE_PARAMETER)),
    SB_OUTPUTS([SB_SPMV_Y] = SB_FIELD("y", SB_TYPE_PARAMETER)),
    .normalise = csr_normalise,
    .shape = csr_shape,
    .reference = csr,
    .cost = csr_cost,
    .within = csr_within,
    .generators = sb_csr_generators,
    .generate = csr_generate,
    .suffix = SB_MATRIX_SUFFIX,
    .read = csr_read,
};

static const sb_algorithm spmv_jds = {
    .name = "spmv.jds",
    .summary = "a sparse matrix in jagged diagonals times a vector",
    SB_PARAMETERS([SB_JDS_WARP] = SB_NUMBER("warp", warps, 32), [SB_JDS_PACK] = SB_NUMBER("pack", packs, 1)),
    SB_INPUTS([SB_JDS_ORDER] = SB_FIELD("order", SB_U32), [SB_JDS_PACKS] = SB_FIELD("packs", SB_U32),
              [SB_JDS_START] = SB_FIELD("start", SB_U64), [SB_JDS_INDEX] = SB_FIELD("index", SB_I32),
              [SB_JDS_DATA] = SB_FIELD("data", SB_F32), [SB_SPMV_JDS_X] = SB_FIELD("x", SB_F32)),
    SB_OUTPUTS([SB_SPMV_Y] = SB_FIELD("y", SB_F32)),
    .normalise = jds_normalise,
    .shape = jds_shape,
    .reference = jds,
    .cost = jds_cost,
    .within = jds_within,
    .generators = sb_csr_generators,
    .generate = jds_generate,
    .suffix = SB_MATRIX_SUFFIX,
    .read = jds_read,
};

const sb_algorithm *const sb_harness_algorithms_spmv[] = {&spmv_csr, &spmv_jds, NULL};
