// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Launches right behind a label, and device functions that are always_inline without being inline.
#include <cstdio>

__attribute__((always_inline)) __device__ int twice(int x) { return 2 * x; }
template <typename T> __device__ __attribute__((always_inline)) T thrice(T x) { return 3 * x; }
struct four {
    __device__ __attribute__((always_inline)) int operator()(int x) const { return 4 * x; }
};

__global__ void k(int *p, int n) { p[n] += twice(thrice(1)) + four()(0); }

int main(int count, char **)
{
    int *p, out[3], round = 0;

    cudaMalloc(&p, sizeof out);
    cudaMemset(p, 0, sizeof out);
again:k<<<1, 1>>>(p, 0);
    switch (count) {
    case 1:k<<<1, 1>>>(p, 1);break;
    default:k<<<1, 1>>>(p, 2);
    }
    if (++round < 2)
        goto again;
    cudaMemcpy(out, p, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(p);
    printf("%d %d %d\n", out[0], out[1], out[2]);
    return !(out[0] == 12 && out[1] == 12 && out[2] == 0);
}
