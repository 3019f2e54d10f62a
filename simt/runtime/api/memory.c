/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: allocations, copies, symbols.
 */
#include "calls.h"
#include "capture.h"

#include "../detect/detect.h"
#include "../launch/nested.h"
#include "../memory/memory.h"
#include "../sync/sync.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cudaError_t out_of_memory(const char *call, size_t size)
{
    simt_allocation_failed(call, size);
    return simt_fail(cudaErrorMemoryAllocation);
}

static cudaError_t allocate(void **memory, size_t size, memory_kind kind, const char *call)
{
    cudaError_t error = simt_ready();

    if (error == cudaSuccess)
        error = simt_capture_forbids(call);
    if (error != cudaSuccess)
        return error;
    if (!memory)
        return simt_refuse(cudaErrorInvalidValue, call, "the address for the pointer is null");
    *memory = NULL;
    if (size == 0)
        return cudaSuccess;
    *memory = simt_allocate(size, kind);
    return *memory ? cudaSuccess : out_of_memory(call, size);
}

/* That a call waits for what uses the memory is no promise of CUDA's, and what it does is a race then. */
static void note_end(uintptr_t start, size_t size, const char *call)
{
    if (simt_checking)
        simt_host_access(start, size, SIMT_IS_WRITE, call, NULL);
}

/* In the order of a stream; NULL: the call waits for all of them. */
static cudaError_t release(void *memory, bool host, const cudaStream_t *stream, const char *call)
{
    cudaError_t error = simt_ready();
    const allocation *a;
    char what[400], where[256];

    if (error != cudaSuccess || !memory)
        return error;
    if (stream)
        simt_synchronise(*stream);
    else
        simt_synchronise_all();
    a = simt_allocation_at((uintptr_t)memory);
    if (a && a->start == (uintptr_t)memory && !a->freed && (a->kind == HOST_MEMORY) == host && a->kind != HEAP_MEMORY) {
        if (a->of_graph)
            simt_retire(a->start);
        else
            simt_release(a->start, NULL);
        simt_report_findings(false);
        return cudaSuccess;
    }
    simt_describe((uintptr_t)memory, where, sizeof where);
    snprintf(what, sizeof what, "pointer %p is not the start of an allocation %s, but %s", memory,
             host ? "of host memory" : "of device memory", where);
    if (a && a->start == (uintptr_t)memory && a->freed)
        snprintf(what, sizeof what, "an allocation of %zu bytes that is already freed", (size_t)a->size);
    return simt_refuse(cudaErrorInvalidValue, call, what);
}

/* --- order (detect/actor.h) */

static simt_span rows_of(const void *begin, size_t pitch, size_t size, size_t rows)
{
    bool sound = size && size <= simt_options.memory && rows <= simt_options.memory;

    return (simt_span){.begin = (uintptr_t)begin, .size = size, .pitch = pitch, .rows = sound ? rows : 0};
}

static bool has_kind(const void *pointer, memory_kind kind)
{
    const allocation *a = simt_allocation_at((uintptr_t)pointer);

    return a && a->kind == kind;
}

/* All of the rows are written. CUDA, "API synchronization behavior": the host waits only for a fill of pinned or managed memory that
 * is not asynchronous. */
static void note_fill(cudaStream_t stream, const char *call, bool async, simt_span rows)
{
    const void *memory = (const void *)rows.begin;
    bool waits = !async && (has_kind(memory, HOST_MEMORY) || has_kind(memory, MANAGED_MEMORY));

    simt_transfer(simt_actor_of(stream), call, rows, (simt_span){.rows = 0}, waits);
}

cudaError_t cudaMalloc(void **memory, size_t size)
{
    SIMT_CALL;

    if (simt_current) { /* in kernels, both are of their heap */
        *memory = __simt_malloc(size);
        return *memory ? cudaSuccess : simt_fail(cudaErrorMemoryAllocation);
    }
    return allocate(memory, size, DEVICE_MEMORY, "cudaMalloc");
}

