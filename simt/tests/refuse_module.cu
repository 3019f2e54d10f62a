// expect: refused 8
// SPDX-License-Identifier: BSD-2-Clause
//
// Modules of the driver.
#include <cuda.h>
int main()
{
    CUmodule module;
    CUfunction function;
    cuModuleLoad(&module, "kernels.cubin");
    cuModuleGetFunction(&function, module, "kernel");
    return 0;
}
