/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stencil.five: half of each element of a grid plus an eighth of each of its four neighbours; outside of the grid is 0. A step of the heat
 * equation. Every input is valid.
 */
#include <math.h>
#include <samebits/contract.h>

enum { ROWS, COLUMNS };

static double at(const sb_view *view, uint64_t r, uint64_t c)
{
    uint64_t rows = view->parameters[ROWS], columns = view->parameters[COLUMNS];

    return r < rows && c < columns ? view->inputs[0][r * columns + c] : 0; /* -1 is past the end, too */
}

static void stencil(const sb_view *view)
{
    uint64_t rows = view->parameters[ROWS], columns = view->parameters[COLUMNS];

    for (uint64_t r = 0; r < rows; r++)
        for (uint64_t c = 0; c < columns; c++) {
            const double part[5] = {at(view, r, c) / 2, at(view, r - 1, c) / 8, at(view, r + 1, c) / 8,
                                    at(view, r, c - 1) / 8, at(view, r, c + 1) / 8};
            double sum = 0, magnitude = 0;

            for (int i = 0; i < 5; i++) {
                sum += part[i];
                magnitude += fabs(part[i]);
            }
            view->outputs[0][r * columns + c] = sum;
            view->magnitudes[0][r * columns + c] = magnitude;
        }
}

SB_CONTRACTS({
    .name = "stencil.five",
    .summary = "half of each element and an eighth of each neighbour",
    SB_PARAMETERS([ROWS] = {.name = "rows", .dimension = true, .typical = 4096, SB_VALUES(15, 16, 17)},
                  [COLUMNS] = {.name = "columns", .dimension = true, .typical = 4096, SB_VALUES(15, 16, 17)}),
    SB_INPUTS({.name = "x", .type = SB_F32, .shape = "rows columns"}),
    SB_OUTPUTS({.name = "y",
                .type = SB_F32,
                .shape = "rows columns",
                .tolerance = {.judging = SB_GAMMA, .terms = "5", .arithmetic = SB_F32}}),
    .compute = stencil,
    .reads_all = true,
})
