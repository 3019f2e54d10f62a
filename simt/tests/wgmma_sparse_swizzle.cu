// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// B of a sparse wgmma has 64 bytes of k in a column, and rows of the swizzle of 32 bytes hold half of them: the other half lies at the
// leading offset, which a dense wgmma with rows of 32 bytes or more does not use. So an H200 read it for 29 descriptors. Each element of B
// is its place in memory, and a row of A takes one of them.
#include "ptx.cuh"

#include <cstdio>

constexpr int BYTES = 4096, K = 32, N = 8;

struct shape {
    uint32_t start, leading, stride;
};

__device__ uint64_t descriptor(uint32_t place, uint32_t leading, uint32_t stride)
{
    return place >> 4 | (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32;
}

__global__ void look(shape s, float *out)
{
    __shared__ __align__(1024) uint16_t b[BYTES / 2], a[1024];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    uint32_t metadata = 0;

    for (int i = thread; i < BYTES / 2; i += 128) {
        int top = 0;

        while (i >> (top + 1))
            top++;
        b[i] = i ? (uint16_t)((15 + top) << 10 | (i << 10 >> top & 1023)) : 0; // i as a number of 16 bits
    }
    for (int i = thread; i < 1024; i += 128)
        a[i] = 0;
    __syncthreads();
    // Row r takes k = r % 32: of the four that k is one of, the first and k, or the first two.
    if (thread < 64) {
        const int k = thread % K, kept = k / 4 * 2 + (k % 4 != 0);

        a[kept / 8 * 512 + thread * 8 + kept % 8] = 0x3c00;
    }
    for (int i = 0; i < 8; i++) {
        const int k = (warp * 16 + lane / 4 + i / 4 * 8) % K, four = lane % 2 * 4 + i % 4;

        metadata |= (k / 4 == four && k % 4 ? (uint32_t)(k % 4) << 2 : 0x4u) << 4 * i;
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    const uint64_t left = descriptor(place(a), 1024, 128), right = descriptor(place(b) + s.start, s.leading, s.stride) | 3ull << 62;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, %6, 0, 0, 1, 1, 0, 0;\n"
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
                 : "l"(left), "l"(right), "r"(metadata));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    const int row = warp * 16 + lane / 4, column = lane % 4 * 2;
    out[row * N + column] = d0, out[row * N + column + 1] = d1;
    out[(row + 8) * N + column] = d2, out[(row + 8) * N + column + 1] = d3;
}

int main()
{
    const shape shapes[] = {{0, 128, 256}, {32, 512, 1024}, {64, 1024, 128}, {1024, 256, 512}, {0, 32, 512}};
    float *out, got[64 * N];
    int wrong = 0;

    cudaMalloc(&out, sizeof got);
    for (const shape &s : shapes) {
        look<<<1, 128>>>(s, out);
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        for (int row = 0; row < 64; row++)
            for (int column = 0; column < N; column++) {
                const unsigned byte = row % K * 2;
                unsigned at = s.start + column * 32 + byte % 32 + byte / 32 * s.leading;

                at ^= (at >> 7) % 2 * 16;
                wrong += got[row * N + column] != (float)(at / 2);
            }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0 || cudaGetLastError() != cudaSuccess;
}