cudaError_t cudaMallocAsync(void **memory, size_t size, cudaStream_t stream)
{
    SIMT_CALL;

    cudaError_t error = simt_stream_ready(stream, "cudaMallocAsync");

    if (error != cudaSuccess)
        return error;
    if (simt_is_captured(stream)) {
        *memory = simt_allocate(size, DEVICE_MEMORY);
        if (!*memory)
            return simt_fail(cudaErrorMemoryAllocation);
        simt_retire((uintptr_t)*memory);
        return simt_capture_memory(stream, true, *memory, size);
    }
    *memory = size ? simt_allocate(size, DEVICE_MEMORY) : NULL;
    if (size && !*memory)
        return out_of_memory("cudaMallocAsync", size);
    if (*memory)
        simt_allocated_of_pool(*memory);
    /* what an unordered stream does with it may come before the memory exists */
    note_fill(stream, "cudaMallocAsync", true, rows_of(*memory, 0, size, 1));
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **memory, size_t size)
{
    SIMT_CALL;

    return allocate(memory, size, HOST_MEMORY, "cudaMallocHost");
}

cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned flags)
{
    SIMT_CALL;

    if (flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        return simt_refuse(cudaErrorInvalidValue, "cudaHostAlloc", "unknown flags");
    return allocate(memory, size, HOST_MEMORY, "cudaHostAlloc");
}

cudaError_t cudaMallocManaged(void **memory, size_t size, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = allocate(memory, size, MANAGED_MEMORY, "cudaMallocManaged");

    (void)flags;
    if (error == cudaSuccess)
        simt_forget_hints(*memory, size);
    return error;
}

cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height)
{
    SIMT_CALL;

    *pitch = (width + 511) / 512 * 512;
    return allocate(memory, *pitch * height, DEVICE_MEMORY, "cudaMallocPitch");
}

/* CUDA, "Stream Ordered Memory Allocator": of memory of a pool cudaFree assumes that all accesses have completed, and does not wait. */
cudaError_t cudaFree(void *memory)
{
    SIMT_CALL;
    const allocation *a = simt_allocation_at((uintptr_t)memory);

    cudaError_t error = simt_capture_forbids("cudaFree");

    if (simt_current) {
        __simt_free(memory);
        return cudaSuccess;
    }
    if (error != cudaSuccess)
        return error;
    if (a && a->start == (uintptr_t)memory && !a->freed && a->of_pool)
        note_end(a->start, a->size, "cudaFree of");
    return release(memory, false, NULL, "cudaFree");
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    SIMT_CALL;

    const allocation *a = simt_allocation_at((uintptr_t)memory);

    if (simt_is_captured(stream))
        return a && a->start == (uintptr_t)memory && a->of_graph
                   ? simt_capture_memory(stream, false, memory, a->size)
                   : simt_refuse(cudaErrorInvalidValue, "cudaFreeAsync",
                                 "the stream is captured, and no graph has allocated the memory");
    if (a && a->start == (uintptr_t)memory && !a->freed)
        note_fill(stream, "cudaFreeAsync", true, rows_of(memory, 0, a->size, 1));
    return release(memory, false, &stream, "cudaFreeAsync");
}

cudaError_t cudaFreeHost(void *memory)
{
    SIMT_CALL;

    const allocation *a = simt_allocation_at((uintptr_t)memory);
    cudaError_t error = simt_capture_forbids("cudaFreeHost");

    if (error != cudaSuccess)
        return error;
    if (a && a->start == (uintptr_t)memory && !a->freed && a->kind == HOST_MEMORY)
        note_end(a->start, a->size, "cudaFreeHost of");
    return release(memory, true, NULL, "cudaFreeHost");
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *memory)
{
    SIMT_CALL;
    const allocation *a = simt_allocation_at((uintptr_t)memory);
    const simt_registered *r = simt_registered_at(memory);

    *flags = cudaHostAllocMapped | (r ? r->flags : 0);
    return r || (a && a->kind == HOST_MEMORY && !a->freed)
               ? simt_ready()
               : simt_refuse(cudaErrorInvalidValue, "cudaHostGetFlags",
                             "not allocated by cudaMallocHost, nor registered");
}

