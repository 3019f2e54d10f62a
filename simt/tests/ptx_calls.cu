// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Inline PTX that calls functions of the program, with parameters, and that returns from a kernel.
#include <cstdio>

enum { THREADS = 64 };

extern "C" __device__ __noinline__ unsigned scaled(unsigned value, unsigned long long factor)
{
    return value * (unsigned)factor + 1;
}

extern "C" __device__ __noinline__ void keep(float *to, float value)
{
    *to = value;
}

__global__ void lane(unsigned *numbers, float *kept, unsigned count)
{
    const unsigned i = threadIdx.x;
    unsigned result;

    if (count > 1000) /* nvcc keeps what C++ calls; the assembler does not see other calls */
        keep(kept, scaled(i, count));
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ge.u32 p, %0, %1;\n\t"
                 "@p ret;\n\t"
                 "}" ::"r"(i),
                 "r"(count));
    asm volatile("{\n\t"
                 ".param .b32 value;\n\t"
                 ".param .b64 factor;\n\t"
                 ".param .b32 result;\n\t"
                 "st.param.b32 [value+0], %1;\n\t"
                 "st.param.b64 [factor], %2;\n\t"
                 "call.uni (result), scaled, (value, factor);\n\t"
                 "ld.param.b32 %0, [result+0];\n\t"
                 "}"
                 : "=r"(result)
                 : "r"(i), "l"(3ull));
    numbers[i] = result;
    asm volatile("{\n\t"
                 ".param .b64 to;\n\t"
                 ".param .f32 value;\n\t"
                 "st.param.b64 [to], %0;\n\t"
                 "st.param.f32 [value], %1;\n\t"
                 "call keep, (to, value);\n\t"
                 "}" ::"l"(kept + i),
                 "f"(i + 0.5f)
                 : "memory");
}

int main()
{
    unsigned *numbers, number[THREADS], wrong = 0;
    float *kept, value[THREADS];

    cudaMalloc(&numbers, sizeof number);
    cudaMalloc(&kept, sizeof value);
    cudaMemset(numbers, 0, sizeof number);
    cudaMemset(kept, 0, sizeof value);
    lane<<<1, THREADS>>>(numbers, kept, 50);
    cudaMemcpy(number, numbers, sizeof number, cudaMemcpyDeviceToHost);
    cudaMemcpy(value, kept, sizeof value, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < THREADS; i++)
        wrong += number[i] != (i < 50 ? 3 * i + 1 : 0) || value[i] != (i < 50 ? i + 0.5f : 0);
    printf("%u wrong\n", wrong);
    return wrong != 0;
}
