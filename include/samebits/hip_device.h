/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device of a module written in HIP: <samebits/cuda_device.h> says what that is, and how to use it; include this header
 * instead of that one. With hipcc the device is named "hip". With simtcc it is that of CUDA sources.
 */
#ifndef SAMEBITS_HIP_DEVICE_H
#define SAMEBITS_HIP_DEVICE_H

#include <hip/hip_runtime.h>

#ifndef __SIMT__
#define SB_HIP
/* What cuda_device.h calls. */
#define cudaDeviceProp            hipDeviceProp_t
#define cudaDeviceSynchronize     hipDeviceSynchronize
#define cudaDriverGetVersion      hipDriverGetVersion
#define cudaErrorMemoryAllocation hipErrorOutOfMemory
#define cudaError_t               hipError_t
#define cudaEventCreate           hipEventCreate
#define cudaEventElapsedTime      hipEventElapsedTime
#define cudaEventRecord           hipEventRecord
#define cudaEvent_t               hipEvent_t
#define cudaFree                  hipFree
#define cudaGetDevice             hipGetDevice
#define cudaGetDeviceCount        hipGetDeviceCount
#define cudaGetDeviceProperties   hipGetDeviceProperties
#define cudaGetErrorString        hipGetErrorString
#define cudaGetLastError          hipGetLastError
#define cudaHostRegister          hipHostRegister
#define cudaHostRegisterDefault   hipHostRegisterDefault
#define cudaHostUnregister        hipHostUnregister
#define cudaMalloc                hipMalloc
#define cudaMemcpy                hipMemcpy
#define cudaMemcpy2DAsync         hipMemcpy2DAsync
#define cudaMemcpyAsync           hipMemcpyAsync
#define cudaMemcpyDeviceToDevice  hipMemcpyDeviceToDevice
#define cudaMemcpyDeviceToHost    hipMemcpyDeviceToHost
#define cudaMemcpyHostToDevice    hipMemcpyHostToDevice
#define cudaSuccess               hipSuccess
#endif

#include <samebits/cuda_device.h>

#endif
