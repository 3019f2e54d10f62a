/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The CUDA runtime calls. A call that CUDA would refuse returns CUDA's error and makes a finding `api`, unless a
 * careful program may well make it to learn something (how much memory there is, whether an event is ready). After a
 * kernel has failed every call returns its error, until simt_seed.
 */
#define _GNU_SOURCE
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

cudaError_t simt_sticky;

static cudaError_t last;

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
};

struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    bool recorded;
    struct timespec time;
};

static struct CUstream_st *streams;
static struct CUevent_st *events;

int simt_in_kernel(void)
{
    return simt_current != NULL;
}

/* --- errors */

cudaError_t simt_fail(cudaError_t error)
{
    if (error != cudaSuccess)
        last = error;
    return error;
}

void simt_clear_errors(void)
{
    simt_sticky = last = cudaSuccess;
}

static cudaError_t refuse(cudaError_t error, const char *call, const char *what)
{
    simt_report(API, NULL, 0, NULL, "%s: %s", call, what);
    if (simt_current)
        simt_stop(error);
    simt_report_findings(false);
    return simt_fail(error);
}

/* Every call starts so: the machine stands, and no kernel has failed. */
static cudaError_t ready(void)
{
    simt_start();
    return simt_sticky == cudaSuccess ? cudaSuccess : simt_fail(simt_sticky);
}

/* The error of a failed kernel too is told once, until the next call that needs the device. */
cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last;

    last = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last;
}

static const struct {
    cudaError_t number;
    const char *name, *text;
} errors[] = {
#define ROW(name, number, text) {name, #name, text},
    SIMT_ERRORS(ROW)
#undef ROW
};

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error)
            return errors[i].text;
    return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error)
            return errors[i].name;
    return "unrecognized error code";
}

/* --- the device */

static const struct {
    cudaDeviceAttr attribute;
    int value;
} attributes[] = {
#define ROW(name, number, value) {name, value},
    SIMT_ATTRIBUTES(ROW)
#undef ROW
};

static int attribute(cudaDeviceAttr which)
{
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].attribute == which)
            return attributes[i].value;
    return -1;
}

static cudaError_t device_zero(int device, const char *call)
{
    cudaError_t error = ready();

    return error == cudaSuccess && device != 0 ? refuse(cudaErrorInvalidDevice, call, "the only device is 0") : error;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return ready();
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return device_zero(device, "cudaSetDevice");
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    (void)device_flags;
    (void)flags;
    return device_zero(device, "cudaInitDevice");
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return ready();
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    *flags = 0;
    return ready();
}

