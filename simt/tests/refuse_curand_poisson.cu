// expect: refused 8
// SPDX-License-Identifier: BSD-2-Clause
//
// A distribution that the machine does not have.
#include <curand_kernel.h>
__global__ void draw(curandState *state, unsigned *out)
{
    out[threadIdx.x] = curand_poisson(state, 3.5);
}
int main()
{
    return 0;
}
