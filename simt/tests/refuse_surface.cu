// expect: refused 5
// SPDX-License-Identifier: BSD-2-Clause
//
// Surfaces.
__global__ void lane(cudaSurfaceObject_t surface, int *out)
{   surf1Dread(out, surface, threadIdx.x * 4);
}
int main()
{
    return 0;
}
