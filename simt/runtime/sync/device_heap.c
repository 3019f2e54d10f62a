/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The heap of the device: malloc, free, new and delete of kernels. simtcc renames them in each object in which code of the device
 * uses one of them, so these functions serve the host's code of such an object, too: there they are the host's own.
 *
 * As the Programming Guide has it, memory of the heap stays after the kernel, any thread of any kernel may use and free it, and the
 * host may do neither. The size of the heap is cudaLimitMallocHeapSize; when it is exhausted the result is null.
 */
#include "sync.h"

#include "../core/lock.h"
#include "../detect/detect.h"
#include "../memory/memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { ALIGNMENT = 16 }; /* bytes, of malloc and new (Programming Guide) */

#define PLACE __builtin_return_address(0)

/* --- in kernels */

static void *allocate(size_t size, size_t alignment, const void *place)
{
    SIMT_CALL;
    void *memory = simt_allocate_on_heap(size, alignment, place);

    if (memory && simt_checking) /* accesses to what was there before are none to this memory */
        simt_race_clear((uintptr_t)memory, (uintptr_t)memory + size);
    return memory;
}

static void refuse_free(uintptr_t address, const allocation *a, const void *place)
{
    char where[256];
    simt_spot spot = {.place = place, .address = where, .object = address};

    simt_describe(address, where, sizeof where);
    if (a && a->start == address && a->freed)
        simt_report_freed(OOB, &spot, "free of an allocation of %zu bytes that is already freed", (size_t)a->size);
    else
        simt_report_spot(OOB, &spot, "free of a pointer that malloc or new of a kernel did not return: it is %s",
                         where);
    simt_stop(cudaErrorIllegalAddress);
}

/* To free is to write: no other thread may access the memory without an order. */
static void release(void *memory, const void *place)
{
    SIMT_CALL;
    uintptr_t address = (uintptr_t)memory;
    const allocation *a = simt_allocation_at(address);

    if (!memory)
        return;
    if (!a || a->start != address || a->freed || a->kind != HEAP_MEMORY)
        refuse_free(address, a, place);
    if (simt_checking)
        simt_record_access(address, a->size, SIMT_IS_WRITE, place);
    simt_release(address, place);
}

/* --- in the host's code */

/* The names of the C++ library's functions. A linker that is told --as-needed, as Ubuntu's is, leaves the library out of a program that
 * needs nothing else of it: then malloc stands in for them. */
void *_Znwm(size_t size) __attribute__((weak));
void *_ZnwmSt11align_val_t(size_t size, size_t alignment) __attribute__((weak));
void _ZdlPv(void *memory) __attribute__((weak));
void _ZdlPvSt11align_val_t(void *memory, size_t alignment) __attribute__((weak));

static void *host_new(size_t size)
{
    return _Znwm ? _Znwm(size) : malloc(size ? size : 1);
}

static void *host_new_aligned(size_t size, size_t alignment)
{
    size_t whole = (size + alignment - 1) / alignment * alignment;

    return _ZnwmSt11align_val_t ? _ZnwmSt11align_val_t(size, alignment)
                                : aligned_alloc(alignment, whole ? whole : alignment);
}

static void host_delete(void *memory)
{
    if (_ZdlPv)
        _ZdlPv(memory);
    else
        free(memory);
}

static void host_delete_aligned(void *memory, size_t alignment)
{
    if (_ZdlPvSt11align_val_t)
        _ZdlPvSt11align_val_t(memory, alignment);
    else
        free(memory);
}

static bool is_of_device(const void *memory)
{
    const allocation *a = simt_in_range(memory) ? simt_allocation_at((uintptr_t)memory) : NULL;

    if (!a || a->kind != HEAP_MEMORY)
        return false;
    simt_report(API, NULL, 0, NULL, "the host frees memory of the kernels' heap: only a kernel can");
    simt_report_findings(false);
    return true;
}

/* --- what translated code calls, under the names that simtcc gives */

#pragma GCC visibility push(hidden)

void *__simt_new(size_t size);
void *__simt_new_nothrow(size_t size, const void *nothrow);
void *__simt_new_aligned(size_t size, size_t alignment);
void __simt_delete(void *memory);
void __simt_delete_sized(void *memory, size_t size);
void __simt_delete_aligned(void *memory, size_t alignment);
void __simt_delete_sized_aligned(void *memory, size_t size, size_t alignment);
void *simt_aligned_malloc(size_t size, size_t alignment);

void *__simt_malloc(size_t size)
{
    return simt_current ? allocate(size, ALIGNMENT, PLACE) : malloc(size);
}

void __simt_free(void *memory)
{
    if (simt_current)
        release(memory, PLACE);
    else if (!is_of_device(memory))
        free(memory);
}

void *__simt_new(size_t size)
{
    return simt_current ? allocate(size, ALIGNMENT, PLACE) : host_new(size);
}

/* Of the host it is malloc, which the library's own function is, too, unless the program has replaced it. */
void *__simt_new_nothrow(size_t size, const void *nothrow)
{
    (void)nothrow;
    return simt_current ? allocate(size, ALIGNMENT, PLACE) : malloc(size);
}

void *__simt_new_aligned(size_t size, size_t alignment)
{
    return simt_current ? allocate(size, alignment, PLACE) : host_new_aligned(size, alignment);
}

void __simt_delete(void *memory)
{
    if (simt_current)
        release(memory, PLACE);
    else if (!is_of_device(memory))
        host_delete(memory);
}

void __simt_delete_sized(void *memory, size_t size)
{
    (void)size;
    if (simt_current)
        release(memory, PLACE);
    else if (!is_of_device(memory))
        host_delete(memory);
}

void __simt_delete_aligned(void *memory, size_t alignment)
{
    if (simt_current)
        release(memory, PLACE);
    else if (!is_of_device(memory))
        host_delete_aligned(memory, alignment);
}

void __simt_delete_sized_aligned(void *memory, size_t size, size_t alignment)
{
    (void)size;
    if (simt_current)
        release(memory, PLACE);
    else if (!is_of_device(memory))
        host_delete_aligned(memory, alignment);
}

void *simt_aligned_malloc(size_t size, size_t alignment)
{
    if (!alignment || alignment & (alignment - 1)) {
        simt_report(API, NULL, 0, PLACE, "__nv_aligned_device_malloc: an alignment of %zu, which is no power of two",
                    alignment);
        simt_stop(cudaErrorInvalidValue);
    }
    return allocate(size, alignment, PLACE);
}

#pragma GCC visibility pop