cudaError_t cudaHostRegister(void *memory, size_t size, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    if (!memory || !size || simt_in_range(memory))
        return simt_refuse(cudaErrorInvalidValue, "cudaHostRegister", "not host memory");
    if (*simt_find_registered(memory))
        return simt_refuse(cudaErrorHostMemoryAlreadyRegistered, "cudaHostRegister",
                           "the memory is registered already");
    return simt_add_registered(memory, size, flags) ? cudaSuccess : simt_fail(cudaErrorMemoryAllocation);
}

/* Whether it is memory of the host that CUDA did not allocate and that is not registered. */
static bool is_pageable(const void *memory)
{
    return !simt_registered_at(memory) && !simt_in_range(memory);
}

cudaError_t cudaHostUnregister(void *memory)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();
    simt_registered **link = simt_find_registered(memory), *r = *link;

    if (error != cudaSuccess)
        return error;
    if (!r)
        return simt_refuse(cudaErrorHostMemoryNotRegistered, "cudaHostUnregister", "the memory is not registered");
    note_end((uintptr_t)r->memory, r->size, "cudaHostUnregister of");
    simt_synchronise_all();
    *link = r->next;
    free(r);
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    SIMT_CALL;
    const allocation *a = simt_allocation_at((uintptr_t)host);

    (void)flags;
    *device = host;
    return simt_registered_at(host) || (a && a->kind == HOST_MEMORY)
               ? simt_ready()
               : simt_refuse(cudaErrorInvalidValue, "cudaHostGetDevicePointer",
                             "not allocated by cudaMallocHost, nor registered");
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *result, const void *pointer)
{
    SIMT_CALL;
    static const cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeHost, cudaMemoryTypeManaged,
                                           cudaMemoryTypeUnregistered};
    cudaError_t error = simt_ready();
    const allocation *a = simt_allocation_at((uintptr_t)pointer);
    bool is_registered = simt_registered_at(pointer) != NULL, variable = simt_variable_at(pointer) != NULL;
    bool known = (a && !a->freed) || is_registered;
    memory_kind kind = is_registered ? HOST_MEMORY : known ? a->kind : DEVICE_MEMORY;

    known = known && kind != HEAP_MEMORY; /* as on a GPU: the host knows nothing of it */
    memset(result, 0, sizeof *result);
    result->type = known || variable ? types[kind] : cudaMemoryTypeUnregistered;
    result->device = known && a && kind == DEVICE_MEMORY ? a->device : known || variable ? 0 : -2;
    result->devicePointer = known || variable ? (void *)(uintptr_t)pointer : NULL;
    result->hostPointer = known && kind != DEVICE_MEMORY ? (void *)(uintptr_t)pointer : NULL;
    return error;
}

/* --- copies */

static SIMT_THREAD_LOCAL bool of_node; /* the checks are of a node: memory of a graph need not be allocated now */

/* What a side of a copy may be. An H200 took all memory that CUDA allocated or that is registered as either side of every direction,
 * within the host, too; as memory of the device it refused pageable memory alone. */
typedef enum side_of { DEVICE_SIDE, HOST_SIDE } side_of;

