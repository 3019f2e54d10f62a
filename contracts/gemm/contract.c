/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gemm.f16: c = a b of matrices by rows, m x k and k x columns, in half precision. The sums are those of f32, in any order, and are rounded
 * to half precision at the end. Every input is valid.
 */
#include <math.h>
#include <samebits/contract.h>

enum { M, N, K };

static void gemm(const sb_view *view)
{
    uint64_t m = view->parameters[M], n = view->parameters[N], k = view->parameters[K];

    for (uint64_t i = 0; i < m; i++)
        for (uint64_t j = 0; j < n; j++) {
            double sum = 0, magnitude = 0;

            for (uint64_t p = 0; p < k; p++) {
                double product = view->inputs[0][i * k + p] * view->inputs[1][p * n + j];

                sum += product;
                magnitude += fabs(product);
            }
            view->outputs[0][i * n + j] = sum;
            view->magnitudes[0][i * n + j] = magnitude;
        }
}

/* 2 ns for each product. */
static double cost(const sb_case *c)
{
    return 1000 + 2.0 * (double)c->parameters[M] * (double)c->parameters[N] * (double)c->parameters[K];
}

SB_CONTRACTS({
    .name = "gemm.f16",
    .summary = "the product of two matrices of f16, with sums of f32",
    SB_PARAMETERS([M] = {.name = "m", .dimension = true, .typical = 1024},
                  [N] = {.name = "columns", .dimension = true, .typical = 1024},
                  [K] = {.name = "k", .dimension = true, .typical = 1024}),
    SB_INPUTS({.name = "a", .type = SB_F16, .shape = "m k"}, {.name = "b", .type = SB_F16, .shape = "k columns"}),
    SB_OUTPUTS({.name = "c",
                .type = SB_F16,
                .shape = "m columns",
                .tolerance = {.judging = SB_GAMMA, .terms = "k", .arithmetic = SB_F32}}),
    .compute = gemm,
    .cost = cost,
})
