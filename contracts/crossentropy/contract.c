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
        double max = -INFINITY, sum = 0, moments = 0, chosen = x[(uint64_t)view->inputs[LABEL][r]];

        for (uint64_t c = 0; c < classes; c++)
            max = fmax(max, x[c]);
        for (uint64_t c = 0; c < classes; c++)
            sum += exp(x[c] - max);
        for (uint64_t c = 0; c < classes; c++)
            if (exp(x[c] - max) > 0)
                moments += exp(x[c] - max) / sum * (max - x[c]);
        view->outputs[0][r] = log(sum) - (chosen - max);
        /* In roundings of 2^-24: the sum errs by these of the additions, and each exponential by 2 and by the rounding of its argument;
         * the logarithm by as much in all. Then the logarithm, the difference and the result are rounded. */
        view->magnitudes[0][r] = 14 + sqrt((double)classes) / 2 + moments + 2 * log(sum) + 2 * fabs(chosen - max);
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
    /* A sum of n numbers in f32 errs by up to n roundings, and most likely by less than their root (N. J. Higham, T. Mary 2019), for
     * threads and trees by less; half of the root and 12 for the tree are allowed here. */
    SB_OUTPUTS(
        {.name = "loss", .type = SB_F32, .shape = "rows", .tolerance = {.judging = SB_SCALED, .relative = 0x1p-24}}),
    .compute = crossentropy,
    .reads_all = true,
})
