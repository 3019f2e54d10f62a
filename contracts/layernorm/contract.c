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
        double mean = 0, variance = 0, largest = 0;

        for (uint64_t c = 0; c < columns; c++) {
            mean += x[c] / (double)columns;
            largest = fmax(largest, fabs(x[c]));
        }
        for (uint64_t c = 0; c < columns; c++)
            variance += (x[c] - mean) * (x[c] - mean) / (double)columns;
        double scale = 1 / sqrt(variance + 1e-5);
        for (uint64_t c = 0; c < columns; c++) {
            double standard = (x[c] - mean) * scale;

            view->outputs[0][r * columns + c] = standard * view->inputs[GAIN][c] + view->inputs[BIAS][c];
            /* The mean errs by a part of the largest element; the scale by that part and by as much for each deviation. */
            view->magnitudes[0][r * columns + c] =
                (1 + largest * scale) * (1 + fabs(standard)) * fabs(view->inputs[GAIN][c]) +
                fabs(view->inputs[BIAS][c]);
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
    /* Sums in f32, of 1/256 of a row by each thread, err by some tens of roundings of 6e-8. */
    SB_OUTPUTS({.name = "y",
                .type = SB_F32,
                .shape = "rows columns",
                .tolerance = {.judging = SB_SCALED, .relative = 4e-6, .absolute = 1e-37}}),
    .compute = layernorm,
})
