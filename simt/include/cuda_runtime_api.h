/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The CUDA runtime calls that the machine supports, for C and C++. Numbers and names are those of CUDA 13. The machine
 * does one thing at a time: a stream is only a handle, and every call has completed its work when it returns.
 */
#ifndef SIMT_CUDA_RUNTIME_API_H
#define SIMT_CUDA_RUNTIME_API_H

#include "vector_types.h"

/* CUDA's header includes these, and programs rely on it. */
#include <limits.h>
#include <string.h>
#include <time.h>

#include <stddef.h>

#define CUDART_VERSION 13000
#define CUDA_VERSION   13000
#define CUDART_CB
#define CUDARTAPI

/* The guards of CUDA's own headers, which programs ask for. */
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__

/* clang-format off */
/* Every error: name, number, what cudaGetErrorString says. */
#define SIMT_ERRORS(row)                                                                                               \
    row(cudaSuccess, 0, "no error")                                                                                    \
    row(cudaErrorInvalidValue, 1, "invalid argument")                                                                  \
    row(cudaErrorMemoryAllocation, 2, "out of memory")                                                                 \
    row(cudaErrorInitializationError, 3, "initialization error")                                                       \
    row(cudaErrorCudartUnloading, 4, "driver shutting down")                                                           \
    row(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")                         \
    row(cudaErrorProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()")                 \
    row(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")                                                \
    row(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")                                                \
    row(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                            \
    row(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                                      \
    row(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                           \
    row(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                                       \
    row(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                                   \
    row(cudaErrorInvalidTexture, 18, "invalid texture reference")                                                      \
    row(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                                       \
    row(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                                           \
    row(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                                      \
    row(cudaErrorAddressOfConstant, 22, "invalid address of constant")                                                 \
    row(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")                                                  \
    row(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")                                 \
    row(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")                                         \
    row(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")                        \
    row(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type")                       \
    row(cudaErrorMixedDeviceExecution, 28, "device emulation mode and device execution mode cannot be mixed")          \
    row(cudaErrorNotYetImplemented, 31, "feature not yet implemented")                                                 \
    row(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")                   \
    row(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")                                                     \
    row(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")               \
    row(cudaErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver")                \
    row(cudaErrorInvalidSurface, 37, "invalid surface reference")                                                      \
    row(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")                      \
    row(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")                               \
    row(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")                               \
    row(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")                          \
    row(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")                                         \
    row(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                               \
    row(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")                                 \
    row(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")                   \
    row(cudaErrorLaunchFileScopedTex, 66, "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)") \
    row(cudaErrorLaunchFileScopedSurf, 67, "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)") \
    row(cudaErrorSyncDepthExceeded, 68, "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth") \
    row(cudaErrorLaunchPendingCountExceeded, 69, "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount") \
    row(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                                 \
    row(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                                  \
    row(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                                         \
    row(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")                                     \
    row(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")                                       \
    row(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")                                               \
    row(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                                            \
    row(cudaErrorDeviceUninitialized, 201, "invalid device context")                                                   \
    row(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                                        \
    row(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                                    \
    row(cudaErrorArrayIsMapped, 207, "array is mapped")                                                                \
    row(cudaErrorAlreadyMapped, 208, "resource already mapped")                                                        \
    row(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")              \
    row(cudaErrorAlreadyAcquired, 210, "resource already acquired")                                                    \
    row(cudaErrorNotMapped, 211, "resource not mapped")                                                                \
    row(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")                                                \
    row(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                                            \
    row(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                                         \
    row(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                                 \
    row(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread")              \
    row(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")                 \
    row(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                                      \
    row(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                                     \
    row(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution")                 \
    row(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")                                       \
    row(cudaErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain.")           \
    row(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")                                      \
    row(cudaErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")                     \
    row(cudaErrorUnsupportedDevSideSync, 225, "the provided PTX contains unsupported call to cudaDeviceSynchronize")   \
    row(cudaErrorContained, 226, "Invalid access of peer GPU memory over nvlink or a hardware error")                  \
    row(cudaErrorInvalidSource, 300, "device kernel image is invalid")                                                 \
    row(cudaErrorFileNotFound, 301, "file not found")                                                                  \
    row(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                                    \
    row(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                                   \
    row(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")                         \
    row(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                                \
    row(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")                          \
    row(cudaErrorLossyQuery, 402, "attempted introspection would be semantically lossy")                               \
    row(cudaErrorSymbolNotFound, 500, "named symbol not found")                                                        \
    row(cudaErrorNotReady, 600, "device not ready")                                                                    \
    row(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                                      \
    row(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                                 \
    row(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                                        \
    row(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")                          \
    row(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                                      \
    row(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                                        \
    row(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")                         \
    row(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                                      \
    row(cudaErrorAssert, 710, "device-side assert triggered")                                                          \
    row(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                                                \
    row(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped")      \
    row(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")            \
    row(cudaErrorHardwareStackError, 714, "hardware stack error")                                                      \
    row(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                                    \
    row(cudaErrorMisalignedAddress, 716, "misaligned address")                                                         \
    row(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")                   \
    row(cudaErrorInvalidPc, 718, "invalid program counter")                                                            \
    row(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                                     \
    row(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                              \
    row(cudaErrorTensorMemoryLeak, 721, "tensor memory not completely freed")                                          \
    row(cudaErrorNotPermitted, 800, "operation not permitted")                                                         \
    row(cudaErrorNotSupported, 801, "operation not supported")                                                         \
    row(cudaErrorSystemNotReady, 802, "system not yet initialized")                                                    \
    row(cudaErrorSystemDriverMismatch, 803, "system has unsupported display driver / cuda driver combination")         \
    row(cudaErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW")           \
    row(cudaErrorMpsConnectionFailed, 805, "MPS client failed to connect to the MPS control daemon or the MPS server") \
    row(cudaErrorMpsRpcFailure, 806, "the remote procedural call between the MPS server and the MPS client failed")    \
    row(cudaErrorMpsServerNotReady, 807, "MPS server is not ready to accept new MPS client requests")                  \
    row(cudaErrorMpsMaxClientsReached, 808, "the hardware resources required to create MPS client have been exhausted") \
    row(cudaErrorMpsMaxConnectionsReached, 809, "the hardware resources required to support device connections have been exhausted") \
    row(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server")                         \
    row(cudaErrorCdpNotSupported, 811, "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it") \
    row(cudaErrorCdpVersionMismatch, 812, "unsupported interaction between different versions of CUDA Dynamic Parallelism") \
    row(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")                    \
    row(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")             \
    row(cudaErrorStreamCaptureMerge, 902, "operation would result in a merge of separate capture sequences")           \
    row(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began")                  \
    row(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                                     \
    row(cudaErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream")               \
    row(cudaErrorStreamCaptureImplicit, 906, "operation would make the legacy stream depend on a capturing blocking stream") \
    row(cudaErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a capturing stream")        \
    row(cudaErrorStreamCaptureWrongThread, 908, "attempt to terminate a thread-local capture sequence from another thread") \
    row(cudaErrorTimeout, 909, "wait operation timed out")                                                             \
    row(cudaErrorGraphExecUpdateFailure, 910, "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update") \
    row(cudaErrorExternalDevice, 911, "an async error has occured in external entity outside of CUDA")                 \
    row(cudaErrorInvalidClusterSize, 912, "a kernel launch error has occurred due to cluster misconfiguration")        \
    row(cudaErrorFunctionNotLoaded, 913, "the function handle is not loaded when calling an API that requires a loaded function") \
    row(cudaErrorInvalidResourceType, 914, "one or more resources passed in are not valid resource types for the operation") \
    row(cudaErrorInvalidResourceConfiguration, 915, "one or more resources are insufficient or non-applicable for the operation") \
    row(cudaErrorUnknown, 999, "unknown error")                                                                        \
    row(cudaErrorApiFailureBase, 10000, "api failure base")
/* clang-format on */

typedef enum cudaError {
#define SIMT_ROW(name, number, text) name = number,
    SIMT_ERRORS(SIMT_ROW)
#undef SIMT_ROW
} cudaError_t;

typedef enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
} cudaMemcpyKind;

typedef enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
} cudaMemoryType;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef void(CUDART_CB *cudaHostFn_t)(void *data);
typedef void(CUDART_CB *cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
#define cudaStreamLegacy        ((cudaStream_t)0x1)
#define cudaStreamPerThread     ((cudaStream_t)0x2)
#define cudaStreamTailLaunch    ((cudaStream_t)0x3) /* these two in kernels */
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
/* Of cudaGraphLaunch in kernels. */
#define cudaStreamGraphTailLaunch             ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget          ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

/* A plain 0, as in CUDA: it is a flag and a cudaStream_t, too. */
#define cudaStreamDefault     0x00
#define cudaStreamNonBlocking 0x01

enum {
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaEventRecordDefault = 0,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4,
    cudaDeviceScheduleMask = 7,
    cudaDeviceMapHost = 8,
    cudaDeviceLmemResizeToMax = 16,
    cudaIpcMemLazyEnablePeerAccess = 1,
    cudaPeerAccessDefault = 0,
    cudaHostRegisterIoMemory = 4,
    cudaHostRegisterReadOnly = 8,
    cudaEventWaitDefault = 0,
    cudaEventWaitExternal = 1,
    cudaEventRecordExternal = 1,
    cudaOccupancyDefault = 0,
    cudaOccupancyDisableCachingOverride = 1
};

/* clang-format off */
/* Attributes of the device: name, CUDA's number, value here. */
#define SIMT_ATTRIBUTES(row)                                                                                           \
    row(cudaDevAttrMaxThreadsPerBlock, 1, 1024)                                                                        \
    row(cudaDevAttrMaxBlockDimX, 2, 1024)                                                                              \
    row(cudaDevAttrMaxBlockDimY, 3, 1024)                                                                              \
    row(cudaDevAttrMaxBlockDimZ, 4, 64)                                                                                \
    row(cudaDevAttrMaxGridDimX, 5, 2147483647)                                                                         \
    row(cudaDevAttrMaxGridDimY, 6, 65535)                                                                              \
    row(cudaDevAttrMaxGridDimZ, 7, 65535)                                                                              \
    row(cudaDevAttrMaxSharedMemoryPerBlock, 8, 49152)                                                                  \
    row(cudaDevAttrTotalConstantMemory, 9, 65536)                                                                      \
    row(cudaDevAttrWarpSize, 10, 32)                                                                                   \
    row(cudaDevAttrMaxPitch, 11, 2147483647)                                                                           \
    row(cudaDevAttrMaxRegistersPerBlock, 12, 65536)                                                                    \
    row(cudaDevAttrClockRate, 13, 1000000)                                                                             \
    row(cudaDevAttrTextureAlignment, 14, 512)                                                                          \
    row(cudaDevAttrGpuOverlap, 15, 1)                                                                                  \
    row(cudaDevAttrMultiProcessorCount, 16, 2)                                                                         \
    row(cudaDevAttrKernelExecTimeout, 17, 0)                                                                           \
    row(cudaDevAttrIntegrated, 18, 0)                                                                                  \
    row(cudaDevAttrCanMapHostMemory, 19, 1)                                                                            \
    row(cudaDevAttrComputeMode, 20, 0)                                                                                 \
    row(cudaDevAttrMaxTexture1DWidth, 21, 131072)                                                                      \
    row(cudaDevAttrMaxTexture2DWidth, 22, 131072)                                                                      \
    row(cudaDevAttrMaxTexture2DHeight, 23, 65536)                                                                      \
    row(cudaDevAttrMaxTexture3DWidth, 24, 0)                                                                           \
    row(cudaDevAttrMaxTexture3DHeight, 25, 0)                                                                          \
    row(cudaDevAttrMaxTexture3DDepth, 26, 0)                                                                           \
    row(cudaDevAttrMaxTexture2DLayeredWidth, 27, 0)                                                                    \
    row(cudaDevAttrMaxTexture2DLayeredHeight, 28, 0)                                                                   \
    row(cudaDevAttrMaxTexture2DLayeredLayers, 29, 0)                                                                   \
    row(cudaDevAttrSurfaceAlignment, 30, 512)                                                                          \
    row(cudaDevAttrConcurrentKernels, 31, 0)                                                                           \
    row(cudaDevAttrEccEnabled, 32, 0)                                                                                  \
    row(cudaDevAttrPciBusId, 33, 0)                                                                                    \
    row(cudaDevAttrPciDeviceId, 34, 0)                                                                                 \
    row(cudaDevAttrTccDriver, 35, 0)                                                                                   \
    row(cudaDevAttrMemoryClockRate, 36, 1000000)                                                                       \
    row(cudaDevAttrGlobalMemoryBusWidth, 37, 64)                                                                       \
    row(cudaDevAttrL2CacheSize, 38, 1048576)                                                                           \
    row(cudaDevAttrMaxThreadsPerMultiProcessor, 39, 1024)                                                              \
    row(cudaDevAttrAsyncEngineCount, 40, 1)                                                                            \
    row(cudaDevAttrUnifiedAddressing, 41, 1)                                                                           \
    row(cudaDevAttrMaxTexture1DLayeredWidth, 42, 0)                                                                    \
    row(cudaDevAttrMaxTexture1DLayeredLayers, 43, 0)                                                                   \
    row(cudaDevAttrMaxTexture2DGatherWidth, 45, 0)                                                                     \
    row(cudaDevAttrMaxTexture2DGatherHeight, 46, 0)                                                                    \
    row(cudaDevAttrMaxTexture3DWidthAlt, 47, 0)                                                                        \
    row(cudaDevAttrMaxTexture3DHeightAlt, 48, 0)                                                                       \
    row(cudaDevAttrMaxTexture3DDepthAlt, 49, 0)                                                                        \
    row(cudaDevAttrPciDomainId, 50, 0)                                                                                 \
    row(cudaDevAttrTexturePitchAlignment, 51, 32)                                                                      \
    row(cudaDevAttrMaxTextureCubemapWidth, 52, 0)                                                                      \
    row(cudaDevAttrMaxTextureCubemapLayeredWidth, 53, 0)                                                               \
    row(cudaDevAttrMaxTextureCubemapLayeredLayers, 54, 0)                                                              \
    row(cudaDevAttrMaxSurface1DWidth, 55, 0)                                                                           \
    row(cudaDevAttrMaxSurface2DWidth, 56, 0)                                                                           \
    row(cudaDevAttrMaxSurface2DHeight, 57, 0)                                                                          \
    row(cudaDevAttrMaxSurface3DWidth, 58, 0)                                                                           \
    row(cudaDevAttrMaxSurface3DHeight, 59, 0)                                                                          \
    row(cudaDevAttrMaxSurface3DDepth, 60, 0)                                                                           \
    row(cudaDevAttrMaxSurface1DLayeredWidth, 61, 0)                                                                    \
    row(cudaDevAttrMaxSurface1DLayeredLayers, 62, 0)                                                                   \
    row(cudaDevAttrMaxSurface2DLayeredWidth, 63, 0)                                                                    \
    row(cudaDevAttrMaxSurface2DLayeredHeight, 64, 0)                                                                   \
    row(cudaDevAttrMaxSurface2DLayeredLayers, 65, 0)                                                                   \
    row(cudaDevAttrMaxSurfaceCubemapWidth, 66, 0)                                                                      \
    row(cudaDevAttrMaxSurfaceCubemapLayeredWidth, 67, 0)                                                               \
    row(cudaDevAttrMaxSurfaceCubemapLayeredLayers, 68, 0)                                                              \
    row(cudaDevAttrMaxTexture1DLinearWidth, 69, 268435456)                                                             \
    row(cudaDevAttrMaxTexture2DLinearWidth, 70, 131072)                                                                \
    row(cudaDevAttrMaxTexture2DLinearHeight, 71, 65000)                                                                \
    row(cudaDevAttrMaxTexture2DLinearPitch, 72, 2097120)                                                               \
    row(cudaDevAttrMaxTexture2DMipmappedWidth, 73, 0)                                                                  \
    row(cudaDevAttrMaxTexture2DMipmappedHeight, 74, 0)                                                                 \
    row(cudaDevAttrComputeCapabilityMajor, 75, 9)                                                                      \
    row(cudaDevAttrComputeCapabilityMinor, 76, 0)                                                                      \
    row(cudaDevAttrMaxTexture1DMipmappedWidth, 77, 0)                                                                  \
    row(cudaDevAttrStreamPrioritiesSupported, 78, 1)                                                                   \
    row(cudaDevAttrGlobalL1CacheSupported, 79, 0)                                                                      \
    row(cudaDevAttrLocalL1CacheSupported, 80, 0)                                                                       \
    row(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, 233472)                                                       \
    row(cudaDevAttrMaxRegistersPerMultiprocessor, 82, 65536)                                                           \
    row(cudaDevAttrManagedMemory, 83, 1)                                                                               \
    row(cudaDevAttrIsMultiGpuBoard, 84, 0)                                                                             \
    row(cudaDevAttrMultiGpuBoardGroupID, 85, 0)                                                                        \
    row(cudaDevAttrHostNativeAtomicSupported, 86, 0)                                                                   \
    row(cudaDevAttrSingleToDoublePrecisionPerfRatio, 87, 2)                                                            \
    row(cudaDevAttrPageableMemoryAccess, 88, 0)                                                                        \
    row(cudaDevAttrConcurrentManagedAccess, 89, 0)                                                                     \
    row(cudaDevAttrComputePreemptionSupported, 90, 1)                                                                  \
    row(cudaDevAttrCanUseHostPointerForRegisteredMem, 91, 0)                                                           \
    row(cudaDevAttrCooperativeLaunch, 95, 1)                                                                           \
    row(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, 232448)                                                           \
    row(cudaDevAttrCanFlushRemoteWrites, 98, 0)                                                                        \
    row(cudaDevAttrHostRegisterSupported, 99, 1)                                                                       \
    row(cudaDevAttrPageableMemoryAccessUsesHostPageTables, 100, 0)                                                     \
    row(cudaDevAttrDirectManagedMemAccessFromHost, 101, 0)                                                             \
    row(cudaDevAttrMaxBlocksPerMultiprocessor, 106, 8)                                                                 \
    row(cudaDevAttrMaxPersistingL2CacheSize, 108, 0)                                                                   \
    row(cudaDevAttrMaxAccessPolicyWindowSize, 109, 0)                                                                  \
    row(cudaDevAttrReservedSharedMemoryPerBlock, 111, 1024)                                                            \
    row(cudaDevAttrSparseCudaArraySupported, 112, 0)                                                                   \
    row(cudaDevAttrHostRegisterReadOnlySupported, 113, 0)                                                              \
    row(cudaDevAttrTimelineSemaphoreInteropSupported, 114, 0)                                                          \
    row(cudaDevAttrMemoryPoolsSupported, 115, 1)                                                                       \
    row(cudaDevAttrGPUDirectRDMASupported, 116, 0)                                                                     \
    row(cudaDevAttrGPUDirectRDMAFlushWritesOptions, 117, 0)                                                            \
    row(cudaDevAttrGPUDirectRDMAWritesOrdering, 118, 0)                                                                \
    row(cudaDevAttrMemoryPoolSupportedHandleTypes, 119, 0)                                                             \
    row(cudaDevAttrClusterLaunch, 120, 1)                                                                              \
    row(cudaDevAttrDeferredMappingCudaArraySupported, 121, 0)                                                          \
    row(cudaDevAttrIpcEventSupport, 125, 0)                                                                            \
    row(cudaDevAttrMemSyncDomainCount, 126, 0)                                                                         \
    row(cudaDevAttrNumaConfig, 130, 0)                                                                                 \
    row(cudaDevAttrNumaId, 131, 0)                                                                                     \
    row(cudaDevAttrMpsEnabled, 133, 0)                                                                                 \
    row(cudaDevAttrHostNumaId, 134, 0)                                                                                 \
    row(cudaDevAttrD3D12CigSupported, 135, 0)                                                                          \
    row(cudaDevAttrVulkanCigSupported, 138, 0)                                                                         \
    row(cudaDevAttrGpuPciDeviceId, 139, 0)                                                                             \
    row(cudaDevAttrGpuPciSubsystemId, 140, 0)                                                                          \
    row(cudaDevAttrHostNumaMemoryPoolsSupported, 142, 0)                                                               \
    row(cudaDevAttrHostNumaMultinodeIpcSupported, 143, 0)                                                              \
    row(cudaDevAttrHostMemoryPoolsSupported, 144, 0)                                                                   \
    row(cudaDevAttrOnlyPartialHostNativeAtomicSupported, 147, 0)
/* clang-format on */

typedef enum cudaDeviceAttr {
#define SIMT_ROW(name, number, value) name = number,
    SIMT_ATTRIBUTES(SIMT_ROW)
#undef SIMT_ROW
} cudaDeviceAttr;

typedef enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15
} cudaFuncAttribute;

typedef enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
} cudaFuncCache;

typedef enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
} cudaLimit;

typedef enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
} cudaSharedMemConfig;

typedef enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
} cudaSharedCarveout;

typedef enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
} cudaComputeMode;

typedef enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
} cudaDeviceP2PAttr;

/* Hints for the L2 cache, which this device does not have. */
typedef enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2
} cudaAccessProperty;

typedef struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
} cudaAccessPolicyWindow;

typedef enum cudaStreamAttrID {
    cudaStreamAttributeAccessPolicyWindow = 1,
    cudaStreamAttributeSynchronizationPolicy = 3,
    cudaStreamAttributePriority = 8
} cudaStreamAttrID;

typedef union cudaStreamAttrValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int syncPolicy, priority;
} cudaStreamAttrValue;

/* Pools of device memory. Every allocation comes from the one heap, so a pool only counts. */
typedef struct CUmemPoolHandle_st *cudaMemPool_t;

typedef enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
} cudaMemPoolAttr;

typedef enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0,
    cudaMemAllocationTypePinned = 1
} cudaMemAllocationType;
typedef enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1
} cudaMemAllocationHandleType;
typedef enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
} cudaMemAccessFlags;

#define cudaCpuDeviceId     (-1)
#define cudaInvalidDeviceId (-2)

typedef enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4
} cudaMemLocationType;

typedef struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
} cudaMemLocation;

typedef struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
} cudaMemAccessDesc;

typedef struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
} cudaMemPoolProps;

typedef enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
} cudaMemoryAdvise;

typedef enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,
    cudaMemRangeAttributePreferredLocation = 2,
    cudaMemRangeAttributeAccessedBy = 3,
    cudaMemRangeAttributeLastPrefetchLocation = 4,
    cudaMemRangeAttributePreferredLocationType = 5,
    cudaMemRangeAttributePreferredLocationId = 6,
    cudaMemRangeAttributeLastPrefetchLocationType = 7,
    cudaMemRangeAttributeLastPrefetchLocationId = 8
} cudaMemRangeAttribute;

