// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A sum of 20 lanes that adds the values of lanes outside the mask too, and then selects its old value.
#include <cstdio>

__global__ void sum(int *sums)
{
    int lane = (int)threadIdx.x % 32, mine = lane;

    if (lane >= 20)
        return;
    for (int by = 16; by > 0; by /= 2) {
        int both = mine + __shfl_down_sync(0x000fffff, mine, by);
        mine = lane + by < 20 ? both : mine;
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
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
