// expect: api
// SPDX-License-Identifier: BSD-2-Clause
//
// A copy to memory that was freed, through the driver.
#include <cuda.h>

int main()
{
    CUdeviceptr memory;
    int word = 1;

    cuInit(0);
    cuMemAlloc(&memory, sizeof word);
    cuMemFree(memory);
    cuMemcpyHtoD(memory, &word, sizeof word);
}
