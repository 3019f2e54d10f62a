// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Device variables that are tables of device functions, with initialisers in every form of declarator.
#include <cstdio>

typedef float (*operation)(float, float);

struct named {
    char letter;
    operation run;
};

__device__ float add(float a, float b)
{
    return a + b;
}

__device__ float multiply(float a, float b)
{
    return a * b;
}

template <typename T> __device__ T subtract(T a, T b)
{
    return a - b;
}

__device__ float (*bare[2])(float, float) = {add, multiply};
__device__ float (*one)(float, float) = &add;
__constant__ float (*const fixed[])(float, float) = {multiply, add, subtract<float>};
__device__ operation square[2][2] = {{add, multiply}, {multiply, subtract<float>}};
static __device__ __constant__ named letters[] = {{'+', add}, {'-', subtract<float>}};

__global__ void apply(float *out, int i)
{
    out[0] = bare[i](2, 3);
    out[1] = one(4, 5);
    out[2] = fixed[i + 1](7, 5);
    out[3] = square[i][0](3, 3);
    out[4] = letters[i].run(9, 2);
}

int main()
{
    float *p, got[5];

    cudaMalloc(&p, sizeof got);
    apply<<<1, 1>>>(p, 1);
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(p);
    printf("%g %g %g %g %g\n", got[0], got[1], got[2], got[3], got[4]);
    return got[0] != 6 || got[1] != 9 || got[2] != 2 || got[3] != 9 || got[4] != 7;
}
