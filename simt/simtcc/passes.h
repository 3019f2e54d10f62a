/* SPDX-License-Identifier: BSD-2-Clause
 *
 * nvcc compiles a source twice, for the host without __CUDA_ARCH__ and for the device with it. These functions merge
 * the two preprocessed texts into one. Common text stands once. Where the texts differ,
 *
 *   a device function               has the body of the device's text
 *   a host function                 has the body of the host's text; a device lambda in it is merged on its own
 *   a function or lambda of both    has both bodies: { if (in a kernel) __device__ {...} else __host__ {...} }
 *   a declaration in one text only  is taken, except a function that its own side cannot call
 *
 *   a type, a constant or a constexpr function that differs is there twice: the device's text calls it NAME__simt_device
 *
 * What cannot be merged is an error: two different classes, variables or functions of one name, a data member or kernel
 * in one text only.
 */
#ifndef SIMTCC_PASSES_H
#define SIMTCC_PASSES_H

#include "text.h"

#include <stdbool.h>

/* Adds the union of the two texts to `output`, with line markers. False: errors were printed. */
bool cc_join_passes(const cc_text *host, const cc_text *device, cc_text *output);

#endif
