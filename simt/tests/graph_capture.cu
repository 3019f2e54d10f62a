// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A capture with a fork and a join by events; the graph is launched twice, then its capture is changed and the executable graph updated.
__global__ void fill(int *x, int value)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void add(int *x, const int *y)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] += y[blockIdx.x * blockDim.x + threadIdx.x];
}

static int *x, *y, *host;
static cudaStream_t first, second;
static cudaEvent_t forked, joined;

static cudaGraph_t capture(int value)
{
    cudaGraph_t graph;

    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaEventRecord(forked, first);
    cudaStreamWaitEvent(second, forked, 0);
    fill<<<2, 32, 0, first>>>(x, value);
    cudaMemsetAsync(y, 0, 256, second);
    fill<<<2, 32, 0, second>>>(y, 2 * value);
    cudaEventRecord(joined, second);
    cudaStreamWaitEvent(first, joined, 0);
    add<<<2, 32, 0, first>>>(x, y);
    cudaMemcpyAsync(host, x, 256, cudaMemcpyDeviceToHost, first);
    if (cudaStreamEndCapture(first, &graph) != cudaSuccess)
        return nullptr;
    return graph;
}

static bool launch(cudaGraphExec_t exec, int expected)
{
    host[63] = 0;
    cudaGraphLaunch(exec, first);
    cudaStreamSynchronize(first);
    return host[63] == expected;
}

int main()
{
    cudaGraph_t graph, changed;
    cudaGraphExec_t exec;
    cudaGraphExecUpdateResultInfo result;
    size_t nodes = 0, edges = 0;
    bool good = true;

    cudaStreamCreate(&first);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&forked);
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
    cudaMalloc(&x, 256);
    cudaMalloc(&y, 256);
    cudaMallocHost(&host, 256);
    graph = capture(5);
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
    good = nodes == 5 && edges == 4;
    cudaGraphInstantiate(&exec, graph, 0);
    good = good && launch(exec, 15) && launch(exec, 15);
    changed = capture(7);
    cudaGraphExecUpdate(exec, changed, &result);
    good = good && result.result == cudaGraphExecUpdateSuccess && launch(exec, 21);
    cudaGraphDestroy(changed);
    cudaGraphDestroy(graph);
    cudaGraphExecDestroy(exec);
    return !good || cudaGetLastError() != cudaSuccess;
}
