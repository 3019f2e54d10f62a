/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Translates preprocessed CUDA C++ to C++ for a host compiler. Every line keeps its number.
 *
 *   K<<<G, B, S, T>>>(a, b)      ::simt::launch("K", FILE, LINE, ::simt::config(G, B, S, T),
 *                                               [=](auto... simt_a) { K(simt_a...); }, a, b)
 *                                with a 0, NULL or braced list among the arguments in the call to K itself
 *   __global__ void K(T a) {     the same, and a static simt_kernel that describes the kernel; when simt_probe is set,
 *                                the kernel stores the description's address there and returns
 *   __launch_bounds__(N)         a field of that description
 *   __shared__ T x[N];           typedef T x__simt_type[N]; a static ::simt::shared_slot x__simt_slot, and
 *                                x__simt_type &x = *static_cast<x__simt_type *>(x__simt_slot.here());
 *   extern __shared__ T x[];     the same with ::simt::dynamic_shared(alignment) and no slot
 *   the two at namespace scope   the type (and slot), and each later use of x becomes (*static_cast...); so does a use
 *                                in a lambda of the function that declares x, because the lambda must not capture it
 *   __device__ T v = i;          T v = i; static ::simt::device_variable v__simt_registration(&v, ...);
 *   __constant__ T v;            likewise, marked constant
 *   #pragma unroll               removed
 *
 * What the machine does not have (inline PTX, textures, asynchronous copies, matrix fragments, clusters, launches and
 * heap memory in device code) is an error outside system headers.
 */
#ifndef SIMTCC_TRANSLATE_H
#define SIMTCC_TRANSLATE_H

#include "text.h"

#include <stdbool.h>

/* Adds the translation of `source` to `output`. False: errors were printed as FILE:LINE: error: TEXT. `has_volatile`:
 * the user's text has volatile accesses. */
bool cc_translate(const cc_text *source, cc_text *output, bool *has_volatile);

#endif
