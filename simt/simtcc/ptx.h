/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inline PTX: translates the text of an asm statement to C++ statements that call the functions of simt_ptx.h.
 *
 *   bfe.u32 %0, %1, 4, 8;        put(simt_p0, ::simt::ptx::bfe<uint32_t>(get(simt_p1), get(4), get(8)));
 *   @!p add.s32 r, r, %2;        if (!get(simt_r_p)) put(simt_r_r, ::simt::ptx::add<int32_t>(...));
 *   .reg .pred p;                bool simt_r_p = false;
 *   { ... }                      a scope, as in PTX
 *   L: ... bra L;                simt_l_L: ... goto simt_l_L;
 *
 * `get` and `put` stand for ::simt::ptx::get and put. They change the bits of a register to and from an instruction's type.
 */
#ifndef SIMTCC_PTX_H
#define SIMTCC_PTX_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>

/* Operands by number; a name is NULL where the statement gives none. */
typedef struct cc_ptx_operands {
    char *name[160]; /* a wgmma with 256 columns has 128 sums */
    size_t count;
    bool unchecked; /* the outputs are registers of wgmma, which the statement uses without an access to them */
} cc_ptx_operands;

/* `text` is the PTX after C's escapes were replaced, with %% as one %. Appends the statements to `body`. An instruction
 * that the machine does not have becomes a call that ends the launch with its name; `refused` then gets the name of the
 * first one, and why. */
void cc_ptx_translate(const char *text, const cc_ptx_operands *operands, cc_text *body, cc_text *refused);

#endif