/* May `size` bytes at `pointer` be copied as such a side? If not, that is a finding. */
static bool may_transfer(const void *pointer, size_t size, side_of expected, const char *call, const char *side)
{
    uintptr_t address = (uintptr_t)pointer;
    const allocation *a = simt_allocation_at(address);
    const simt_variable *v = simt_variable_at(pointer);
    char what[512], where[256];

    if (a && (!a->freed || (of_node && a->of_graph)) && address >= a->start && address + size <= a->start + a->size) {
        if (a->kind != HEAP_MEMORY)
            return true;
    } else if (v) {
        if (address + size <= (uintptr_t)v->address + v->size)
            return true;
    } else if (simt_is_registered(address, size) || (expected != DEVICE_SIDE && !simt_in_range(pointer) && pointer))
        return true;
    simt_describe(address, where, sizeof where);
    if (v)
        snprintf(where, sizeof where, "variable %s of %zu bytes, at offset %zu", v->name, v->size,
                 (size_t)(address - (uintptr_t)v->address));
    snprintf(what, sizeof what, "%zu bytes %s memory of the %s, but the pointer is %s", size, side,
             expected == DEVICE_SIDE ? "device" : "host",
             a || v || simt_in_range(pointer) ? where
             : pointer                        ? "of the host"
                                              : "null");
    simt_report(API, NULL, 0, NULL, "%s: %s", call, what);
    if (!pointer)
        simt_null_is_used(NULL);
    simt_report_findings(false);
    return false;
}

static bool is_device(const void *pointer)
{
    return simt_in_range(pointer) || simt_variable_at(pointer);
}

/* Copies the bytes, and with them whether each is initialised. */
static void copy_bytes(void *to, const void *from, size_t size)
{
    memmove(to, from, size);
    if (simt_shadow && simt_in_range(to)) {
        uint8_t *shadow = simt_shadow + ((uintptr_t)to - simt_base);

        if (simt_in_range(from))
            simt_host_wrote((uintptr_t)from, size);
        if (simt_in_range(from)) {
            memmove(shadow, simt_shadow + ((uintptr_t)from - simt_base), size);
            simt_pages_change((uintptr_t)to, size);
        } else {
            memset(shadow, ACCESSIBLE | INITIALISED, size);
            simt_pages_written((uintptr_t)to, size);
        }
    }
}

/* Does the host get the bytes? */
static bool is_result(const void *to, const void *from)
{
    const allocation *a = simt_allocation_at((uintptr_t)to);

    return is_device(from) && (!is_device(to) || (a && a->kind == HOST_MEMORY));
}

