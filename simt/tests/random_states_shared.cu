// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Random numbers: a state for each thread, kept in global memory from one kernel to the next. The first kernel makes the states,
// the second counts points in a quarter of a circle, the third continues where it stopped. All threads
// of a block share one state.
#include <cstdio>
#include <curand_kernel.h>

enum { BLOCKS = 3, THREADS = 64, DRAWS = 40 };

template <typename State> __global__ void begin(State *states)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    curand_init(1234, (unsigned long long)i, 0, &states[i]);
}

template <typename State> __global__ void count(State *states, unsigned *inside)
{
    int i = (int)blockIdx.x;
    State state = states[i];
    unsigned mine = 0;

    for (int k = 0; k < DRAWS; k++) {
        float x = curand_uniform(&state), y = curand_uniform(&state);

        mine += x * x + y * y <= 1;
    }
    states[i] = state;
    atomicAdd(inside, mine);
}

// The words after the draws of two kernels are those that a jump over them gives.
template <typename State> __global__ void compare(State *states, unsigned *wrong)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    State fresh;

    curand_init(1234, (unsigned long long)i, 4 * DRAWS, &fresh);
    for (int k = 0; k < 5; k++)
        if (curand(&states[i]) != curand(&fresh))
            atomicAdd(wrong, 1);
}

template <typename State> static bool run(unsigned expected)
{
    State *states;
    unsigned *counts, got[2] = {0, 0};

    cudaMalloc(&states, BLOCKS * THREADS * sizeof *states);
    cudaMalloc(&counts, sizeof got);
    cudaMemcpy(counts, got, sizeof got, cudaMemcpyHostToDevice);
    begin<<<BLOCKS, THREADS>>>(states);
    count<<<BLOCKS, THREADS>>>(states, counts);
    count<<<BLOCKS, THREADS>>>(states, counts);
    compare<<<BLOCKS, THREADS>>>(states, counts + 1);
    cudaMemcpy(got, counts, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(states);
    cudaFree(counts);
    printf("%u inside, %u wrong\n", got[0], got[1]);
    return got[0] == expected && got[1] == 0;
}

int main()
{
    bool xorwow = run<curandState>(12034), philox = run<curandStatePhilox4_32_10_t>(12011);

    return !(xorwow && philox);
}
