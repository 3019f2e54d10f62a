// expect: refused 9
// SPDX-License-Identifier: BSD-2-Clause
//
// Random numbers that the host asks for.
#include <curand.h>
int main()
{
    float *numbers;
    curandGenerator_t generator;
    cudaMalloc(&numbers, 4096);
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, numbers, 1024);
    return 0;
}
