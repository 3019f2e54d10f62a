// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Attention as T. Dao (2023) computes it, in the style of Ampere: cp.async in two stages, ldmatrix and mma.sync. y, q, k and v are arrays of
// heads x tokens x width halves, up to 64 and a multiple of 8. A block has 64 queries of a head, of which each warp has 16, and takes 16 keys at a time: scores are sums of f32,
// weights are rounded to halves, and what has been summed shrinks when a larger score comes (M. Milakov and N. Gimelshein 2018). While it
// computes with the keys of a tile, those of the next one are copied over the last ones, which all have read: a barrier stands between.
#include "attention.cuh"
#include "ptx.cuh"

#include <cstdio>

constexpr int STAGES = 2, THREADS = 128, PITCH = WIDTH + 8;

struct attention_tiles {
    half q[QUERIES * PITCH], k[STAGES][KEYS * PITCH], v[STAGES][KEYS * PITCH];
};

// `count` rows of a head from `first` on; what is past its end, or the width, becomes 0.
__device__ void copy_rows(half *at, const half *head, int count, int first, int tokens, int width)
{
    for (int i = (int)threadIdx.x; i < count * WIDTH / 8; i += THREADS) {
        const int row = first + i / 8, column = i % 8 * 8;
        const bool is_inside = row < tokens && column < width;

        copy16(at + i / 8 * PITCH + column, head + (is_inside ? row * width + column : 0), is_inside ? 16 : 0);
    }
}

__global__ void __launch_bounds__(THREADS)
    attention(const half *q, const half *k, const half *v, half *y, int tokens, int width, bool causal)
{
    __shared__ alignas(16) attention_tiles tiles;
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, first = (int)blockIdx.x * QUERIES;
    const int query = first + warp * 16 + lane / 4; // and 8 below
    const int last = causal && first + QUERIES < tokens ? first + QUERIES : tokens, steps = (last + KEYS - 1) / KEYS;
    const size_t head = (size_t)blockIdx.y * tokens * width;
    const float scale = scale_of(width);
    float sum[WIDTH / 2] = {}, max[2] = {-INFINITY, -INFINITY}, weights[2] = {};

    copy_rows(tiles.q, q + head, QUERIES, first, tokens, width);
    copy_rows(tiles.k[0], k + head, KEYS, 0, tokens, width);
    copy_rows(tiles.v[0], v + head, KEYS, 0, tokens, width);
    commit_copies();
    for (int t = 0; t < steps; t++) {
        const int stage = t % STAGES, next = (t + 1) % STAGES;
        float s[2][4] = {}, shrink[2];
        uint32_t left[4], right[4];

        wait_copies<0>();
        __syncthreads();
        if (t + 1 < steps) {
            copy_rows(tiles.k[next], k + head, KEYS, (t + 1) * KEYS, tokens, width);
            copy_rows(tiles.v[next], v + head, KEYS, (t + 1) * KEYS, tokens, width);
            commit_copies();
        }
        for (int w = 0; w < WIDTH; w += 16) {
            load_matrices(left, &tiles.q[(warp * 16 + lane % 16) * PITCH + w + lane / 16 * 8]);
            load_matrices(right, &tiles.k[stage][(lane % 8 + lane / 16 * 8) * PITCH + w + lane / 8 % 2 * 8]);
            multiply_warp(s[0], left, right[0], right[1]);
            multiply_warp(s[1], left, right[2], right[3]);
        }
        for (int i = 0; i < 8; i++) {
            const int key = t * KEYS + i / 4 * 8 + lane % 4 * 2 + i % 2,
                      seen = causal ? query + i / 2 % 2 * 8 + 1 : tokens;

            s[i / 4][i % 4] = key < seen && key < tokens ? s[i / 4][i % 4] * scale : -INFINITY;
        }
        for (int r = 0; r < 2; r++)
            softmax(s[0][2 * r], s[0][2 * r + 1], s[1][2 * r], s[1][2 * r + 1], max[r], weights[r], shrink[r]);
        for (int i = 0; i < 4; i++)
            left[i] = two_halves(s[i / 2][i % 2 * 2], s[i / 2][i % 2 * 2 + 1]);
        for (int w = 0; w < WIDTH; w += 16) {
            for (int i = 0; i < 8; i++)
                sum[w / 2 + i] *= shrink[i / 2 % 2];
            load_transposed(right, &tiles.v[stage][lane % 16 * PITCH + w + lane / 16 * 8]);
            multiply_warp(sum + w / 2, left, right[0], right[1]);
            multiply_warp(sum + w / 2 + 4, left, right[2], right[3]);
        }
    }
    store_rows(y + head, sum, weights, query, tokens, width);
}

static void run(const half *q, const half *k, const half *v, half *y, int heads, int tokens, int width, bool causal)
{
    attention<<<dim3((tokens + QUERIES - 1) / QUERIES, heads), THREADS>>>(q, k, v, y, tokens, width, causal);
}

int main()
{
    const int wrong = wrong_of(run);

    printf("%d wrong\n", wrong);
    return wrong != 0;
}
