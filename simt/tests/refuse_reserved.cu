// expect: refused 10
// SPDX-License-Identifier: BSD-2-Clause
//
// Reserved addresses of the driver.
#include <cuda.h>
int main()
{
    CUdeviceptr address;

    return cuMemAddressReserve(&address, 1 << 21, 0, 0, 0) != CUDA_SUCCESS;
}