static void describe_device(cudaDeviceProp *p)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "simt, a machine on the CPU");
    p->totalGlobalMem = simt_options.memory;
    p->sharedMemPerBlock = STATIC_SHARED;
    p->regsPerBlock = attribute(cudaDevAttrMaxRegistersPerBlock);
    p->warpSize = LANES;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = MAX_THREADS;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = MAX_THREADS;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 64 << 10;
    p->major = attribute(cudaDevAttrComputeCapabilityMajor);
    p->minor = attribute(cudaDevAttrComputeCapabilityMinor);
    p->multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = p->asyncEngineCount = 1;
    p->memoryBusWidth = attribute(cudaDevAttrGlobalMemoryBusWidth);
    p->l2CacheSize = attribute(cudaDevAttrL2CacheSize);
    p->maxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->sharedMemPerMultiprocessor = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->regsPerMultiprocessor = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    p->sharedMemPerBlockOptin = MAX_SHARED;
    p->maxBlocksPerMultiProcessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->reservedSharedMemPerBlock = 1024;
    p->cooperativeLaunch = attribute(cudaDevAttrCooperativeLaunch);
    p->computePreemptionSupported = p->memoryPoolsSupported = p->hostRegisterSupported = 1;
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    cudaError_t error = device_zero(device, "cudaGetDeviceProperties");

    if (error == cudaSuccess)
        describe_device(properties);
    return error;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int device)
{
    cudaError_t error = device_zero(device, "cudaDeviceGetAttribute");

    if (error != cudaSuccess)
        return error;
    *value = attribute(which);
    return *value < 0 ? simt_fail(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return ready();
}

cudaError_t cudaDeviceReset(void)
{
    return ready();
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value)
{
    (void)limit;
    (void)value;
    return ready();
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit)
{
    *value = limit == cudaLimitStackSize ? 64 << 10 : limit == cudaLimitPrintfFifoSize ? 1 << 20 : 8 << 20;
    return ready();
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config)
{
    (void)config;
    return ready();
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config)
{
    *config = cudaFuncCachePreferNone;
    return ready();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = *greatest = 0;
    return ready();
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    cudaError_t error = device_zero(device, "cudaDeviceCanAccessPeer");

    *can = 0;
    return error == cudaSuccess ? device_zero(peer, "cudaDeviceCanAccessPeer") : error;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
    cudaError_t error = device_zero(device, "cudaDeviceGetPCIBusId");

    if (error == cudaSuccess)
        snprintf(text, size > 0 ? (size_t)size : 0, "0000:00:00.0");
    return error;
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties)
{
    (void)properties;
    *device = 0;
    return ready();
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
    cudaError_t error = ready();

    *total = simt_options.memory;
    *free_bytes = simt_options.memory - simt_memory_used();
    return error;
}

/* --- allocations */

static cudaError_t allocate(void **memory, size_t size, memory_kind kind, const char *call)
{
    cudaError_t error = ready();

    if (error != cudaSuccess)
        return error;
    if (!memory)
        return refuse(cudaErrorInvalidValue, call, "nowhere to put the pointer");
    *memory = NULL;
    if (size == 0)
        return cudaSuccess;
    *memory = simt_allocate(size, kind);
    return *memory ? cudaSuccess : simt_fail(cudaErrorMemoryAllocation);
}

static cudaError_t release(void *memory, bool host, const char *call)
{
    cudaError_t error = ready();
    const allocation *a;
    char what[400], where[256];

    if (error != cudaSuccess || !memory)
        return error;
    a = simt_allocation_at((uintptr_t)memory);
    if (a && a->start == (uintptr_t)memory && !a->freed && (a->kind == HOST_MEMORY) == host) {
        simt_release(a->start);
        simt_report_findings(false);
        return cudaSuccess;
    }
    simt_describe((uintptr_t)memory, where, sizeof where);
    snprintf(what, sizeof what, "pointer %p is not the start of an allocation %s, but %s", memory,
             host ? "of host memory" : "of device memory", where);
    if (a && a->start == (uintptr_t)memory && a->freed)
        snprintf(what, sizeof what, "an allocation of %zu bytes that is already freed", (size_t)a->size);
    return refuse(cudaErrorInvalidValue, call, what);
}

cudaError_t cudaMalloc(void **memory, size_t size)
{
    return allocate(memory, size, DEVICE_MEMORY, "cudaMalloc");
}

cudaError_t cudaMallocAsync(void **memory, size_t size, cudaStream_t stream)
{
    (void)stream;
    return allocate(memory, size, DEVICE_MEMORY, "cudaMallocAsync");
}

cudaError_t cudaMallocHost(void **memory, size_t size)
{
    return allocate(memory, size, HOST_MEMORY, "cudaMallocHost");
}

cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned flags)
{
    if (flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        return refuse(cudaErrorInvalidValue, "cudaHostAlloc", "flags that there are not");
    return allocate(memory, size, HOST_MEMORY, "cudaHostAlloc");
}

cudaError_t cudaMallocManaged(void **memory, size_t size, unsigned flags)
{
    (void)flags;
    return allocate(memory, size, MANAGED_MEMORY, "cudaMallocManaged");
}

cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return allocate(memory, *pitch * height, DEVICE_MEMORY, "cudaMallocPitch");
}

cudaError_t cudaFree(void *memory)
{
    return release(memory, false, "cudaFree");
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    (void)stream;
    return release(memory, false, "cudaFreeAsync");
}

cudaError_t cudaFreeHost(void *memory)
{
    return release(memory, true, "cudaFreeHost");
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *memory)
{
    const allocation *a = simt_allocation_at((uintptr_t)memory);

    *flags = cudaHostAllocMapped;
    return a && a->kind == HOST_MEMORY && !a->freed
               ? ready()
               : refuse(cudaErrorInvalidValue, "cudaHostGetFlags", "not memory of cudaMallocHost");
}

/* Registered memory is for faster copies; kernels cannot reach it here, and cudaHostGetDevicePointer says so. */
static struct registered {
    struct registered *next;
    void *memory;
} * registered;

static struct registered **find_registered(const void *memory)
{
    struct registered **link = &registered;

