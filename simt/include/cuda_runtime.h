/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All that a CUDA source may use on this machine. Where CUDA's own header holds declarations for the compiler, this one
 * holds small inline functions that call the runtime. simtcc includes it first in every .cu file.
 */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus
#include "simt_calls.h"
#include "simt_launch.h"
#include "simt_warp.h"
#include "simt_atomic.h"
#include "simt_math.h"
#include "simt_simd.h"
#include "simt_memory.h"
#endif

#endif
