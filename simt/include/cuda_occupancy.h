/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many blocks fit on a multiprocessor that a structure describes, without a device: the functions of the toolkit's header that
 * programs call. cudaOccDeviceProp and cudaOccFuncAttributes are made of what the runtime says of a device and a kernel, or
 * are filled by the caller. For the machine's own device the results are those of cudaOccupancyMaxActiveBlocksPerMultiprocessor.
 *
 * The rules are those that the CUDA C++ Programming Guide gives for compute capability 7.0 and later: a block has whole warps, warps
 * and blocks of a multiprocessor are limited, registers are given to warps in units, shared memory to blocks. An older device
 * is CUDA_OCC_ERROR_UNKNOWN_DEVICE; sizes that no block can have are CUDA_OCC_ERROR_INVALID_INPUT. Caches and carve-outs change nothing
 * here, since the machine has all of its shared memory.
 */
#ifndef SIMT_CUDA_OCCUPANCY_H
#define SIMT_CUDA_OCCUPANCY_H

#include <limits.h>
#include <stddef.h>

typedef enum cudaOccError_enum {
    CUDA_OCC_SUCCESS = 0,
    CUDA_OCC_ERROR_INVALID_INPUT = 1,
    CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

typedef enum cudaOccPartitionedGCConfig_enum {
    PARTITIONED_GC_OFF,
    PARTITIONED_GC_ON,
    PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;

typedef enum cudaOccFuncShmemConfig_enum { FUNC_SHMEM_LIMIT_DEFAULT, FUNC_SHMEM_LIMIT_OPTIN } cudaOccFuncShmemConfig;

typedef enum cudaOccCacheConfig_enum {
    CACHE_PREFER_NONE,
    CACHE_PREFER_SHARED,
    CACHE_PREFER_L1,
    CACHE_PREFER_EQUAL
} cudaOccCacheConfig;

typedef enum cudaOccCarveoutConfig_enum {
    SHAREDMEM_CARVEOUT_DEFAULT = -1,
    SHAREDMEM_CARVEOUT_MAX_L1 = 0,
    SHAREDMEM_CARVEOUT_HALF = 50,
    SHAREDMEM_CARVEOUT_MAX_SHARED = 100
} cudaOccCarveoutConfig;

typedef enum cudaOccLimitingFactor_enum {
    OCC_LIMIT_WARPS = 1,
    OCC_LIMIT_REGISTERS = 2,
    OCC_LIMIT_SHARED_MEMORY = 4,
    OCC_LIMIT_BLOCKS = 8
} cudaOccLimitingFactor;

typedef struct cudaOccDeviceProp {
    int computeMajor, computeMinor, maxThreadsPerBlock, maxThreadsPerMultiprocessor, regsPerBlock,
        regsPerMultiprocessor;
    int warpSize;
    size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
    int numSms;
    size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;
    int simtMaxBlocks; /* of a multiprocessor, if a device says so; 0: as its compute capability has them */
#ifdef __cplusplus
    cudaOccDeviceProp()
        : computeMajor(0), computeMinor(0), maxThreadsPerBlock(0), maxThreadsPerMultiprocessor(0), regsPerBlock(0),
          regsPerMultiprocessor(0), warpSize(0), sharedMemPerBlock(0), sharedMemPerMultiprocessor(0), numSms(0),
          sharedMemPerBlockOptin(0), reservedSharedMemPerBlock(0), simtMaxBlocks(0)
    {
    }
    /* From a cudaDeviceProp. */
    template <typename Properties>
    cudaOccDeviceProp(const Properties &p)
        : computeMajor(p.major), computeMinor(p.minor), maxThreadsPerBlock(p.maxThreadsPerBlock),
          maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor), regsPerBlock(p.regsPerBlock),
          regsPerMultiprocessor(p.regsPerMultiprocessor), warpSize(p.warpSize), sharedMemPerBlock(p.sharedMemPerBlock),
          sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor), numSms(p.multiProcessorCount),
          sharedMemPerBlockOptin(p.sharedMemPerBlockOptin), reservedSharedMemPerBlock(p.reservedSharedMemPerBlock),
          simtMaxBlocks(p.maxBlocksPerMultiProcessor)
    {
    }

#endif
} cudaOccDeviceProp;

