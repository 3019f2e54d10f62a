// expect: api
// SPDX-License-Identifier: BSD-2-Clause
//
// A copy to memory that was freed, through the driver.
#include <cuda.h>

int main()
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory;
    int word = 1;

    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    cuMemAlloc(&memory, sizeof word);
    cuMemFree(memory);
    return cuMemcpyHtoD(memory, &word, sizeof word) != CUDA_SUCCESS;
}
