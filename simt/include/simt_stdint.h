/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The types of <stdint.h> that the machine's headers use, without that header. They are in every .cu file, and a folder of the user's -I may have
 * a stdint.h of its own, such as one for Visual C++: nvcc takes such a file as long as it does not include that itself. The types are
 * the compiler's, as those of the C library are, so a program may include <stdint.h>, too (C11 and C++ permit the same typedef twice).
 */
#ifndef SIMT_STDINT_H
#define SIMT_STDINT_H

typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;

#endif