    while (*link && (*link)->memory != memory)
        link = &(*link)->next;
    return link;
}

cudaError_t cudaHostRegister(void *memory, size_t size, unsigned flags)
{
    cudaError_t error = ready();
    struct registered *r;

    (void)flags;
    if (error != cudaSuccess)
        return error;
    if (!memory || !size || simt_in_range(memory))
        return refuse(cudaErrorInvalidValue, "cudaHostRegister", "not memory of the host");
    if (*find_registered(memory))
        return refuse(cudaErrorHostMemoryAlreadyRegistered, "cudaHostRegister", "memory that is registered already");
    r = malloc(sizeof *r);
    if (!r)
        return simt_fail(cudaErrorMemoryAllocation);
    *r = (struct registered){registered, memory};
    registered = r;
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    cudaError_t error = ready();
    struct registered **link = find_registered(memory), *r = *link;

    if (error != cudaSuccess)
        return error;
    if (!r)
        return refuse(cudaErrorHostMemoryNotRegistered, "cudaHostUnregister", "memory that is not registered");
    *link = r->next;
    free(r);
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    const allocation *a = simt_allocation_at((uintptr_t)host);

    (void)flags;
    *device = host;
    return a && a->kind == HOST_MEMORY
               ? ready()
               : refuse(cudaErrorInvalidValue, "cudaHostGetDevicePointer", "not memory of cudaMallocHost");
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *result, const void *pointer)
{
    static const cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeHost, cudaMemoryTypeManaged};
    cudaError_t error = ready();
    const allocation *a = simt_allocation_at((uintptr_t)pointer);
    bool variable = simt_variable_at(pointer) != NULL, known = a && !a->freed;
    memory_kind kind = known ? a->kind : DEVICE_MEMORY;

    memset(result, 0, sizeof *result);
    result->type = known || variable ? types[kind] : cudaMemoryTypeUnregistered;
    result->device = known || variable ? 0 : -2;
    result->devicePointer = known || variable ? (void *)(uintptr_t)pointer : NULL;
    result->hostPointer = known && kind != DEVICE_MEMORY ? (void *)(uintptr_t)pointer : NULL;
    return error;
}

/* --- copies */

/* Is a transfer of `size` bytes at `pointer` one that its side, the device's or the host's, allows? */
static bool may_transfer(const void *pointer, size_t size, bool device, const char *call, const char *side)
{
    uintptr_t address = (uintptr_t)pointer;
    const allocation *a = simt_allocation_at(address);
    const simt_variable *v = simt_variable_at(pointer);
    char what[512], where[256];

    if (a && !a->freed && address >= a->start && address + size <= a->start + a->size) {
        if (device ? a->kind != HOST_MEMORY : a->kind != DEVICE_MEMORY)
            return true;
    } else if (device && v && address + size <= (uintptr_t)v->address + v->size)
        return true;
    if (!device && !simt_in_range(pointer) && pointer)
        return true;
    simt_describe(address, where, sizeof where);
    if (device && v)
        snprintf(where, sizeof where, "variable %s of %zu bytes, at offset %zu", v->name, v->size,
                 (size_t)(address - (uintptr_t)v->address));
    snprintf(what, sizeof what, "%zu bytes %s memory of the %s, but the pointer is %s", size, side,
             device ? "device" : "host",
             a || v || simt_in_range(pointer) ? where
             : pointer                        ? "of the host"
                                              : "null");
    simt_report(API, NULL, 0, NULL, "%s: %s", call, what);
    simt_report_findings(false);
    return false;
}

static bool is_device(const void *pointer)
{
    return simt_in_range(pointer) || simt_variable_at(pointer);
}

/* A copy takes along what is known about each byte. */
static void copy_bytes(void *to, const void *from, size_t size)
{
    memmove(to, from, size);
    if (simt_shadow && simt_in_range(to)) {
        uint8_t *shadow = simt_shadow + ((uintptr_t)to - simt_base);

        if (simt_in_range(from))
            memmove(shadow, simt_shadow + ((uintptr_t)from - simt_base), size);
        else
            memset(shadow, ACCESSIBLE | INITIALISED, size);
    }
}