typedef struct cudaOccFuncAttributes {
    int maxThreadsPerBlock, numRegs;
    size_t sharedSizeBytes;
    cudaOccPartitionedGCConfig partitionedGCConfig;
    cudaOccFuncShmemConfig shmemLimitConfig;
    size_t maxDynamicSharedSizeBytes;
    int numBlockBarriers;
#ifdef __cplusplus
    cudaOccFuncAttributes()
        : maxThreadsPerBlock(0), numRegs(0), sharedSizeBytes(0), partitionedGCConfig(PARTITIONED_GC_OFF),
          shmemLimitConfig(FUNC_SHMEM_LIMIT_DEFAULT), maxDynamicSharedSizeBytes(0), numBlockBarriers(0)
    {
    }
    /* From a cudaFuncAttributes. */
    template <typename Attributes>
    cudaOccFuncAttributes(const Attributes &a)
        : maxThreadsPerBlock(a.maxThreadsPerBlock), numRegs(a.numRegs), sharedSizeBytes(a.sharedSizeBytes),
          partitionedGCConfig(PARTITIONED_GC_OFF), shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
          maxDynamicSharedSizeBytes((size_t)a.maxDynamicSharedSizeBytes), numBlockBarriers(1)
    {
    }
#endif
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
    cudaOccCacheConfig cacheConfig;
    int carveoutConfig;
#ifdef __cplusplus
    cudaOccDeviceState() : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT)
    {
    }
#endif
} cudaOccDeviceState;

