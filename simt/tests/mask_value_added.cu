// expect: warp-mask check
// SPDX-License-Identifier: BSD-2-Clause
//
// A sum of 20 lanes that adds the values of lanes outside the mask too, and stores it. The values are calculated with before, so
// only the sums tell.
#include <cstdio>

__global__ void sum(int *sums)
{
    int lane = (int)threadIdx.x % 32, mine = lane;

    if (lane >= 20)
        return;
    for (int by = 16; by > 0; by /= 2) {
        int both = mine + __shfl_down_sync(0x000fffff, mine, by);
        mine = both;
    }
    if (lane == 0)
        sums[blockIdx.x] = mine;
}

int main()
{
    int got[300], wrong = 0, *sums;

    cudaMalloc(&sums, sizeof got);
    sum<<<300, 32>>>(sums);
    cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 300; i++)
        wrong += got[i] != 190;
    printf("%d %d wrong\n", got[0], wrong);
    return 0;
}