static cudaError_t check_copy(const void *to, const void *from, size_t size, cudaMemcpyKind kind, const char *call)
{
    side_of target = HOST_SIDE, source = HOST_SIDE;

    if ((unsigned)kind > cudaMemcpyDefault)
        return simt_refuse(cudaErrorInvalidMemcpyDirection, call, "no such direction");
    if (simt_current)
        return simt_refuse(cudaErrorNotSupported, call, "called by a kernel");
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice)
        target = DEVICE_SIDE;
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice)
        source = DEVICE_SIDE;
    if (size && (!may_transfer(to, size, target, call, "to") || !may_transfer(from, size, source, call, "from")))
        return simt_fail(cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t simt_check_copy(const void *to, const void *from, size_t size, cudaMemcpyKind kind, const char *call)
{
    cudaError_t error;

    of_node = true;
    error = check_copy(to, from, size, kind, call);
    of_node = false;
    return error;
}

static bool is_in_device(const void *pointer)
{
    return is_device(pointer) && !has_kind(pointer, HOST_MEMORY);
}

/* The same page of CUDA's documents: the host does not wait for a copy within device memory, nor for an asynchronous one, unless that is
 * within the host or goes to pageable memory. What is pageable can be used again when the call returns: CUDA has read it, or the call
 * waits. Nothing of that is said of a node of a graph. */
static void note_copy(cudaStream_t stream, const char *call, bool async, simt_span to, simt_span from)
{
    const void *target = (const void *)to.begin, *source = (const void *)from.begin;
    bool managed = has_kind(target, MANAGED_MEMORY) || has_kind(source, MANAGED_MEMORY);
    bool to_pageable = is_pageable(target) && !simt_variable_at(target);
    bool within_device = is_in_device(target) && is_in_device(source) && !managed;
    bool within_host = !is_in_device(target) && !is_in_device(source);

    if (is_result(target, source))
        simt_result_is_copied(call);
    if (is_pageable(source) && !simt_variable_at(source) && !simt_node_actor)
        from.rows = 0;
    simt_transfer(simt_actor_of(stream), call, to, from,
                  async ? (to_pageable || within_host) && !simt_node_actor : !within_device);
}

/* Runs that are compared copy in other orders, but issue their copies in one. */
static uint64_t number_copy(const void *to, const void *from, size_t size)
{
    return simt_checking && size && is_result(to, from) ? simt_compare_issued(to, from, size) : 0;
}

static cudaError_t copy_numbered(void *to, const void *from, size_t size, cudaMemcpyKind kind, const char *call,
                                 uint64_t number, bool is_row)
{
    cudaError_t error = simt_ready();

    if (error == cudaSuccess)
        error = check_copy(to, from, size, kind, call);
    if (error != cudaSuccess || !size)
        return error;
    if (is_result(to, from))
        simt_host_gets(call, from, size, is_row);
    copy_bytes(to, from, size);
    if (!is_result(to, from))
        return cudaSuccess;
    if (number)
        simt_compare_copy(number, call, from, size);
    simt_host_copied(call, to, from, size);
    return cudaSuccess;
}

/* Inlined: a finding keeps few frames, and the program's must be among them; so must it be among the two that tell copies apart. */
static inline __attribute__((always_inline)) cudaError_t copy(void *to, const void *from, size_t size,
                                                              cudaMemcpyKind kind, const char *call)
{
    return copy_numbered(to, from, size, kind, call, number_copy(to, from, size), false);
}

static cudaError_t copy_row(void *to, const void *from, size_t size, cudaMemcpyKind kind)
{
    return copy_numbered(to, from, size, kind, "cudaMemcpy2D", number_copy(to, from, size), true);
}

static void copy_later(simt_operation *o)
{
    copy_numbered(o->to, o->from, o->size, (cudaMemcpyKind)o->value, "cudaMemcpyAsync", o->number, false);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind)
{
    SIMT_CALL;
    cudaError_t error = simt_stream_ready(cudaStreamLegacy, "cudaMemcpy");

    if (error == cudaSuccess)
        error = simt_capture_forbids("cudaMemcpy");
    if (error != cudaSuccess)
        return error;
    simt_synchronise(NULL);
    error = copy(to, from, size, kind, "cudaMemcpy");
    if (error == cudaSuccess)
        note_copy(NULL, "cudaMemcpy", false, rows_of(to, 0, size, 1), rows_of(from, 0, size, 1));
    return error;
}

/* In kernels: the grid does them when it has ended, in a stream of the device. */

static void copy_nested(simt_operation *o)
{
    cudaMemcpyAsync(o->to, o->from, o->size, cudaMemcpyDeviceToDevice, NULL);
}

static void fill_nested(simt_operation *o)
{
    cudaMemsetAsync(o->to, o->value, o->size, NULL);
}

static bool is_of_parent(const void *memory)
{
    return simt_is_shared((uintptr_t)memory) || simt_on_stacks((uintptr_t)memory);
}

static cudaError_t nest(const simt_operation *operation, cudaMemcpyKind kind, const char *call)
{
    cudaError_t error = cudaSuccess;

    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        error = cudaErrorInvalidMemcpyDirection;
    else if (!simt_is_device_stream(operation->stream) || is_of_parent(operation->to) || is_of_parent(operation->from))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        simt_report(API, NULL, 0, __builtin_return_address(0), "%s in a kernel: %s", call,
                    error == cudaErrorInvalidValue ? "no such stream, or shared or local memory"
                                                   : "only from the device to the device");
    else if (!simt_nest(operation))
        error = cudaErrorMemoryAllocation;
    return error == cudaSuccess ? error : simt_fail(error);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_current ? cudaSuccess : simt_stream_ready(stream, "cudaMemcpyAsync");
    cudaMemcpy3DParms p = simt_copy_of_bytes(to, from, size, kind);
    simt_operation later = {
        .stream = stream, .run = copy_later, .to = to, .from = (void *)(uintptr_t)from, .size = size, .value = kind};

    if (error != cudaSuccess)
        return error;
    if (simt_current) {
        later.run = copy_nested;
        return nest(&later, kind, "cudaMemcpyAsync");
    }
    if (simt_is_captured(stream)) {
        error = simt_check_copy(to, from, size, kind, "cudaMemcpyAsync");
        return error == cudaSuccess ? simt_capture_copy(stream, &p) : error;
    }
    if (is_pageable(to) && is_device(from)) /* CUDA returns when such a copy has ended */
        simt_synchronise(stream);
    later.prompt = is_pageable(to) || is_pageable(from);
    if (!is_in_device(to) && !is_in_device(from)) { /* the same, within the host */
        later.prompt = true;
        simt_run_late(stream);
    }
    if (simt_will_defer(&later)) {
        error = check_copy(to, from, size, kind, "cudaMemcpyAsync");
        if (error != cudaSuccess)
            return error;
        later.number = number_copy(to, from, size);
        if (is_pageable(from) && !is_device(from) && size) { /* and of such memory it has kept the bytes */
            later.owned = malloc(size);
            if (!later.owned)
                return simt_fail(cudaErrorMemoryAllocation);
            later.from = memcpy(later.owned, from, size);
        }
    }
    if (!simt_defer(&later))
        error = copy(to, from, size, kind, "cudaMemcpyAsync");
    if (error == cudaSuccess)
        note_copy(stream, "cudaMemcpyAsync", true, rows_of(to, 0, size, 1), rows_of(from, 0, size, 1));
    return error;
}

static cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                             size_t height, cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    cudaError_t error = simt_stream_ready(stream, "cudaMemcpy2D");

    if (async && error == cudaSuccess && simt_is_captured(stream))
        return simt_capture_copy(stream,
                                 &(cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)from, from_pitch, width, height},
                                                      .dstPtr = {to, to_pitch, width, height},
                                                      .extent = {width, height, 1},
                                                      .kind = kind});
    simt_synchronise(stream);
    if (error == cudaSuccess && (width > to_pitch || width > from_pitch))
        error = simt_refuse(cudaErrorInvalidPitchValue, "cudaMemcpy2D", "rows are wider than the pitch");
    for (size_t i = 0; i < height && error == cudaSuccess; i++)
        error = copy_row((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width, kind);
    if (error == cudaSuccess)
        note_copy(stream, async ? "cudaMemcpy2DAsync" : "cudaMemcpy2D", async, rows_of(to, to_pitch, width, height),
                  rows_of(from, from_pitch, width, height));
    return error;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind)
{
    SIMT_CALL;

    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, NULL, false);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaMemcpy2DAsync");

    return error == cudaSuccess ? copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream, true) : error;
}

