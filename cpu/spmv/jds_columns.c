/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spmv.jds/columns: contract in ref/spmv.h.
 *
 * Up to 16 places of a warp at a time, diagonal after diagonal, as a vector processor would: the sums of 16 rows do not wait
 * for each other, and the elements of 16 rows are adjacent. Source of the order: Y. Saad 1989 (ref/jds.h).
 */
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum { PLACES = 16 }; /* sums at a time: a cache line. Not tuned */

static void multiply(const uint64_t *parameters, const sb_array *inputs, uint64_t first, uint64_t count,
                     uint32_t diagonals, float *sum)
{
    const uint64_t *start = inputs[SB_JDS_START].data, pack = parameters[SB_JDS_PACK];
    const float *x = inputs[SB_SPMV_JDS_X].data;

    for (uint32_t d = 0; d < diagonals; d++) {
        const int32_t *index = (const int32_t *)inputs[SB_JDS_INDEX].data + (start[d] + first) * pack;
        const float *data = (const float *)inputs[SB_JDS_DATA].data + (start[d] + first) * pack;

        for (uint64_t i = 0; i < count; i++)
            for (uint64_t p = 0; p < pack; p++)
                if (index[i * pack + p] != SB_JDS_NO_COLUMN)
                    sum[i] += data[i * pack + p] * x[index[i * pack + p]];
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint32_t *order = inputs[SB_JDS_ORDER].data, *packs = inputs[SB_JDS_PACKS].data;
    uint64_t warp = parameters[SB_JDS_WARP], rows = outputs[SB_SPMV_Y].length;
    float *y = outputs[SB_SPMV_Y].data;

    (void)workspace;
    for (uint64_t first = 0, count; first < rows; first += count) {
        uint64_t left = warp - first % warp; /* of the warp */
        float sum[PLACES] = {0};

        count = left < PLACES ? left : PLACES;
        count = count < rows - first ? count : rows - first;
        multiply(parameters, inputs, first, count, packs[first / warp], sum);
        for (uint64_t i = 0; i < count; i++)
            y[order[first + i]] = sum[i];
    }
    return SB_OK;
}

extern const sb_variant sb_cpu_spmv_jds_columns[];
const sb_variant sb_cpu_spmv_jds_columns[] = {
    {"spmv.jds", "columns", "16 rows at a time, diagonal after diagonal", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
