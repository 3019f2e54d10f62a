/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Asynchronous copies, which the machine does not have: simtcc refuses their names, with file and line.
 */
#ifndef SIMT_CUDA_PIPELINE_H
#define SIMT_CUDA_PIPELINE_H

#include "cuda_runtime.h"

#endif
