/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transpose.matrix: y[column][row] = x[row][column]. Rows of x begin x_step elements apart, rows of y y_step, as those of a pitched
 * allocation or of a part of a matrix; what lies between is not used, and not changed. Every input is valid, and the bytes are equal.
 */
#include <samebits/contract.h>

enum { ROWS, COLUMNS, X_STEP, Y_STEP };

static void transpose(const sb_view *view)
{
    uint64_t rows = view->parameters[ROWS], columns = view->parameters[COLUMNS];

    for (uint64_t r = 0; r < rows; r++)
        for (uint64_t c = 0; c < columns; c++)
            view->outputs[0][c * rows + r] = view->inputs[0][r * columns + c];
}

SB_CONTRACTS({
    .name = "transpose.matrix",
    .summary = "rows become columns",
    SB_PARAMETERS([ROWS] = {.name = "rows", .dimension = true, .typical = 4096, SB_VALUES(31, 32, 33)},
                  [COLUMNS] = {.name = "columns", .dimension = true, .typical = 4096, SB_VALUES(31, 32, 33)},
                  [X_STEP] = {.name = "x_step"}, [Y_STEP] = {.name = "y_step"}),
    SB_INPUTS({.name = "x", .type = SB_U32, .shape = "rows columns", .leading = "x_step"}),
    SB_OUTPUTS({.name = "y", .type = SB_U32, .shape = "columns rows", .leading = "y_step"}),
    .reads_all = true,
    .compute = transpose,
})
