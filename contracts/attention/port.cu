// SPDX-License-Identifier: BSD-2-Clause
//
// attention.heads and attention.half: a block takes a query of a head. A thread computes scores of keys, then sums of columns, with the running maximum of
// M. Milakov and N. Gimelshein (2018) over tiles of as many keys as there are threads, so that no array of all scores is needed.
#include <cuda_fp16.h>
#include <math.h>
#include <samebits/cuda_device.h>
#include <samebits/prim/block.cuh>

enum { HEADS, TOKENS, WIDTH, CAUSAL }; // parameters
enum { THREADS = 128 };                // keys of a tile, and the most columns; not tuned
enum { MAX_BLOCKS = 65535 };           // the most that every dimension of a grid may have

template <typename T>
static __global__ void attention(const T *q, const T *k, const T *v, T *y, uint64_t queries, uint64_t tokens,
                                 uint64_t width, bool causal)
{
    __shared__ float weights[THREADS], maxima[THREADS / 32], sums[THREADS / 32];

    for (uint64_t query = blockIdx.x; query < queries; query += gridDim.x) {
        uint64_t head = query / tokens * tokens, seen = causal ? query - head + 1 : tokens;
        float max = -INFINITY, sum = 0, column = 0;

        for (uint64_t first = 0; first < seen; first += THREADS) {
            uint64_t key = first + threadIdx.x, here = seen - first < THREADS ? seen - first : THREADS;
            float score = -INFINITY;

            if (key < seen) {
                score = 0;
                for (uint64_t w = 0; w < width; w++)
                    score += (float)q[query * width + w] * (float)k[(head + key) * width + w];
                score /= sqrtf((float)width);
            }
            float before = max;
            max = fmaxf(max, sb::block_reduce(score, sb::maximum(), maxima));
            float shrink = expf(before - max); // what the sums so far count under the new maximum; 0 for the first tile
            weights[threadIdx.x] = expf(score - max);
            // Its barrier: all weights are there. That of the next maximum, or of the next query: all have read them.
            sum = sum * shrink + sb::block_reduce(weights[threadIdx.x], sb::add(), sums);
            column *= shrink;
            if (threadIdx.x < width)
                for (uint64_t i = 0; i < here; i++)
                    column += weights[i] * (float)v[(head + first + i) * width + threadIdx.x];
        }
        if (threadIdx.x < width)
            y[query * width + threadIdx.x] = (T)(column / sum);
    }
}

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    return parameters[WIDTH] > THREADS ? "width is above 128, the threads of a block" : nullptr;
}

template <typename T>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t queries = parameters[HEADS] * parameters[TOKENS];

    if (queries > 0 && parameters[WIDTH] > 0)
        attention<<<(unsigned)(queries < MAX_BLOCKS ? queries : MAX_BLOCKS), THREADS>>>(
            (const T *)inputs[0].data, (const T *)inputs[1].data, (const T *)inputs[2].data, (T *)outputs[0].data,
            queries, parameters[TOKENS], parameters[WIDTH], parameters[CAUSAL] != 0);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"attention.heads", "query", "a block a query, tiles of keys, a running maximum", refuses, nullptr,
             launch<float>},
            {"attention.half", "query", "the same of halves", refuses, nullptr, launch<__half>})
