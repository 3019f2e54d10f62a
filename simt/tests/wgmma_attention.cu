// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Attention as J. Shah and others (2024) compute it, in the style of Hopper: one warp loads keys and values by tensor copies into two stages,
// four others multiply by wgmma, and barriers in memory stand between the two. y, q, k and v are arrays of heads x tokens x width halves, up to 64 and a multiple of 8. A
// block has 64 queries of a head, of which each warp has 16, and takes 16 keys at a time; mma_attention.cu has the rest of the method. The values
// of a tile are multiplied while the scores of the next one are: a stage is free when both products that read it have ended.
#include "attention.cuh"
#include "ptx.cuh"

#include <cstdio>

constexpr int STAGES = 2, CONSUMERS = 128; // 64 halves are the span of 128 bytes
constexpr uint32_t BYTES_Q = QUERIES * WIDTH * sizeof(half), BYTES = KEYS * WIDTH * sizeof(half); // of a tile

struct attention_tiles {
    alignas(1024) half q[QUERIES * WIDTH], k[STAGES][KEYS * WIDTH], v[STAGES][KEYS * WIDTH];
};

__device__ void scores(float (&s)[8], const attention_tiles &tiles, int stage)
{
    for (int w = 0; w < WIDTH; w += 16)
        product(s, descriptor(tiles.q + w, 16, 1024, 1), descriptor(tiles.k[stage] + w, 16, 1024, 1), w > 0);
}

__global__ void __launch_bounds__(CONSUMERS + 32)
    attention(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
              const __grid_constant__ CUtensorMap v, half *y, int tokens, int width, bool causal)
{
    __shared__ attention_tiles tiles;
    __shared__ uint64_t full_q, full_k[STAGES], full_v[STAGES], empty_k[STAGES], empty_v[STAGES];
    const int thread = (int)threadIdx.x, lane = thread % 32, first = (int)blockIdx.x * QUERIES;
    const int query = first + thread / 32 * 16 + lane / 4; // and 8 below
    const int last = causal && first + QUERIES < tokens ? first + QUERIES : tokens, steps = (last + KEYS - 1) / KEYS;
    const float scale = scale_of(width);
    float sum[WIDTH / 2] = {}, max[2] = {-INFINITY, -INFINITY}, weights[2] = {};

    if (thread == 0) {
        init(&full_q, 1);
        for (int s = 0; s < STAGES; s++) {
            init(&full_k[s], 1);
            init(&full_v[s], 1);
            init(&empty_k[s], CONSUMERS);
            init(&empty_v[s], CONSUMERS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads();
    if (thread >= CONSUMERS) {
        if (lane == 0) {
            announce(&full_q, BYTES_Q);
            load_tile(tiles.q, &q, 0, first, (int)blockIdx.y, &full_q);
        }
        for (int t = 0; lane == 0 && t < steps; t++) {
            const int stage = t % STAGES;

            wait(&empty_k[stage], (t / STAGES + 1) % 2);
            announce(&full_k[stage], BYTES);
            load_tile(tiles.k[stage], &k, 0, t * KEYS, (int)blockIdx.y, &full_k[stage]);
            wait(&empty_v[stage], (t / STAGES + 1) % 2);
            announce(&full_v[stage], BYTES);
            load_tile(tiles.v[stage], &v, 0, t * KEYS, (int)blockIdx.y, &full_v[stage]);
        }
        return;
    }
    wait(&full_q, 0);
    for (int t = 0; t < steps; t++) {
        const int stage = t % STAGES;
        float s[8], shrink[2];
        uint32_t left[4];

        wait(&full_k[stage], t / STAGES % 2);
        fence_products();
        scores(s, tiles, stage);
        commit_products();
        wait_products<0>(); // and for the values of the last tile
        arrive(&empty_k[stage]);
        if (t > 0)
            arrive(&empty_v[(t - 1) % STAGES]);
        for (int i = 0; i < 8; i++) {
            const int key = t * KEYS + i / 4 * 8 + lane % 4 * 2 + i % 2,
                      seen = causal ? query + i / 2 % 2 * 8 + 1 : tokens;

            s[i] = key < seen && key < tokens ? s[i] * scale : -INFINITY;
        }
        for (int r = 0; r < 2; r++)
            softmax(s[2 * r], s[2 * r + 1], s[4 + 2 * r], s[4 + 2 * r + 1], max[r], weights[r], shrink[r]);
        for (int i = 0; i < 4; i++)
            left[i] = two_halves(s[2 * i], s[2 * i + 1]);
        for (int i = 0; i < WIDTH / 2; i++)
            sum[i] *= shrink[i / 2 % 2];
        wait(&full_v[stage], t / STAGES % 2);
        fence_products();
        product(sum, left, descriptor(tiles.v[stage], 16, 1024, 1));
        commit_products();
    }
    wait_products<0>();
    store_rows(y + (size_t)blockIdx.y * tokens * width, sum, weights, query, tokens, width);
}

// Of an array, in boxes of some tokens of one head.
static CUtensorMap map_of(const half *array, uint64_t heads, uint64_t tokens, uint64_t width, uint32_t box_tokens)
{
    CUtensorMap map;
    cuuint64_t size[] = {width, tokens, heads}, stride[] = {width * sizeof(half), tokens * width * sizeof(half)};
    cuuint32_t box[] = {WIDTH, box_tokens, 1}, step[] = {1, 1, 1};

    if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, (void *)array, size, stride, box, step,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        printf("no map\n");
        exit(1);
    }
    return map;
}

static void run(const half *q, const half *k, const half *v, half *y, int heads, int tokens, int width, bool causal)
{
    attention<<<dim3((tokens + QUERIES - 1) / QUERIES, heads), CONSUMERS + 32>>>(
        map_of(q, heads, tokens, width, QUERIES), map_of(k, heads, tokens, width, KEYS),
        map_of(v, heads, tokens, width, KEYS), y, tokens, width, causal);
}

int main()
{
    const int wrong = wrong_of(run);

    printf("%d wrong\n", wrong);
    return wrong != 0;
}
