/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memcpy, memmove and memset of a checking build that g++ compiles. g++ expands calls of constant size in line after it
 * has inserted the calls for accesses, so nobody would see what such a copy reads and writes. Here every call goes to
 * the runtime, except a copy of 1, 2, 4 or 8 bytes: of that g++ makes a load and a store, and instruments both. clang
 * turns all of them into calls of the runtime.
 *
 * Must be included before every header of the C++ library, whose inline functions call the __builtin_ forms.
 */
#ifndef SIMT_COPY_H
#define SIMT_COPY_H

#if defined __SIMT_CHECK__ && !defined __clang__

#undef _FORTIFY_SOURCE /* glibc's checked forms of the three functions would be in the way */

#include <stddef.h>

#pragma GCC visibility push(hidden)
extern "C" {
void *__simt_memcpy(void *to, const void *from, size_t size);
void *__simt_memmove(void *to, const void *from, size_t size);
void *__simt_memset(void *to, int value, size_t size);
}
#pragma GCC visibility pop

/* The inner conditional lets constant expressions call them, as they may call the built-in functions. */
#define SIMT_COPY(name, source, in_line)                                                                               \
    namespace simt                                                                                                     \
    {                                                                                                                  \
    inline __attribute__((always_inline)) constexpr void *builtin_##name(void *to, source from, size_t size)           \
    {                                                                                                                  \
        return __builtin_is_constant_evaluated() || (in_line) ? __builtin_##name(to, from, size)                       \
                                                              : __simt_##name(to, from, size);                         \
    }                                                                                                                  \
    }                                                                                                                  \
    extern "C" __inline __attribute__((__gnu_inline__, __always_inline__)) void *name(void *to, source from,           \
                                                                                      size_t size) noexcept            \
    {                                                                                                                  \
        return ::simt::builtin_##name(to, from, size);                                                                 \
    }

#define SIMT_ONE_ACCESS (__builtin_constant_p(size) && (size == 1 || size == 2 || size == 4 || size == 8))

SIMT_COPY(memcpy, const void *, SIMT_ONE_ACCESS)
SIMT_COPY(memmove, const void *, SIMT_ONE_ACCESS)
SIMT_COPY(memset, int, false)

#undef SIMT_COPY
#undef SIMT_ONE_ACCESS

#define __builtin_memcpy(...)  ::simt::builtin_memcpy(__VA_ARGS__)
#define __builtin_memmove(...) ::simt::builtin_memmove(__VA_ARGS__)
#define __builtin_memset(...)  ::simt::builtin_memset(__VA_ARGS__)

#endif

#endif
