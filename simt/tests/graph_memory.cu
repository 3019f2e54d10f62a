// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Memory of a graph: allocated by one node, used by two, freed by another; and memory that a capture allocates.
__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value + (int)threadIdx.x;
}

__global__ void take(const int *x, int *out)
{
    out[threadIdx.x] += x[threadIdx.x];
}

int main()
{
    int *out, *memory, *captured, host[32], value = 100;
    cudaGraph_t graph, second;
    cudaGraphExec_t exec;
    cudaStream_t stream;
    cudaGraphNode_t allocation, filled, taken, freed;
    cudaMemAllocNodeParams p = {};

    cudaStreamCreate(&stream);
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    cudaGraphCreate(&graph, 0);
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = sizeof host;
    cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &p);
    memory = (int *)p.dptr;
    void *fill_arguments[] = {&memory, &value}, *take_arguments[] = {&memory, &out};
    cudaKernelNodeParams kernel = {(void *)fill, 1, 32, 0, fill_arguments, nullptr};
    cudaGraphAddKernelNode(&filled, graph, &allocation, 1, &kernel);
    kernel.func = (void *)take;
    kernel.kernelParams = take_arguments;
    cudaGraphAddKernelNode(&taken, graph, &filled, 1, &kernel);
    cudaGraphAddMemFreeNode(&freed, graph, &taken, 1, memory);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(exec, stream);
    cudaGraphExecDestroy(exec);

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&captured, sizeof host, stream);
    cudaMemsetAsync(captured, 0, sizeof host, stream);
    fill<<<1, 32, 0, stream>>>(captured, 1);
    take<<<1, 32, 0, stream>>>(captured, out);
    cudaFreeAsync(captured, stream);
    cudaStreamEndCapture(stream, &second);
    cudaGraphInstantiate(&exec, second, 0);
    cudaGraphLaunch(exec, stream);
    cudaMemcpyAsync(host, out, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < 32; i++)
        if (host[i] != 201 + 3 * i)
            return 1;
    return cudaGetLastError() != cudaSuccess;
}
