// SPDX-License-Identifier: BSD-2-Clause
//
// A product of 64 x 16 x 256 elements for kernels of one block whose warps have roles: four multiply by wgmma, one loads tiles of A and B
// into two stages by tensor copies. Here are its shape, the maps of its matrices, and the comparison with a loop.
#ifndef SIMT_TESTS_PRODUCT_CUH
#define SIMT_TESTS_PRODUCT_CUH

#include "ptx.cuh"

#include <cstdio>
#include <cstdlib>

constexpr int M = 64, N = 16, K = 256, DEPTH = 64, STAGES = 2, TILES = K / DEPTH, CONSUMERS = 128;
constexpr uint32_t BYTES = (M + N) * DEPTH * sizeof(half); // a row of a tile is the span of 128 bytes of its swizzle

static CUtensorMap map_of(half *matrix, cuuint32_t rows)
{
    CUtensorMap map;
    cuuint64_t size[] = {K, rows}, stride[] = {K * sizeof(half)};
    cuuint32_t box[] = {DEPTH, rows}, step[] = {1, 1};

    if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, matrix, size, stride, box, step,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        printf("no map\n");
        exit(1);
    }
    return map;
}

// The number of elements that the kernel has wrong. It gets maps of A and of B, and C.
static int wrong_elements(void (*multiply)(CUtensorMap, CUtensorMap, float *))
{
    static half a[M * K], b[N * K]; // B by columns
    static float c[M * N];
    half *device_a, *device_b;
    float *device_c;
    int wrong = 0;

    for (int i = 0; i < M * K; i++)
        a[i] = (half)(float)(i * 7 % 11 - 5);
    for (int i = 0; i < N * K; i++)
        b[i] = (half)(float)(i * 5 % 13 - 6);
    cudaMalloc(&device_a, sizeof a);
    cudaMalloc(&device_b, sizeof b);
    cudaMalloc(&device_c, sizeof c);
    cudaMemcpy(device_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice);
    multiply<<<1, CONSUMERS + 32>>>(map_of(device_a, M), map_of(device_b, N), device_c);
    cudaMemcpy(c, device_c, sizeof c, cudaMemcpyDeviceToHost);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;

            for (int k = 0; k < K; k++)
                sum += (float)a[i * K + k] * (float)b[j * K + k];
            wrong += c[i * N + j] != sum;
        }
    printf("%d wrong\n", wrong);
    return wrong;
}

#endif
