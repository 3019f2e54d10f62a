/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The part of cuda_fp16.h that some programs name: all of it is there.
 */
#include "cuda_fp16.h"
