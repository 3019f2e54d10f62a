// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// A generator that the machine does not have.
#include <curand_kernel.h>
__global__ void draw(curandStateMtgp32 *state, unsigned *out)
{
    out[threadIdx.x] = curand(state);
}
int main()
{
    return 0;
}
