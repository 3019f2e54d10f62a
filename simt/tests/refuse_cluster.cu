// expect: refused 5
// SPDX-License-Identifier: BSD-2-Clause
//
// Blocks in clusters.
__global__ void __cluster_dims__(2, 1, 1) kernel(int *p)
{
    p[blockIdx.x] = 1;
}
int main()
{
    return 0;
}
