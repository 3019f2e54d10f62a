/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls of the CUDA driver. Each is the runtime's call of the same kind; the driver's errors have the runtime's numbers. As
 * in a program that has used the runtime, no cuInit is needed.
 */
#include "calls.h"

#include "../launch/launch.h"
#include "../memory/memory.h"
#include "cuda.h"

#include <stdio.h>
#include <string.h>

static struct CUctx_st {
    int device;
} only;

static CUcontext current;

static CUresult result(cudaError_t error)
{
    return (CUresult)error;
}

/* A call of the driver that is one of the runtime. */
#define SAME(name, parameters, ...)                                                                                    \
    CUresult name parameters                                                                                           \
    {                                                                                                                  \
        SIMT_CALL;                                                                                                     \
                                                                                                                       \
        return result(__VA_ARGS__);                                                                                    \
    }

static void *pointer(CUdeviceptr memory)
{
    return (void *)(uintptr_t)memory;
}

static CUresult give(CUdeviceptr *to, void *memory, cudaError_t error)
{
    *to = (uintptr_t)memory;
    return result(error);
}

CUresult cuInit(unsigned flags)
{
    SIMT_CALL;

    (void)flags;
    return result(simt_ready());
}

SAME(cuDriverGetVersion, (int *version), cudaDriverGetVersion(version))

CUresult cuGetErrorName(CUresult error, const char **text)
{
    SIMT_CALL;
    static const struct {
        CUresult number;
        const char *name;
    } names[] = {
#define ROW(name, number) {name, #name},
        SIMT_DRIVER_RESULTS(ROW)
#undef ROW
    };

    *text = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !*text; i++)
        if (names[i].number == error)
            *text = names[i].name;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    SIMT_CALL;

    *text = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}

/* --- devices */

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    SIMT_CALL;

    *device = ordinal;
    return result(simt_check_device(ordinal, "cuDeviceGet"));
}

SAME(cuDeviceGetCount, (int *count), cudaGetDeviceCount(count))

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    SIMT_CALL;
    cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, device);

    if (error == cudaSuccess && length > 0)
        snprintf(name, (size_t)length, "%s", p.name);
    return result(error);
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    SIMT_CALL;

    memset(uuid, 0, sizeof *uuid);
    return result(simt_check_device(device, "cuDeviceGetUuid"));
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    SIMT_CALL;

    *bytes = simt_options.memory;
    return result(simt_check_device(device, "cuDeviceTotalMem"));
}

SAME(cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device),
     cudaDeviceGetAttribute(value, (cudaDeviceAttr)attribute, device))

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    SIMT_CALL;

    *major = simt_attribute(cudaDevAttrComputeCapabilityMajor);
    *minor = simt_attribute(cudaDevAttrComputeCapabilityMinor);
    return result(simt_check_device(device, "cuDeviceComputeCapability"));
}

SAME(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer), cudaDeviceCanAccessPeer(can, device, peer))
SAME(cuDeviceGetPCIBusId, (char *text, int size, CUdevice device), cudaDeviceGetPCIBusId(text, size, device))

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    SIMT_CALL;

    *context = &only;
    return result(simt_check_device(device, "cuDevicePrimaryCtxRetain"));
}

SAME(cuDevicePrimaryCtxRelease, (CUdevice device), simt_check_device(device, "cuDevicePrimaryCtxRelease"))
SAME(cuDevicePrimaryCtxReset, (CUdevice device), simt_check_device(device, "cuDevicePrimaryCtxReset"))

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
    SIMT_CALL;

    (void)flags;
    return result(simt_check_device(device, "cuDevicePrimaryCtxSetFlags"));
}

/* --- contexts */

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device)
{
    SIMT_CALL;

    (void)parameters;
    (void)flags;
    *context = current = &only;
    return result(simt_check_device(device, "cuCtxCreate"));
}

CUresult cuCtxDestroy(CUcontext context)
{
    SIMT_CALL;

    current = context == current ? NULL : current;
    return result(simt_ready());
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    SIMT_CALL;

    current = context;
    return result(simt_ready());
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    SIMT_CALL;

    *context = current;
    return result(simt_ready());
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    SIMT_CALL;

    return cuCtxSetCurrent(context);
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    SIMT_CALL;

    if (context)
        *context = current;
    return result(simt_ready());
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    SIMT_CALL;

    *device = 0;
    return result(simt_ready());
}

