/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything is in cublas_v2.h.
 */
#include "cublas_v2.h"