static cudaError_t check_copy(const void *to, const void *from, size_t size, cudaMemcpyKind kind, const char *call)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const allocation *a = simt_allocation_at((uintptr_t)to), *b = simt_allocation_at((uintptr_t)from);

    if ((unsigned)kind > cudaMemcpyDefault)
        return refuse(cudaErrorInvalidMemcpyDirection, call, "no such direction");
    if (simt_current)
        return refuse(cudaErrorNotSupported, call, "called by a kernel");
    if (kind == cudaMemcpyDefault) { /* host memory of CUDA's own counts as the host's */
        to_device = is_device(to) && !(a && a->kind == HOST_MEMORY);
        from_device = is_device(from) && !(b && b->kind == HOST_MEMORY);
    } else if (kind == cudaMemcpyDeviceToDevice) { /* CUDA takes its own host memory here too */
        to_device = !(a && a->kind == HOST_MEMORY);
        from_device = !(b && b->kind == HOST_MEMORY);
    }
    if (size &&
        (!may_transfer(to, size, to_device, call, "to") || !may_transfer(from, size, from_device, call, "from")))
        return simt_fail(cudaErrorInvalidValue);
    return cudaSuccess;
}

static cudaError_t copy(void *to, const void *from, size_t size, cudaMemcpyKind kind, const char *call)
{
    cudaError_t error = ready();

    if (error == cudaSuccess)
        error = check_copy(to, from, size, kind, call);
    if (error == cudaSuccess && size)
        copy_bytes(to, from, size);
    return error;
}

static bool known_stream(cudaStream_t stream)
{
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return true;
    for (struct CUstream_st *s = streams; s; s = s->next)
        if (s == stream)
            return true;
    return false;
}

static cudaError_t check_stream(cudaStream_t stream, const char *call)
{
    cudaError_t error = ready();

    if (error != cudaSuccess || known_stream(stream))
        return error;
    return refuse(cudaErrorInvalidResourceHandle, call, "no such stream, or a destroyed one");
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind)
{
    return copy(to, from, size, kind, "cudaMemcpy");
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaMemcpyAsync");

    return error == cudaSuccess ? copy(to, from, size, kind, "cudaMemcpyAsync") : error;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind)
{
    cudaError_t error = ready();

    if (error == cudaSuccess && (width > to_pitch || width > from_pitch))
        error = refuse(cudaErrorInvalidPitchValue, "cudaMemcpy2D", "rows are wider than the pitch");
    for (size_t i = 0; i < height && error == cudaSuccess; i++)
        error = copy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width, kind, "cudaMemcpy2D");
    return error;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaMemcpy2DAsync");

    return error == cudaSuccess ? cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind) : error;
}

static cudaError_t set(void *memory, int value, size_t size, const char *call)
{
    cudaError_t error = ready();
    const allocation *a = simt_allocation_at((uintptr_t)memory);
    bool device = !(a && a->kind == HOST_MEMORY); /* which cudaMemset takes too */

    if (error != cudaSuccess || size == 0)
        return error;
    if (simt_current)
        return refuse(cudaErrorNotSupported, call, "called by a kernel");
    if (!may_transfer(memory, size, device, call, "to"))
        return simt_fail(cudaErrorInvalidValue);
    memset(memory, value, size);
    simt_set_state((uintptr_t)memory, size, ACCESSIBLE | INITIALISED);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int value, size_t size)
{
    return set(memory, value, size, "cudaMemset");
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t size, cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaMemsetAsync");

    return error == cudaSuccess ? set(memory, value, size, "cudaMemsetAsync") : error;
}

cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height)
{
    cudaError_t error = ready();

    if (error == cudaSuccess && width > pitch)
        error = refuse(cudaErrorInvalidPitchValue, "cudaMemset2D", "rows are wider than the pitch");
    for (size_t i = 0; i < height && error == cudaSuccess; i++)
        error = set((char *)memory + i * pitch, value, width, "cudaMemset2D");
    return error;
}

cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaMemset2DAsync");

    return error == cudaSuccess ? cudaMemset2D(memory, pitch, value, width, height) : error;
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size)
{
    cudaError_t error = device_zero(to_device, "cudaMemcpyPeer");

    if (error == cudaSuccess)
        error = device_zero(from_device, "cudaMemcpyPeer");
    return error == cudaSuccess ? copy(to, from, size, cudaMemcpyDeviceToDevice, "cudaMemcpyPeer") : error;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                                cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaMemcpyPeerAsync");

    return error == cudaSuccess ? cudaMemcpyPeer(to, to_device, from, from_device, size) : error;
}