SAME(cuCtxGetFlags, (unsigned *flags), cudaGetDeviceFlags(flags))

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
    SIMT_CALL;

    (void)context;
    *version = CUDART_VERSION;
    return result(simt_ready());
}

SAME(cuCtxSynchronize, (void), cudaDeviceSynchronize())
SAME(cuCtxSetLimit, (CUlimit limit, size_t value), cudaDeviceSetLimit((cudaLimit)limit, value))
SAME(cuCtxGetLimit, (size_t * value, CUlimit limit), cudaDeviceGetLimit(value, (cudaLimit)limit))
SAME(cuCtxSetCacheConfig, (CUfunc_cache config), cudaDeviceSetCacheConfig((cudaFuncCache)config))
SAME(cuCtxGetStreamPriorityRange, (int *least, int *greatest), cudaDeviceGetStreamPriorityRange(least, greatest))

/* --- memory */

SAME(cuMemGetInfo, (size_t * free_bytes, size_t *total), cudaMemGetInfo(free_bytes, total))

CUresult cuMemAlloc(CUdeviceptr *memory, size_t size)
{
    SIMT_CALL;
    void *made = NULL;
    cudaError_t error =
        size ? cudaMalloc(&made, size) : simt_refuse(cudaErrorInvalidValue, "cuMemAlloc", "an allocation of 0 bytes");

    return give(memory, made, error);
}

CUresult cuMemAllocPitch(CUdeviceptr *memory, size_t *pitch, size_t width, size_t height, unsigned element)
{
    SIMT_CALL;
    void *made = NULL;
    cudaError_t error = element == 4 || element == 8 || element == 16
                            ? cudaMallocPitch(&made, pitch, width, height)
                            : simt_refuse(cudaErrorInvalidValue, "cuMemAllocPitch", "an element has 4, 8 or 16 bytes");

    return give(memory, made, error);
}

CUresult cuMemAllocManaged(CUdeviceptr *memory, size_t size, unsigned flags)
{
    SIMT_CALL;
    void *made = NULL;
    cudaError_t error = cudaMallocManaged(&made, size, flags);

    return give(memory, made, error);
}

CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t size, CUstream stream)
{
    SIMT_CALL;
    void *made = NULL;
    cudaError_t error = cudaMallocAsync(&made, size, stream);

    return give(memory, made, error);
}

SAME(cuMemAllocHost, (void **memory, size_t size), cudaMallocHost(memory, size))
SAME(cuMemHostAlloc, (void **memory, size_t size, unsigned flags), cudaHostAlloc(memory, size, flags))
SAME(cuMemHostRegister, (void *memory, size_t size, unsigned flags), cudaHostRegister(memory, size, flags))
SAME(cuMemHostUnregister, (void *memory), cudaHostUnregister(memory))

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned flags)
{
    SIMT_CALL;
    void *found = NULL;
    cudaError_t error = cudaHostGetDevicePointer(&found, host, flags);

    return give(device, found, error);
}

SAME(cuMemFree, (CUdeviceptr memory), cudaFree(pointer(memory)))
SAME(cuMemFreeAsync, (CUdeviceptr memory, CUstream stream), cudaFreeAsync(pointer(memory), stream))
SAME(cuMemFreeHost, (void *memory), cudaFreeHost(memory))

CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *size, CUdeviceptr address)
{
    SIMT_CALL;
    const allocation *a = simt_allocation_at((uintptr_t)address);

    if (!a || a->freed)
        return result(cudaErrorInvalidValue);
    if (start)
        *start = a->start;
    if (size)
        *size = a->size;
    return result(simt_ready());
}

SAME(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t size),
     cudaMemcpy(pointer(to), pointer(from), size, cudaMemcpyDefault))
SAME(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
     cudaMemcpyAsync(pointer(to), pointer(from), size, cudaMemcpyDefault, stream))
