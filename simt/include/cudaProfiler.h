/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything is in cuda_profiler_api.h.
 */
#include "cuda_profiler_api.h"
