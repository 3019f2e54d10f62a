// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The host launches a kernel until it copies a 0: labels on a ring take the smallest of them. Then it launches it 4,096 times more, as
// a program does that measures time: nothing changes, but the loop ends.
#include <cstdio>
#include <utility>

enum { NODES = 32, MEASURED = 4096 };

__global__ void relax(const int *label, int *next, int *changed, int *when, int round)
{
    int i = threadIdx.x, left = label[(i + NODES - 1) % NODES], mine = label[i];

    if (left < mine) {
        mine = left;
        atomicExch(changed, 1);
        atomicMax(&when[i], round);
    }
    next[i] = mine;
}

int main()
{
    int *label, *next, *changed, *when, more, got[NODES], rounds = 0;

    for (int i = 0; i < NODES; i++)
        got[i] = NODES - i;
    cudaMalloc(&label, sizeof got);
    cudaMalloc(&next, sizeof got);
    cudaMalloc(&changed, 4);
    cudaMalloc(&when, sizeof got);
    cudaMemcpy(label, got, sizeof got, cudaMemcpyHostToDevice);
    cudaMemset(changed, 0, 4);
    cudaMemset(when, 0, sizeof got);
    do {
        relax<<<1, NODES>>>(label, next, changed, when, rounds);
        cudaMemcpy(&more, changed, 4, cudaMemcpyDeviceToHost);
        cudaMemset(changed, 0, 4);
        std::swap(label, next);
        rounds++;
    } while (more);
    for (int i = 0; i < MEASURED; i++) {
        relax<<<1, NODES>>>(label, next, changed, when, rounds);
        cudaMemcpy(&more, changed, 4, cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(got, label, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(label);
    cudaFree(next);
    cudaFree(changed);
    cudaFree(when);
    for (int v : got)
        if (v != 1)
            return 1;
    printf("%d rounds\n", rounds);
    return more || rounds != NODES;
}