typedef struct cudaOccResult {
    int activeBlocksPerMultiprocessor;
    unsigned limitingFactors; /* a bit of cudaOccLimitingFactor for each limit that is as low as the result */
    int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, allocatedRegistersPerBlock;
    size_t allocatedSharedMemPerBlock;
    cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

static inline int __occMin(int a, int b)
{
    return a < b ? a : b;
}

static inline int __occDivideRoundUp(int x, int y)
{
    return (x + y - 1) / y;
}

static inline int __occRoundUp(int x, int y)
{
    return __occDivideRoundUp(x, y) * y;
}

static inline cudaOccError simt_occ_known(const cudaOccDeviceProp *p)
{
    if (!p || p->warpSize <= 0 || p->maxThreadsPerMultiprocessor <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    return p->computeMajor < 7 ? CUDA_OCC_ERROR_UNKNOWN_DEVICE : CUDA_OCC_SUCCESS;
}

/* Bytes of shared memory come in units of 256 for 7.x and of 128 later. */
static inline cudaOccError cudaOccSMemAllocationGranularity(int *bytes, const cudaOccDeviceProp *p)
{
    *bytes = p && p->computeMajor < 8 ? 256 : 128;
    return simt_occ_known(p);
}

/* Registers of a warp come in units of 256. */
static inline cudaOccError cudaOccRegAllocationGranularity(int *registers, const cudaOccDeviceProp *p)
{
    *registers = 256;
    return simt_occ_known(p);
}

/* 7.5 and 8.6, 8.7: 16; 8.9 and 12.x: 24; the others 32. */
static inline cudaOccError cudaOccMaxBlocksPerMultiprocessor(int *blocks, const cudaOccDeviceProp *p)
{
    cudaOccError error = simt_occ_known(p);
    int version = error == CUDA_OCC_SUCCESS ? 10 * p->computeMajor + p->computeMinor : 0;

    *blocks = version && p->simtMaxBlocks                       ? p->simtMaxBlocks
              : version == 75 || version == 86 || version == 87 ? 16
              : version == 89 || version >= 120                 ? 24
                                                                : 32;
    return error;
}

/* result->activeBlocksPerMultiprocessor is 0 if no such block can run. */
static inline cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(cudaOccResult *result, const cudaOccDeviceProp *p,
                                                                   const cudaOccFuncAttributes *a,
                                                                   const cudaOccDeviceState *state, int blockSize,
                                                                   size_t dynamicSmemSize)
{
    int unit, most, warps, registers, limit;
    size_t shared, memory_limit, dynamic_limit;
    cudaOccError error = cudaOccSMemAllocationGranularity(&unit, p);

    if (error == CUDA_OCC_SUCCESS)
        error = cudaOccMaxBlocksPerMultiprocessor(&most, p);
    if (error != CUDA_OCC_SUCCESS)
        return error;
    if (!result || !a || !state || blockSize <= 0 || a->maxThreadsPerBlock <= 0 || a->numRegs < 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    warps = __occDivideRoundUp(blockSize, p->warpSize);
    registers = __occRoundUp(a->numRegs * p->warpSize, 256); /* of a warp */
    shared = (a->sharedSizeBytes + dynamicSmemSize + p->reservedSharedMemPerBlock + (size_t)unit - 1) / (size_t)unit *
             (size_t)unit;
    memory_limit = a->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN ? p->sharedMemPerBlockOptin : p->sharedMemPerBlock;
    dynamic_limit = a->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN ? a->maxDynamicSharedSizeBytes : memory_limit;
    result->partitionedGCConfig = PARTITIONED_GC_OFF;
    result->allocatedRegistersPerBlock = registers * __occRoundUp(warps, 4);
    result->allocatedSharedMemPerBlock = shared;
    result->blockLimitBlocks = most;
    result->blockLimitWarps = blockSize > p->maxThreadsPerBlock || blockSize > a->maxThreadsPerBlock
                                  ? 0
                                  : p->maxThreadsPerMultiprocessor / p->warpSize / warps;
    /* A multiprocessor has four parts with registers of their own, so that each has whole warps. */
    result->blockLimitRegs = registers == 0 ? INT_MAX
                             : result->allocatedRegistersPerBlock > p->regsPerBlock
                                 ? 0
                                 : p->regsPerMultiprocessor / 4 / registers * 4 / warps;
    result->blockLimitSharedMem = a->sharedSizeBytes + dynamicSmemSize > memory_limit || dynamicSmemSize > dynamic_limit
                                      ? 0
                                  : shared == 0 ? INT_MAX
                                                : (int)(p->sharedMemPerMultiprocessor / shared);
    limit = __occMin(__occMin(result->blockLimitRegs, result->blockLimitSharedMem),
                     __occMin(result->blockLimitWarps, result->blockLimitBlocks));
    result->activeBlocksPerMultiprocessor = limit;
    result->limitingFactors = (unsigned)((result->blockLimitWarps == limit) * OCC_LIMIT_WARPS |
                                         (result->blockLimitRegs == limit) * OCC_LIMIT_REGISTERS |
                                         (result->blockLimitSharedMem == limit) * OCC_LIMIT_SHARED_MEMORY |
                                         (result->blockLimitBlocks == limit) * OCC_LIMIT_BLOCKS);
    return CUDA_OCC_SUCCESS;
}

/* The largest block that has as many threads on a multiprocessor as any, and how many such blocks are on the device at once. Shared
 * memory is that of a function of the block's size, or the same for all if there is none. *blockSize is 0 if no block can run. */
static inline cudaOccError
cudaOccMaxPotentialOccupancyBlockSize(int *minGridSize, int *blockSize, const cudaOccDeviceProp *p,
                                      const cudaOccFuncAttributes *a, const cudaOccDeviceState *state,
                                      size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize)
{
    cudaOccError error = simt_occ_known(p);
    int best = 0;

    if (error != CUDA_OCC_SUCCESS || !a || !minGridSize || !blockSize)
        return error != CUDA_OCC_SUCCESS ? error : CUDA_OCC_ERROR_INVALID_INPUT;
    *minGridSize = *blockSize = 0;
    for (int size = __occMin(p->maxThreadsPerBlock, a->maxThreadsPerBlock); size > 0;
         size = (size - 1) / p->warpSize * p->warpSize) {
        cudaOccResult here;

        error = cudaOccMaxActiveBlocksPerMultiprocessor(
            &here, p, a, state, size, blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize);
        if (error != CUDA_OCC_SUCCESS)
            return error;
        if (size * here.activeBlocksPerMultiprocessor > best) {
            best = size * here.activeBlocksPerMultiprocessor;
            *blockSize = size;
            *minGridSize = here.activeBlocksPerMultiprocessor * p->numSms;
        }
    }
    return CUDA_OCC_SUCCESS;
}

#ifdef __cplusplus
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(int *minGridSize, int *blockSize,
                                                                 const cudaOccDeviceProp *p,
                                                                 const cudaOccFuncAttributes *a,
                                                                 const cudaOccDeviceState *state,
                                                                 size_t dynamicSMemSize = 0)
{
    return cudaOccMaxPotentialOccupancyBlockSize(minGridSize, blockSize, p, a, state, NULL, dynamicSMemSize);
}
#endif

#endif
