/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rmsnorm.rows: each row of a matrix over the square root of the mean of its squares plus 1e-5, times the gain of the column (B. Zhang,
 * R. Sennrich 2019). Every input is valid; an infinity in a row gives 0 for the others of the row and NaN for itself.
 */
#include <math.h>
#include <samebits/contract.h>

enum { ROWS, COLUMNS };
enum { X, GAIN };

static void rmsnorm(const sb_view *view)
{
    uint64_t rows = view->parameters[ROWS], columns = view->parameters[COLUMNS];

    for (uint64_t r = 0; r < rows; r++) {
        const double *x = view->inputs[X] + r * columns;
        double square = 0, sums = 12 + sqrt((double)columns) / 2;

        for (uint64_t c = 0; c < columns; c++)
            square += x[c] * x[c];
        double scale = 1 / sqrt(square / (double)columns + 1e-5);
        for (uint64_t c = 0; c < columns; c++) {
            double y = x[c] * scale * view->inputs[GAIN][c];

            view->outputs[0][r * columns + c] = y;
            /* In roundings of 2^-24: the root errs by half of what the sum does, the rest by a few. */
            view->magnitudes[0][r * columns + c] = (sums / 2 + 6) * fabs(y);
        }
    }
}

SB_CONTRACTS({
    .name = "rmsnorm.rows",
    .summary = "rows whose mean square is 1, times a gain",
    SB_PARAMETERS([ROWS] = {.name = "rows", .dimension = true, .typical = 4096}, [COLUMNS] = {.name = "columns",
                                                                                              .dimension = true,
                                                                                              .typical = 1024,
                                                                                              SB_VALUES(255, 256, 257,
                                                                                                        768)}),
    SB_INPUTS([X] = {.name = "x", .type = SB_F32, .shape = "rows columns"}, [GAIN] = {.name = "gain",
                                                                                      .type = SB_F32,
                                                                                      .shape = "columns"}),
    /* Squares do not cancel. A sum of n numbers in f32 errs by up to n roundings, and most likely by less than their root (N. J. Higham,
     * T. Mary 2019), for threads and trees by less; half of the root and 12 for the tree are allowed here. Below 1e-37 are denormals. */
    SB_OUTPUTS({.name = "y",
                .type = SB_F32,
                .shape = "rows columns",
                .tolerance = {.judging = SB_SCALED, .relative = 0x1p-24, .absolute = 1e-37}}),
    .compute = rmsnorm,
    .reads_all = true,
})