typedef struct cudaUUID_t {
    char bytes[16];
} cudaUUID_t;

typedef struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3];
    int maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2];
    int maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
    int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
    int canUseHostPointerForRegisteredMem, cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
    int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
    unsigned gpuPciDeviceID, gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported;
    /* CUDA 13 dropped these; older programs read them. */
    int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode;
    int singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch, maxTexture1DLinear;
} cudaDeviceProp;

typedef struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
} cudaFuncAttributes;

typedef struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
} cudaPointerAttributes;

#ifdef __cplusplus
extern "C" {
#define SIMT_DEFAULT(value) = value
#else
#define SIMT_DEFAULT(value)
#endif
#pragma GCC visibility push(hidden)

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned *flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize(void);
#define __cudaDeviceSynchronizeDeprecationAvoidance cudaDeviceSynchronize /* its name in kernels, as CUB 1.17 has it */
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int device, int peer);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaThreadSynchronize(void); /* the names that cudaDevice... had before version 4 */
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit);
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config);
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config);
cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device);
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total);

cudaError_t cudaMalloc(void **memory, size_t size);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMallocHost(void **memory, size_t size);
cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned flags);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostGetFlags(unsigned *flags, void *memory);
cudaError_t cudaHostRegister(void *memory, size_t size, unsigned flags);
cudaError_t cudaHostUnregister(void *memory);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaMallocManaged(void **memory, size_t size, unsigned flags SIMT_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocAsync(void **memory, size_t size, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *access, size_t count);
cudaError_t cudaMallocFromPoolAsync(void **memory, size_t size, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer);

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemset(void *memory, int value, size_t size);
cudaError_t cudaMemsetAsync(void *memory, int value, size_t size, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                                cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, struct cudaMemLocation to, unsigned flags,
                                 cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemAdvise(const void *memory, size_t size, cudaMemoryAdvise advice, struct cudaMemLocation at);
cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_size, cudaMemRangeAttribute what, const void *memory,
                                     size_t size);
cudaError_t cudaMemRangeGetAttributes(void **data, size_t *data_sizes, cudaMemRangeAttribute *what, size_t count,
                                      const void *memory, size_t size);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset SIMT_DEFAULT(0),
                               cudaMemcpyKind kind SIMT_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset SIMT_DEFAULT(0),
                                 cudaMemcpyKind kind SIMT_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags SIMT_DEFAULT(0));
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *memory, size_t size SIMT_DEFAULT(0),
                                     unsigned flags SIMT_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream SIMT_DEFAULT(0),
                                     unsigned flags SIMT_DEFAULT(0));
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop);

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, cudaFuncCache config);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaFuncGetName(const char **name, const void *kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          size_t shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int block_size,
                                                                   size_t shared_bytes, unsigned flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks, int block_size);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes SIMT_DEFAULT(0), cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes SIMT_DEFAULT(0), cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags);
