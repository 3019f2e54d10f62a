/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: the device and its attributes.
 */
#include "calls.h"

#include <stdio.h>
#include <string.h>

static const struct {
    cudaDeviceAttr attribute;
    int value;
} attributes[] = {
#define ROW(name, number, value) {name, value},
    SIMT_ATTRIBUTES(ROW)
#undef ROW
};

int simt_attribute(cudaDeviceAttr which)
{
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].attribute == which)
            return attributes[i].value;
    return -1;
}

cudaError_t simt_check_device(int device, const char *call)
{
    cudaError_t error = simt_ready();

    return error == cudaSuccess && device != 0 ? simt_refuse(cudaErrorInvalidDevice, call, "the only device is 0")
                                               : error;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    SIMT_CALL;

    *count = 1;
    return simt_ready();
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    SIMT_CALL;

    return simt_check_device(device, "cudaSetDevice");
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    SIMT_CALL;

    (void)device_flags;
    (void)flags;
    return simt_check_device(device, "cudaInitDevice");
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    SIMT_CALL;

    (void)flags;
    return simt_ready();
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    SIMT_CALL;

    *flags = 0;
    return simt_ready();
}

static void describe_device(cudaDeviceProp *p)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "simt, a machine on the CPU");
    p->totalGlobalMem = simt_options.memory;
    p->sharedMemPerBlock = STATIC_SHARED;
    p->regsPerBlock = simt_attribute(cudaDevAttrMaxRegistersPerBlock);
    p->warpSize = LANES;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = MAX_THREADS;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = MAX_THREADS;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 64 << 10;
    p->major = simt_attribute(cudaDevAttrComputeCapabilityMajor);
    p->minor = simt_attribute(cudaDevAttrComputeCapabilityMinor);
    p->multiProcessorCount = simt_attribute(cudaDevAttrMultiProcessorCount);
    p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = p->asyncEngineCount = 1;
    p->memoryBusWidth = simt_attribute(cudaDevAttrGlobalMemoryBusWidth);
    p->l2CacheSize = simt_attribute(cudaDevAttrL2CacheSize);
    p->maxThreadsPerMultiProcessor = simt_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->sharedMemPerMultiprocessor = simt_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->regsPerMultiprocessor = simt_attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    p->sharedMemPerBlockOptin = MAX_SHARED;
    p->maxBlocksPerMultiProcessor = simt_attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->reservedSharedMemPerBlock = 1024;
    p->cooperativeLaunch = simt_attribute(cudaDevAttrCooperativeLaunch);
    p->computePreemptionSupported = p->memoryPoolsSupported = p->hostRegisterSupported = 1;
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    SIMT_CALL;
    cudaError_t error = simt_check_device(device, "cudaGetDeviceProperties");

    if (error == cudaSuccess)
        describe_device(properties);
    return error;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int device)
{
    SIMT_CALL;
    cudaError_t error = simt_check_device(device, "cudaDeviceGetAttribute");

    if (error != cudaSuccess)
        return error;
    *value = simt_attribute(which);
    return *value < 0 ? simt_fail(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    SIMT_CALL;

    simt_synchronise_all();
    return simt_ready();
}

cudaError_t cudaDeviceReset(void)
{
    SIMT_CALL;

    simt_synchronise_all();
    return simt_ready();
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value)
{
    SIMT_CALL;

    (void)limit;
    (void)value;
    return simt_ready();
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit)
{
    SIMT_CALL;

    *value = limit == cudaLimitStackSize ? 64 << 10 : limit == cudaLimitPrintfFifoSize ? 1 << 20 : 8 << 20;
    return simt_ready();
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config)
{
    SIMT_CALL;

    (void)config;
    return simt_ready();
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config)
{
    SIMT_CALL;

    *config = cudaFuncCachePreferNone;
    return simt_ready();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    SIMT_CALL;

    *least = *greatest = 0;
    return simt_ready();
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    SIMT_CALL;
    cudaError_t error = simt_check_device(device, "cudaDeviceCanAccessPeer");

    *can = 0;
    return error == cudaSuccess ? simt_check_device(peer, "cudaDeviceCanAccessPeer") : error;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
    SIMT_CALL;
    cudaError_t error = simt_check_device(device, "cudaDeviceGetPCIBusId");

    if (error == cudaSuccess)
        snprintf(text, size > 0 ? (size_t)size : 0, "0000:00:00.0");
    return error;
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties)
{
    SIMT_CALL;

    (void)properties;
    *device = 0;
    return simt_ready();
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();

    *total = simt_options.memory;
    *free_bytes = simt_options.memory - simt_memory_used();
    return error;
}