static cudaError_t check_managed(const void *memory, size_t size, const char *call)
{
    const allocation *a = simt_allocation_at((uintptr_t)memory);
    uintptr_t offset = a ? (uintptr_t)memory - a->start : 0;

    if (a && a->kind == MANAGED_MEMORY && !a->freed && offset <= a->size && size <= a->size - offset)
        return ready();
    return refuse(cudaErrorInvalidValue, call, "not within memory of cudaMallocManaged");
}

cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, struct cudaMemLocation to, unsigned flags,
                                 cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaMemPrefetchAsync");

    (void)to;
    (void)flags;
    return error == cudaSuccess ? check_managed(memory, size, "cudaMemPrefetchAsync") : error;
}

cudaError_t cudaMemAdvise(const void *memory, size_t size, cudaMemoryAdvise advice, struct cudaMemLocation at)
{
    (void)advice;
    (void)at;
    return check_managed(memory, size, "cudaMemAdvise");
}

/* --- symbols */

static cudaError_t find_symbol(const void *symbol, size_t offset, size_t size, const char *call)
{
    cudaError_t error = ready();
    const simt_variable *v = simt_variable_at(symbol);
    char what[256];

    if (error != cudaSuccess)
        return error;
    if (!v || v->address != symbol)
        return refuse(cudaErrorInvalidSymbol, call, "no __device__ or __constant__ variable");
    if (offset <= v->size && size <= v->size - offset)
        return cudaSuccess;
    snprintf(what, sizeof what, "%zu bytes at offset %zu of variable %s, which has %zu", size, offset, v->name,
             v->size);
    return refuse(cudaErrorInvalidValue, call, what);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind)
{
    cudaError_t error = find_symbol(symbol, offset, size, "cudaMemcpyToSymbol");

    return error == cudaSuccess ? copy((char *)(uintptr_t)symbol + offset, from, size, kind, "cudaMemcpyToSymbol")
                                : error;
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind)
{
    cudaError_t error = find_symbol(symbol, offset, size, "cudaMemcpyFromSymbol");

    return error == cudaSuccess ? copy(to, (const char *)symbol + offset, size, kind, "cudaMemcpyFromSymbol") : error;
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaMemcpyToSymbolAsync");

    return error == cudaSuccess ? cudaMemcpyToSymbol(symbol, from, size, offset, kind) : error;
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaMemcpyFromSymbolAsync");

    return error == cudaSuccess ? cudaMemcpyFromSymbol(to, symbol, size, offset, kind) : error;
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    cudaError_t error = find_symbol(symbol, 0, 0, "cudaGetSymbolAddress");

    *address = error == cudaSuccess ? (void *)(uintptr_t)symbol : NULL;
    return error;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    cudaError_t error = find_symbol(symbol, 0, 0, "cudaGetSymbolSize");

    if (error == cudaSuccess)
        *size = simt_variable_at(symbol)->size;
    return error;
}

/* --- streams and events */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    cudaError_t error = ready();

    if (error != cudaSuccess)
        return error;
    *stream = calloc(1, sizeof **stream);
    if (!*stream)
        return simt_fail(cudaErrorMemoryAllocation);
    (*stream)->flags = flags;
    (*stream)->next = streams;
    streams = *stream;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    (void)priority;
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaStreamDestroy");
    struct CUstream_st **link = &streams;

    if (error != cudaSuccess)
        return error;
    while (*link && *link != stream)
        link = &(*link)->next;
    if (!*link)
        return refuse(cudaErrorInvalidResourceHandle, "cudaStreamDestroy", "not a stream that was created");
    *link = stream->next;
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return check_stream(stream, "cudaStreamSynchronize");
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return check_stream(stream, "cudaStreamQuery");
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    cudaError_t error = check_stream(stream, "cudaStreamGetFlags");
    bool named = stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;

    if (error == cudaSuccess)
        *flags = named ? stream->flags : (unsigned)cudaStreamDefault;
    return error;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    *priority = 0;
    return check_stream(stream, "cudaStreamGetPriority");
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    *device = 0;
    return check_stream(stream, "cudaStreamGetDevice");
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *memory, size_t size, unsigned flags)
{
    cudaError_t error = check_stream(stream, "cudaStreamAttachMemAsync");

    (void)flags;
    return error == cudaSuccess ? check_managed(memory, size, "cudaStreamAttachMemAsync") : error;
}

