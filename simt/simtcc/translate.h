/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Translates preprocessed CUDA C++ to C++ for a host compiler. Every line keeps its number. Left: CUDA; right: its
 * translation.
 *
 *   K<<<G, B, S, T>>>(a, b)      ::simt::launch("K", FILE, LINE, ::simt::config(G, B, S, T),
 *                                               [=](auto... simt_a) { K(simt_a...); }, a, b)
 *                                An argument that is 0, NULL or a braced list is written in the call to K instead: a
 *                                parameter `auto` would change its type.
 *   __global__ void K(T a) {     unchanged, followed by a static simt_kernel that describes the kernel; while
 *                                simt_probe is set, K stores the address of this description there and returns
 *                                In the plain build the body of a kernel whose threads cannot wait becomes an argument of
 *                                ::simt::rows, which runs it for several threads; where they wait at __syncthreads()
 *                                alone, each part between two of them does so (stretches.c)
 *   __launch_bounds__(N)         a field of this description, as is __cluster_dims__(X, Y, Z)
 *   __shared__ T x[N];           typedef T x__simt_type[N]; a static ::simt::shared_slot x__simt_slot, and
 *                                x__simt_type &x = *static_cast<x__simt_type *>(x__simt_slot.here());
 *   extern __shared__ T x[];     the same without a slot, and with ::simt::dynamic_shared(alignment) for here()
 *   both at namespace scope      the type (and the slot) alone; each later use of x becomes (*static_cast...). The same
 *                                holds for a use in a lambda of the function that declares x: it must not capture x.
 *   __device__ T v = i;          T v = i; static ::simt::device_variable v__simt_registration(&v, ...);
 *   __constant__ T v;            likewise, marked constant
 *   #pragma unroll               removed
 *   asm("bfe.u32 ..." : ...)     in device code, a block that calls the functions of simt_ptx.h: see asm.c
 *
 * What the machine does not have is an error outside system headers: refused.c has the list.
 */
#ifndef SIMTCC_TRANSLATE_H
#define SIMTCC_TRANSLATE_H

#include "text.h"

#include <stdbool.h>

/* What decides how the translation is compiled. */
typedef struct cc_found {
    bool has_volatile; /* the user's text has volatile accesses */
    bool
        permissive; /* it has `using x = x<T>` in a class, or `return;` for a number, which nvcc takes and gcc takes with -fpermissive only */
    bool heap;      /* code of the device allocates or frees memory */
    bool pending_registers; /* it has wgmma, which uses registers behind the statement */
} cc_found;

/* Appends the translation of `source`, the text of `path`, to `output`. `separate` is nvcc's -rdc=true: without it each file has its own
 * __device__ and __constant__ variables, also those that a header declares for several files. `specific`: it is for sm_90a, whose blocks may
 * have 227 KiB of __shared__ variables in place of 48. `rows`, if not NULL: a
 * kernel whose threads cannot wait becomes a loop over them (rows.c), with a lambda that has these words before its body. False: it has
 * printed errors as FILE:LINE: error: TEXT. */
bool cc_translate(const cc_text *source, const char *path, bool separate, bool specific, const char *rows,
                  cc_text *output, cc_found *found);

/* Appends `source` to `output`, with attributes at each function that only the host can run, which leave it out of the checks:
 * host.c. `machine` is the directory of the machine's headers, which stay as they are. `check`: accesses stay checked. */
void cc_mark_host(const cc_text *source, const char *machine, bool check, cc_text *output);

#endif
