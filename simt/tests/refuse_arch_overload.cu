// expect: refused 7
// SPDX-License-Identifier: BSD-2-Clause
//
// An overload on one side only would be chosen on both.
__host__ __device__ inline int pick(double) { return 1; }
#ifdef __CUDA_ARCH__
__host__ __device__ inline int pick(float) { return 2; }
#endif
__global__ void kernel(int *p) { p[0] = pick(1.0f); }
int main() { return pick(1.0f) - 1; }
