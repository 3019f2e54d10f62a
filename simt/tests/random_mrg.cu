// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// MRG32k3a: threads draw from subsequences of their own; the host prints what one of them drew. curand.test holds all numbers against
// the toolkit's functions, which nvcc runs on the host with -DCURAND_ON_HOST.
#define QUALIFIERS static __forceinline__ __host__ __device__ // so that the host can draw, too
#include <cstdio>
#include <cstring>
#include <curand_kernel.h>

enum { THREADS = 8, NUMBERS = 17 };

__host__ __device__ static double of(float2 v)
{
    return v.x + 3.0 * v.y;
}

__host__ __device__ static double of(double2 v)
{
    return v.x + 3.0 * v.y;
}

__host__ __device__ static void draw(curandStateMRG32k3a_t *s, unsigned long long thread, double *to)
{
    curand_init(thread ? 0x123456789abcdefull * thread : 0, thread * 1000003, thread * thread, s);
    for (int i = 0; i < 3; i++)
        to[i] = curand(s);
    to[3] = curand_uniform(s);
    to[4] = curand_uniform_double(s);
    to[5] = curand_normal(s);
    to[6] = curand_normal(s);
    to[7] = curand_normal_double(s);
    to[8] = of(curand_normal2(s));
    to[9] = of(curand_normal2_double(s));
    to[10] = curand_log_normal(s, 0.5f, 2);
    to[11] = curand_log_normal_double(s, 0.5, 2);
    to[12] = of(curand_log_normal2(s, 0.5f, 2));
    to[13] = of(curand_log_normal2_double(s, 0.5, 2));
    skipahead(1ull << 40 | 5, s);
    to[14] = curand(s);
    skipahead_subsequence(77, s);
    to[15] = curand(s);
    skipahead_sequence(3, s);
    to[16] = curand(s);
}

__global__ void draw_all(curandStateMRG32k3a_t *states, double *numbers)
{
    draw(states + threadIdx.x, threadIdx.x, numbers + NUMBERS * threadIdx.x);
}

int main()
{
    static double host[THREADS * NUMBERS];

#ifdef CURAND_ON_HOST
    for (int i = 0; i < THREADS; i++) {
        curandStateMRG32k3a_t state;

        draw(&state, i, host + NUMBERS * i);
    }
#else
    curandStateMRG32k3a_t *states;
    double *numbers;

    cudaMalloc(&states, THREADS * sizeof *states);
    cudaMalloc(&numbers, sizeof host);
    draw_all<<<1, THREADS>>>(states, numbers);
    cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
#endif
    for (double v : host)
        printf("%a\n", v);
    return 0;
}
