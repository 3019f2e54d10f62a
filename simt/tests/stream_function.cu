// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Functions of the host between kernels of a stream: each gets a number of its own, and adds what the kernel before it has left.
#include <cstdio>

enum { ROUNDS = 4, N = 32 };

struct job {
    const int *from;
    int factor;
};

static int sum;

__global__ void count(int *to)
{
    to[threadIdx.x]++;
}

static void add(void *argument)
{
    const job *j = (const job *)argument;

    sum += j->factor * *j->from;
}

int main()
{
    cudaStream_t s;
    int *to, got = 0;
    job jobs[ROUNDS], *j = jobs;

    cudaStreamCreate(&s);
    cudaMallocHost(&to, N * sizeof *to);
    for (int i = 0; i < N; i++)
        to[i] = 0;
    for (int round = 1; round <= ROUNDS; round++, j++) {
        *j = job{to, round};
        count<<<1, N, 0, s>>>(to);
        cudaLaunchHostFunc(s, add, j);
    }
    cudaStreamSynchronize(s);
    got = sum;
    cudaStreamSynchronize(s);
    cudaFreeHost(to);
    cudaStreamDestroy(s);
    printf("%d\n", got);
    return 0;
}
