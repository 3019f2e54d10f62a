/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip_runtime.h"
#include <cuda_fp16.h>