static cudaError_t check_fill(const void *memory, size_t size, const char *call)
{
    return may_transfer(memory, size, DEVICE_SIDE, call, "to") ? cudaSuccess : simt_fail(cudaErrorInvalidValue);
}

cudaError_t simt_check_fill(const void *memory, size_t size, const char *call)
{
    cudaError_t error;

    of_node = true;
    error = check_fill(memory, size, call);
    of_node = false;
    return error;
}

static cudaError_t set(void *memory, int value, size_t size, const char *call)
{
    cudaError_t error = simt_ready();

    if (error != cudaSuccess || size == 0)
        return error;
    if (simt_current)
        return simt_refuse(cudaErrorNotSupported, call, "called by a kernel");
    error = check_fill(memory, size, call);
    if (error != cudaSuccess)
        return error;
    memset(memory, value, size);
    simt_set_state((uintptr_t)memory, size, ACCESSIBLE | INITIALISED);
    return cudaSuccess;
}

static void set_later(simt_operation *o)
{
    set(o->to, o->value, o->size, "cudaMemset");
}

cudaError_t cudaMemset(void *memory, int value, size_t size)
{
    SIMT_CALL;
    simt_operation later = {.run = set_later, .to = memory, .value = value, .size = size};

    cudaError_t error = simt_stream_ready(cudaStreamLegacy, "cudaMemset");

    if (error == cudaSuccess)
        error = simt_capture_forbids("cudaMemset");
    if (has_kind(memory, HOST_MEMORY) || has_kind(memory, MANAGED_MEMORY)) /* the host waits: see note_fill */
        simt_run_late(NULL);
    if (error == cudaSuccess && !simt_defer(&later))
        error = set(memory, value, size, "cudaMemset");
    if (error == cudaSuccess)
        note_fill(NULL, "cudaMemset", false, rows_of(memory, 0, size, 1));
    return error;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t size, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_current ? cudaSuccess : simt_stream_ready(stream, "cudaMemsetAsync");
    simt_operation later = {.stream = stream, .run = set_later, .to = memory, .value = value, .size = size};

    if (simt_current) {
        later.run = fill_nested;
        return nest(&later, cudaMemcpyDefault, "cudaMemsetAsync");
    }
    if (error == cudaSuccess && simt_is_captured(stream)) {
        error = simt_check_fill(memory, size, "cudaMemsetAsync");
        return error == cudaSuccess
                   ? simt_capture_fill(stream, &(cudaMemsetParams){memory, size, value & 0xff, 1, size, 1})
                   : error;
    }
    if (error == cudaSuccess && size)
        error = check_fill(memory, size, "cudaMemsetAsync");
    if (error == cudaSuccess && !simt_defer_late(&later))
        error = set(memory, value, size, "cudaMemsetAsync");
    if (error == cudaSuccess)
        note_fill(stream, "cudaMemsetAsync", true, rows_of(memory, 0, size, 1));
    return error;
}

