// SPDX-License-Identifier: BSD-2-Clause
//
// Behind a program of simt/tests whose `run` multiplies matrices of halves: makes it a variant of gemm.float.
#include <samebits/cuda_device.h>

enum { M, N, K, TYPE }; // parameters
enum { MAX_Y = 65535 }; // the most blocks of a grid's second dimension

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    return parameters[TYPE] != SB_F16               ? "elements are not halves"
           : parameters[M] > (uint64_t)MAX_Y * TILE ? "m is too large"
                                                    : nullptr;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    if (parameters[M] > 0 && parameters[N] > 0)
        run((const half *)inputs[0].data, (const half *)inputs[1].data, (half *)outputs[0].data, parameters[M],
            parameters[N], parameters[K]);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"gemm.float", "kernel", "a program of simt/tests", refuses, nullptr, launch})
