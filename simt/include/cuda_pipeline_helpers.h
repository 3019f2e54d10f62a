/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything is in cuda_pipeline_primitives.h.
 */
#include "cuda_pipeline_primitives.h"
