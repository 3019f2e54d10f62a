/* SPDX-License-Identifier: BSD-2-Clause
 *
 * printf is a function of the runtime, which returns in a kernel what CUDA's does, and in the checking build first reads what a
 * kernel's %s names. A name for the linker, so that std::printf and a program's own declaration are this one, too; -fno-builtin-printf
 * keeps the compilers from making puts of it.
 *
 * Must be included before every header that declares printf.
 */
#ifndef SIMT_PRINT_H
#define SIMT_PRINT_H

#ifdef __CUDACC__
extern "C" int printf(const char *__restrict format, ...) __asm__("__simt_printf")
    __attribute__((format(printf, 1, 2), visibility("hidden")));
#endif

#endif
