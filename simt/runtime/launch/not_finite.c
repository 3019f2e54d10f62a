/* SPDX-License-Identifier: BSD-2-Clause
 *
 * nan=1: the first operation of a launch that makes a NaN or an infinity. While a kernel runs, the processor's floating-point exceptions
 * are traps, so this costs nothing until one occurs; then the launch goes on without traps. On x86-64 only. Half-precision numbers are
 * computed in float here, and become infinite without an exception.
 */
#include "launch.h"

#include "../core/options.h"
#include "../report/report.h"

#include <signal.h>
#include <ucontext.h>

#ifdef __x86_64__
enum {
    ALL_MASKED = 0x1f80, /* MXCSR as a process has it at first: no traps */
    TRAPS = 0x680        /* invalid operation, division by zero, overflow */
};

void simt_not_finite_begin(void)
{
    if (simt_options.kinds[NOT_FINITE])
        __builtin_ia32_ldmxcsr(ALL_MASKED & ~TRAPS);
}

void simt_not_finite_end(void)
{
    if (simt_options.kinds[NOT_FINITE])
        __builtin_ia32_ldmxcsr(ALL_MASKED);
}

/* Comparisons and conversions to integers are invalid for a NaN that exists already. */
static bool makes_number(const uint8_t *code)
{
    unsigned opcode;

    if (*code == 0xc4 || *code == 0xc5) { /* VEX */
        opcode = code[*code == 0xc4 ? 3 : 2];
    } else {
        while (*code == 0x66 || *code == 0xf2 || *code == 0xf3 || (*code & 0xf0) == 0x40)
            code++;
        if (*code != 0x0f)
            return true;
        opcode = code[1];
    }
    return opcode != 0x2c && opcode != 0x2d && opcode != 0x2e && opcode != 0x2f && opcode != 0xc2;
}

bool simt_not_finite_fault(int why, const void *place, void *context)
{
    const char *what = why == FPE_FLTDIV   ? "a division of a finite number by zero gives infinity"
                       : why == FPE_FLTOVF ? "a result of finite numbers is too large, and becomes infinity"
                       : why == FPE_FLTINV ? "an invalid operation gives the first NaN"
                                           : NULL;
    ucontext_t *c = context;

    if (!what)
        return false;
    __builtin_ia32_ldmxcsr(ALL_MASKED);
    c->uc_mcontext.fpregs->mxcsr = ALL_MASKED;
    if (why != FPE_FLTINV || makes_number((const uint8_t *)place - 1))
        simt_report(NOT_FINITE, NULL, 0, simt_place_of_fault(place), "%s", what);
    else
        c->uc_mcontext.fpregs->mxcsr &= ~0x600u; /* such a NaN has no first operation here */
    return true;
}
#else
void simt_not_finite_begin(void)
{
}

void simt_not_finite_end(void)
{
}

bool simt_not_finite_fault(int why, const void *place, void *context)
{
    (void)why;
    (void)place;
    (void)context;
    return false;
}
#endif
