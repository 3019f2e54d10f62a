/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transpose.matrix: y[column][row] = x[row][column]. Every input is valid, and the bytes are equal.
 */
#include <samebits/contract.h>

enum { ROWS, COLUMNS };

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
                  [COLUMNS] = {.name = "columns", .dimension = true, .typical = 4096, SB_VALUES(31, 32, 33)}),
    SB_INPUTS({.name = "x", .type = SB_U32, .shape = "rows columns"}),
    SB_OUTPUTS({.name = "y", .type = SB_U32, .shape = "columns rows"}),
    .compute = transpose,
})
