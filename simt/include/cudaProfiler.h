/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Starting and stopping the profiler does nothing: there is none.
 */
#ifndef SIMT_CUDA_PROFILER_H
#define SIMT_CUDA_PROFILER_H

#include "cuda.h"

static inline __attribute__((unused)) CUresult cuProfilerStart(void)
{
    return CUDA_SUCCESS;
}

static inline __attribute__((unused)) CUresult cuProfilerStop(void)
{
    return CUDA_SUCCESS;
}

#endif
