/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The arithmetic of whole kernels of simt/tests as plain loops in C, without OpenMP: what a user would write instead. Values of halves are
 * floats here, since processors have no halves. Matrices are by rows, but b of `loop_gemm_columns`, which is by columns.
 */
#ifndef LOOPS_H
#define LOOPS_H

#ifdef __cplusplus
extern "C" {
#endif

void loop_gemm(const float *a, const float *b, float *c, int m, int n, int k);
void loop_gemm_columns(const float *a, const float *b, float *c, int m, int n, int k);

/* q, k, v, y: heads x tokens x width */
void loop_attention(const float *q, const float *k, const float *v, float *y, int heads, int tokens, int width);

/* x, w, y: images x height x width x channels, filters x down x across x channels, images x height x width x filters */
void loop_conv2d(const float *x, const float *w, float *y, int images, int filters, int channels, int height, int width,
                 int down, int across);

/* The sum of each group, `copies` times. */
void loop_sums(const float *from, float *to, int groups, int group, int copies);

#ifdef __cplusplus
}
#endif

#endif
