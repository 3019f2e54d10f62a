/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A device function of another file.
 */
#pragma once
extern __device__ int calls;
__device__ int add(int a, int b);
