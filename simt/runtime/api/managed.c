/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: hints for managed memory. They move nothing here; they are kept, because programs ask for them. Each is a
 * note of a range, and the newest that overlaps a range counts for it. Where that covers only a part, the bytes of the range
 * differ, and it has no value.
 */
#include "calls.h"
#include "capture.h"

#include "../memory/memory.h"

#include <stdlib.h>

/* What an advice sets. `on` says whether it sets or unsets it. */
typedef struct hint {
    struct hint *next;
    uintptr_t start, size;
    cudaMemRangeAttribute what; /* the attribute that it changes */
    bool on;
    cudaMemLocation at;
} hint;

static hint *newest;

void simt_forget_hints(const void *memory, size_t size)
{
    for (hint **h = &newest; *h;) {
        hint *old = *h;

        if (old->start - (uintptr_t)memory < size) {
            *h = old->next;
            free(old);
        } else {
            h = &old->next;
        }
    }
}

static cudaError_t add_hint(const void *memory, size_t size, cudaMemRangeAttribute what, bool on, cudaMemLocation at)
{
    hint *h = malloc(sizeof *h);

    if (!h)
        return simt_fail(cudaErrorMemoryAllocation);
    *h = (hint){newest, (uintptr_t)memory, size, what, on, at};
    newest = h;
    return cudaSuccess;
}

cudaError_t simt_check_managed(const void *memory, size_t size, const char *call)
{
    const allocation *a = simt_allocation_at((uintptr_t)memory);
    uintptr_t offset = a ? (uintptr_t)memory - a->start : 0;

    if (a && a->kind == MANAGED_MEMORY && !a->freed && offset <= a->size && size <= a->size - offset)
        return simt_ready();
    return simt_refuse(cudaErrorInvalidValue, call, "not within an allocation of cudaMallocManaged");
}

cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, struct cudaMemLocation to, unsigned flags,
                                 cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_stream_ready(stream, "cudaMemPrefetchAsync");

    if (error == cudaSuccess && simt_is_captured(stream))
        error = simt_capture_forbids_wait(stream, "cudaMemPrefetchAsync");
    (void)flags;
    if (error == cudaSuccess && to.type == cudaMemLocationTypeDevice)
        error = simt_check_device(to.id, "cudaMemPrefetchAsync");
    if (error == cudaSuccess)
        error = simt_check_managed(memory, size, "cudaMemPrefetchAsync");
    return error == cudaSuccess ? add_hint(memory, size, cudaMemRangeAttributeLastPrefetchLocation, true, to) : error;
}

cudaError_t cudaMemAdvise(const void *memory, size_t size, cudaMemoryAdvise advice, struct cudaMemLocation at)
{
    SIMT_CALL;
    cudaError_t error = simt_check_managed(memory, size, "cudaMemAdvise");
    bool on = advice % 2 == 1; /* 1, 3, 5 set; 2, 4, 6 unset */

    if (error == cudaSuccess && (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy))
        error = simt_refuse(cudaErrorInvalidValue, "cudaMemAdvise", "no such advice");
    if (error == cudaSuccess && advice >= cudaMemAdviseSetPreferredLocation && at.type == cudaMemLocationTypeDevice &&
        advice != cudaMemAdviseUnsetPreferredLocation)
        error = simt_check_device(at.id, "cudaMemAdvise");
    if (error != cudaSuccess)
        return error;
    /* the attributes 1, 2, 3 have the order of the advices */
    return add_hint(memory, size, (cudaMemRangeAttribute)((advice + 1) / 2), on, at);
}

static bool concerns(const hint *h, cudaMemRangeAttribute what, int device)
{
    return h->what == what && (what != cudaMemRangeAttributeAccessedBy ||
                               (h->at.type == cudaMemLocationTypeDevice ? h->at.id : cudaCpuDeviceId) == device);
}

/* The hint that counts for every byte of the range; NULL: none, or it is taken back, or the bytes differ. */
static const hint *hint_for(uintptr_t start, size_t size, cudaMemRangeAttribute what, int device)
{
    const hint *h = newest;

    while (h && !(concerns(h, what, device) && h->start < start + size && start < h->start + h->size))
        h = h->next;
    return h && h->on && h->start <= start && start + size <= h->start + h->size ? h : NULL;
}

static int number_of(const hint *h)
{
    return !h ? cudaInvalidDeviceId : h->at.type == cudaMemLocationTypeDevice ? h->at.id : cudaCpuDeviceId;
}

static cudaError_t get_attribute(int *data, size_t data_size, cudaMemRangeAttribute what, uintptr_t start, size_t size)
{
    cudaMemRangeAttribute base =
        what == cudaMemRangeAttributePreferredLocationType || what == cudaMemRangeAttributePreferredLocationId
            ? cudaMemRangeAttributePreferredLocation
        : what >= cudaMemRangeAttributeLastPrefetchLocationType ? cudaMemRangeAttributeLastPrefetchLocation
                                                                : what;
    const hint *h = hint_for(start, size, base, 0);
    size_t known = 0;

    if (what < cudaMemRangeAttributeReadMostly || what > cudaMemRangeAttributeLastPrefetchLocationId ||
        data_size == 0 || data_size % sizeof *data ||
        (what != cudaMemRangeAttributeAccessedBy && data_size != sizeof *data))
        return simt_refuse(cudaErrorInvalidValue, "cudaMemRangeGetAttribute",
                           "no such attribute, or not the 4 bytes that it has");
    switch (what) {
    case cudaMemRangeAttributeReadMostly:
        *data = h != NULL;
        break;
    case cudaMemRangeAttributeAccessedBy:
        for (int device = cudaCpuDeviceId; device < SIMT_MAX_DEVICES && known < data_size / sizeof *data; device++)
            if (hint_for(start, size, base, device))
                data[known++] = device;
        while (known < data_size / sizeof *data)
            data[known++] = cudaInvalidDeviceId;
        break;
    case cudaMemRangeAttributePreferredLocationType:
    case cudaMemRangeAttributeLastPrefetchLocationType:
        *data = h ? (int)h->at.type : cudaMemLocationTypeInvalid;
        break;
    case cudaMemRangeAttributePreferredLocationId:
    case cudaMemRangeAttributeLastPrefetchLocationId:
        *data = h ? h->at.id : 0;
        break;
    default:
        *data = number_of(h);
    }
    return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_size, cudaMemRangeAttribute what, const void *memory,
                                     size_t size)
{
    SIMT_CALL;
    cudaError_t error = simt_check_managed(memory, size, "cudaMemRangeGetAttribute");

    return error == cudaSuccess ? get_attribute(data, data_size, what, (uintptr_t)memory, size) : error;
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *data_sizes, cudaMemRangeAttribute *what, size_t count,
                                      const void *memory, size_t size)
{
    SIMT_CALL;
    cudaError_t error = simt_check_managed(memory, size, "cudaMemRangeGetAttributes");

    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = get_attribute(data[i], data_sizes[i], what[i], (uintptr_t)memory, size);
    return error;
}
