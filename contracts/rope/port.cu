// SPDX-License-Identifier: BSD-2-Clause
//
// rope.pairs: a thread turns a pair. No two threads touch the same pair.
#include <math.h>
#include <samebits/cuda_device.h>

enum { TOKENS, PAIRS, LIMIT }; // parameters
enum { THREADS = 128 };        // in a block; not tuned
enum { MAX_BLOCKS = 65535 };   // the most that every dimension of a grid may have

static __global__ void rope(const float *x, const uint32_t *position, float *y, uint64_t tokens, uint64_t pairs)
{
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < tokens * pairs;
         i += gridDim.x * (uint64_t)THREADS) {
        float angle = (float)position[i / pairs] * powf(10000.0f, -(float)(i % pairs) / (float)pairs);
        float sine = sinf(angle), cosine = cosf(angle), a = x[2 * i], b = x[2 * i + 1];

        y[2 * i] = a * cosine - b * sine;
        y[2 * i + 1] = a * sine + b * cosine;
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t items = parameters[TOKENS] * parameters[PAIRS], blocks = (items + THREADS - 1) / THREADS;

    if (items > 0)
        rope<<<(unsigned)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS), THREADS>>>(
            (const float *)inputs[0].data, (const uint32_t *)inputs[1].data, (float *)outputs[0].data,
            parameters[TOKENS], parameters[PAIRS]);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"rope.pairs", "pair", "a thread a pair", nullptr, nullptr, launch})
