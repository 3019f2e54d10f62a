/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of jds.build.
 */
#include "../../ref/jds.h"
#include "code.h"
#include "csr.h"
#include "matrix_market.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static const uint64_t sizes[] = {0, 1, 2, 3, 4, 31, 32, 33, 64};

static sb_ref_jds_layout layout_of(const sb_case *c)
{
    return (sb_ref_jds_layout){c->parameters[SB_JDS_WARP], c->parameters[SB_JDS_PACK], c->parameters[SB_JDS_ALIGN]};
}

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *offsets = &c->inputs[SB_CSR_ROW_OFFSET];
    sb_ref_jds_layout layout = layout_of(c);
    sb_ref_jds_size length;
    uint64_t limit;

    if (!sb_csr_shape(c->inputs, (uint64_t)INT32_MAX + 1, why, size))
        return false;
    if (layout.warp == 0 || layout.pack == 0 || layout.align == 0)
        return true;
    limit = sb_max_decoded(offsets->length + c->inputs[SB_CSR_COLUMN].length);
    if (sb_ref_jds_measure(offsets->data, offsets->length - 1, layout, limit, &length) != SB_REF_OK) {
        snprintf(why, size, "the diagonals take more than %llu slots", (unsigned long long)limit);
        return false;
    }
    capacity[SB_JDS_ORDER] = length.places;
    capacity[SB_JDS_PACKS] = length.warps;
    capacity[SB_JDS_START] = length.starts;
    capacity[SB_JDS_INDEX] = capacity[SB_JDS_DATA] = length.slots;
    return true;
}

static bool normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    if (shape(c, capacity, why, sizeof why))
        return true;
    for (int i = 0; i <= SB_JDS_ALIGN; i++)
        c->parameters[i] %= 65;
    if (!sb_csr_normalise(c->inputs, (uint64_t)INT32_MAX + 1))
        return false;
    if (!shape(c, capacity, why, sizeof why))
        c->parameters[SB_JDS_WARP] = c->parameters[SB_JDS_PACK] = c->parameters[SB_JDS_ALIGN] = 1;
    return true;
}

static bool generate(sb_case *c, const char *name, uint64_t n, uint64_t seed)
{
    sb_random random = {seed};
    uint64_t columns;

    return sb_csr_generate(c->inputs, name, n, &random, &columns);
}

static bool read_matrix(sb_case *c, FILE *in, char *why, size_t size)
{
    uint64_t columns;

    return sb_matrix_read(in, c->inputs, &columns, why, size);
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *in = c->inputs;
    sb_array *out = result->outputs;

    sb_set_status(result,
                  sb_ref_jds_build(in[SB_CSR_ROW_OFFSET].data, in[SB_CSR_ROW_OFFSET].length - 1, in[SB_CSR_COLUMN].data,
                                   in[SB_CSR_VALUE].data, layout_of(c), out[SB_JDS_ORDER].data, out[SB_JDS_PACKS].data,
                                   out[SB_JDS_START].data, out[SB_JDS_INDEX].data, out[SB_JDS_DATA].data),
                  "warp, pack or align is 0");
}

/* 400 ns for each row, which is sorted twice, and 20 for each element, as measured. */
static double cost(const sb_case *c)
{
    return 400.0 * (double)c->inputs[SB_CSR_ROW_OFFSET].length + 20.0 * (double)c->inputs[SB_CSR_COLUMN].length;
}

/* jds.build: the matrix, f32, columns below 2^31 -> jagged diagonals (ref/jds.h): order u32[places], packs u32[warps], start
 * u64[diagonals + 1], index i32[slots], data f32[slots]. Invalid: warp, pack or align is 0.
 * spmv.jds: the five outputs of jds.build, x f32[columns] -> y f32[rows]. warp and pack are those of jds.build. */
static const sb_algorithm build = {
    .name = "jds.build",
    .summary = "jagged diagonals of a sparse matrix in compressed sparse rows",
    SB_PARAMETERS([SB_JDS_WARP] = SB_NUMBER("warp", sizes, 32), [SB_JDS_PACK] = SB_NUMBER("pack", sizes, 1),
                  [SB_JDS_ALIGN] = SB_NUMBER("align", sizes, 1)),
    SB_INPUTS([SB_CSR_ROW_OFFSET] = SB_FIELD("row_offset", SB_U64), [SB_CSR_COLUMN] = SB_FIELD("column", SB_U32),
              [SB_CSR_VALUE] = SB_FIELD("value", SB_F32)),
    SB_OUTPUTS([SB_JDS_ORDER] = SB_FIELD("order", SB_U32), [SB_JDS_PACKS] = SB_FIELD("packs", SB_U32),
               [SB_JDS_START] = SB_FIELD("start", SB_U64), [SB_JDS_INDEX] = SB_FIELD("index", SB_I32),
               [SB_JDS_DATA] = SB_FIELD("data", SB_F32)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = cost,
    .generators = sb_csr_generators,
    .generate = generate,
    .suffix = SB_MATRIX_SUFFIX,
    .read = read_matrix,
};

const sb_algorithm *const sb_harness_algorithms_jds[] = {&build, NULL};
