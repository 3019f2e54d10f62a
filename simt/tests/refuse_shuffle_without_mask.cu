// expect: refused 7
// SPDX-License-Identifier: BSD-2-Clause
//
// A shuffle as it was before CUDA 9, and is in HIP on AMD's cards.
__global__ void kernel(int *p)
{
    p[threadIdx.x] = __shfl_down(p[threadIdx.x], 1);
}
int main()
{
    return 0;
}
