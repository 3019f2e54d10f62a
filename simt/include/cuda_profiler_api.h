/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Starting and stopping the profiler does nothing: there is none. cudaProfiler.h has the driver's names for it.
 */
#ifndef SIMT_CUDA_PROFILER_API_H
#define SIMT_CUDA_PROFILER_API_H

#include "cuda.h"

#define SIMT_PROFILER_CALL(type, name, success)                                                                        \
    static inline __attribute__((unused)) type name(void)                                                              \
    {                                                                                                                  \
        return success;                                                                                                \
    }

SIMT_PROFILER_CALL(cudaError_t, cudaProfilerStart, cudaSuccess)
SIMT_PROFILER_CALL(cudaError_t, cudaProfilerStop, cudaSuccess)
SIMT_PROFILER_CALL(CUresult, cuProfilerStart, CUDA_SUCCESS)
SIMT_PROFILER_CALL(CUresult, cuProfilerStop, CUDA_SUCCESS)
#undef SIMT_PROFILER_CALL

#endif
