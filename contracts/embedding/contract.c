/* SPDX-License-Identifier: BSD-2-Clause
 *
 * embedding.gather: row i of y is the row index[i] of a table. embedding.scatter: row w of the table is the sum of the rows i of x for which
 * index[i] is w, added in any order in f32. Every input is valid.
 */
#include <math.h>
#include <samebits/contract.h>

enum { WORDS, WIDTH, COUNT };

static void gather(const sb_view *view)
{
    uint64_t width = view->parameters[WIDTH];

    for (uint64_t i = 0; i < view->parameters[COUNT]; i++)
        for (uint64_t w = 0; w < width; w++)
            view->outputs[0][i * width + w] = view->inputs[0][(uint64_t)view->inputs[1][i] * width + w];
}

static void scatter(const sb_view *view)
{
    uint64_t width = view->parameters[WIDTH];

    for (uint64_t i = 0; i < view->parameters[WORDS] * width; i++)
        view->outputs[0][i] = view->magnitudes[0][i] = 0;
    for (uint64_t i = 0; i < view->parameters[COUNT]; i++)
        for (uint64_t w = 0; w < width; w++) {
            uint64_t at = (uint64_t)view->inputs[1][i] * width + w;

            view->outputs[0][at] += view->inputs[0][i * width + w];
            view->magnitudes[0][at] += fabs(view->inputs[0][i * width + w]);
        }
}

#define DIMENSIONS                                                                                                     \
    SB_PARAMETERS([WORDS] = {.name = "words", .dimension = true, .typical = 32768, .min = 1},                          \
                  [WIDTH] = {.name = "width", .dimension = true, .typical = 256, SB_VALUES(1, 64)},                    \
                  [COUNT] = {.name = "count", .dimension = true, .typical = 4096})

SB_CONTRACTS({.name = "embedding.gather",
              .summary = "rows of a table by their indices",
              DIMENSIONS,
              SB_INPUTS({.name = "table", .type = SB_F32, .shape = "words width"},
                        {.name = "index", .type = SB_U32, .shape = "count", .below = "words"}),
              SB_OUTPUTS({.name = "y", .type = SB_F32, .shape = "count width"}),
              .compute = gather},
             {.name = "embedding.scatter",
              .summary = "rows are added to those rows of a table that their indices name",
              DIMENSIONS,
              SB_INPUTS({.name = "x", .type = SB_F32, .shape = "count width"},
                        {.name = "index", .type = SB_U32, .shape = "count", .below = "words"}),
              SB_OUTPUTS({.name = "table",
                          .type = SB_F32,
                          .shape = "words width",
                          .tolerance = {.judging = SB_GAMMA, .terms = "count", .arithmetic = SB_F32}}),
              /* Not denormals, which the atomic addition of f32 in global memory of a GPU takes for 0. */
              .generators = (const char *const[]){"exact", "normal", "uniform", "equal", "ramp", "outlier", "powers",
                                                  "log-uniform", "cancelling", "zeros", "infinities", "nans", NULL},
              .compute = scatter,
              .reads_all = true})
