/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From preprocessed CUDA C++ to C++ that a host compiler reads. Every line stays on its line.
 *
 *   K<<<G, B, S, T>>>(a, b)      ::simt::launch("K", FILE, LINE, ::simt::config(G, B, S, T),
 *                                               [=](auto... simt_a) { K(simt_a...); }, a, b)
 *                                with a 0, NULL or braced list among the arguments in the call to K itself
 *   __global__ void K(T a) {     the same, and what the kernel says of itself when it is asked: a static simt_kernel,
 *                                and a return when simt_probe is set
 *   __launch_bounds__(N)         in that
 *   __shared__ T x[N];           typedef T x__simt_type[N]; a static ::simt::shared_slot x__simt_slot, and
 *                                x__simt_type &x = *static_cast<x__simt_type *>(x__simt_slot.here());
 *   extern __shared__ T x[];     the same with ::simt::dynamic_shared(alignment) and no slot
 *   the two at namespace scope   the type (and slot), and each later x becomes the (*static_cast...) itself; so does
 *                                an x in a lambda of its function, which then captures nothing
 *   __device__ T v = i;          T v = i; static ::simt::device_variable v__simt_registration(&v, ...);
 *   __constant__ T v;            likewise, marked constant
 *   #pragma unroll               gone
 *
 * What the machine does not have (inline PTX, textures, asynchronous copies, matrix fragments, clusters, launches and
 * heap memory from device code) is an error when it stands outside system headers.
 */
#ifndef SIMTCC_TRANSLATE_H
#define SIMTCC_TRANSLATE_H

#include "text.h"

#include <stdbool.h>

/* Adds the translation of `source` to `output`. False: errors were printed as FILE:LINE: error: TEXT. `has_volatile`:
 * the user's text has volatile accesses. */
bool cc_translate(const cc_text *source, cc_text *output, bool *has_volatile);

#endif
