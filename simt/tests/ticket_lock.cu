// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A ticket lock: a volatile turn, advanced after a fence.
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
    turn = mine + 1;
}

int main()
{
    unsigned result;

    count<<<3, 50>>>();
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    return result != 150 * 149 / 2;
}
