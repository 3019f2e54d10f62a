// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A sequence lock: a reader that sees the same even number before and after has a consistent copy.
#include <cstdio>

constexpr int ROUNDS = 40, WORDS = 3;
__device__ volatile int sequence, words[WORDS];
__device__ int errors;

__global__ void k()
{
    if (threadIdx.x % 32)
        return;
    for (int i = 1; i <= ROUNDS; i++)
        if (threadIdx.x == 0) {
            sequence = 2 * i - 1;
            __threadfence();
            for (int w = 0; w < WORDS; w++)
                words[w] = i;
            __threadfence();
            sequence = 2 * i;
        } else {
            int before = sequence, least = ROUNDS, most = 0;
            __threadfence();
            for (int w = 0; w < WORDS; w++) {
                int word = words[w];

                least = min(least, word);
                most = max(most, word);
            }
            __threadfence();
            if (before % 2 == 0 && before == sequence && least != most)
                atomicAdd(&errors, 1);
        }
}

int main()
{
    int wrong = 0;

    cudaMemcpyToSymbol(errors, &wrong, sizeof wrong);
    k<<<1, 128>>>();
    cudaMemcpyFromSymbol(&wrong, errors, sizeof wrong);
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
