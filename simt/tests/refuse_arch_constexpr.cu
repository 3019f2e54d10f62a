// expect: refused 5
// SPDX-License-Identifier: BSD-2-Clause
//
// A constant has one value, so a constexpr function cannot have two bodies.
__host__ __device__ constexpr int width()
{
#ifdef __CUDA_ARCH__
    return 32;
#else
    return 1;
#endif
}
__global__ void kernel(int *p) { p[0] = width(); }
int main() { return width() - 1; }
