/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Says what is missing, in the place of "No such file".
 */
#ifndef CUBLAS_V2_H_
#error "simtcc has no cuBLAS of before CUDA 4 (cublas.h): include cublas_v2.h and create a handle"
#endif
