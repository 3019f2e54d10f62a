// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A diamond of explicit nodes: a fill, two kernels beside each other, one that joins them, a copy, and a function of the host.
__global__ void ramp(int *x, int step)
{
    x[threadIdx.x] += step * (int)threadIdx.x;
}

__global__ void sum(const int *a, const int *b, int *out)
{
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

static void count(void *data)
{
    ++*(int *)data;
}

int main()
{
    int *a, *b, *c, *host, runs = 0, two = 2, three = 3;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStream_t stream;
    cudaGraphNode_t fill_a, fill_b, left, right, join, copy, call;

    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    cudaMalloc(&c, 256);
    cudaMallocHost(&host, 256);
    cudaStreamCreate(&stream);
    cudaGraphCreate(&graph, 0);

    cudaMemsetParams fill = {a, 0, 7, 4, 64, 1};
    cudaGraphAddMemsetNode(&fill_a, graph, nullptr, 0, &fill);
    fill.dst = b;
    cudaGraphAddMemsetNode(&fill_b, graph, nullptr, 0, &fill);

    void *left_arguments[] = {&a, &two}, *right_arguments[] = {&b, &three}, *sum_arguments[] = {&a, &b, &c};
    cudaKernelNodeParams kernel = {(void *)ramp, 1, 64, 0, left_arguments, nullptr};
    cudaGraphAddKernelNode(&left, graph, &fill_a, 1, &kernel);
    kernel.kernelParams = right_arguments;
    cudaGraphAddKernelNode(&right, graph, &fill_b, 1, &kernel);

    cudaGraphNode_t both[] = {left, right};
    kernel.func = (void *)sum;
    kernel.kernelParams = sum_arguments;
    cudaGraphAddKernelNode(&join, graph, both, 2, &kernel);
    cudaGraphAddMemcpyNode1D(&copy, graph, &join, 1, host, c, 256, cudaMemcpyDeviceToHost);
    cudaHostNodeParams function = {count, &runs};
    cudaGraphAddHostNode(&call, graph, &copy, 1, &function);

    if (cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess)
        return 1;
    for (int round = 0; round < 3; round++) {
        if (round == 2) {
            two = 10;
            kernel.func = (void *)ramp;
            kernel.kernelParams = left_arguments;
            cudaGraphExecKernelNodeSetParams(exec, left, &kernel);
        }
        cudaGraphLaunch(exec, stream);
        cudaStreamSynchronize(stream);
        for (int i = 0; i < 64; i++)
            if (host[i] != 14 + (two + three) * i)
                return 2;
    }
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return runs != 3 || cudaGetLastError() != cudaSuccess;
}
