// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Sobol's sequences of 32 and 64 bits, plain and scrambled, with direction vectors of the program: those of the polynomial
// x^3 + x + 1 and the first numbers 1, 3, 7 (Joe and Kuo's third dimension). curand.test holds what is no normal number against the
// toolkit's functions, which nvcc runs on the host with -DCURAND_ON_HOST.
#ifdef CURAND_ON_HOST
#define DRAWING __host__ __device__
#define QUALIFIERS static __forceinline__ DRAWING
#else
#define DRAWING __device__
#endif
#include <cstdio>
#include <cstring>
#include <curand.h>
#include <curand_kernel.h>

enum { THREADS = 8, NUMBERS = 24 };

struct states {
    curandStateSobol32_t a;
    curandStateScrambledSobol32_t b;
    curandStateSobol64_t c;
    curandStateScrambledSobol64_t d;
};

template <typename Word, int BITS> DRAWING static void vectors(Word v[BITS])
{
    const Word first[3] = {1, 3, 7};

    for (int k = 0; k < BITS; k++)
        v[k] = k < 3 ? first[k] << (BITS - 1 - k) : v[k - 2] ^ v[k - 3] ^ v[k - 3] >> 3;
}

template <typename State> DRAWING static double *numbers(State *s, double *to)
{
    for (int i = 0; i < 3; i++)
        *to++ = (double)curand(s);
    *to++ = curand_uniform(s);
    *to++ = curand_uniform_double(s);
    skipahead(12345u, s);
    *to++ = (double)curand(s);
    return to;
}

DRAWING static void draw(states *s, unsigned thread, double *to)
{
    curandDirectionVectors32_t v;
    curandDirectionVectors64_t w;

    vectors<unsigned, 32>(v);
    vectors<unsigned long long, 64>(w);
    curand_init(v, thread * thread, &s->a);
    curand_init(v, 0x9e3779b9, thread ? 0xfffffff0 + thread : 0, &s->b);
    curand_init(w, thread * 0x123456789abcull, &s->c);
    curand_init(w, 0x9e3779b97f4a7c15, thread, &s->d);
    to = numbers(&s->a, to);
    to = numbers(&s->b, to);
    to = numbers(&s->c, to);
    numbers(&s->d, to);
}

__global__ void draw_all(states *s, double *to)
{
    draw(s + threadIdx.x, threadIdx.x, to + NUMBERS * threadIdx.x);
}

/* The mean of 4,096 normal numbers of such a sequence is nearer to 0 than that of random ones. */
__global__ void normal_means(double *means)
{
    curandDirectionVectors32_t v;
    curandDirectionVectors64_t w;
    states s;
    double sum[4] = {};

    vectors<unsigned, 32>(v);
    vectors<unsigned long long, 64>(w);
    curand_init(v, 1, &s.a);
    curand_init(w, 1, &s.c);
    for (int i = 0; i < 4095; i++) {
        sum[0] += curand_normal(&s.a);
        sum[1] += curand_normal_double(&s.a);
        sum[2] += curand_normal(&s.c);
        sum[3] += log(curand_log_normal_double(&s.c, 0, 1));
    }
    for (int i = 0; i < 4; i++)
        means[i] = sum[i] / 4095;
}

int main()
{
    static double host[THREADS * NUMBERS];

#ifdef CURAND_ON_HOST
    for (int i = 0; i < THREADS; i++) {
        states s;

        draw(&s, i, host + NUMBERS * i);
    }
#else
    double *memory, means[4];
    states *s;

    cudaMalloc(&memory, sizeof host);
    cudaMalloc(&s, THREADS * sizeof *s);
    draw_all<<<1, THREADS>>>(s, memory);
    if (cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    normal_means<<<1, 1>>>(memory);
    if (cudaMemcpy(means, memory, sizeof means, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (double mean : means)
        if (!(mean > -0.01 && mean < 0.01)) /* 1 / sqrt(4095) is 0.016 */
            return 1;
#endif
    for (double number : host) {
        unsigned long long bits;

        memcpy(&bits, &number, sizeof bits);
        printf("%016llx\n", bits);
    }
    return 0;
}
