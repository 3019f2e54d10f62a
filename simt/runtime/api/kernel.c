/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: kernels, their attributes and occupancy, and launches by pointer.
 */
#include "calls.h"

#include "../memory/memory.h"

#include <string.h>

/* Calls the function while simt_probe is set: a kernel then only stores its description there and returns. NULL: it is
 * not a kernel. */
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
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    *kernel = probe_function(function);
    return *kernel ? cudaSuccess : simt_refuse(cudaErrorInvalidDeviceFunction, call, "not a kernel");
}

size_t simt_dynamic_limit(const simt_kernel *kernel)
{
    return kernel && kernel->dynamic_limit ? (size_t)kernel->dynamic_limit : STATIC_SHARED;
}

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute which, int value)
{
    SIMT_CALL;
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaFuncSetAttribute");

    if (error != cudaSuccess || which == cudaFuncAttributePreferredSharedMemoryCarveout ||
        which == cudaFuncAttributeClusterSchedulingPolicyPreference)
        return error;
    if (which == cudaFuncAttributeNonPortableClusterSizeAllowed && (value == 0 || value == 1)) {
        kernel->large_clusters = value;
        return cudaSuccess;
    }
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 || value > MAX_SHARED)
        return simt_refuse(cudaErrorInvalidValue, "cudaFuncSetAttribute",
                           "no such attribute, or more than 232448 bytes");
    kernel->dynamic_limit = value;
    return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache config)
{
    SIMT_CALL;
    simt_kernel *kernel;

    (void)config;
    return find_kernel(function, &kernel, "cudaFuncSetCacheConfig");
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    SIMT_CALL;
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaFuncGetName");

    if (error == cudaSuccess)
        *name = kernel->name;
    return error;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *result, const void *function)
{
    SIMT_CALL;
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaFuncGetAttributes");

    if (error != cudaSuccess)
        return error;
    memset(result, 0, sizeof *result);
    result->maxThreadsPerBlock = simt_advised_threads(kernel);
    result->numRegs = 32;
    result->ptxVersion = result->binaryVersion = 90;
    result->maxDynamicSharedSizeBytes = (int)simt_dynamic_limit(kernel);
    return cudaSuccess;
}

/* Blocks that fit on one multiprocessor, by its threads, its blocks and its shared memory, of which CUDA reserves 1024
 * bytes a block. */