static cudaError_t set_rows(void *memory, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream,
                            bool async)
{
    cudaError_t error = simt_stream_ready(stream, "cudaMemset2DAsync");

    if (error == cudaSuccess && simt_is_captured(stream))
        return simt_capture_fill(stream, &(cudaMemsetParams){memory, pitch, value & 0xff, 1, width, height});
    simt_synchronise(stream);
    if (error == cudaSuccess && width > pitch)
        error = simt_refuse(cudaErrorInvalidPitchValue, "cudaMemset2D", "rows are wider than the pitch");
    for (size_t i = 0; i < height && error == cudaSuccess; i++)
        error = set((char *)memory + i * pitch, value, width, "cudaMemset2D");
    if (error == cudaSuccess)
        note_fill(stream, async ? "cudaMemset2DAsync" : "cudaMemset2D", async, rows_of(memory, pitch, width, height));
    return error;
}

cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height)
{
    SIMT_CALL;

    return set_rows(memory, pitch, value, width, height, NULL, false);
}

cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaMemset2DAsync");

    return error == cudaSuccess ? set_rows(memory, pitch, value, width, height, stream, true) : error;
}

cudaError_t simt_fill_elements(void *memory, size_t pitch, unsigned value, unsigned size, size_t width, size_t height,
                               cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;

    for (size_t y = 0; y < height && error == cudaSuccess;
         y++) { /* the fill checks and is noted, then come the values */
        char *row = (char *)memory + y * pitch;

        error = cudaMemsetAsync(row, (int)(value & 0xff), width * size, stream);
        if (size > 1 && error == cudaSuccess)
            simt_synchronise(stream);
        for (size_t x = 0; x < width && size > 1 && error == cudaSuccess; x++)
            memcpy(row + x * size, &value, size);
    }
    return error;
}

