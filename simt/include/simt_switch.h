/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The switch between two threads of a kernel. It is inlined wherever a kernel can wait.
 *
 * The runtime did the bookkeeping and returned the running thread and the next one. simt_switch suspends the first and
 * continues the second. It returns when another thread switches back, with the result that the runtime stored for this
 * thread. It saves only the stack pointer, the frame pointer and the resume address; all other registers are declared
 * clobbered, so the compiler saves exactly the ones it needs. It is inlined so that each place in a kernel has its own
 * indirect jump, which the processor predicts; one shared jump costs five times as much.
 */
#ifndef SIMT_SWITCH_H
#define SIMT_SWITCH_H

#include "simt_stdint.h"

/* The first member of every thread. The code below uses the offsets 0, 8, 16 and 24. */
typedef struct simt_context {
    void *resume, *stack, *frame;
    uint64_t result; /* of the operation the thread waits for */
} simt_context;

typedef struct simt_turn {
    simt_context *self, *next;
} simt_turn;

#if defined(__x86_64__) && !defined(SIMT_UCONTEXT)

#ifdef __AVX512F__
#define SIMT_MORE_REGISTERS                                                                                            \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",      \
        "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define SIMT_MORE_REGISTERS
#endif

static inline __attribute__((always_inline)) uint64_t simt_switch(simt_turn turn)
{
    simt_context *self = turn.self, *next = turn.next;
    uint64_t result;

    /* rax and rdx: where a call leaves the turn */
    __asm__ volatile("leaq 1f(%%rip), %%rcx\n\t"
                     "movq %%rcx, 0(%%rax)\n\t"
                     "movq %%rsp, 8(%%rax)\n\t"
                     "movq %%rbp, 16(%%rax)\n\t"
                     "movq 8(%%rdx), %%rsp\n\t"
                     "movq 16(%%rdx), %%rbp\n\t"
                     "movq 24(%%rdx), %%rax\n\t"
                     "jmpq *0(%%rdx)\n"
                     "1:"
                     : "=a"(result), "+d"(next)
                     : "0"(self)
                     : "rbx", "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15" SIMT_MORE_REGISTERS, "memory", "cc");
    return result;
}

#elif defined(__aarch64__) && !defined(SIMT_UCONTEXT)

/* x18 is an ordinary register, except where it belongs to the platform and compilers leave it alone. */
#if defined(__ANDROID__) || defined(__APPLE__) || defined(_WIN32)
#define SIMT_X18
#else
#define SIMT_X18 , "x18"
#endif

/* Where code is built with -mbranch-protection, a jump through x16 may go to the start of a function and to hint 36. */
static inline __attribute__((always_inline)) uint64_t simt_switch(simt_turn turn)
{
    register simt_context *self __asm__("x0") = turn.self;
    register simt_context *next __asm__("x1") = turn.next;

    __asm__ volatile("adr x9, 1f\n\t"
                     "mov x10, sp\n\t"
                     "stp x9, x10, [x0]\n\t"
                     "str x29, [x0, #16]\n\t"
                     "ldp x16, x10, [x1]\n\t"
                     "mov sp, x10\n\t"
                     "ldp x29, x0, [x1, #16]\n\t"
                     "br x16\n"
                     "1: hint #36"
                     : "+r"(self), "+r"(next)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
                       "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1",
                       "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16",
                       "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30",
                       "v31" SIMT_X18, "memory", "cc");
    return (uint64_t)self;
}

#else

#ifndef SIMT_UCONTEXT
#define SIMT_UCONTEXT 1
#endif

#ifdef __cplusplus
extern "C"
#endif
    __attribute__((visibility("hidden"))) uint64_t
    simt_switch(simt_turn turn);

#endif

#endif
