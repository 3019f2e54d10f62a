// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// mma.sp of 16 x 8 x 16 and 16 x 8 x 32 halves with each selector, which is a parameter of a template. Lanes whose metadata are not selected
// have those of other rows. Small integers: every order of adding sums them exactly.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>

constexpr int M = 16, N = 8;

template <int selector> __device__ void product_16(float (&d)[4], const uint32_t *a, const uint32_t *b, uint32_t e)
{
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6, %7}, {%0, %1, "
                 "%2, %3}, %8, %9;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(e), "n"(selector));
}

template <int selector> __device__ void product_32(float (&d)[4], const uint32_t *a, const uint32_t *b, uint32_t e)
{
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, "
                 "%6, %7}, {%8, %9, "
                 "%10, %11}, {%0, %1, %2, %3}, %12, %13;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e),
                   "n"(selector));
}

__device__ int value_of_a(int row, int i)
{
    return (row * 5 + i * 3 + row * i) % 5 - 2;
}

__device__ int value_of_b(int k, int column)
{
    return (k * 7 + column * 2 + k * column) % 5 - 2;
}

// Positions of the two elements of four, the first one in the lower two bits.
__device__ uint32_t kept(int row, int chunk)
{
    const uint32_t fours[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};

    return fours[(row * 5 + chunk + row / 6) % 6];
}

__device__ uint32_t two(int first, int second)
{
    return (uint32_t)__half_as_ushort(__int2half_rn(first)) | (uint32_t)__half_as_ushort(__int2half_rn(second)) << 16;
}

template <int k, int selector> __global__ void multiply(int *wrong) // which is the number of elements before
{
    const int group = threadIdx.x / 4, lane = threadIdx.x % 4;
    const bool selected = k == 16 ? lane == selector : lane / 2 == selector;
    uint32_t a[4] = {}, b[4] = {}, metadata = 0;
    float d[4];

    for (int i = 0; i < k / 8; i++) {
        const int row = group + i % 2 * 8, x = lane * 2 + i / 2 * 8;

        a[i] = two(value_of_a(row, x), value_of_a(row, x + 1));
        b[i] = two(value_of_b(lane * 2 + i * 8, group), value_of_b(lane * 2 + i * 8 + 1, group));
    }
    for (int i = 0; i < 8; i++)
        metadata |= kept(group + i / 4 * 8 + !selected, (k == 16 ? 0 : lane % 2 * 4) + i % 4) << 4 * i;
    for (int i = 0; i < 4; i++)
        d[i] = (float)(group - lane * i);
    if (k == 16)
        product_16<selector>(d, a, b, metadata);
    else
        product_32<selector % 2>(d, a, b, metadata);
    for (int i = 0; i < 4; i++) {
        const int row = group + i / 2 * 8, column = lane * 2 + i % 2;
        int sum = group - lane * i;

        for (int x = 0; x < k / 2; x++)
            sum += value_of_a(row, x) * value_of_b(x / 2 * 4 + (int)(kept(row, x / 2) >> x % 2 * 2 & 3), column);
        if (d[i] == (float)sum)
            atomicSub(wrong, 1);
    }
}

template <int k, int selector> int wrong_elements()
{
    int *wrong, count = M * N;

    cudaMalloc(&wrong, sizeof *wrong);
    cudaMemcpy(wrong, &count, sizeof count, cudaMemcpyHostToDevice);
    multiply<k, selector><<<1, 32>>>(wrong);
    cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost);
    printf("k %d, selector %d: %d wrong\n", k, selector, count);
    cudaFree(wrong);
    return count;
}

int main()
{
    return wrong_elements<16, 0>() + wrong_elements<16, 1>() + wrong_elements<16, 2>() + wrong_elements<16, 3>() +
               wrong_elements<32, 0>() + wrong_elements<32, 1>() !=
           0;
}
