/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything is in cuda_runtime.h.
 */
#include "cuda_runtime.h"