static cudaError_t check_event(cudaEvent_t event, const char *call)
{
    cudaError_t error = ready();

    if (error != cudaSuccess)
        return error;
    for (struct CUevent_st *e = events; e; e = e->next)
        if (e == event)
            return cudaSuccess;
    return refuse(cudaErrorInvalidResourceHandle, call, "no such event, or a destroyed one");
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    cudaError_t error = check_stream(stream, "cudaStreamWaitEvent");

    (void)flags;
    return error == cudaSuccess ? check_event(event, "cudaStreamWaitEvent") : error;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    cudaError_t error = ready();

    if (error != cudaSuccess)
        return error;
    *event = calloc(1, sizeof **event);
    if (!*event)
        return simt_fail(cudaErrorMemoryAllocation);
    (*event)->flags = flags;
    (*event)->next = events;
    events = *event;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    cudaError_t error = check_event(event, "cudaEventDestroy");
    struct CUevent_st **link = &events;

    if (error != cudaSuccess)
        return error;
    while (*link != event)
        link = &(*link)->next;
    *link = event->next;
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, "cudaEventRecord");

    if (error == cudaSuccess)
        error = check_event(event, "cudaEventRecord");
    if (error != cudaSuccess)
        return error;
    event->recorded = true;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    (void)flags;
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return check_event(event, "cudaEventSynchronize");
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return check_event(event, "cudaEventQuery");
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    cudaError_t error = check_event(start, "cudaEventElapsedTime");

    if (error == cudaSuccess)
        error = check_event(stop, "cudaEventElapsedTime");
    if (error != cudaSuccess)
        return error;
    if (!start->recorded || !stop->recorded || ((start->flags | stop->flags) & cudaEventDisableTiming))
        return refuse(cudaErrorInvalidResourceHandle, "cudaEventElapsedTime",
                      "an event that was not recorded, or was made without timing");
    *milliseconds = (float)((double)(stop->time.tv_sec - start->time.tv_sec) * 1e3 +
                            (double)(stop->time.tv_nsec - start->time.tv_nsec) / 1e6);
    return cudaSuccess;
}

/* --- kernels */

simt_kernel **simt_probe;

/* A kernel is called, and notes itself before it does anything. NULL: what was called is no kernel. */
static simt_kernel *probe_function(const void *function)
{
    simt_kernel *found = NULL;

    if (!function || simt_in_range(function))
        return NULL;
    simt_probe = &found;
    ((void (*)(void))(uintptr_t)function)();
    simt_probe = NULL;
    return found;
}

const simt_kernel *simt_kernel_of(const simt_launch_request *request)
{
    simt_kernel *found = NULL;

    simt_probe = &found;
    request->call((void *)(uintptr_t)request->closure);
    simt_probe = NULL;
    return found;
}

static cudaError_t find_kernel(const void *function, simt_kernel **kernel, const char *call)
{
    cudaError_t error = ready();

    if (error != cudaSuccess)
        return error;
    *kernel = probe_function(function);
    return *kernel ? cudaSuccess : refuse(cudaErrorInvalidDeviceFunction, call, "no kernel");
}

size_t simt_dynamic_limit(const simt_kernel *kernel)
{
    return kernel && kernel->dynamic_limit ? (size_t)kernel->dynamic_limit : STATIC_SHARED;
}

int simt_threads_limit(const simt_kernel *kernel)
{
    return kernel && kernel->max_threads > 0 && kernel->max_threads < MAX_THREADS ? kernel->max_threads : MAX_THREADS;
}

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute which, int value)
{
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaFuncSetAttribute");

    if (error != cudaSuccess || which == cudaFuncAttributePreferredSharedMemoryCarveout)
        return error;
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 || value > MAX_SHARED)
        return refuse(cudaErrorInvalidValue, "cudaFuncSetAttribute", "no such attribute, or more than 232448 bytes");
    kernel->dynamic_limit = value;
    return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache config)
{
    simt_kernel *kernel;

    (void)config;
    return find_kernel(function, &kernel, "cudaFuncSetCacheConfig");
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaFuncGetName");

    if (error == cudaSuccess)
        *name = kernel->name;
    return error;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *result, const void *function)
{
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaFuncGetAttributes");

    if (error != cudaSuccess)
        return error;
    memset(result, 0, sizeof *result);
    result->maxThreadsPerBlock = simt_threads_limit(kernel);
    result->numRegs = 32;
    result->ptxVersion = result->binaryVersion = 90;
    result->maxDynamicSharedSizeBytes = (int)simt_dynamic_limit(kernel);
    return cudaSuccess;
}

