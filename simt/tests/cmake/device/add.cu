/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Counts its calls in a device variable.
 */
#include "add.cuh"
__device__ int calls;
__device__ int add(int a, int b)
{
    atomicAdd(&calls, 1);
    return a + b;
}
