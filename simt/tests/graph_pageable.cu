// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A graph copies from memory that the host allocated itself, and to such memory, where a function of the host that is a node reads it.
// The host waits for the launch before it changes the one and reads the other: in a graph no copy waits, whatever its memory.
#include <cstdlib>

constexpr int N = 4096, THREADS = 128;

__global__ void twice(int *numbers)
{
    numbers[blockIdx.x * THREADS + threadIdx.x] *= 2;
}

struct result {
    int *numbers, sum;
};

static void add(void *data)
{
    result *r = (result *)data;

    for (int i = 0; i < N; i++)
        r->sum += r->numbers[i];
}

int main()
{
    int *from = (int *)malloc(N * sizeof *from), *numbers, wrong = 0;
    result r = {(int *)malloc(N * sizeof *from), 0};
    cudaGraph_t graph;
    cudaGraphExec_t exec, with_call;
    cudaGraphNode_t in, kernel, out, call;
    cudaStream_t stream;

    cudaMalloc(&numbers, N * sizeof *numbers);
    cudaStreamCreate(&stream);
    cudaGraphCreate(&graph, 0);

    void *arguments[] = {&numbers};
    cudaKernelNodeParams launch = {(void *)twice, N / THREADS, THREADS, 0, arguments, nullptr};
    cudaHostNodeParams function = {add, &r};
    cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, numbers, from, N * sizeof *from, cudaMemcpyHostToDevice);
    cudaGraphAddKernelNode(&kernel, graph, &in, 1, &launch);
    cudaGraphAddMemcpyNode1D(&out, graph, &kernel, 1, r.numbers, numbers, N * sizeof *from, cudaMemcpyDeviceToHost);
    if (cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess)
        return 1;
    cudaGraphAddHostNode(&call, graph, &out, 1, &function);
    if (cudaGraphInstantiate(&with_call, graph, 0) != cudaSuccess)
        return 1;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++)
            from[i] = i + round;
        cudaGraphLaunch(round < 2 ? exec : with_call, stream);
        cudaStreamSynchronize(stream);
        for (int i = 0; i < N; i++)
            wrong += r.numbers[i] != 2 * (i + round);
    }
    wrong += r.sum != N * (N - 1) + 4 * N;
    cudaGraphExecDestroy(with_call);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(numbers);
    free(r.numbers);
    free(from);
    return wrong || cudaGetLastError() != cudaSuccess;
}
