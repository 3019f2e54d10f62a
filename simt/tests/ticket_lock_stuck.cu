// expect: hang
// SPDX-License-Identifier: BSD-2-Clause
//
// The turn is never passed on.
__device__ unsigned next_ticket, total;
__device__ volatile unsigned turn;

__global__ void count()
{
    unsigned mine = atomicAdd(&next_ticket, 1);

    while (turn != mine)
        ;
    __threadfence();
    total += mine;
    __threadfence();
    turn = mine;
}

int main()
{
    unsigned result;

    count<<<3, 50>>>();
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    return result != 150 * 149 / 2;
}
