/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A C file that asks the runtime for its device.
 */
#include <cuda_runtime.h>

int main(void)
{
    int count = 0;

    return cudaGetDeviceCount(&count) != cudaSuccess || count < 1;
}
