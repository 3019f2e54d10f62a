// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A product of 64 x 16 x 128 elements by wgmma with a sparse A, in two stages: a warpgroup multiplies a quarter of k while the next one is
// copied to shared memory. A has two of each four elements along k, K-major with a swizzle of 32 bytes, so that its tile ends where B begins;
// B is K-major without one. Then the product of the last step is taken away, with A from registers and the metadata in the lanes of the
// other selector. Lanes that are not selected have the metadata of another matrix. Whole numbers: the result is exact.
#include "ptx.cuh"

#include <cstdio>
#include <cstring>
#include <vector>

constexpr int M = 64, N = 16, K = 128, STEP = 32, KEPT = STEP / 2, THREADS = 128;

template <int selector>
__device__ void product(float (&d)[8], uint64_t a, uint64_t b, const uint32_t &metadata, int adds)
{
    asm volatile("{\n"
                 ".reg .pred adds;\n"
                 "setp.ne.b32 adds, %12, 0;\n"
                 "wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, %10, "
                 "%11, adds, 1, 1, 0, 0;\n"
                 "}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                 : "l"(a), "l"(b), "r"(metadata), "n"(selector), "r"(adds));
}

__device__ void product_of_registers(float (&d)[8], const uint32_t (&a)[4], uint64_t b, const uint32_t &metadata)
{
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, "
                 "%10, %11}, %12, %13, 1, 1, -1, 1, 0;\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(metadata));
}

struct stage {
    half a[M * KEPT], b[N * STEP];
};

// Rows of 32 bytes, whose two pieces change places every four rows.
__device__ int place_of_a(int row, int i)
{
    return row * KEPT + ((i / 8) ^ (row / 4 % 2)) * 8 + i % 8;
}

// Pieces of 8 columns of 16 bytes.
__device__ int place_of_b(int column, int k)
{
    return (column / 8 * 4 + k / 8) * 64 + column % 8 * 8 + k % 8;
}

__device__ void copy(stage &to, const half *a, const half *b, int step)
{
    for (int i = threadIdx.x; i < M * KEPT; i += THREADS)
        to.a[place_of_a(i / KEPT, i % KEPT)] = a[i / KEPT * (K / 2) + step * KEPT + i % KEPT];
    for (int i = threadIdx.x; i < N * STEP; i += THREADS)
        to.b[place_of_b(i / STEP, i % STEP)] = b[i / STEP * K + step * STEP + i % STEP];
}

__device__ void store(float *to, const float (&d)[8])
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    for (int i = 0; i < 8; i++)
        to[(warp * 16 + lane / 4 + i / 2 % 2 * 8) * N + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

__global__ void multiply(const half *a, const half *b, const uint32_t *metadata, float *c, float *e)
{
    __shared__ __align__(1024) stage stages[2];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float d[8];
    uint32_t left[4], of_step[K / STEP], of_left;

    for (int step = 0; step < K / STEP; step++)
        of_step[step] = metadata[step * THREADS + threadIdx.x];
    copy(stages[0], a, b, 0);
    for (int step = 0; step < K / STEP; step++) {
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        fence_products();
        product<0>(d, descriptor(stages[step % 2].a, 16, 256, 3), descriptor(stages[step % 2].b, 128, 512, 0),
                   of_step[step], step > 0);
        commit_products();
        wait_products<1>(); // the product before this one has read the other stage
        if (step + 1 < K / STEP)
            copy(stages[(step + 1) % 2], a, b, step + 1);
    }
    wait_products<0>();
    store(c, d);
    for (int i = 0; i < 4; i++) {
        const int row = warp * 16 + lane / 4 + i % 2 * 8, k = K / 2 - KEPT + lane % 4 * 2 + i / 2 * 8;
        const half2 two = {a[row * (K / 2) + k], a[row * (K / 2) + k + 1]};

        memcpy(&left[i], &two, sizeof two);
    }
    of_left = metadata[(K / STEP - 1) * THREADS + (threadIdx.x ^ 2)];
    fence_products();
    product_of_registers(d, left, descriptor(stages[(K / STEP - 1) % 2].b, 128, 512, 0), of_left);
    commit_products();
    wait_products<0>();
    store(e, d);
}

// Positions of the two elements of four, the first one in the lower two bits. Each row has all six in turn.
static uint32_t pair(int row, int chunk)
{
    static const uint32_t pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};

    return pairs[(row * 5 + chunk + row / 6) % 6];
}

static float value_of_a(int row, int i)
{
    return (float)((row * (K / 2) + i) * 7 % 5 - 2);
}

static float value_of_b(int column, int k)
{
    return (float)((column * K + k) * 5 % 7 - 3);
}

static int wrong_sums(const float *sums, int end)
{
    std::vector<float> got(M * N);
    int count = 0;

    cudaMemcpy(got.data(), sums, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < M; row++)
        for (int column = 0; column < N; column++) {
            float sum = 0;

            for (int i = 0; i < end / 2; i++) {
                const int k = i / 2 * 4 + (int)(pair(row, i / 2) >> i % 2 * 2 & 3);

                sum += value_of_a(row, i) * value_of_b(column, k);
            }
            count += got[row * N + column] != sum;
        }
    printf("%d wrong\n", count);
    return count;
}

template <typename T> static T *upload(const std::vector<T> &values)
{
    T *device;

    cudaMalloc(&device, values.size() * sizeof(T));
    cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main()
{
    std::vector<half> a(M * K / 2), b(N * K);
    std::vector<uint32_t> metadata(K / STEP * THREADS);
    float *c, *e;
    int wrong;

    for (int i = 0; i < M * K / 2; i++)
        a[i] = (half)value_of_a(i / (K / 2), i % (K / 2));
    for (int i = 0; i < N * K; i++)
        b[i] = (half)value_of_b(i / K, i % K);
    // Two lanes of each four have the eight chunks of a step: four of a row, then four of the row 8 below it. The other two have others.
    for (int i = 0; i < K / STEP * THREADS; i++)
        for (int chunk = 0; chunk < 8; chunk++) {
            const int row = i % THREADS / 32 * 16 + i % 32 / 4 + chunk / 4 * 8, decoy = i % 4 / 2;

            metadata[i] |= pair(row + decoy, i / THREADS * 8 + i % 2 * 4 + chunk % 4) << 4 * chunk;
        }
    cudaMalloc(&c, M * N * sizeof *c);
    cudaMalloc(&e, M * N * sizeof *e);
    multiply<<<1, THREADS>>>(upload(a), upload(b), upload(metadata), c, e);
    wrong = wrong_sums(c, K);
    wrong += wrong_sums(e, K - STEP);
    return wrong != 0;
}
