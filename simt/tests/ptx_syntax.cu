// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The forms of asm statements: named operands, scopes, predicates, branches, several strings, comments, raw strings.
#include <cstdio>

__device__ int wrong;

__device__ void expect(unsigned got, unsigned want, int line)
{
    if (got != want) {
        printf("line %d: %u, not %u\n", line, got, want);
        atomicAdd(&wrong, 1);
    }
}
#define EXPECT(got, want) expect(got, want, __LINE__)

__shared__ unsigned words[4];

__global__ void forms(float *out, int *ended)
{
    unsigned r = 1, s;
    int *pointer;
    float f;

#ifdef __SIMT__ // nvcc of toolkit 13.0 ends with an internal error at operands with names
    asm("add.u32 %[sum], %[a], %[b];" : [sum] "=" "r"(r) : [a] "r"(40), [b] "n"(2));
    EXPECT(r, 42);
#endif
    asm("{ .reg .u32 t<3>, %%u; // three, and one\n"
        "  mov.u32 t0, %1; /* 5 */ mov.u32 %%u, 10;\n"
        "  { .reg .u32 t0; mov.u32 t0, 100; add.u32 t2, t0, %%u; }\n"
        "  add.u32 %0, t0, t2; }"
        : "=r"(r)
        : "r"(5));
    EXPECT(r, 115);
    asm("{\n\t.reg .pred p;\n\t.reg .u32 i;\n\tmov.u32 i, 0;\n\tmov.u32 %0, 0;\nAGAIN:\n\tadd.u32 %0, %0, i;\n\tadd.u32 i, i, 1;\n\t"
        "setp.le.u32 p, i, %1;\n\t@p bra.uni AGAIN;\n\t@!p bra DONE;\n\ttrap;\nDONE:\n\t}"
        : "=r"(r)
        : "r"(10));
    EXPECT(r, 55);
    if (r == 55)
        asm("add.u32 %0, %0, 1;" : "+r"(r));
    else
        r = 0;
    EXPECT(r, 56);
    asm(R"(mov.b32 %0, %1;)" : "=r"(s) : "f"(1.0f));
    EXPECT(s, 0x3f800000);
    asm("mov.b64 %0, {%1, %2};" : "=l"(pointer) : "r"(8), "r"(0));
    EXPECT((unsigned)(size_t)pointer, 8);
    words[1] = 3;
    asm("mov.f32 %0, 0F3f000000;\n\tfma.rn.f32 %0, %0, 2.0, %1;" : "=f"(f) : "f"((float)words[1]));
    asm("" ::: "memory");
    *out = f;
    if (threadIdx.x == 0)
        asm volatile("exit;");
    *ended = 1;
}

int main()
{
    int result, *ended, after = 0;
    float *out, f;

    cudaMalloc(&out, sizeof *out);
    cudaMalloc(&ended, sizeof *ended);
    cudaMemset(ended, 0, sizeof *ended);
    forms<<<1, 1>>>(out, ended);
    cudaMemcpyFromSymbol(&result, wrong, sizeof result);
    cudaMemcpy(&f, out, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(&after, ended, sizeof after, cudaMemcpyDeviceToHost);
    printf("%d wrong, %g, %d\n", result, f, after);
    return result != 0 || f != 4 || after != 0;
}
