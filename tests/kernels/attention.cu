// SPDX-License-Identifier: BSD-2-Clause
//
// Behind a program of simt/tests whose `run` is an attention of halves: makes it a variant of attention.half.
#include <samebits/cuda_device.h>

enum { HEADS, TOKENS, COLUMNS, CAUSAL }; // parameters
enum { MAX_Y = 65535 };                  // the most blocks of a grid's second dimension

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    return parameters[COLUMNS] > WIDTH || parameters[COLUMNS] % 8 != 0 ? "the width is no multiple of 8 up to 64"
           : parameters[HEADS] > MAX_Y                                 ? "too many heads"
                                                                       : nullptr;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    if (parameters[HEADS] > 0 && parameters[TOKENS] > 0 && parameters[COLUMNS] > 0)
        run((const half *)inputs[0].data, (const half *)inputs[1].data, (const half *)inputs[2].data,
            (half *)outputs[0].data, (int)parameters[HEADS], (int)parameters[TOKENS], (int)parameters[COLUMNS],
            parameters[CAUSAL] != 0);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"attention.half", "kernel", "a program of simt/tests", refuses, nullptr, launch})
