/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files share whose functions instrumented code calls.
 */
#ifndef SIMT_ACCESS_H
#define SIMT_ACCESS_H

#include "detect.h"

#pragma GCC visibility push(hidden)

#define PLACE __builtin_return_address(0) /* of the access, in the function that instrumented code calls */

#define SIMT_CHECKS(bytes)                                                                                             \
    void simt_aligned_read_##bytes(const void *address, const void *place);                                            \
    void simt_aligned_write_##bytes(const void *address, const void *place);                                           \
    void simt_read_##bytes(const void *address, const void *place);                                                    \
    void simt_write_##bytes(const void *address, const void *place);

SIMT_CHECKS(1)
SIMT_CHECKS(2)
SIMT_CHECKS(4)
SIMT_CHECKS(8)
SIMT_CHECKS(16)

void simt_volatile_access(const void *address, size_t size, bool write, const void *place);
void simt_aligned_volatile_access(const void *address, size_t size, bool write, const void *place);
void simt_atomic_access(const void *address, size_t size, bool reads, bool writes, int order, const void *place);

/* Defines an entry of the function for code that has vectors in registers: it saves these, and leaves the arguments. Elsewhere
 * OTHERWISE makes the entry the function itself. */
#ifdef __x86_64__
#define KEEPING_VECTORS(entry, function)                                                                               \
    __asm__(".text\n.globl " entry "\n.hidden " entry "\n" entry ":\nlea " function "(%rip), %rax\n"                   \
            "jmp simt_keeping_vectors\n");
#define OTHERWISE(function)
#else
#define KEEPING_VECTORS(entry, function)
#define OTHERWISE(function) __asm__(#function)
#endif

#pragma GCC visibility pop

#endif
