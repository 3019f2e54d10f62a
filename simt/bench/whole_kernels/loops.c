/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contract in loops.h. The order of loops is that in which memory is read by rows.
 */
#include "loops.h"

#include <math.h>
#include <string.h>

enum { MAX_TOKENS = 4096 };

void loop_gemm(const float *a, const float *b, float *c, int m, int n, int k)
{
    memset(c, 0, sizeof *c * (size_t)m * (size_t)n);
    for (int i = 0; i < m; i++)
        for (int p = 0; p < k; p++)
            for (int j = 0; j < n; j++)
                c[i * n + j] += a[i * k + p] * b[p * n + j];
}

void loop_gemm_columns(const float *a, const float *b, float *c, int m, int n, int k)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;

            for (int p = 0; p < k; p++)
                sum += a[i * k + p] * b[j * k + p];
            c[i * n + j] = sum;
        }
}

static void attend(const float *query, const float *k, const float *v, float *y, int tokens, int width)
{
    static float weight[MAX_TOKENS];
    float max = -INFINITY, sum = 0;

    for (int t = 0; t < tokens; t++) {
        float score = 0;

        for (int i = 0; i < width; i++)
            score += query[i] * k[t * width + i];
        weight[t] = score / sqrtf((float)width);
        max = fmaxf(max, weight[t]);
    }
    memset(y, 0, sizeof *y * (size_t)width);
    for (int t = 0; t < tokens; t++) {
        const float w = expf(weight[t] - max);

        sum += w;
        for (int i = 0; i < width; i++)
            y[i] += w * v[t * width + i];
    }
    for (int i = 0; i < width; i++)
        y[i] /= sum;
}

void loop_attention(const float *q, const float *k, const float *v, float *y, int heads, int tokens, int width)
{
    for (int h = 0; h < heads; h++)
        for (int t = 0; t < tokens; t++) {
            const size_t head = (size_t)h * (size_t)tokens * (size_t)width, row = head + (size_t)t * (size_t)width;

            attend(q + row, k + head, v + head, y + row, tokens, width);
        }
}

void loop_conv2d(const float *x, const float *w, float *y, int images, int filters, int channels, int height, int width,
                 int down, int across)
{
    for (int at = 0; at < images * height * width * filters; at++) {
        const int f = at % filters, j = at / filters % width, i = at / filters / width % height;
        const int image = at / filters / width / height;
        float sum = 0;

        for (int u = 0; u < down; u++)
            for (int s = 0; s < across; s++) {
                const int row = i + u - down / 2, column = j + s - across / 2;

                if (row >= 0 && row < height && column >= 0 && column < width)
                    for (int c = 0; c < channels; c++)
                        sum += x[((image * height + row) * width + column) * channels + c] *
                               w[((f * down + u) * across + s) * channels + c];
            }
        y[at] = sum;
    }
}

void loop_sums(const float *from, float *to, int groups, int group, int copies)
{
    for (int g = 0; g < groups; g++) {
        float sum = 0;

        for (int i = 0; i < group; i++)
            sum += from[g * group + i];
        for (int i = 0; i < copies; i++)
            to[g * copies + i] = sum;
    }
}