/* As many as this machine holds: MAX_WARPS and MAX_BLOCKS over all its multiprocessors. */
static int blocks_at_once(int block_size, size_t shared_bytes)
{
    int each = attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / LANES / ((block_size + LANES - 1) / LANES);
    int by_memory = (int)((MAX_SHARED + 1024) / (shared_bytes + 1024));

    if (each > attribute(cudaDevAttrMaxBlocksPerMultiprocessor))
        each = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    return each < by_memory ? each : by_memory;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *result, const void *function, int block_size,
                                                          size_t shared_bytes)
{
    static const char call[] = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, call);

    if (error != cudaSuccess)
        return error;
    if (block_size <= 0)
        return refuse(cudaErrorInvalidValue, call, "blocks of no threads");
    *result = block_size > simt_threads_limit(kernel) || shared_bytes > simt_dynamic_limit(kernel)
                  ? 0
                  : blocks_at_once(block_size, shared_bytes);
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *result, const void *function, int block_size,
                                                                   size_t shared_bytes, unsigned flags)
{
    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(result, function, block_size, shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *result, const void *function, int blocks, int block_size)
{
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaOccupancyAvailableDynamicSMemPerBlock");

    (void)block_size;
    if (error != cudaSuccess)
        return error;
    if (blocks <= 0)
        return refuse(cudaErrorInvalidValue, "cudaOccupancyAvailableDynamicSMemPerBlock", "no blocks");
    *result = (size_t)(MAX_SHARED + 1024) / (size_t)blocks - 1024;
    return cudaSuccess;
}

/* The largest block, and as many of them as are resident at once. */
cudaError_t simt_best_block(int *grid, int *threads, const void *function,
                            size_t (*shared_bytes)(void *state, int size), void *state, int limit)
{
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaOccupancyMaxPotentialBlockSize");
    int best = 0;

    if (error != cudaSuccess)
        return error;
    if (limit <= 0 || limit > simt_threads_limit(kernel))
        limit = simt_threads_limit(kernel);
    for (int size = limit; size > 0; size = (size - 1) / LANES * LANES) {
        size_t bytes = shared_bytes(state, size);
        int blocks = bytes > simt_dynamic_limit(kernel) ? 0 : blocks_at_once(size, bytes);

        if (size * blocks > best) {
            best = size * blocks;
            *threads = size;
            *grid = blocks * attribute(cudaDevAttrMultiProcessorCount);
        }
    }
    return best ? cudaSuccess : refuse(cudaErrorInvalidConfiguration, "cudaOccupancyMaxPotentialBlockSize", "no size");
}

static cudaError_t launch_kernel(const void *function, dim3 grid, dim3 threads, void **arguments, size_t shared_bytes,
                                 cudaStream_t stream, bool cooperative, const char *call)
{
    simt_kernel *kernel;
    cudaError_t error = check_stream(stream, call);
    simt_launch_request request = {.grid = grid, .block = threads, .shared_bytes = shared_bytes, .stream = stream};

    if (error == cudaSuccess)
        error = find_kernel(function, &kernel, call);
    if (error != cudaSuccess)
        return error;
    request.name = kernel->name;
    request.file = kernel->file;
    request.line = kernel->line;
    request.cooperative = cooperative;
    last = cudaSuccess;
    kernel->launch(&request, function, arguments);
    return last;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 threads, void **arguments, size_t shared_bytes,
                             cudaStream_t stream)
{
    return launch_kernel(function, grid, threads, arguments, shared_bytes, stream, false, "cudaLaunchKernel");
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 threads, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream)
{
    return launch_kernel(function, grid, threads, arguments, shared_bytes, stream, true, "cudaLaunchCooperativeKernel");
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    cudaError_t error = check_stream(stream, "cudaLaunchHostFunc");

    if (error == cudaSuccess)
        function(data);
    return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags)
{
    cudaError_t error = check_stream(stream, "cudaStreamAddCallback");

    (void)flags;
    if (error == cudaSuccess)
        function(stream, cudaSuccess, data);
    return error;
}
