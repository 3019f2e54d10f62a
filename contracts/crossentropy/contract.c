/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crossentropy.rows: for each row the logarithm of the sum of exp(x), less the x of the row's label. Every input is valid; a row with an
 * infinity or a NaN gives what these operations give in IEEE 754, after the largest element has been taken off.
 */
#include <math.h>
#include <samebits/contract.h>

enum { ROWS, CLASSES };
enum { X, LABEL };

static void crossentropy(const sb_view *view)
{
    uint64_t rows = view->parameters[ROWS], classes = view->parameters[CLASSES];

    for (uint64_t r = 0; r < rows; r++) {
        const double *x = view->inputs[X] + r * classes;
        double max = -INFINITY, sum = 0, chosen = x[(uint64_t)view->inputs[LABEL][r]];

        for (uint64_t c = 0; c < classes; c++)
            max = fmax(max, x[c]);
        for (uint64_t c = 0; c < classes; c++)
            sum += exp(x[c] - max);
        view->outputs[0][r] = log(sum) - (chosen - max);
        view->magnitudes[0][r] = 1 + log(sum) + fabs(max) + fabs(chosen);
    }
}

SB_CONTRACTS({
    .name = "crossentropy.rows",
    .summary = "the loss of a classifier: the logarithm of the sum of exponentials, less the chosen one",
    SB_PARAMETERS([ROWS] = {.name = "rows", .dimension = true, .typical = 4096}, [CLASSES] = {.name = "classes",
                                                                                              .dimension = true,
                                                                                              .typical = 8192,
                                                                                              SB_VALUES(255, 256, 257),
                                                                                              .min = 1}),
    SB_INPUTS([X] = {.name = "x", .type = SB_F32, .shape = "rows classes"}, [LABEL] = {.name = "label",
                                                                                       .type = SB_U32,
                                                                                       .shape = "rows",
                                                                                       .below = "classes"}),
    /* The differences are rounded to f32, and so err by a part of the numbers; sum and logarithm by some roundings of 6e-8. */
    SB_OUTPUTS(
        {.name = "loss", .type = SB_F32, .shape = "rows", .tolerance = {.judging = SB_SCALED, .relative = 2e-6}}),
    .compute = crossentropy,
})
