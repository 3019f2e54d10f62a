// SPDX-License-Identifier: BSD-2-Clause
//
// A product of 64 x 16 x 256 elements for kernels of one block whose warps have roles: four multiply by wgmma, one loads tiles of A and B
// into two stages by tensor copies. Here are its shape and the maps of its matrices.
#ifndef SIMT_TESTS_PRODUCT_CUH
#define SIMT_TESTS_PRODUCT_CUH

#include "matrices.cuh"
#include "ptx.cuh"

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
    const matrices of(M, N, K, true);
    float *c;

    cudaMalloc(&c, M * N * sizeof *c);
    multiply<<<1, CONSUMERS + 32>>>(map_of(of.a, M), map_of(of.b, N), c);
    return of.wrong(c);
}

#endif
