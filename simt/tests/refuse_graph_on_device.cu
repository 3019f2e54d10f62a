// expect: refused 7
// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel that launches a graph.
__global__ void again(cudaGraphExec_t graph)
{
    cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

int main()
{
    again<<<1, 1>>>(nullptr);
    return 0;
}
