/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Asynchronous copies: CUDA's header of this name without the class nvcuda::experimental::pipeline, whose successor is the
 * cuda::pipeline of libcu++.
 */
#ifndef SIMT_CUDA_PIPELINE_H
#define SIMT_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
