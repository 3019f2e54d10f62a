// expect: refused 8
// SPDX-License-Identifier: BSD-2-Clause
//
// Graphs.
__global__ void lane(float *out) { out[threadIdx.x] = 1; }
int main()
{
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    return 0;
}
