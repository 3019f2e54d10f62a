// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// A ticket lock without a fence before it is released.
constexpr int ROUNDS = 8;
__device__ unsigned next_ticket;
__device__ volatile unsigned serving;
__device__ int counter;

__global__ void k()
{
    if (threadIdx.x % 32)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned mine = atomicAdd(&next_ticket, 1);

        while (serving != mine)
            ;
        __threadfence();
        counter++;
        serving = mine + 1;
    }
}

int main()
{
    int total;

    k<<<3, 64>>>();
    cudaMemcpyFromSymbol(&total, counter, sizeof total);
    return total != 6 * ROUNDS;
}
