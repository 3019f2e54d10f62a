/* SPDX-License-Identifier: BSD-2-Clause
 *
 * layernorm.rows: each row of a matrix less its mean, over the square root of its variance plus 1e-5, times the gain of the column, plus
 * the bias of the column (J. L. Ba, J. R. Kiros, G. E. Hinton 2016). The variance is that of all elements of the row. Every input is
 * valid; a row with an infinity or a NaN gives NaN.
 */
#include <math.h>
#include <samebits/contract.h>

enum { ROWS, COLUMNS };
enum { X, GAIN, BIAS };

static void layernorm(const sb_view *view)
{
    uint64_t rows = view->parameters[ROWS], columns = view->parameters[COLUMNS];

    for (uint64_t r = 0; r < rows; r++) {
        const double *x = view->inputs[X] + r * columns;
        double mean = 0, variance = 0, size = 0, sums = 12 + sqrt((double)columns) / 2;

        for (uint64_t c = 0; c < columns; c++) {
            mean += x[c] / (double)columns;
            size += fabs(x[c]) / (double)columns;
        }
        for (uint64_t c = 0; c < columns; c++)
            variance += (x[c] - mean) * (x[c] - mean) / (double)columns;
        double scale = 1 / sqrt(variance + 1e-5);
        for (uint64_t c = 0; c < columns; c++) {
            double standard = (x[c] - mean) * scale, shift = sums * size * scale;

            view->outputs[0][r * columns + c] = standard * view->inputs[GAIN][c] + view->inputs[BIAS][c];
            /* In roundings of 2^-24: a sum errs by `sums`, the mean by so many of the mean size. In units of the deviation that is
             * `shift`. The variance errs by `sums`, and by the square of the shift; its root by half of both; the rest by a few. */
            view->magnitudes[0][r * columns + c] =
                (shift + fabs(standard) * (sums / 2 + 6 + ldexp(shift * shift, -25))) * fabs(view->inputs[GAIN][c]) +
                2 * fabs(view->inputs[BIAS][c]);
        }
    }
}

SB_CONTRACTS({
    .name = "layernorm.rows",
    .summary = "rows with mean 0 and variance 1, times a gain and plus a bias",
    SB_PARAMETERS([ROWS] = {.name = "rows", .dimension = true, .typical = 4096}, [COLUMNS] = {.name = "columns",
                                                                                              .dimension = true,
                                                                                              .typical = 1024,
                                                                                              SB_VALUES(255, 256, 257,
                                                                                                        768)}),
    SB_INPUTS([X] = {.name = "x", .type = SB_F32, .shape = "rows columns"},
              [GAIN] = {.name = "gain", .type = SB_F32, .shape = "columns"},
              [BIAS] = {.name = "bias", .type = SB_F32, .shape = "columns"}),
    /* A sum of n numbers in f32 errs by up to n roundings, and most likely by less than their root (N. J. Higham, T. Mary 2019), for
     * threads and trees by less; half of the root and 12 for the tree are allowed here. */
    SB_OUTPUTS({.name = "y",
                .type = SB_F32,
                .shape = "rows columns",
                .tolerance = {.judging = SB_SCALED, .relative = 0x1p-24, .absolute = 1e-37}}),
    .compute = layernorm,
    .reads_all = true,
})