SAME(cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t size),
     cudaMemcpy(pointer(to), from, size, cudaMemcpyHostToDevice))
SAME(cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t size),
     cudaMemcpy(to, pointer(from), size, cudaMemcpyDeviceToHost))
SAME(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t size),
     cudaMemcpy(pointer(to), pointer(from), size, cudaMemcpyDeviceToDevice))
SAME(cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t size, CUstream stream),
     cudaMemcpyAsync(pointer(to), from, size, cudaMemcpyHostToDevice, stream))
SAME(cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t size, CUstream stream),
     cudaMemcpyAsync(to, pointer(from), size, cudaMemcpyDeviceToHost, stream))
SAME(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
     cudaMemcpyAsync(pointer(to), pointer(from), size, cudaMemcpyDeviceToDevice, stream))

/* Sets `count` words of `size` bytes: cudaMemsetAsync checks the whole, then the words are written. */
static CUresult set_words(CUdeviceptr memory, const void *word, size_t size, size_t count, CUstream stream,
                          const char *call)
{
    cudaError_t error = memory % size ? simt_refuse(cudaErrorInvalidValue, call, "a misaligned address")
                                      : cudaMemsetAsync(pointer(memory), 0, size * count, stream);

    if (error == cudaSuccess)
        simt_synchronise(stream);
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        memcpy((char *)pointer(memory) + i * size, word, size);
    return result(error);
}

SAME(cuMemsetD8, (CUdeviceptr memory, unsigned char value, size_t count), cudaMemset(pointer(memory), value, count))

CUresult cuMemsetD16(CUdeviceptr memory, unsigned short value, size_t count)
{
    SIMT_CALL;

    return set_words(memory, &value, sizeof value, count, NULL, "cuMemsetD16");
}

CUresult cuMemsetD32(CUdeviceptr memory, unsigned value, size_t count)
{
    SIMT_CALL;

    return set_words(memory, &value, sizeof value, count, NULL, "cuMemsetD32");
}

SAME(cuMemsetD8Async, (CUdeviceptr memory, unsigned char value, size_t count, CUstream stream),
     cudaMemsetAsync(pointer(memory), value, count, stream))

CUresult cuMemsetD16Async(CUdeviceptr memory, unsigned short value, size_t count, CUstream stream)
{
    SIMT_CALL;

    return set_words(memory, &value, sizeof value, count, stream, "cuMemsetD16Async");
}

CUresult cuMemsetD32Async(CUdeviceptr memory, unsigned value, size_t count, CUstream stream)
{
    SIMT_CALL;

    return set_words(memory, &value, sizeof value, count, stream, "cuMemsetD32Async");
}

SAME(cuMemAdvise, (CUdeviceptr memory, size_t size, CUmem_advise advice, CUmemLocation at),
     cudaMemAdvise(pointer(memory), size, (cudaMemoryAdvise)advice, at))
SAME(cuMemPrefetchAsync, (CUdeviceptr memory, size_t size, CUmemLocation to, unsigned flags, CUstream stream),
     cudaMemPrefetchAsync(pointer(memory), size, to, flags, stream))
SAME(cuMemRangeGetAttribute,
     (void *data, size_t data_size, CUmem_range_attribute what, CUdeviceptr memory, size_t size),
     cudaMemRangeGetAttribute(data, data_size, (cudaMemRangeAttribute)what, pointer(memory), size))

/* --- streams and events */

SAME(cuStreamCreate, (CUstream * stream, unsigned flags), cudaStreamCreateWithFlags(stream, flags))
SAME(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority),
     cudaStreamCreateWithPriority(stream, flags, priority))
SAME(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
SAME(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
SAME(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
SAME(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags), cudaStreamWaitEvent(stream, event, flags))
SAME(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *data), cudaLaunchHostFunc(stream, function, data))
SAME(cuEventCreate, (CUevent * event, unsigned flags), cudaEventCreateWithFlags(event, flags))
SAME(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
SAME(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
SAME(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
SAME(cuEventQuery, (CUevent event), cudaEventQuery(event))
SAME(cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent stop),
     cudaEventElapsedTime(milliseconds, start, stop))
