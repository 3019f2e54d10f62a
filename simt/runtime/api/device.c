/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: the device and its attributes.
 */
#define _GNU_SOURCE
#include "calls.h"
#include "capture.h"

#include "../launch/launch.h"
#include "../memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    cudaDeviceAttr attribute;
    int value;
} attributes[] = {
#define ROW(name, number, value) {name, value},
    SIMT_ATTRIBUTES(ROW)
#undef ROW
};

static int least(unsigned a, unsigned b)
{
    return (int)(a < b ? a : b);
}

int simt_attribute(cudaDeviceAttr which)
{
    switch ((int)which) {
    case cudaDevAttrMultiProcessorCount:
        return (int)simt_multiprocessors();
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
        return (int)simt_max_threads();
    case cudaDevAttrMaxBlockDimZ:
        return least(simt_max_threads(), MAX_DEPTH);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        return (int)simt_blocks_each();
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        return (int)simt_threads_each();
    case cudaDevAttrCooperativeLaunch:
        return simt_is_cooperative();
    }
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].attribute == which)
            return attributes[i].value;
    return -1;
}

static int device_count(void)
{
    return simt_options.devices ? (int)simt_options.devices : 1;
}

cudaError_t simt_check_device(int device, const char *call)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();
    char what[96];

    if (error != cudaSuccess || (device >= 0 && device < device_count()))
        return error;
    if (device_count() == 1)
        snprintf(what, sizeof what, "the only device is 0: SIMT_OPTIONS=devices=2 makes two, up to 8");
    else
        snprintf(what, sizeof what, "there are devices 0 to %d only", device_count() - 1);
    return simt_refuse(cudaErrorInvalidDevice, call, what);
}

/* Programs that want several devices ask how many there are, and end with a status of their own before they launch anything. */
static void name_option(int status, void *unused)
{
    (void)unused;
    if (status != 0 && simt_launch_number == 0)
        fputs(
            "simt: note: the program asked how many devices there are, and there is one: SIMT_OPTIONS=devices=2 makes "
            "two\n",
            stderr);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    SIMT_CALL;
    static bool asked;
    cudaError_t error = simt_ready();

    *count = device_count();
    if (*count == 1 && !asked) {
        asked = true;
        on_exit(name_option, NULL);
    }
    return error;
}

cudaError_t cudaGetDevice(int *device)
{
    SIMT_CALL;

    *device = simt_device;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    SIMT_CALL;
    cudaError_t error = simt_check_device(device, "cudaSetDevice");

    if (error == cudaSuccess)
        simt_device = device;
    return error;
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
    p->maxThreadsPerBlock = simt_attribute(cudaDevAttrMaxThreadsPerBlock);
    p->maxThreadsDim[0] = simt_attribute(cudaDevAttrMaxBlockDimX);
    p->maxThreadsDim[1] = simt_attribute(cudaDevAttrMaxBlockDimY);
    p->maxThreadsDim[2] = simt_attribute(cudaDevAttrMaxBlockDimZ);
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
    p->clusterLaunch = simt_attribute(cudaDevAttrClusterLaunch);
    p->cooperativeLaunch = simt_attribute(cudaDevAttrCooperativeLaunch);
    p->computePreemptionSupported = p->memoryPoolsSupported = p->hostRegisterSupported = 1;
    p->textureAlignment = p->surfaceAlignment = (size_t)simt_attribute(cudaDevAttrTextureAlignment);
    p->texturePitchAlignment = (size_t)simt_attribute(cudaDevAttrTexturePitchAlignment);
    p->maxTexture1D = simt_attribute(cudaDevAttrMaxTexture1DWidth);
    p->maxTexture1DLinear = simt_attribute(cudaDevAttrMaxTexture1DLinearWidth);
    p->maxTexture2D[0] = simt_attribute(cudaDevAttrMaxTexture2DWidth);
    p->maxTexture2D[1] = simt_attribute(cudaDevAttrMaxTexture2DHeight);
    p->maxTexture3D[0] = simt_attribute(cudaDevAttrMaxTexture3DWidth);
    p->maxTexture3D[1] = simt_attribute(cudaDevAttrMaxTexture3DHeight);
    p->maxTexture3D[2] = simt_attribute(cudaDevAttrMaxTexture3DDepth);
    p->maxTexture2DLinear[0] = simt_attribute(cudaDevAttrMaxTexture2DLinearWidth);
    p->maxTexture2DLinear[1] = simt_attribute(cudaDevAttrMaxTexture2DLinearHeight);
    p->maxTexture2DLinear[2] = simt_attribute(cudaDevAttrMaxTexture2DLinearPitch);
    p->streamPrioritiesSupported = p->deviceOverlap = 1;
    p->clockRate = simt_attribute(cudaDevAttrClockRate);
    p->memoryClockRate = simt_attribute(cudaDevAttrMemoryClockRate);
    p->computeMode = cudaComputeModeDefault;
    p->singleToDoublePrecisionPerfRatio = simt_attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio);
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
    cudaError_t error = simt_capture_forbids_all("cudaDeviceSynchronize");

    if (simt_current)
        return simt_refuse(cudaErrorNotSupported, "cudaDeviceSynchronize",
                           "called by a kernel: since CUDA 12 none can wait for the grids that it launches");
    if (error != cudaSuccess)
        return error;
    simt_synchronise_all();
    simt_host_waits_for_all();
    return simt_ready();
}