typedef enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,
    cudaDriverEntryPointSymbolNotFound = 1,
    cudaDriverEntryPointVersionNotSufficent = 2
} cudaDriverEntryPointQueryResult;
enum { cudaEnableDefault = 0, cudaEnableLegacyStream = 1, cudaEnablePerThreadDefaultStream = 2 };
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *result SIMT_DEFAULT(0));
cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *result SIMT_DEFAULT(0));
/* cudaLaunchKernel with more: of a cluster of 0 blocks the kernel's own counts. */
cudaError_t simt_launch_kernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                               cudaStream_t stream, int cooperative, int programmatic, unsigned x, unsigned y,
                               unsigned z);
cudaError_t simt_active_clusters(int *result, const void *kernel, dim3 block, size_t shared_bytes, unsigned cluster);
cudaError_t simt_largest_cluster(int *result, const void *kernel, dim3 block, size_t shared_bytes);
/* For cudaOccupancyMaxPotentialBlockSize and its like, which are templates. */
cudaError_t simt_best_block(int *grid, int *block, const void *kernel, size_t (*shared_bytes)(void *state, int block),
                            void *state, int limit);

void simt_use_per_thread_default(void);
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM /* simtcc defines it for -default-stream per-thread, as nvcc does */
/* Before the program's own initialisers; 101 is the first priority that is not the system's. */
__attribute__((constructor(101), unused)) static void simt_set_per_thread_default(void)
{
    simt_use_per_thread_default();
}
#endif

#pragma GCC visibility pop
#undef SIMT_DEFAULT
#ifdef __cplusplus
}
#endif

#endif
