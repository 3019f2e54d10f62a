/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sparse matrix times vector: contract in spmv.h.
 */
#include "spmv.h"

static float row_f32(const uint32_t *column, const float *value, const float *x, uint64_t first, uint64_t end)
{
    float sum = 0;

    for (uint64_t i = first; i < end; i++) {
        float product = value[i] * x[column[i]];

        sum = sum + product;
    }
    return sum;
}

static double row_f64(const uint32_t *column, const double *value, const double *x, uint64_t first, uint64_t end)
{
    double sum = 0;

    for (uint64_t i = first; i < end; i++) {
        double product = value[i] * x[column[i]];

        sum = sum + product;
    }
    return sum;
}

void sb_ref_spmv_csr(sb_ref_type type, const uint64_t *row_offset, uint64_t rows, const uint32_t *column,
                     const void *value, const void *x, void *y)
{
    for (uint64_t r = 0; r < rows; r++)
        if (type == SB_REF_F32)
            ((float *)y)[r] = row_f32(column, value, x, row_offset[r], row_offset[r + 1]);
        else
            ((double *)y)[r] = row_f64(column, value, x, row_offset[r], row_offset[r + 1]);
}

void sb_ref_spmv_jds(uint64_t warp, uint64_t pack, const uint32_t *order, const uint32_t *packs, uint64_t warps,
                     const uint64_t *start, const int32_t *index, const float *data, const float *x, float *y)
{
    for (uint64_t place = 0; place < warps * warp; place++) {
        float sum = 0;

        if (order[place] == SB_REF_JDS_NO_ROW)
            continue;
        for (uint64_t d = 0; d < packs[place / warp]; d++)
            for (uint64_t p = 0; p < pack; p++) {
                uint64_t slot = (start[d] + place) * pack + p;

                if (index[slot] != SB_REF_JDS_NO_COLUMN) {
                    float product = data[slot] * x[index[slot]];

                    sum = sum + product;
                }
            }
        y[order[place]] = sum;
    }
}
