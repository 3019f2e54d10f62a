// expect: refused 9
// SPDX-License-Identifier: BSD-2-Clause
//
// Asynchronous copies by the intrinsics of the pipeline.
#include <cuda_pipeline.h>
__global__ void copy(int *from)
{
    __shared__ int to[32];
    __pipeline_memcpy_async(&to[threadIdx.x], &from[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}
int main()
{
    return 0;
}
