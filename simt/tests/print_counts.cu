// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// printf of a kernel returns the number of arguments that it parsed, 0 where there are none, and -1 for a null pointer (CUDA Programming
// Guide, "Formatted Output"); printf of the host the number of characters.
#include <cstdio>

enum { CALLS = 13 };

__global__ void print(int *out, const char *word, const char *null)
{
    out[0] = printf("no argument\n");
    out[1] = printf("%d\n", 12345);
    out[2] = printf("%d and %5.2f\n", 1, 2.0);
    out[3] = printf("%s %c %lld %p\n", word, 'c', 1LL << 40, (void *)16);
    out[4] = printf(null);
    out[5] = printf("%u %x %i %g\n%hu %llu %e %s\n", 1u, 2, 3, 4.0, (unsigned short)5, 6ULL, 7.0, word);
    out[6] = std::printf("%d\n", 1);
    out[7] = printf("%s\n", word);
    out[8] = printf("%*d %%\n", 8, 1);
    /* no argument of these conversions is counted: an H200 prints the format as it stands */
    out[9] = printf("%*.*f\n", 8, 3, 1.5);
    out[10] = printf("%d %.*f\n", 1, 3, 1.5);
    out[11] = printf("%zu\n", sizeof(int));
    out[12] = printf("%.3d %#x %*.3f\n", 5, 6, 8, 1.5);
}

int main()
{
    static const int expected[CALLS] = {0, 1, 2, 4, -1, 8, 1, 1, 2, 0, 1, 0, 4};
    int got[CALLS], *out;
    char *word;

    cudaMalloc(&out, sizeof got);
    cudaMalloc(&word, 8);
    cudaMemcpy(word, "words", 6, cudaMemcpyHostToDevice);
    print<<<1, 1>>>(out, word, nullptr);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < CALLS; i++)
        if (got[i] != expected[i])
            return printf("call %d: %d\n", i, got[i]), 1;
    return printf("%d\n", 12345) != 6;
}
