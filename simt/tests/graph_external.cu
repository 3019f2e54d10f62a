// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A graph that waits for an event of another stream, and records one for which that stream waits: events that are external to the capture.
__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value;
}

__global__ void add(int *x, const int *y)
{
    x[threadIdx.x] += y[threadIdx.x];
}

int main()
{
    int *x, *y, host[32];
    cudaStream_t inside, outside;
    cudaEvent_t filled, added;
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemset(x, 0, sizeof host);
    cudaStreamCreateWithFlags(&inside, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&outside, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&added, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    cudaStreamBeginCapture(inside, cudaStreamCaptureModeGlobal);
    cudaStreamWaitEvent(inside, filled, cudaEventWaitExternal);
    add<<<1, 32, 0, inside>>>(x, y);
    cudaEventRecordWithFlags(added, inside, cudaEventRecordExternal);
    if (cudaStreamEndCapture(inside, &graph) != cudaSuccess)
        return 1;
    cudaGraphInstantiate(&exec, graph, 0);
    for (int round = 1; round <= 2; round++) {
        fill<<<1, 32, 0, outside>>>(y, round);
        cudaEventRecord(filled, outside);
        cudaGraphLaunch(exec, inside);
        cudaStreamWaitEvent(outside, added, cudaEventWaitDefault);
    }
    cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, outside);
    cudaStreamSynchronize(outside);
    for (int i = 0; i < 32; i++)
        if (host[i] != 3)
            return 2;
    return cudaGetLastError() != cudaSuccess;
}
