/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Asynchronous products of four warps, wgmma of PTX as functions (simt_ptx.h says how the two belong together), and the calls of the
 * runtime that they make. From a product to the wait for its group, its registers may not be used and the shared memory that it reads may
 * not be written: otherwise a finding `race`. A product without wgmma.fence before it and behind the last use of its registers is a
 * finding `race`, too. All 32 lanes of a warp must come to each instruction, and all four warps: otherwise a finding `warp-mask`.
 */
#ifndef SIMT_WGMMA_H
#define SIMT_WGMMA_H

#include "simt_matrix.h"

enum { SIMT_WGMMA_PRODUCT, SIMT_WGMMA_FENCE, SIMT_WGMMA_COMMIT, SIMT_WGMMA_WAIT };

/* The operands of a lane. */
typedef struct simt_wgmma_operands {
    const simt_mma *what;
    const uint64_t *a; /* registers; NULL: A is in shared memory */
    uint64_t a_place, b_place;
    int adds; /* false: what d holds is not added */
    int a_transposed, b_transposed;
    uint64_t *d;
    void *const *variables;      /* where the registers of d, of a and of the metadata are in C++; NULL for others */
    unsigned registers, sources; /* of d; of a and the metadata */
    const void *code;
    int line;
    uint64_t newest;   /* of a wait: groups that may go on */
    uint32_t metadata; /* of a sparse A */
} simt_wgmma_operands;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

const void *simt_wgmma_code(void);                                 /* the address of the call */
void simt_unchecked_copy(void *to, const void *from, size_t size); /* of registers: no access that is looked at */

#pragma GCC visibility pop
#ifdef __cplusplus
}

namespace simt::ptx
{

/* Registers of a product that may be pending: to and from C++. */
template <typename T> SIMT_INLINE T unchecked(const T &variable)
{
    T value;

    ::simt_unchecked_copy(&value, &variable, sizeof value);
    return value;
}

template <typename _U, typename T> SIMT_INLINE void out_unchecked(_U &to, T value)
{
    _U converted;

    out(converted, value);
    ::simt_unchecked_copy(&to, &converted, sizeof to);
}

SIMT_INLINE void wgmma_arrive(simt_wgmma_operands &operands, unsigned kind, const char *file, uint64_t line)
{
    operands.line = (int)line;
    ::simt_switch(::simt_warp(SIMT_WGMMA, 0xffffffff, (uintptr_t)&operands, kind, file, (int)line));
}

SIMT_INLINE void wgmma(simt_wgmma_operands operands, SIMT_PLACE)
{
    operands.code = ::simt_wgmma_code();
    wgmma_arrive(operands, SIMT_WGMMA_PRODUCT, simt_file, simt_line);
}

SIMT_INLINE void wgmma_fence(SIMT_PLACE)
{
    simt_wgmma_operands operands = {};

    wgmma_arrive(operands, SIMT_WGMMA_FENCE, simt_file, simt_line);
}

SIMT_INLINE void wgmma_commit(SIMT_PLACE)
{
    simt_wgmma_operands operands = {};

    wgmma_arrive(operands, SIMT_WGMMA_COMMIT, simt_file, simt_line);
}

SIMT_INLINE void wgmma_wait(uint64_t newest, SIMT_PLACE)
{
    simt_wgmma_operands operands = {};

    operands.newest = newest;
    wgmma_arrive(operands, SIMT_WGMMA_WAIT, simt_file, simt_line);
}

} // namespace simt::ptx

#endif

#endif
