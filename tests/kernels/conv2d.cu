// SPDX-License-Identifier: BSD-2-Clause
//
// Behind a program of simt/tests whose `run` correlates images of halves with filters: makes it a variant of conv2d.half.
#include <samebits/cuda_device.h>

enum { IMAGES, COUNT, CHANNELS, HEIGHT, ROW, DOWN, ACROSS }; // parameters
enum { MAX_Y = 65535 };                                      // the most blocks of a grid's second dimension

static const char *refuses(const uint64_t *p, const sb_array *)
{
    return p[CHANNELS] == 0 || p[CHANNELS] % 8 != 0             ? "channels are no multiple of 8"
           : p[DOWN] == 0 || p[ACROSS] == 0                     ? "a filter has no elements"
           : p[COUNT] > (uint64_t)MAX_Y * FILTERS               ? "too many filters"
           : p[IMAGES] * p[HEIGHT] * p[ROW] * p[CHANNELS] >> 31 ? "too many pixels"
                                                                : nullptr;
}

static sb_status launch(const uint64_t *p, const sb_array *inputs, sb_array *outputs, void *)
{
    if (outputs[0].capacity > 0)
        run((const half *)inputs[0].data, (const half *)inputs[1].data, (half *)outputs[0].data,
            {(int)p[IMAGES], (int)p[COUNT], (int)p[CHANNELS], (int)p[HEIGHT], (int)p[ROW], (int)p[DOWN],
             (int)p[ACROSS]});
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"conv2d.half", "kernel", "a program of simt/tests", refuses, nullptr, launch})
