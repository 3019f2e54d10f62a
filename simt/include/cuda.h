/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The part of the CUDA driver interface that programs of the runtime use beside it: devices, contexts, memory, streams,
 * events. Names and numbers are those of CUDA 13. Modules and kernels by name are not supported: a kernel is compiled
 * with the program here. There is one context, which exists from the start.
 */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H

#include "cuda_runtime_api.h"
#include "texture_types.h"

#include <stdint.h>

#define __cuda_cuda_h__ /* the guard of CUDA's own header, which programs ask for */
#define CUDAAPI
#define CUDA_CB

/* clang-format off */
#define SIMT_DRIVER_RESULTS(row)                                                                                       \
    row(CUDA_SUCCESS, 0)                                                                                               \
    row(CUDA_ERROR_INVALID_VALUE, 1)                                                                                   \
    row(CUDA_ERROR_OUT_OF_MEMORY, 2)                                                                                   \
    row(CUDA_ERROR_NOT_INITIALIZED, 3)                                                                                 \
    row(CUDA_ERROR_DEINITIALIZED, 4)                                                                                   \
    row(CUDA_ERROR_PROFILER_DISABLED, 5)                                                                               \
    row(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6)                                                                        \
    row(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7)                                                                        \
    row(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8)                                                                        \
    row(CUDA_ERROR_STUB_LIBRARY, 34)                                                                                   \
    row(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36)                                                                     \
    row(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                                                                             \
    row(CUDA_ERROR_NO_DEVICE, 100)                                                                                     \
    row(CUDA_ERROR_INVALID_DEVICE, 101)                                                                                \
    row(CUDA_ERROR_DEVICE_NOT_LICENSED, 102)                                                                           \
    row(CUDA_ERROR_INVALID_IMAGE, 200)                                                                                 \
    row(CUDA_ERROR_INVALID_CONTEXT, 201)                                                                               \
    row(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202)                                                                       \
    row(CUDA_ERROR_MAP_FAILED, 205)                                                                                    \
    row(CUDA_ERROR_UNMAP_FAILED, 206)                                                                                  \
    row(CUDA_ERROR_ARRAY_IS_MAPPED, 207)                                                                               \
    row(CUDA_ERROR_ALREADY_MAPPED, 208)                                                                                \
    row(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                                                             \
    row(CUDA_ERROR_ALREADY_ACQUIRED, 210)                                                                              \
    row(CUDA_ERROR_NOT_MAPPED, 211)                                                                                    \
    row(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212)                                                                           \
    row(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213)                                                                         \
    row(CUDA_ERROR_ECC_UNCORRECTABLE, 214)                                                                             \
    row(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)                                                                             \
    row(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216)                                                                        \
    row(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)                                                                       \
    row(CUDA_ERROR_INVALID_PTX, 218)                                                                                   \
    row(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219)                                                                      \
    row(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)                                                                          \
    row(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)                                                                        \
    row(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)                                                                       \
    row(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)                                                                      \
    row(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224)                                                                     \
    row(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225)                                                                      \
    row(CUDA_ERROR_CONTAINED, 226)                                                                                     \
    row(CUDA_ERROR_INVALID_SOURCE, 300)                                                                                \
    row(CUDA_ERROR_FILE_NOT_FOUND, 301)                                                                                \
    row(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302)                                                                \
    row(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303)                                                                     \
    row(CUDA_ERROR_OPERATING_SYSTEM, 304)                                                                              \
    row(CUDA_ERROR_INVALID_HANDLE, 400)                                                                                \
    row(CUDA_ERROR_ILLEGAL_STATE, 401)                                                                                 \
    row(CUDA_ERROR_LOSSY_QUERY, 402)                                                                                   \
    row(CUDA_ERROR_NOT_FOUND, 500)                                                                                     \
    row(CUDA_ERROR_NOT_READY, 600)                                                                                     \
    row(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                                               \
    row(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                                                       \
    row(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                                                                \
    row(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703)                                                                 \
    row(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                                                                   \
    row(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)                                                                       \
    row(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)                                                                        \
    row(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                                                                          \
    row(CUDA_ERROR_ASSERT, 710)                                                                                        \
    row(CUDA_ERROR_TOO_MANY_PEERS, 711)                                                                                \
    row(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)                                                                \
    row(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)                                                                    \
    row(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)                                                                          \
    row(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)                                                                           \
    row(CUDA_ERROR_MISALIGNED_ADDRESS, 716)                                                                            \
    row(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)                                                                         \
    row(CUDA_ERROR_INVALID_PC, 718)                                                                                    \
    row(CUDA_ERROR_LAUNCH_FAILED, 719)                                                                                 \
    row(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)                                                                  \
    row(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721)                                                                            \
    row(CUDA_ERROR_NOT_PERMITTED, 800)                                                                                 \
    row(CUDA_ERROR_NOT_SUPPORTED, 801)                                                                                 \
    row(CUDA_ERROR_SYSTEM_NOT_READY, 802)                                                                              \
    row(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)                                                                        \
    row(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)                                                                \
    row(CUDA_ERROR_MPS_CONNECTION_FAILED, 805)                                                                         \
    row(CUDA_ERROR_MPS_RPC_FAILURE, 806)                                                                               \
    row(CUDA_ERROR_MPS_SERVER_NOT_READY, 807)                                                                          \
    row(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808)                                                                       \
    row(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809)                                                                   \
    row(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810)                                                                         \
    row(CUDA_ERROR_CDP_NOT_SUPPORTED, 811)                                                                             \
    row(CUDA_ERROR_CDP_VERSION_MISMATCH, 812)                                                                          \
    row(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900)                                                                    \
    row(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901)                                                                    \
    row(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902)                                                                          \
    row(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903)                                                                      \
    row(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904)                                                                       \
    row(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905)                                                                      \
    row(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906)                                                                       \
    row(CUDA_ERROR_CAPTURED_EVENT, 907)                                                                                \
    row(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908)                                                                   \
    row(CUDA_ERROR_TIMEOUT, 909)                                                                                       \
    row(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910)                                                                     \
    row(CUDA_ERROR_EXTERNAL_DEVICE, 911)                                                                               \
    row(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912)                                                                          \
    row(CUDA_ERROR_FUNCTION_NOT_LOADED, 913)                                                                           \
    row(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914)                                                                         \
    row(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915)                                                                \
    row(CUDA_ERROR_KEY_ROTATION, 916)                                                                                  \
    row(CUDA_ERROR_UNKNOWN, 999)

/* The numbers are those of cudaDeviceAttr. */
#define SIMT_DRIVER_ATTRIBUTES(row)                                                                                    \
    row(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1)                                                                  \
    row(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 2)                                                                        \
    row(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 3)                                                                        \
    row(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 4)                                                                        \
    row(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 5)                                                                         \
    row(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 6)                                                                         \
    row(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 7)                                                                         \
    row(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8)                                                            \
    row(CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK, 8)                                                                \
    row(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 9)                                                                  \
    row(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10)                                                                             \
    row(CU_DEVICE_ATTRIBUTE_MAX_PITCH, 11)                                                                             \
    row(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 12)                                                               \
    row(CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK, 12)                                                                   \
    row(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 13)                                                                            \
    row(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 14)                                                                     \
    row(CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 15)                                                                           \
    row(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                                                                  \
    row(CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, 17)                                                                   \
    row(CU_DEVICE_ATTRIBUTE_INTEGRATED, 18)                                                                            \
    row(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 19)                                                                   \
    row(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 20)                                                                          \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, 21)                                                               \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, 22)                                                               \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, 23)                                                              \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, 24)                                                               \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, 25)                                                              \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, 26)                                                               \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 27)                                                       \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 28)                                                      \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 29)                                                      \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH, 27)                                                         \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT, 28)                                                        \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES, 29)                                                     \
    row(CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT, 30)                                                                     \
    row(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 31)                                                                    \
    row(CU_DEVICE_ATTRIBUTE_ECC_ENABLED, 32)                                                                           \
    row(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 33)                                                                            \
    row(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 34)                                                                         \
    row(CU_DEVICE_ATTRIBUTE_TCC_DRIVER, 35)                                                                            \
    row(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 36)                                                                     \
    row(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 37)                                                               \
    row(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38)                                                                         \
    row(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39)                                                        \
    row(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 40)                                                                    \
    row(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41)                                                                    \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 42)                                                       \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 43)                                                      \
    row(CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER, 44)                                                                      \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH, 45)                                                        \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT, 46)                                                       \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, 47)                                                     \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, 48)                                                    \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, 49)                                                     \
    row(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 50)                                                                         \
    row(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 51)                                                               \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH, 52)                                                          \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, 53)                                                  \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, 54)                                                 \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH, 55)                                                               \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, 56)                                                               \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, 57)                                                              \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, 58)                                                               \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT, 59)                                                              \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH, 60)                                                               \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, 61)                                                       \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS, 62)                                                      \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, 63)                                                       \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT, 64)                                                      \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS, 65)                                                      \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH, 66)                                                          \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, 67)                                                  \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, 68)                                                 \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 69)                                                        \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, 70)                                                        \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, 71)                                                       \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH, 72)                                                        \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, 73)                                                     \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, 74)                                                    \
    row(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                                                              \
    row(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                                                              \
    row(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, 77)                                                     \
    row(CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 78)                                                           \
    row(CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, 79)                                                             \
    row(CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED, 80)                                                              \
    row(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81)                                                  \
    row(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 82)                                                      \
    row(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 83)                                                                        \
    row(CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD, 84)                                                                       \
    row(CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID, 85)                                                              \
    row(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, 86)                                                          \
    row(CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 87)                                                 \
    row(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 88)                                                                \
    row(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 89)                                                             \
    row(CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED, 90)                                                          \
    row(CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 91)                                               \
    row(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 95)                                                                    \
    row(CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH, 96)                                                       \
    row(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)                                                     \
    row(CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, 98)                                                               \
    row(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 99)                                                               \
    row(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 100)                                         \
    row(CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 101)                                                  \
    row(CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 102)                                                 \
    row(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 102)                                                  \
    row(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 103)                                          \
    row(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 104)                                                   \
    row(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, 105)                                               \
    row(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 106)                                                        \
    row(CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 107)                                                        \
    row(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 108)                                                         \
    row(CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, 109)                                                        \
    row(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 110)                                              \
    row(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 111)                                                     \
    row(CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED, 112)                                                          \
    row(CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, 113)                                                    \
    row(CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, 114)                                                 \
    row(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 115)                                                               \
    row(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED, 116)                                                            \
    row(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, 117)                                                 \
    row(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING, 118)                                                      \
    row(CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, 119)                                                       \
    row(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 120)                                                                       \
    row(CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, 121)                                                \
    row(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 122)                                                        \
    row(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 123)                                                        \
    row(CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 124)                                                                    \
    row(CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED, 125)                                                                  \
    row(CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT, 126)                                                                \
    row(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 127)                                                          \
    row(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, 128)                                                         \
    row(CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, 129)                                                            \
    row(CU_DEVICE_ATTRIBUTE_NUMA_CONFIG, 130)                                                                          \
    row(CU_DEVICE_ATTRIBUTE_NUMA_ID, 131)                                                                              \
    row(CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 132)                                                                  \
    row(CU_DEVICE_ATTRIBUTE_MPS_ENABLED, 133)                                                                          \
    row(CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, 134)                                                                         \
    row(CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED, 135)                                                                  \
    row(CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK, 136)                                                        \
    row(CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH, 137)                                                        \
    row(CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED, 138)                                                                 \
    row(CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID, 139)                                                                    \
    row(CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID, 140)                                                                 \
    row(CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 141)                                        \
    row(CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED, 142)                                                     \
    row(CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED, 143)                                                    \
    row(CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, 144)                                                          \
    row(CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 145)                                             \
    row(CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED, 146)                                                         \
    row(CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED, 147)
/* clang-format on */

#define SIMT_ROW(name, number) name = number,
typedef enum cudaError_enum { SIMT_DRIVER_RESULTS(SIMT_ROW) } CUresult;
typedef enum CUdevice_attribute_enum { SIMT_DRIVER_ATTRIBUTES(SIMT_ROW) } CUdevice_attribute;
#undef SIMT_ROW

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef cudaUUID_t CUuuid;
typedef cudaHostFn_t CUhostFn;
typedef cudaTextureObject_t CUtexObject;
typedef struct CUctxCreateParams_st CUctxCreateParams;

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

/* A description of a tensor: simt_tensor_map in the runtime. */
typedef struct CUtensorMap_st {
    cuuint64_t opaque[16] __attribute__((aligned(64)));
} CUtensorMap;

typedef struct cudaLaunchAttribute CUlaunchAttribute; /* CUTLASS keeps some; launches are the runtime's */

typedef enum CUtensorMapDataType_enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
    CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;

typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;

typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE = 0,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;

typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;

typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;

typedef enum CUlimit_enum {
    CU_LIMIT_STACK_SIZE = 0,
    CU_LIMIT_PRINTF_FIFO_SIZE = 1,
    CU_LIMIT_MALLOC_HEAP_SIZE = 2
} CUlimit;

typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_MEMORYTYPE_ARRAY = 3,
    CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;

typedef enum CUmem_advise_enum {
    CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
    CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
    CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
    CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
    CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;

typedef enum CUmem_range_attribute_enum {
    CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
    CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4
} CUmem_range_attribute;

typedef struct cudaMemLocation CUmemLocation;
#define CU_MEM_LOCATION_TYPE_DEVICE cudaMemLocationTypeDevice
#define CU_MEM_LOCATION_TYPE_HOST   cudaMemLocationTypeHost
#define CU_DEVICE_CPU               ((CUdevice)-1)
#define CU_DEVICE_INVALID           ((CUdevice)-2)

typedef enum CUfunc_cache_enum {
    CU_FUNC_CACHE_PREFER_NONE = 0,
    CU_FUNC_CACHE_PREFER_SHARED = 1,
    CU_FUNC_CACHE_PREFER_L1 = 2,
    CU_FUNC_CACHE_PREFER_EQUAL = 3
} CUfunc_cache;

enum {
    CU_CTX_SCHED_AUTO = 0,
    CU_CTX_SCHED_SPIN = 1,
    CU_CTX_SCHED_YIELD = 2,
    CU_CTX_SCHED_BLOCKING_SYNC = 4,
    CU_CTX_MAP_HOST = 8,
    CU_STREAM_DEFAULT = 0,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_MEM_ATTACH_GLOBAL = 1,
    CU_MEM_ATTACH_HOST = 2,
    CU_MEM_ATTACH_SINGLE = 4,
    CU_MEMHOSTALLOC_PORTABLE = 1,
    CU_MEMHOSTALLOC_DEVICEMAP = 2,
    CU_MEMHOSTALLOC_WRITECOMBINED = 4
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuGetErrorName(CUresult error, const char **text);
CUresult cuGetErrorString(CUresult error, const char **text);

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *memory,
                                const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
                                const cuuint32_t *step, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *memory,
                                 const cuuint64_t *size, const cuuint64_t *stride, const int *low, const int *high,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *memory);

CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGetName(char *name, int length, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
CUresult cuDeviceGetPCIBusId(char *text, int size, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuDevicePrimaryCtxReset(CUdevice device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags);

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxGetDevice(CUdevice *device);
CUresult cuCtxGetFlags(unsigned *flags);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
CUresult cuCtxGetLimit(size_t *value, CUlimit limit);
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total);
CUresult cuMemAlloc(CUdeviceptr *memory, size_t size);
CUresult cuMemAllocPitch(CUdeviceptr *memory, size_t *pitch, size_t width, size_t height, unsigned element);
CUresult cuMemAllocManaged(CUdeviceptr *memory, size_t size, unsigned flags);
CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t size, CUstream stream);
CUresult cuMemAllocHost(void **memory, size_t size);
CUresult cuMemHostAlloc(void **memory, size_t size, unsigned flags);
CUresult cuMemHostRegister(void *memory, size_t size, unsigned flags);
CUresult cuMemHostUnregister(void *memory);
CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned flags);
CUresult cuMemFree(CUdeviceptr memory);
CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream);
CUresult cuMemFreeHost(void *memory);
CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *size, CUdeviceptr address);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size);
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream);
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream);
CUresult cuMemsetD8(CUdeviceptr memory, unsigned char value, size_t count);
CUresult cuMemsetD16(CUdeviceptr memory, unsigned short value, size_t count);
CUresult cuMemsetD32(CUdeviceptr memory, unsigned value, size_t count);
CUresult cuMemsetD8Async(CUdeviceptr memory, unsigned char value, size_t count, CUstream stream);
CUresult cuMemsetD16Async(CUdeviceptr memory, unsigned short value, size_t count, CUstream stream);
CUresult cuMemsetD32Async(CUdeviceptr memory, unsigned value, size_t count, CUstream stream);
CUresult cuMemAdvise(CUdeviceptr memory, size_t size, CUmem_advise advice, CUmemLocation at);
CUresult cuMemPrefetchAsync(CUdeviceptr memory, size_t size, CUmemLocation to, unsigned flags, CUstream stream);
CUresult cuMemRangeGetAttribute(void *data, size_t data_size, CUmem_range_attribute what, CUdeviceptr memory,
                                size_t size);

CUresult cuStreamCreate(CUstream *stream, unsigned flags);
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data);
CUresult cuEventCreate(CUevent *event, unsigned flags);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventQuery(CUevent event);
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop);

#pragma GCC visibility pop
#ifdef __cplusplus
}

/* With three arguments before version 13. */
static inline CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device)
{
    return cuCtxCreate_v4(context, nullptr, flags, device);
}

static inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device)
{
    return cuCtxCreate_v4(context, parameters, flags, device);
}
#else
#define cuCtxCreate cuCtxCreate_v4
#endif

#ifdef __cplusplus
/* As CUDA 12 declares them: a device by its number, or CU_DEVICE_CPU, in the place of a location. */
static inline CUmemLocation simt_driver_location(CUdevice device)
{
    return CUmemLocation{device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
                         device == CU_DEVICE_CPU ? 0 : device};
}
static inline CUresult cuMemAdvise(CUdeviceptr memory, size_t size, CUmem_advise advice, CUdevice device)
{
    return cuMemAdvise(memory, size, advice, simt_driver_location(device));
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr memory, size_t size, CUdevice device, CUstream stream)
{
    return cuMemPrefetchAsync(memory, size, simt_driver_location(device), 0, stream);
}
#endif

#endif
