/* SPDX-License-Identifier: BSD-2-Clause
 *
 * softmax.rows: each row of a matrix becomes exp(x - m) over the sum of all such numbers of its row, where m is the largest element of
 * the row. Every input is valid; a row with an infinity or a NaN gives what these operations give in IEEE 754.
 */
#include <math.h>
#include <samebits/contract.h>

enum { ROWS, COLUMNS };

static void softmax(const sb_view *view)
{
    uint64_t rows = view->parameters[ROWS], columns = view->parameters[COLUMNS];

    for (uint64_t r = 0; r < rows; r++) {
        const double *x = view->inputs[0] + r * columns;
        double *y = view->outputs[0] + r * columns, max = -INFINITY, sum = 0;

        for (uint64_t c = 0; c < columns; c++)
            max = fmax(max, x[c]);
        for (uint64_t c = 0; c < columns; c++)
            sum += y[c] = exp(x[c] - max);
        for (uint64_t c = 0; c < columns; c++)
            y[c] /= sum;
    }
}

SB_CONTRACTS({
    .name = "softmax.rows",
    .summary = "exponentials of each row, divided by their sum",
    SB_PARAMETERS([ROWS] = {.name = "rows", .dimension = true, .typical = 4096}, [COLUMNS] = {.name = "columns",
                                                                                              .dimension = true,
                                                                                              .typical = 4096,
                                                                                              SB_VALUES(1023, 1024,
                                                                                                        1025)}),
    SB_INPUTS({.name = "x", .type = SB_F32, .shape = "rows columns"}),
    /* x - m is rounded to f32: by up to 2^-18 where its exponential is not yet 0, and the exponential errs by that part of it, 4e-6.
     * The exponential function and the sum, added by many threads, err by a few units of 6e-8 more. Below 1e-37 are denormals. */
    SB_OUTPUTS({.name = "y",
                .type = SB_F32,
                .shape = "rows columns",
                .tolerance = {.judging = SB_RELATIVE, .relative = 1e-5, .absolute = 1e-37}}),
    .compute = softmax,
    .reads_all = true,
})
