// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Reads of which some bytes were never written: padding of structures, a half of a vector, and a byte that is masked.
#include <cstdio>

struct entry {
    char tag;
    short value;
    int count;
};

__global__ void copy(entry *to, const entry *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void fill(entry *entries, float2 *pairs)
{
    entry *e = &entries[threadIdx.x];

    e->tag = 'a';
    e->value = threadIdx.x;
    e->count = 1;
    pairs[threadIdx.x].x = 0.5f;
}

__global__ void use(const entry *entries, const float2 *pairs, const unsigned *words, unsigned *sums)
{
    int i = threadIdx.x;
    float2 pair = pairs[i];

    sums[i] = entries[i].tag + entries[i].value + entries[i].count + (words[i] & 0xffffff);
    if (i % 2 == 0)
        sums[i] += pair.x > 0;
}

int main()
{
    entry *entries, *copied;
    float2 *pairs;
    unsigned *words, *sums, host[32], total = 0;

    cudaMalloc(&entries, 32 * sizeof *entries);
    cudaMalloc(&copied, 32 * sizeof *entries);
    cudaMalloc(&pairs, 32 * sizeof *pairs);
    cudaMalloc(&words, sizeof host);
    cudaMalloc(&sums, sizeof host);
    cudaMemset(words, 0, sizeof host - 1);
    fill<<<1, 32>>>(entries, pairs);
    copy<<<1, 32>>>(copied, entries);
    use<<<1, 32>>>(copied, pairs, words, sums);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned sum : host)
        total += sum;
    printf("%u\n", total);
    return cudaDeviceSynchronize() != cudaSuccess;
}
