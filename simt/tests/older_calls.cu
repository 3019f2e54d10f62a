// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Calls and properties as CUDA 11 and 12 declare them, beside those of 13.
#include <cstdio>
#include <cuda.h>

__global__ void fill(int *p)
{
    p[threadIdx.x] = threadIdx.x;
}

// The newest hint that overlaps a range counts; where it covers only a part, the range has no value.
int asks_hints(int *p)
{
    int value = 0, devices[2] = {5, 5}, wrong = 0;
    const size_t size = 32 * sizeof *p;

    cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, p, size);
    wrong += value != 1;
    cudaMemAdvise(p, size / 2, cudaMemAdviseUnsetReadMostly, 0);
    cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, p, size);
    wrong += value != 0;
    cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, p + 16, size / 2);
    wrong += value != 1;
    cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributePreferredLocation, p, size);
    wrong += value != 0;
    cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeLastPrefetchLocation, p, size);
    wrong += value != cudaCpuDeviceId;
    cuMemPrefetchAsync((CUdeviceptr)p, size, 0, 0);
    cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeLastPrefetchLocation, p, size);
    wrong += value != 0;
    cuMemAdvise((CUdeviceptr)p, size, CU_MEM_ADVISE_SET_ACCESSED_BY, 0);
    cudaMemRangeGetAttribute(devices, sizeof devices, cudaMemRangeAttributeAccessedBy, p, size);
    return wrong + (devices[0] != 0 || devices[1] != cudaInvalidDeviceId);
}

int main()
{
    int *p, wrong = 0, device = 0;
    cudaEvent_t event;
    cudaStream_t stream;
    cudaDeviceProp properties;
    cudaMemLocation host = {cudaMemLocationTypeHost, 0};

    wrong += cudaGetDeviceProperties(&properties, device) != cudaSuccess;
    wrong += properties.clockRate <= 0 || properties.memoryClockRate <= 0 || properties.maxTexture1DLinear <= 0;
    wrong += properties.computeMode != cudaComputeModeDefault || properties.cooperativeMultiDeviceLaunch != 0;
    cudaStreamCreate(&stream);
    wrong += cudaEventCreate(&event, cudaEventDisableTiming) != cudaSuccess;
    cudaMallocManaged(&p, 32 * sizeof *p);
    wrong += cudaMemAdvise(p, 32 * sizeof *p, cudaMemAdviseSetPreferredLocation, device) != cudaSuccess;
    wrong += cudaMemAdvise(p, 32 * sizeof *p, cudaMemAdviseSetReadMostly, host) != cudaSuccess;
    wrong += cudaMemPrefetchAsync(p, 32 * sizeof *p, device, NULL) != cudaSuccess;
    wrong += cudaMemPrefetchAsync(p, 32 * sizeof *p, 0, 0) != cudaSuccess;
    wrong += cudaFuncSetSharedMemConfig(fill, cudaSharedMemBankSizeEightByte) != cudaSuccess;
    fill<<<1, 32, 0, stream>>>(p);
    wrong += cudaMemPrefetchAsync(p, 32 * sizeof *p, cudaCpuDeviceId, stream) != cudaSuccess;
    wrong += cudaMemPrefetchAsync(p, 32 * sizeof *p, host, 0, stream) != cudaSuccess;
    wrong += cudaMemPrefetchAsync(p, 32 * sizeof *p, {cudaMemLocationTypeHost, 0}, 0) != cudaSuccess;
    cudaEventRecord(event, stream);
    wrong += cudaThreadSynchronize() != cudaSuccess;
    for (int i = 0; i < 32; i++)
        wrong += p[i] != i;
    wrong += asks_hints(p);
    cudaFree(p);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
