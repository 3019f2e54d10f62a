// expect: refused 11
// SPDX-License-Identifier: BSD-2-Clause
//
// A default that differs between host and device, in a template with a parameter without a name.
#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#else
#define ARCH 0
#endif

template <typename, int A = ARCH> struct tuned {
    static const int size = A;
};
__global__ void kernel(int *p) { p[0] = tuned<int>::size; }
int main() { return 0; }
