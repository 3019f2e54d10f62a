/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gemm.float and gemm.i8: c = a b of matrices by rows, m x k and k x n. gemm.float has elements of `type`, f32, f16 or bf16; the sums are
 * those of f32, in any order, and are rounded to the type at the end. gemm.i8 has sums of i32, which do not leave its range: k is at
 * most 2^16. Every input is valid.
 */
#include <math.h>
#include <samebits/contract.h>

enum { M, N, K, TYPE };

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
            if (view->magnitudes[0] != NULL)
                view->magnitudes[0][i * n + j] = magnitude;
        }
}

/* 2 ns for each product. */
static double cost(const sb_case *c)
{
    return 1000 + 2.0 * (double)c->parameters[M] * (double)c->parameters[N] * (double)c->parameters[K];
}

#define EXTENTS(most)                                                                                                  \
    [M] = {.name = "m", .dimension = true, .typical = 1024}, [N] = {.name = "n", .dimension = true, .typical = 1024},  \
    [K] = {.name = "k", .dimension = true, .typical = 1024, .max = most}
#define INPUTS(type_)                                                                                                  \
    SB_INPUTS({.name = "a", .type = type_, .shape = "m k"}, {.name = "b", .type = type_, .shape = "k n"})

SB_CONTRACTS({.name = "gemm.float",
              .summary = "the product of two matrices of floats, with sums of f32",
              SB_PARAMETERS(EXTENTS(0), [TYPE] = {.name = "type", SB_TYPES(1 << SB_F32 | 1 << SB_F16 | 1 << SB_BF16)}),
              INPUTS(SB_TYPE_PARAMETER),
              SB_OUTPUTS({.name = "c",
                          .type = SB_TYPE_PARAMETER,
                          .shape = "m n",
                          .tolerance = {.judging = SB_GAMMA, .terms = "k", .arithmetic = SB_F32}}),
              .compute = gemm,
              .reads_all = true,
              .cost = cost},
             {.name = "gemm.i8",
              .summary = "the product of two matrices of i8, with sums of i32",
              SB_PARAMETERS(EXTENTS(65536)),
              INPUTS(SB_I8),
              SB_OUTPUTS({.name = "c", .type = SB_I32, .shape = "m n"}),
              .compute = gemm,
              .reads_all = true,
              .cost = cost})
