/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attention.heads: for each head and each query, the values of the keys, weighted by exp(q k / sqrt(width)) over the sum of all such
 * weights (A. Vaswani and others 2017). With causal=yes query t sees the keys 0 to t, so a token sees none behind it. Finite inputs. Up to 1,024
 * tokens: more would take the square of the time and have nothing new. attention.half is the same of halves, for tensor cores: sums are those
 * of f32, weights may be rounded to halves.
 */
#include <math.h>
#include <samebits/contract.h>
#include <stdlib.h>

enum { HEADS, TOKENS, WIDTH, CAUSAL };
enum { Q, K, V };

#define ROUNDING 1.8e-7 /* twice 2^-24, the rounding of f32, and a half for the second order */

/* One query: its output and magnitudes. `weights` has an element for each key. `rounding` is that of a weight and of an element, or 0. */
static void attend(const sb_view *view, uint64_t head, uint64_t query, double rounding, double *weights)
{
    uint64_t tokens = view->parameters[TOKENS], width = view->parameters[WIDTH], first = head * tokens;
    uint64_t seen = view->parameters[CAUSAL] ? query + 1 : tokens;
    double *y = view->outputs[0] + (first + query) * width, *magnitude = view->magnitudes[0] + (first + query) * width;
    double max = -INFINITY, sum = 0, largest = 0;

    for (uint64_t k = 0; k < seen; k++) {
        double score = 0, terms = 0;

        for (uint64_t w = 0; w < width; w++) {
            double product = view->inputs[Q][(first + query) * width + w] * view->inputs[K][(first + k) * width + w];

            score += product;
            terms += fabs(product);
        }
        weights[k] = score / sqrt((double)width);
        max = fmax(max, weights[k]);
        largest = fmax(largest, terms / sqrt((double)width));
    }
    for (uint64_t k = 0; k < seen; k++)
        sum += weights[k] = exp(weights[k] - max);
    for (uint64_t w = 0; w < width; w++) {
        double most = 0;

        y[w] = 0;
        for (uint64_t k = 0; k < seen; k++) {
            double v = view->inputs[V][(first + k) * width + w];

            y[w] += weights[k] / sum * v;
            most = fmax(most, fabs(v));
        }
        /* Roundings: two for each key, of the sum of weights and of that of values; and as many for a score as it has products, each
         * of a part of these, which is a relative error of its weight. */
        magnitude[w] = ((double)seen + 4 + (double)(width + 4) * largest + rounding / ROUNDING) * most;
    }
}

static void attention_of(const sb_view *view, double rounding)
{
    double *weights = malloc((view->parameters[TOKENS] + 1) * sizeof *weights);

    for (uint64_t head = 0; weights != NULL && head < view->parameters[HEADS]; head++)
        for (uint64_t query = 0; query < view->parameters[TOKENS]; query++)
            attend(view, head, query, rounding, weights);
    free(weights);
}

static void attention(const sb_view *view)
{
    attention_of(view, 0);
}

/* A weight and an element are each rounded by 2^-11; a weight below 2^-14 by 2^-25, and there are at most 1,024. */
static void attention_half(const sb_view *view)
{
    attention_of(view, 0x2p-11 + 1024 * 0x1p-25);
}

/* 3 ns for each product. */
static double cost(const sb_case *c)
{
    return 1000 + 6.0 * (double)c->parameters[HEADS] * (double)c->parameters[TOKENS] * (double)c->parameters[TOKENS] *
                      (double)(c->parameters[WIDTH] + 4);
}

#define PARAMETERS(...)                                                                                                \
    SB_PARAMETERS([HEADS] = {.name = "heads", .dimension = true, .typical = 8},                                        \
                  [TOKENS] =                                                                                           \
                      {.name = "tokens", .dimension = true, .typical = 512, SB_VALUES(31, 33, 64, 100), .max = 1024},  \
                  [WIDTH] = {.name = "width", .dimension = true, .typical = 64, SB_VALUES(__VA_ARGS__), .max = 128},   \
                  [CAUSAL] = {.name = "causal", .words = (const char *const[]){"no", "yes", NULL}})
#define INPUTS(type_, alignment_)                                                                                      \
    SB_INPUTS([Q] = {.name = "q", .type = type_, .shape = "heads tokens width", .alignment = alignment_},              \
              [K] = {.name = "k", .type = type_, .shape = "heads tokens width", .alignment = alignment_},              \
              [V] = {.name = "v", .type = type_, .shape = "heads tokens width", .alignment = alignment_})
#define GENERATORS                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        "exact", "normal", "uniform", "equal", "ramp", "outlier", "powers", "cancelling", "zeros", NULL                \
    }

SB_CONTRACTS({.name = "attention.heads",
              .summary = "values weighted by the softmax of scaled products of queries and keys",
              PARAMETERS(1, 3, 64),
              INPUTS(SB_F32, 0),
              SB_OUTPUTS({.name = "y",
                          .type = SB_F32,
                          .shape = "heads tokens width",
                          .tolerance = {.judging = SB_SCALED, .relative = ROUNDING, .absolute = 1e-37}}),
              .compute = attention,
              .cost = cost,
              .generators = GENERATORS},
             {.name = "attention.half",
              .summary = "the same of halves, with sums of f32",
              PARAMETERS(32, 64, 128),
              INPUTS(SB_F16, 16), /* that of an asynchronous copy */
              SB_OUTPUTS({.name = "y",
                          .type = SB_F16,
                          .shape = "heads tokens width",
                          .tolerance = {.judging = SB_SCALED, .relative = ROUNDING, .absolute = 6e-8}}), /* 2^-24 */
              .compute = attention_half,
              .cost = cost,
              .generators = GENERATORS})
