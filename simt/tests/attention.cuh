// SPDX-License-Identifier: BSD-2-Clause
//
// What programs of attention share: sizes, the softmax of a row of scores, and the comparison with the truth.
#ifndef SIMT_TESTS_ATTENTION_CUH
#define SIMT_TESTS_ATTENTION_CUH

#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>

constexpr int WIDTH = 64, QUERIES = 64, KEYS = 16; // most columns of a head; queries of a block and keys of a tile

// Of scores: to powers of 2, over the root of the width.
__device__ inline float scale_of(int width)
{
    return 1.44269504f / sqrtf((float)width);
}

__device__ inline uint32_t two_halves(float low, float high)
{
    const half2 both = __floats2half2_rn(low, high);

    return (uint32_t)__half_as_ushort(both.y) << 16 | __half_as_ushort(both.x);
}

// Of one row of scores of 16 keys, which four lanes hold: the weights. `sum` and `shrink` are those of the row.
__device__ inline void softmax(float &s0, float &s1, float &s2, float &s3, float &max, float &sum, float &shrink)
{
    const float before = max;

    max = fmaxf(fmaxf(fmaxf(max, s0), fmaxf(s1, s2)), s3);
    max = fmaxf(max, __shfl_xor_sync(0xffffffff, max, 1));
    max = fmaxf(max, __shfl_xor_sync(0xffffffff, max, 2));
    shrink = exp2f(before - max);
    s0 = exp2f(s0 - max), s1 = exp2f(s1 - max), s2 = exp2f(s2 - max), s3 = exp2f(s3 - max);
    sum = sum * shrink + (s0 + s1 + s2 + s3);
}

// The end of a warp: two rows of y, `query` and the one 8 below, each held by four lanes. `sum`: of columns 8 apart 4 elements; `weights`: the
// lane's part of the sum of each row.
template <int SUMS>
__device__ void store_rows(half *y, const float (&sum)[SUMS], const float (&weights)[2], int query, int tokens,
                           int width)
{
    float all[2];

    for (int r = 0; r < 2; r++) {
        all[r] = weights[r] + __shfl_xor_sync(0xffffffff, weights[r], 1);
        all[r] += __shfl_xor_sync(0xffffffff, all[r], 2);
    }
    for (int i = 0; i < SUMS; i++) {
        const int row = query + i / 2 % 2 * 8, column = i / 4 * 8 + (int)threadIdx.x % 4 * 2 + i % 2;

        if (row < tokens && column < width)
            y[(size_t)row * width + column] = half(sum[i] / all[i / 2 % 2]);
    }
}

// Runs an attention, `run(q, k, v, y, heads, tokens, width, causal)` on arrays of the device, for numbers of tokens and columns that are no
// multiple of a tile, without and with a causal mask. The number of elements of y that are too far from the truth: no value is larger than 1,
// and a weight and an element of y are rounded to a half, by 2^-11 at most.
template <typename Run> int wrong_of(Run run)
{
    constexpr int TOKENS = 72, COLUMNS = 56, COUNT = TOKENS * COLUMNS; // two blocks of queries, 4.5 tiles of keys
    static half array[3][COUNT], y[COUNT];
    half *memory;
    int wrong = 0;

    for (int a = 0; a < 3; a++) // keys grow, so that the largest score of a query is not in the first tile
        for (int i = 0; i < COUNT; i++)
            array[a][i] =
                half((float)((i * (2 * a + 3) + i / COLUMNS * 5) % 17 - 8) / 8 * (a == 1 ? i / COLUMNS / 16 + 1 : 1));
    cudaMalloc(&memory, 4 * sizeof y);
    cudaMemcpy(memory, array, sizeof array, cudaMemcpyHostToDevice);
    for (int causal = 0; causal < 2; causal++) {
        run(memory, memory + COUNT, memory + 2 * COUNT, memory + 3 * COUNT, 1, TOKENS, COLUMNS, causal != 0);
        cudaMemcpy(y, memory + 3 * COUNT, sizeof y, cudaMemcpyDeviceToHost);
        for (int query = 0; query < TOKENS; query++) {
            double weight[TOKENS], sum = 0;
            const int seen = causal ? query + 1 : TOKENS;

            for (int key = 0; key < seen; key++) {
                double score = 0;

                for (int w = 0; w < COLUMNS; w++)
                    score += (double)(float)array[0][query * COLUMNS + w] * (float)array[1][key * COLUMNS + w];
                sum += weight[key] = exp(score / sqrt((double)COLUMNS));
            }
            for (int w = 0; w < COLUMNS; w++) {
                double expected = 0;

                for (int key = 0; key < seen; key++)
                    expected += weight[key] / sum * (float)array[2][key * COLUMNS + w];
                wrong += !(fabs((float)y[query * COLUMNS + w] - expected) <= 0x1p-9);
            }
        }
    }
    return wrong;
}

#endif