static cudaError_t copy_peer(void *to, int to_device, const void *from, int from_device, size_t size,
                             cudaStream_t stream, bool async)
{
    cudaError_t error = simt_check_device(to_device, "cudaMemcpyPeer");

    if (error == cudaSuccess && async && simt_is_captured(stream))
        return cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream);
    simt_synchronise(stream);
    if (error == cudaSuccess)
        error = simt_check_device(from_device, "cudaMemcpyPeer");
    if (error == cudaSuccess)
        error = copy(to, from, size, cudaMemcpyDeviceToDevice, "cudaMemcpyPeer");
    if (error == cudaSuccess)
        note_copy(stream, async ? "cudaMemcpyPeerAsync" : "cudaMemcpyPeer", async, rows_of(to, 0, size, 1),
                  rows_of(from, 0, size, 1));
    return error;
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size)
{
    SIMT_CALL;

    return copy_peer(to, to_device, from, from_device, size, NULL, false);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                                cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaMemcpyPeerAsync");

    return error == cudaSuccess ? copy_peer(to, to_device, from, from_device, size, stream, true) : error;
}

/* --- symbols */

static cudaError_t find_symbol(const void *symbol, size_t offset, size_t size, const char *call)
{
    cudaError_t error = simt_ready();
    const simt_variable *v = simt_variable_at(symbol);
    char what[256];

    if (error != cudaSuccess)
        return error;
    if (!v || v->address != symbol)
        return simt_refuse(cudaErrorInvalidSymbol, call, "no __device__ or __constant__ variable");
    if (offset <= v->size && size <= v->size - offset)
        return cudaSuccess;
    snprintf(what, sizeof what, "%zu bytes at offset %zu of variable %s, which has %zu", size, offset, v->name,
             v->size);
    return simt_refuse(cudaErrorInvalidValue, call, what);
}

static cudaError_t copy_symbol(const void *symbol, void *to, const void *from, size_t size, size_t offset,
                               cudaMemcpyKind kind, cudaStream_t stream, const char *call, bool async)
{
    cudaError_t error = find_symbol(symbol, offset, size, call);

    if (error == cudaSuccess && async && simt_is_captured(stream))
        return cudaMemcpyAsync(to, from, size, kind, stream);
    simt_synchronise(stream);
    if (error == cudaSuccess)
        error = copy(to, from, size, kind, call);
    if (error == cudaSuccess)
        note_copy(stream, call, async, rows_of(to, 0, size, 1), rows_of(from, 0, size, 1));
    return error;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind)
{
    SIMT_CALL;

    return copy_symbol(symbol, (char *)(uintptr_t)symbol + offset, from, size, offset, kind, NULL, "cudaMemcpyToSymbol",
                       false);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind)
{
    SIMT_CALL;

    return copy_symbol(symbol, to, (const char *)symbol + offset, size, offset, kind, NULL, "cudaMemcpyFromSymbol",
                       false);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream)
{
    SIMT_CALL;
    static const char call[] = "cudaMemcpyToSymbolAsync";
    cudaError_t error = simt_check_stream(stream, call);

    return error == cudaSuccess
               ? copy_symbol(symbol, (char *)(uintptr_t)symbol + offset, from, size, offset, kind, stream, call, true)
               : error;
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    SIMT_CALL;
    static const char call[] = "cudaMemcpyFromSymbolAsync";
    cudaError_t error = simt_check_stream(stream, call);

    return error == cudaSuccess
               ? copy_symbol(symbol, to, (const char *)symbol + offset, size, offset, kind, stream, call, true)
               : error;
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    SIMT_CALL;
    cudaError_t error = find_symbol(symbol, 0, 0, "cudaGetSymbolAddress");

    *address = error == cudaSuccess ? (void *)(uintptr_t)symbol : NULL;
    return error;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    SIMT_CALL;
    cudaError_t error = find_symbol(symbol, 0, 0, "cudaGetSymbolSize");

    if (error == cudaSuccess)
        *size = simt_variable_at(symbol)->size;
    return error;
}
