// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Bulk reductions: several blocks combine their tiles in one place of global memory, by every operation and type that PTX has. The
// numbers are exact, so that each order of the blocks gives the same.
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int BLOCKS = 4, COUNT = 32;

__device__ uint32_t place(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

#define REDUCE(name, operation, type)                                                                                  \
    struct name {                                                                                                      \
        static __device__ void store(type *to, const type *tile)                                                       \
        {                                                                                                              \
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." operation " [%0], [%1], %2;"            \
                         :                                                                                             \
                         : "l"(to), "r"(place(tile)), "r"((int)(COUNT * sizeof(type)))                                 \
                         : "memory");                                                                                  \
        }                                                                                                              \
    }

REDUCE(add_u32, "add.u32", uint32_t);
REDUCE(add_s32, "add.s32", int32_t);
REDUCE(add_u64, "add.u64", uint64_t);
REDUCE(add_f16, "add.noftz.f16", __half);
REDUCE(add_bf16, "add.noftz.bf16", __nv_bfloat16);
REDUCE(add_f32, "add.f32", float);
REDUCE(add_f64, "add.f64", double);
REDUCE(min_u32, "min.u32", uint32_t);
REDUCE(min_s32, "min.s32", int32_t);
REDUCE(min_u64, "min.u64", uint64_t);
REDUCE(min_s64, "min.s64", int64_t);
REDUCE(min_f16, "min.f16", __half);
REDUCE(min_bf16, "min.bf16", __nv_bfloat16);
REDUCE(max_u32, "max.u32", uint32_t);
REDUCE(max_s32, "max.s32", int32_t);
REDUCE(max_u64, "max.u64", uint64_t);
REDUCE(max_s64, "max.s64", int64_t);
REDUCE(max_f16, "max.f16", __half);
REDUCE(max_bf16, "max.bf16", __nv_bfloat16);
REDUCE(inc_u32, "inc.u32", uint32_t);
REDUCE(dec_u32, "dec.u32", uint32_t);
REDUCE(and_b32, "and.b32", uint32_t);
REDUCE(and_b64, "and.b64", uint64_t);
REDUCE(or_b32, "or.b32", uint32_t);
REDUCE(or_b64, "or.b64", uint64_t);
REDUCE(xor_b32, "xor.b32", uint32_t);
REDUCE(xor_b64, "xor.b64", uint64_t);

template <typename T> __host__ __device__ T number(int block, int i)
{
    return (T)(float)((i * 7 + block * 5) % 23 - (T(-1) < T(0) ? 11 : 0));
}

template <typename Reduction, typename T> __global__ void combine(T *to, T *seen)
{
    __shared__ alignas(128) T tile[COUNT];

    tile[threadIdx.x] = number<T>((int)blockIdx.x, (int)threadIdx.x);
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        Reduction::store(to, tile);
        asm volatile("cp.async.bulk.commit_group;\n"
                     "cp.async.bulk.wait_group 0;"
                     :
                     :
                     : "memory");
    }
    __syncthreads();                                            // not needed: the copy reads, too
    seen[blockIdx.x * COUNT + threadIdx.x] = tile[threadIdx.x]; /* the tile stays as it is */
}

template <typename Reduction, typename T> void test(const char *name, T (*combined)(T, T), T first, int blocks = BLOCKS)
{
    static T got[COUNT], seen[BLOCKS * COUNT];
    T *to, *of_blocks;
    int wrong = 0;

    for (int i = 0; i < COUNT; i++)
        got[i] = first;
    cudaMalloc(&to, sizeof got);
    cudaMalloc(&of_blocks, sizeof seen);
    cudaMemcpy(to, got, sizeof got, cudaMemcpyHostToDevice);
    combine<Reduction, T><<<blocks, COUNT>>>(to, of_blocks);
    cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(seen, of_blocks, sizeof seen, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        T expected = first;

        for (int b = 0; b < blocks; b++) {
            expected = combined(expected, number<T>(b, i));
            wrong += (double)(float)seen[b * COUNT + i] != (double)(float)number<T>(b, i);
        }
        wrong += (double)(float)got[i] != (double)(float)expected;
    }
    cudaFree(to);
    cudaFree(of_blocks);
    printf("%s %d wrong\n", name, wrong);
    if (wrong)
        exit(1);
}

template <typename T> T sum(T a, T b)
{
    return (T)((float)a + (float)b);
}

template <typename T> T lesser(T a, T b)
{
    return (float)b < (float)a ? b : a;
}

template <typename T> T greater(T a, T b)
{
    return (float)b > (float)a ? b : a;
}

template <typename T> T both(T a, T b)
{
    return a & b;
}

template <typename T> T either(T a, T b)
{
    return a | b;
}

template <typename T> T different(T a, T b)
{
    return a ^ b;
}

/* These depend on the order: one block. */
template <typename T> T counted_up(T a, T b)
{
    return a >= b ? 0 : a + 1;
}

template <typename T> T counted_down(T a, T b)
{
    return a == 0 || a > b ? b : a - 1;
}

#define TEST(name, type, combined, first) test<name, type>(#name, combined<type>, (type)(first))

int main()
{
    TEST(add_u32, uint32_t, sum, 3);
    TEST(add_s32, int32_t, sum, 3);
    TEST(add_u64, uint64_t, sum, 3);
    TEST(add_f16, __half, sum, 3.5f);
    TEST(add_bf16, __nv_bfloat16, sum, 3.0f);
    TEST(add_f32, float, sum, 3.5f);
    TEST(add_f64, double, sum, 3.5);
    TEST(min_u32, uint32_t, lesser, 9);
    TEST(min_s32, int32_t, lesser, 9);
    TEST(min_u64, uint64_t, lesser, 9);
    TEST(min_s64, int64_t, lesser, 9);
    TEST(min_f16, __half, lesser, 0.5f);
    TEST(min_bf16, __nv_bfloat16, lesser, 0.5f);
    TEST(max_u32, uint32_t, greater, 9);
    TEST(max_s32, int32_t, greater, 9);
    TEST(max_u64, uint64_t, greater, 9);
    TEST(max_s64, int64_t, greater, 9);
    TEST(max_f16, __half, greater, 0.5f);
    TEST(max_bf16, __nv_bfloat16, greater, 0.5f);
    test<inc_u32, uint32_t>("inc_u32", counted_up, 9, 1);
    test<dec_u32, uint32_t>("dec_u32", counted_down, 9, 1);
    TEST(and_b32, uint32_t, both, 29);
    TEST(and_b64, uint64_t, both, 29);
    TEST(or_b32, uint32_t, either, 64);
    TEST(or_b64, uint64_t, either, 64);
    TEST(xor_b32, uint32_t, different, 64);
    TEST(xor_b64, uint64_t, different, 64);
    return 0;
}
