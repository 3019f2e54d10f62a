/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: pools of device memory. All device memory is of one heap, so a pool only holds its attributes, and
 * a program that gives memory back to a pool can at once allocate it again.
 */
#include "calls.h"

#include "../memory/memory.h"

#include <stdlib.h>

struct CUmemPoolHandle_st {
    cudaMemPool_t next;
    int reuse[4];       /* by cudaMemPoolReuse... */
    uint64_t threshold; /* bytes that a GPU's pool would keep at a synchronisation */
    uint64_t high;      /* most bytes in use that were seen */
};

static struct CUmemPoolHandle_st standard = {.reuse = {0, 1, 1, 1}};
static cudaMemPool_t pools = &standard, current = &standard;

static cudaError_t check_pool(cudaMemPool_t pool, const char *call)
{
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    for (cudaMemPool_t p = pools; p; p = p->next)
        if (p == pool)
            return cudaSuccess;
    return simt_refuse(cudaErrorInvalidValue, call, "no such pool, or it was destroyed");
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    SIMT_CALL;

    *pool = &standard;
    return simt_check_device(device, "cudaDeviceGetDefaultMemPool");
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    SIMT_CALL;

    *pool = current;
    return simt_check_device(device, "cudaDeviceGetMemPool");
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    SIMT_CALL;
    cudaError_t error = simt_check_device(device, "cudaDeviceSetMemPool");

    if (error == cudaSuccess)
        error = check_pool(pool, "cudaDeviceSetMemPool");
    if (error == cudaSuccess)
        current = pool;
    return error;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    if (properties->allocType != cudaMemAllocationTypePinned)
        return simt_refuse(cudaErrorInvalidValue, "cudaMemPoolCreate", "allocType is not cudaMemAllocationTypePinned");
    if (properties->location.type == cudaMemLocationTypeInvalid)
        return simt_refuse(cudaErrorInvalidValue, "cudaMemPoolCreate", "location.type is cudaMemLocationTypeInvalid");
    *pool = calloc(1, sizeof **pool);
    if (!*pool)
        return simt_fail(cudaErrorMemoryAllocation);
    **pool = standard;
    (*pool)->threshold = 0;
    (*pool)->next = pools;
    pools = *pool;
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    SIMT_CALL;
    cudaError_t error = check_pool(pool, "cudaMemPoolDestroy");
    cudaMemPool_t *link = &pools;

    if (error != cudaSuccess)
        return error;
    if (pool == &standard)
        return simt_refuse(cudaErrorInvalidValue, "cudaMemPoolDestroy", "the default pool of the device");
    while (*link != pool)
        link = &(*link)->next;
    *link = pool->next;
    current = current == pool ? &standard : current;
    free(pool);
    return cudaSuccess;
}

static void note_use(cudaMemPool_t pool)
{
    if (pool->high < simt_memory_used())
        pool->high = simt_memory_used();
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value)
{
    SIMT_CALL;
    cudaError_t error = check_pool(pool, "cudaMemPoolSetAttribute");

    if (error != cudaSuccess)
        return error;
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        pool->reuse[attribute] = *(int *)value;
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        pool->threshold = *(uint64_t *)value;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: /* may be set to zero only */
        pool->high = 0;
        return cudaSuccess;
    default:
        return simt_refuse(cudaErrorInvalidValue, "cudaMemPoolSetAttribute", "this attribute cannot be set");
    }
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value)
{
    SIMT_CALL;
    cudaError_t error = check_pool(pool, "cudaMemPoolGetAttribute");

    if (error != cudaSuccess)
        return error;
    note_use(pool);
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *(int *)value = pool->reuse[attribute];
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        *(uint64_t *)value = pool->threshold;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        *(uint64_t *)value = pool->high;
        return cudaSuccess;
    default: /* reserved and used now */
        *(uint64_t *)value = simt_memory_used();
        return cudaSuccess;
    }
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
    SIMT_CALL;

    (void)bytes;
    return check_pool(pool, "cudaMemPoolTrimTo");
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *access, size_t count)
{
    SIMT_CALL;
    cudaError_t error = check_pool(pool, "cudaMemPoolSetAccess");

    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = simt_check_device(access[i].location.id, "cudaMemPoolSetAccess");
    return error;
}

cudaError_t cudaMallocFromPoolAsync(void **memory, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = check_pool(pool, "cudaMallocFromPoolAsync");

    if (error == cudaSuccess)
        error = cudaMallocAsync(memory, size, stream);
    if (error == cudaSuccess)
        note_use(pool);
    return error;
}
