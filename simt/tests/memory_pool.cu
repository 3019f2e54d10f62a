// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Memory pools, priorities of streams, the names that calls had before CUDA 4, and what the runtime's header includes.
#include <cuda_runtime.h>
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__)
#error programs ask for these
#endif

static int failures;

#define EXPECT(condition) failures += !(condition)

int main()
{
    cudaMemPool_t pool, own, now;
    cudaMemPoolProps properties = {};
    unsigned long long threshold = INT_MAX, used = 0;
    cudaStream_t stream;
    int least, greatest, priority, mode = -1;
    void *memory;
    time_t start = time(nullptr);

    EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    EXPECT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
    threshold = 0;
    EXPECT(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
    EXPECT(threshold == INT_MAX);
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    EXPECT(cudaMemPoolCreate(&own, &properties) == cudaSuccess);
    EXPECT(cudaDeviceSetMemPool(0, own) == cudaSuccess);
    EXPECT(cudaDeviceGetMemPool(&now, 0) == cudaSuccess && now == own);
    EXPECT(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess && greatest < least);
    EXPECT(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 1) == cudaSuccess);
    EXPECT(cudaStreamGetPriority(stream, &priority) == cudaSuccess && priority == greatest);
    EXPECT(cudaMallocFromPoolAsync(&memory, 1000, own, stream) == cudaSuccess);
    EXPECT(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess && used >= 1000);
    EXPECT(cudaFreeAsync(memory, stream) == cudaSuccess);
    EXPECT(cudaMemPoolDestroy(own) == cudaSuccess);
    EXPECT(cudaDeviceGetMemPool(&now, 0) == cudaSuccess && now == pool);
    EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
    EXPECT(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0) == cudaSuccess && mode == cudaComputeModeDefault);
#ifdef __SIMT__ // gone since CUDA 13
    EXPECT(cudaThreadSynchronize() == cudaSuccess && cudaThreadExit() == cudaSuccess);
#endif
    EXPECT(time(nullptr) - start >= 0 && strlen("four") == 4);
    return failures;
}
