// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The calls of the driver that programs use beside the runtime: device, context, memory, streams, events.
#include <cuda.h>

#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        CUresult result = (call);                                                                                      \
        const char *name = "?";                                                                                        \
        if (result != CUDA_SUCCESS) {                                                                                  \
            cuGetErrorName(result, &name);                                                                             \
            printf("%d: %s\n", __LINE__, name);                                                                        \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

static void CUDA_CB note(void *data) { ++*static_cast<int *>(data); }

int main()
{
    const int in[4] = {1, 2, 3, 4};
    int count, threads, major, minor, out[4], noted = 0;
    char name[64];
    const char *text;
    size_t bytes, free_bytes, total;
    unsigned version;
    float milliseconds = -1;
    CUdevice device;
    CUcontext context, seen;
    CUdeviceptr memory, start, other;
    CUstream stream;
    CUevent from, to;

    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&count));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetName(name, sizeof name, device));
    CHECK(cuDeviceTotalMem(&bytes, device));
    CHECK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    CHECK(cuDeviceComputeCapability(&major, &minor, device));
    if (count != 1 || threads != 1024 || !name[0] || major < 7)
        return 2;
#if CUDA_VERSION >= 13000
    CHECK(cuCtxCreate(&context, NULL, 0, device));
#else
    CHECK(cuCtxCreate(&context, 0, device));
#endif
    CHECK(cuCtxGetCurrent(&seen));
    CHECK(cuCtxGetApiVersion(context, &version));
    CHECK(cuMemGetInfo(&free_bytes, &total));
    if (seen != context || !context || total != bytes || free_bytes > total)
        return 3;
    CHECK(cuMemAlloc(&memory, sizeof in));
    CHECK(cuMemAlloc(&other, sizeof in));
    CHECK(cuMemsetD32(other, 7, 4));
    CHECK(cuMemcpyHtoD(memory, in, sizeof in));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&from, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&to, CU_EVENT_DEFAULT));
    CHECK(cuEventRecord(from, stream));
    twice<<<1, 4, 0, stream>>>((int *)memory);
    CHECK(cuLaunchHostFunc(stream, note, &noted));
    CHECK(cuEventRecord(to, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuEventElapsedTime(&milliseconds, from, to));
    CHECK(cuMemcpyDtoH(out, memory, sizeof out));
    if (out[0] != 2 || out[3] != 8 || noted != 1 || milliseconds < 0)
        return 4;
    CHECK(cuMemcpyDtoH(out, other, sizeof out));
    CHECK(cuMemGetAddressRange(&start, &bytes, memory + 4));
    if (out[2] != 7 || start != memory || bytes != sizeof in)
        return 5;
    CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    if (strcmp(text, "out of memory") != 0)
        return 6;
    CHECK(cuMemFree(memory));
    CHECK(cuMemFree(other));
    CHECK(cuEventDestroy(from));
    CHECK(cuEventDestroy(to));
    CHECK(cuStreamDestroy(stream));
    CHECK(cuCtxDestroy(context));
    printf("all well\n");
}
