/* SPDX-License-Identifier: BSD-2-Clause
 *
 * nvcc reads a source twice, for the host without __CUDA_ARCH__ and for the device with it. Here the two preprocessed
 * texts become one. What they share stands once. Where they differ,
 *
 *   a function of the device              has the body of the device's text
 *   a function of the host                has that of the host's; a lambda for the device in it is treated by itself
 *   a function or lambda of both          has both: { if (in a kernel) __device__ {...} else __host__ {...} }
 *   a declaration of one text only        is taken, but for functions that this side cannot call
 *
 * and an error is printed where that is no answer: two declarations of one name, a constexpr function with two bodies,
 * a data member or kernel of one side only.
 */
#ifndef SIMTCC_PASSES_H
#define SIMTCC_PASSES_H

#include "text.h"

#include <stdbool.h>

/* Adds the union of the two texts to `output`, with line markers. False: errors were printed. */
bool cc_join_passes(const cc_text *host, const cc_text *device, cc_text *output);

#endif
