// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A product of 64 x 16 x 64 elements by wgmma, in two stages: a warpgroup multiplies one half of k while the next one is copied to shared
// memory. A comes from shared memory, K-major with a swizzle of 128 bytes; B is K-major without one. Then the product of the last step is taken
// away, with A from registers. Whole numbers: the result is exact.
#include "matrices.cuh"
#include "ptx.cuh"

#include <cstring>

constexpr int M = 64, N = 16, K = 64, STEP = 16;

__device__ void product_of_registers(float (&d)[8], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, "
                 "%11}, %12, 1, "
                 "-1, 1, 0;\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

struct stage {
    half a[M * K], b[N * STEP];
};

// Rows of 128 bytes, whose 16-byte pieces change places by the row.
__device__ int place_of_a(int row, int k)
{
    return row * K + ((k / 8) ^ (row % 8)) * 8 + k % 8;
}

// Pieces of 8 columns of 16 bytes.
__device__ int place_of_b(int column, int k)
{
    return (column / 8 * 2 + k / 8) * 64 + column % 8 * 8 + k % 8;
}

__device__ void copy(stage &to, const half *b, int step)
{
    for (int i = threadIdx.x; i < N * STEP; i += 128)
        to.b[place_of_b(i / STEP, i % STEP)] = b[i / STEP * K + step * STEP + i % STEP];
}

__global__ void multiply(const half *a, const half *b, float *c, float *e)
{
    __shared__ __align__(1024) stage stages[2];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float d[8];
    uint32_t left[4];

    for (int i = threadIdx.x; i < M * K; i += 128)
        stages[0].a[place_of_a(i / K, i % K)] = a[i];
    copy(stages[0], b, 0);
    for (int step = 0; step < K / STEP; step++) {
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        fence_products();
        product(d, descriptor(stages[0].a + step * STEP, 16, 1024, 1), descriptor(stages[step % 2].b, 128, 256, 0),
                step > 0);
        commit_products();
        wait_products<1>(); // the product before this one has read the other stage
        __syncthreads(); // not needed: the wait is for the product of all four warps
        if (step + 1 < K / STEP)
            copy(stages[(step + 1) % 2], b, step + 1);
    }
    wait_products<0>();
    for (int i = 0; i < 8; i++)
        c[(warp * 16 + lane / 4 + i / 2 % 2 * 8) * N + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
    for (int i = 0; i < 4; i++) {
        const int row = warp * 16 + lane / 4 + i % 2 * 8, k = K - STEP + lane % 4 * 2 + i / 2 * 8;
        const half2 two = {a[row * K + k], a[row * K + k + 1]};

        memcpy(&left[i], &two, sizeof two);
    }
    fence_products();
    product_of_registers(d, left, descriptor(stages[(K / STEP - 1) % 2].b, 128, 256, 0));
    commit_products();
    wait_products<0>();
    for (int i = 0; i < 8; i++)
        e[(warp * 16 + lane / 4 + i / 2 % 2 * 8) * N + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

int main()
{
    const matrices of(M, N, K, true);
    float *c, *e;
    int wrong;

    cudaMalloc(&c, M * N * sizeof *c);
    cudaMalloc(&e, M * N * sizeof *e);
    multiply<<<1, 128>>>(of.a, of.b, c, e);
    wrong = of.wrong(c);
    wrong += of.wrong(e, 1, 0, K - STEP);
    return wrong != 0;
}
