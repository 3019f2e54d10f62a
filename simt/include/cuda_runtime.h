/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything that a CUDA source can use on this machine. Where CUDA's header has declarations for its compiler, this
 * one has small inline functions that call the runtime. simtcc includes it first in every .cu file.
 */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#if __cplusplus >= 201703L || defined __CUDACC__ /* host sources in older C++ only call the runtime */
#define SIMT_DEVICE_CODE
#include "simt_copy.h"
#include "simt_print.h"
#include "simt_hooks.h"
#endif

#include "cuda_runtime_api.h"
#include "texture_types.h"
#include "simt_graph.h"

#define __CUDA_RUNTIME_H__ /* the guard of CUDA's own header, which programs ask for */

#ifdef __cplusplus
#include "simt_host.h"
#endif
#ifdef SIMT_DEVICE_CODE
#include "simt_calls.h"
#include "simt_launch.h"
#include "simt_warp.h"
#include "simt_atomic.h"
#include "simt_nv_atomic.h"
#include "simt_stretches.h"
#include "simt_math.h"
#include "simt_simd.h"
#include "simt_memory.h"
#include "simt_surface.h"
#include "simt_texture.h"
#include "simt_launch_config.h"
#include "simt_ptx.h"
#include "simt_ptx_sixteen.h"
#include "simt_cluster.h"
#include "simt_matrix.h"
#include "simt_wgmma.h"
#include "simt_mbarrier.h"
#include "simt_async_copy.h"
#include "simt_bulk_copy.h"
#include "simt_tensor_copy.h"
#include "simt_device_runtime.h"
#endif

#endif