cudaError_t cudaDeviceReset(void)
{
    SIMT_CALL;

    simt_synchronise_all();
    simt_host_waits_for_all();
    return simt_ready();
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value)
{
    SIMT_CALL;

    if (limit == cudaLimitMallocHeapSize)
        simt_heap_limit = value;
    return simt_ready();
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit)
{
    SIMT_CALL;

    *value = limit == cudaLimitStackSize ? 512 << 10 : limit == cudaLimitPrintfFifoSize ? 1 << 20 : simt_heap_limit;
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

    *least = 0;
    *greatest = SIMT_GREATEST_PRIORITY;
    return simt_ready();
}

static cudaError_t check_pair(int device, int peer, const char *call)
{
    cudaError_t error = simt_check_device(device, call);

    if (error == cudaSuccess)
        error = simt_check_device(peer, call);
    return error;
}

/* Every device can access every other one, and is no peer of itself. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    SIMT_CALL;

    *can = device != peer;
    return check_pair(device, peer, "cudaDeviceCanAccessPeer");
}

static cudaError_t check_peer(int peer, const char *call)
{
    cudaError_t error = simt_check_device(peer, call);

    return error == cudaSuccess && peer == simt_device
               ? simt_refuse(cudaErrorInvalidDevice, call, "a device is no peer of itself")
               : error;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = check_peer(peer, "cudaDeviceEnablePeerAccess");

    if (error == cudaSuccess && flags != 0)
        error = simt_refuse(cudaErrorInvalidValue, "cudaDeviceEnablePeerAccess", "flags other than 0");
    if (error == cudaSuccess && simt_is_peer(simt_device, peer))
        return simt_fail(cudaErrorPeerAccessAlreadyEnabled); /* programs try it again */
    if (error == cudaSuccess)
        simt_set_peer(simt_device, peer, true);
    return error;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    SIMT_CALL;
    cudaError_t error = check_peer(peer, "cudaDeviceDisablePeerAccess");

    if (error == cudaSuccess && !simt_is_peer(simt_device, peer))
        return simt_fail(cudaErrorPeerAccessNotEnabled);
    if (error == cudaSuccess)
        simt_set_peer(simt_device, peer, false);
    return error;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int device, int peer)
{
    SIMT_CALL;
    cudaError_t error = check_pair(device, peer, "cudaDeviceGetP2PAttribute");

    *value = attribute == cudaDevP2PAttrAccessSupported && device != peer;
    return error == cudaSuccess && device == peer
               ? simt_refuse(cudaErrorInvalidDevice, "cudaDeviceGetP2PAttribute", "a device is no peer of itself")
               : error;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    SIMT_CALL;
    unsigned domain, bus, slot;

    *device = 0;
    if (text && sscanf(text, "%x:%x:%x", &domain, &bus, &slot) == 3 && domain + slot == 0 &&
        (int)bus < device_count()) {
        *device = (int)bus;
        return simt_ready();
    }
    return simt_fail(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config)
{
    SIMT_CALL;

    (void)config;
    return simt_ready();
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config)
{
    SIMT_CALL;

    *config = cudaSharedMemBankSizeFourByte;
    return simt_ready();
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();

    for (int i = 0; i < count && error == cudaSuccess; i++)
        error = simt_check_device(devices[i], "cudaSetValidDevices");
    return error;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    SIMT_CALL;

    return simt_ready();
}

cudaError_t cudaThreadSynchronize(void)
{
    SIMT_CALL;

    return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void)
{
    SIMT_CALL;

    return cudaDeviceReset();
}

cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value)
{
    SIMT_CALL;

    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit)
{
    SIMT_CALL;

    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config)
{
    SIMT_CALL;

    return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config)
{
    SIMT_CALL;

    return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
    SIMT_CALL;
    cudaError_t error = simt_check_device(device, "cudaDeviceGetPCIBusId");

    if (error == cudaSuccess)
        snprintf(text, size > 0 ? (size_t)size : 0, "0000:%02x:00.0", (unsigned)device);
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
    SIMT_CALL;

    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    SIMT_CALL;

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
