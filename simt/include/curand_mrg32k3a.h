/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything is in curand_kernel.h.
 */
#include "curand_kernel.h"