int simt_blocks_at_once(int block_size, size_t shared_bytes)
{
    int each = simt_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / LANES / ((block_size + LANES - 1) / LANES);
    int by_memory = (int)((MAX_SHARED + 1024) / (shared_bytes + 1024));

    if (each > simt_attribute(cudaDevAttrMaxBlocksPerMultiprocessor))
        each = simt_attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    return each < by_memory ? each : by_memory;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *result, const void *function, int block_size,
                                                          size_t shared_bytes)
{
    SIMT_CALL;
    static const char call[] = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, call);

    if (error != cudaSuccess)
        return error;
    if (block_size <= 0)
        return simt_refuse(cudaErrorInvalidValue, call, "blocks of 0 threads");
    *result = block_size > simt_threads_limit(kernel) || shared_bytes > simt_dynamic_limit(kernel)
                  ? 0
                  : simt_blocks_at_once(block_size, shared_bytes);
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *result, const void *function, int block_size,
                                                                   size_t shared_bytes, unsigned flags)
{
    SIMT_CALL;

    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(result, function, block_size, shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *result, const void *function, int blocks, int block_size)
{
    SIMT_CALL;
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaOccupancyAvailableDynamicSMemPerBlock");

    (void)block_size;
    if (error != cudaSuccess)
        return error;
    if (blocks <= 0)
        return simt_refuse(cudaErrorInvalidValue, "cudaOccupancyAvailableDynamicSMemPerBlock", "no blocks");
    *result = (size_t)(MAX_SHARED + 1024) / (size_t)blocks - 1024;
    return cudaSuccess;
}

/* The block size that fills the multiprocessors best, the largest of equals, and the number of blocks that are then
 * resident. */
cudaError_t simt_best_block(int *grid, int *threads, const void *function,
                            size_t (*shared_bytes)(void *state, int size), void *state, int limit)
{
    SIMT_CALL;
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaOccupancyMaxPotentialBlockSize");
    int best = 0;

    if (error != cudaSuccess)
        return error;
    if (limit <= 0 || limit > simt_advised_threads(kernel))
        limit = simt_advised_threads(kernel);
    for (int size = limit; size > 0; size = (size - 1) / LANES * LANES) {
        size_t bytes = shared_bytes(state, size);
        int blocks = bytes > simt_dynamic_limit(kernel) ? 0 : simt_blocks_at_once(size, bytes);

        if (size * blocks > best) {
            best = size * blocks;
            *threads = size;
            *grid = blocks * simt_attribute(cudaDevAttrMultiProcessorCount);
        }
    }
    return best ? cudaSuccess
                : simt_refuse(cudaErrorInvalidConfiguration, "cudaOccupancyMaxPotentialBlockSize", "no size");
}

/* By the warps and blocks of the machine, of which each cluster has neighbours, and by shared memory. */
cudaError_t simt_active_clusters(int *result, const void *function, dim3 threads, size_t shared_bytes, unsigned cluster)
{
    SIMT_CALL;
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaOccupancyMaxActiveClusters");
    unsigned size = threads.x * threads.y * threads.z, max = PORTABLE_CLUSTER;

    if (error != cudaSuccess)
        return error;
    if (kernel->cluster[0])
        cluster = kernel->cluster[0] * kernel->cluster[1] * kernel->cluster[2];
    if (kernel->large_clusters)
        max = MAX_CLUSTER;
    if (size == 0 || size > (unsigned)simt_threads_limit(kernel) || cluster == 0 || cluster > max)
        return simt_refuse(cudaErrorInvalidClusterSize, "cudaOccupancyMaxActiveClusters",
                           "blocks of 0 threads or too many, or more blocks in a cluster than there may be");
    *result = shared_bytes > simt_dynamic_limit(kernel)
                  ? 0
                  : simt_blocks_at_once((int)size, shared_bytes) * simt_attribute(cudaDevAttrMultiProcessorCount) /
                        (int)cluster;
    return cudaSuccess;
}

cudaError_t simt_largest_cluster(int *result, const void *function, dim3 threads, size_t shared_bytes)
{
    SIMT_CALL;
    simt_kernel *kernel;
    cudaError_t error = find_kernel(function, &kernel, "cudaOccupancyMaxPotentialClusterSize");
    int blocks, active;

    if (error != cudaSuccess)
        return error;
    blocks = kernel->large_clusters ? MAX_CLUSTER : PORTABLE_CLUSTER;
    while (blocks > 1 &&
           (error = simt_active_clusters(&active, function, threads, shared_bytes, (unsigned)blocks)) == cudaSuccess &&
           active == 0)
        blocks /= 2;
    *result = blocks;
    return error;
}

cudaError_t simt_launch_kernel(const void *function, dim3 grid, dim3 threads, void **arguments, size_t shared_bytes,
                               cudaStream_t stream, int cooperative, int programmatic, unsigned x, unsigned y,
                               unsigned z)
{
    SIMT_CALL;
    const char *call = cooperative ? "cudaLaunchCooperativeKernel" : "cudaLaunchKernel";
    simt_kernel *kernel;
    cudaError_t error = simt_check_stream(stream, call);
    simt_launch_request request = {.grid = grid,
                                   .block = threads,
                                   .cluster = {x, y, z},
                                   .explicit_cluster = x || y || z,
                                   .programmatic = programmatic,
                                   .shared_bytes = shared_bytes,
                                   .stream = stream,
                                   .cooperative = cooperative};

    if (error == cudaSuccess)
        error = find_kernel(function, &kernel, call);
    if (error != cudaSuccess)
        return error;
    request.name = kernel->name;
    request.file = kernel->file;
    request.line = kernel->line;
    simt_last_error = cudaSuccess;
    kernel->launch(&request, function, arguments);
    simt_error_was_read(); /* it is returned */
    return simt_last_error;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 threads, void **arguments, size_t shared_bytes,
                             cudaStream_t stream)
{
    SIMT_CALL;

    return simt_launch_kernel(function, grid, threads, arguments, shared_bytes, stream, false, false, 0, 0, 0);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 threads, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream)
{
    SIMT_CALL;

    return simt_launch_kernel(function, grid, threads, arguments, shared_bytes, stream, true, false, 0, 0, 0);
}
