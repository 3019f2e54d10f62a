// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Strings that kernels print: of shared memory after a barrier, of device memory up to a NUL or a precision, after arguments of
// other kinds.
#include <cstdio>

__device__ char label[8] = "sum";

__global__ void spell(int *out, const char *word, char *letters, const char *host)
{
    __shared__ char name[32];
    int t = threadIdx.x;

    name[t] = t < 31 ? 'a' + t % 26 : '\0';
    __syncthreads();
    if (t == 0) {
        printf("%s\n", name);
        letters[0] = 'x';
        letters[1] = 'y';
        printf("%.2s %.1s\n", letters, letters);
        letters[2] = '\0';
        printf("%d%% %*d %-8.3f %c %lld %hu %p %s|%8s|%-8s\n", t, 4, t, 1.5, 'c', 1LL << 40, (unsigned short)t, (void *)16, label,
               letters, word);
        std::printf("%s\n", word);
    }
    out[t] = name[t];
}

int main()
{
    const char text[] = "words", *host = text;
    int got[32], *out;
    char *word, *letters;

    cudaMalloc(&out, sizeof got);
    cudaMalloc(&letters, 16);
    cudaMalloc(&word, sizeof text);
    cudaMemcpy(word, text, sizeof text, cudaMemcpyHostToDevice);
    spell<<<1, 32>>>(out, word, letters, host);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 32; i++)
        if (got[i] != (i < 31 ? 'a' + i % 26 : 0))
            return 1;
    return 0;
}
