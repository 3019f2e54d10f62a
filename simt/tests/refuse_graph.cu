// expect: refused 9
// SPDX-License-Identifier: BSD-2-Clause
//
// Graphs of the driver.
#include <cuda.h>
__global__ void lane(float *out) { out[threadIdx.x] = 1; }
int main()
{
    CUgraph graph;
    cuGraphCreate(&graph, 0);
    return 0;
}
