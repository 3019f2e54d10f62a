/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The parts of the runtime interface that are templates or overloads in CUDA too. C++ of any standard from 11 on: host compilers
 * read this file, of sources that only call the runtime.
 */
#ifndef SIMT_HOST_H
#define SIMT_HOST_H

#include "cuda_runtime_api.h"

#include <type_traits>

template <typename T> static inline cudaError_t cudaMalloc(T **memory, size_t size)
{
    return ::cudaMalloc((void **)(void *)memory, size);
}

template <typename T> static inline cudaError_t cudaMallocHost(T **memory, size_t size, unsigned flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)memory, size, flags);
}

template <typename T> static inline cudaError_t cudaHostAlloc(T **memory, size_t size, unsigned flags)
{
    return ::cudaHostAlloc((void **)(void *)memory, size, flags);
}

template <typename T> static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}

template <typename T>
static inline cudaError_t cudaMallocManaged(T **memory, size_t size, unsigned flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)memory, size, flags);
}

template <typename T> static inline cudaError_t cudaMallocAsync(T **memory, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)memory, size, stream);
}

template <typename T>
static inline cudaError_t cudaMallocFromPoolAsync(T **memory, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)memory, size, pool, stream);
}

template <typename T>
static inline cudaError_t cudaMallocAsync(T **memory, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)memory, size, pool, stream);
}

template <typename T> static inline cudaError_t cudaMallocPitch(T **memory, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)(void *)memory, pitch, width, height);
}

template <typename T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, from, size, offset, kind);
}

template <typename T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, size, offset, kind);
}

template <typename T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size, size_t offset,
                                                  cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, size, offset, kind, stream);
}

template <typename T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset,
                                                    cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, size, offset, kind, stream);
}

template <typename T> static inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    return ::cudaGetSymbolAddress(address, (const void *)&symbol);
}

template <typename T, typename _U, typename = typename std::enable_if<!std::is_void<T>::value>::type>
static inline cudaError_t cudaGetSymbolAddress(T **address, const _U &symbol)
{
    return ::cudaGetSymbolAddress((void **)(void *)address, (const void *)&symbol);
}

template <typename T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

/* Kernels by name. */

template <typename... T>
static inline cudaError_t cudaFuncSetAttribute(void (*kernel)(T...), cudaFuncAttribute attribute, int value)
{
    return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

/* simtcc says that it is CUDA 13. What version 13 declares in another way than 11 and 12 has these forms, too: a device by its
 * number, or cudaCpuDeviceId, in the place of a location. */
static inline cudaMemLocation simt_location(int device)
{
    return cudaMemLocation{device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                           device == cudaCpuDeviceId ? 0 : device};
}

static inline cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, int device, cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync(memory, size, simt_location(device), 0, stream);
}

static inline cudaError_t cudaMemAdvise(const void *memory, size_t size, cudaMemoryAdvise advice, int device)
{
    return ::cudaMemAdvise(memory, size, advice, simt_location(device));
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

template <typename... T> static inline cudaError_t cudaFuncSetSharedMemConfig(void (*kernel)(T...), cudaSharedMemConfig)
{
    return ::cudaFuncSetCacheConfig((const void *)kernel, cudaFuncCachePreferNone); /* no card since 5.0 has a choice */
}

template <typename... T> static inline cudaError_t cudaFuncSetCacheConfig(void (*kernel)(T...), cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}

template <typename... T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(T...))
{
    return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}

template <typename... T>
static inline cudaError_t cudaLaunchKernel(void (*kernel)(T...), dim3 grid, dim3 block, void **arguments,
                                           size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}

template <typename... T>
static inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(T...), dim3 grid, dim3 block, void **arguments,
                                                      size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}

template <typename... T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(T...),
                                                                        int block_size, size_t shared_bytes)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size, shared_bytes);
}

template <typename... T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void (*kernel)(T...),
                                                                                 int block_size, size_t shared_bytes,
                                                                                 unsigned flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel, block_size,
                                                                    shared_bytes, flags);
}

template <typename... T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, void (*kernel)(T...), int blocks,
                                                                    int block_size)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, block_size);
}

template <typename Kernel, typename Bytes>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, Kernel kernel,
                                                                         Bytes bytes, int limit = 0)
{
    auto call = [](void *state, int size) { return (size_t)(*static_cast<Bytes *>(state))(size); };

    return simt_best_block(grid, block, (const void *)kernel, call, &bytes, limit);
}

template <typename Kernel>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, Kernel kernel,
                                                             size_t shared_bytes = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, kernel, [=](int) { return shared_bytes; }, limit);
}

#endif
