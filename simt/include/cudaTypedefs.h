/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types of pointers to driver functions, as cudaGetDriverEntryPoint gives them: of those that programs ask for.
 */
#ifndef SIMT_CUDA_TYPEDEFS_H
#define SIMT_CUDA_TYPEDEFS_H

#include "cuda.h"

typedef __typeof__(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled;
typedef __typeof__(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled_v12000;
typedef __typeof__(&cuTensorMapEncodeIm2col) PFN_cuTensorMapEncodeIm2col;
typedef __typeof__(&cuTensorMapEncodeIm2col) PFN_cuTensorMapEncodeIm2col_v12000;
typedef __typeof__(&cuTensorMapReplaceAddress) PFN_cuTensorMapReplaceAddress;
typedef __typeof__(&cuTensorMapReplaceAddress) PFN_cuTensorMapReplaceAddress_v12000;

#endif
