// expect: differs
// SPDX-License-Identifier: BSD-2-Clause
//
// Look-back with a volatile payload and no fence after its flag was seen.
#include <cstdio>

constexpr int TILES = 16;
__device__ volatile int prefix[TILES], ready[TILES];
__device__ unsigned ticket;
__device__ int errors;

__global__ void scan()
{
    unsigned tile = atomicAdd(&ticket, 1);
    int before = 0;

    if (tile > 0) {
        while (ready[tile - 1] == 0)
            ;
        before = prefix[tile - 1];
    }
    prefix[tile] = before + 1;
    __threadfence();
    ready[tile] = 1;
    if (before != (int)tile)
        atomicAdd(&errors, 1);
}

int main()
{
    int wrong = 0;

    cudaMemcpyToSymbol(errors, &wrong, sizeof wrong);
    scan<<<TILES, 1>>>();
    cudaMemcpyFromSymbol(&wrong, errors, sizeof wrong);
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
