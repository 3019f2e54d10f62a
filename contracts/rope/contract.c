/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rope.pairs: rotary positions (J. Su and others 2021). The pair p of token t is turned by the angle position[t] * 10000^(-p / pairs):
 * (a, b) becomes (a cos - b sin, a sin + b cos). Every input is valid.
 */
#include <math.h>
#include <samebits/contract.h>

enum { TOKENS, PAIRS, LIMIT };
enum { X, POSITION };

static void rope(const sb_view *view)
{
    uint64_t tokens = view->parameters[TOKENS], pairs = view->parameters[PAIRS];

    for (uint64_t t = 0; t < tokens; t++)
        for (uint64_t p = 0; p < pairs; p++) {
            double angle = view->inputs[POSITION][t] * pow(10000, -(double)p / (double)pairs);
            const double *x = view->inputs[X] + (t * pairs + p) * 2;
            double *y = view->outputs[0] + (t * pairs + p) * 2, *magnitude = view->magnitudes[0] + (t * pairs + p) * 2;

            y[0] = x[0] * cos(angle) - x[1] * sin(angle);
            y[1] = x[0] * sin(angle) + x[1] * cos(angle);
            /* The angle in f32 errs by a part of itself. */
            magnitude[0] = magnitude[1] = (fabs(x[0]) + fabs(x[1])) * (1 + angle);
        }
}

SB_CONTRACTS({
    .name = "rope.pairs",
    .summary = "pairs of numbers, turned by angles that grow with the position",
    SB_PARAMETERS([TOKENS] = {.name = "tokens", .dimension = true, .typical = 4096},
                  [PAIRS] = {.name = "pairs", .dimension = true, .typical = 64, SB_VALUES(32, 64)},
                  [LIMIT] =
                      {.name = "limit", .dimension = true, .typical = 4096, SB_VALUES(4096), .min = 1, .max = 65536}),
    SB_INPUTS([X] = {.name = "x", .type = SB_F32, .shape = "tokens pairs 2"}, [POSITION] = {.name = "position",
                                                                                            .type = SB_U32,
                                                                                            .shape = "tokens",
                                                                                            .below = "limit"}),
    SB_OUTPUTS({.name = "y",
                .type = SB_F32,
                .shape = "tokens pairs 2",
                /* Some roundings of 6e-8: of the power, of the angle, of the functions and of the products. */
                .tolerance = {.judging = SB_SCALED, .relative = 1e-6, .absolute = 1e-37}}),
    .compute = rope,
    .reads_all = true,
})
