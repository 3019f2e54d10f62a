/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What programs include beside curand_kernel.h. The library that fills arrays from the host (curandCreateGenerator) is not
 * supported: simtcc refuses its names.
 */
#ifndef SIMT_CURAND_H
#define SIMT_CURAND_H

#include "cuda_runtime_api.h"

/* Only the results that programs compare with or print. */
typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

#endif
