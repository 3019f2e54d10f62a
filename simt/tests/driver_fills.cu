// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Fills by the driver's asynchronous calls, of 1, 2 and 4 bytes, in the order of a stream.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

constexpr int COUNT = 100;

int main()
{
    static uint16_t got[COUNT];
    uint16_t *halves;
    cudaStream_t stream;
    int wrong = 0;

    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&halves, sizeof got);
    wrong += cuMemsetD32Async((CUdeviceptr)halves, 0x00070007, COUNT / 2, stream) != CUDA_SUCCESS;
    wrong += cuMemsetD16Async((CUdeviceptr)(halves + 1), 0x1234, COUNT - 1, stream) != CUDA_SUCCESS;
    wrong += cuMemsetD8Async((CUdeviceptr)(halves + COUNT - 1), 0xab, 1, stream) != CUDA_SUCCESS;
    cudaMemcpyAsync(got, halves, sizeof got, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < COUNT; i++)
        wrong += got[i] != (i == 0 ? 7 : i == COUNT - 1 ? 0x12ab : 0x1234);
    cudaFree(halves);
    cudaStreamDestroy(stream);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
