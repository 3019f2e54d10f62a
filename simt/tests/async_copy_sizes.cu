// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Asynchronous copies of every size, which fill with zeros what they do not read, by PTX and by the intrinsics of CUDA.
#include <cstdint>
#include <cstdio>
#include <cuda_pipeline.h>

constexpr int THREADS = 32, BYTES = 16 * THREADS;

__device__ uint32_t place(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

__global__ void copy(const char *from, char *to)
{
    __shared__ alignas(16) char four[BYTES / 4], eight[BYTES / 2], sixteen[BYTES], some[BYTES], none[BYTES], last[BYTES];
    int i = (int)threadIdx.x;

    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(place(&four[4 * i])), "l"(&from[4 * i]) : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, 8;" : : "r"(place(&eight[8 * i])), "l"(&from[8 * i]) : "memory");
    asm volatile("cp.async.cg.shared::cta.global.L2::128B [%0], [%1], 16;"
                 :
                 : "r"(place(&sixteen[16 * i])), "l"(&from[16 * i])
                 : "memory");
    // i % 17 bytes and zeros behind them
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(place(&some[16 * i])), "l"(&from[16 * i]), "r"(i % 17)
                 : "memory");
    // odd threads copy nothing, and all zeros
    asm volatile("{\n"
                 ".reg .pred odd;\n"
                 "setp.ne.u32 odd, %2, 0;\n"
                 "cp.async.cg.shared.global [%0], [%1], 16, odd;\n"
                 "}"
                 :
                 : "r"(place(&none[16 * i])), "l"(&from[16 * i]), "r"(i % 2)
                 : "memory");
    asm volatile("cp.async.wait_all;" : : : "memory");
    __pipeline_memcpy_async(&last[16 * i], &from[16 * i], 16, 5);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int k = 0; k < 16; k++) {
        to[16 * i + k] = k < 4 ? four[4 * i + k] : k < 12 ? eight[8 * i + k - 4] : sixteen[16 * i + k];
        to[BYTES + 16 * i + k] = some[16 * i + k];
        to[2 * BYTES + 16 * i + k] = none[16 * i + k];
        to[3 * BYTES + 16 * i + k] = last[16 * i + k];
    }
}

int main()
{
    char *memory, bytes[BYTES], got[4 * BYTES];
    int wrong = 0;

    cudaMalloc(&memory, 5 * BYTES);
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (char)(i % 101 + 1);
    cudaMemcpy(memory, bytes, BYTES, cudaMemcpyHostToDevice);
    copy<<<1, THREADS>>>(memory, memory + BYTES);
    cudaMemcpy(got, memory + BYTES, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < BYTES; i++) {
        int thread = i / 16, k = i % 16;

        wrong += got[i] != bytes[k < 4 ? 4 * thread + k : k < 12 ? 8 * thread + k - 4 : i];
        wrong += got[BYTES + i] != (k < thread % 17 ? bytes[i] : 0);
        wrong += got[2 * BYTES + i] != (thread % 2 == 0 ? bytes[i] : 0);
        wrong += got[3 * BYTES + i] != (k < 11 ? bytes[i] : 0);
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
