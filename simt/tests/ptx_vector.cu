// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Registers of PTX that are vectors: .reg .v2 and .v4, whose elements have names of their own. CUTLASS sorts pairs with them.
#include <cstdio>

// The two largest of two pairs that are sorted.
__global__ void largest(const float *a, const float *b, float *out)
{
    float first, second;

    asm volatile("{\n"
                 "  .reg .v2 .f32 mx;\n"
                 "  .reg .pred p;\n"
                 "  max.f32 mx.x, %3, %4;\n"
                 "  max.f32 mx.y, %2, %5;\n"
                 "  setp.gtu.f32 p, %2, %4;\n"
                 "  selp.f32 %1, mx.x, mx.y, p;\n"
                 "  selp.f32 %0, %2, %4, p;\n"
                 "}\n"
                 : "=f"(first), "=f"(second)
                 : "f"(a[0]), "f"(a[1]), "f"(b[0]), "f"(b[1]));
    out[0] = first;
    out[1] = second;
    asm("{ .reg .v4 .f32 t, u; mov.f32 t.x, %1; add.f32 t.w, t.x, %1; mov.f32 u.w, t.w; add.f32 %0, u.w, t.x; }"
        : "=f"(out[2])
        : "f"(a[0]));
}

int main()
{
    const float a[] = {5, 2}, b[] = {4, 3};
    float *device, out[3] = {};

    cudaMalloc(&device, 7 * sizeof *device);
    cudaMemcpy(device, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(device + 2, b, sizeof b, cudaMemcpyHostToDevice);
    largest<<<1, 1>>>(device, device + 2, device + 4);
    cudaMemcpy(out, device + 4, sizeof out, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", out[0], out[1], out[2]);
    cudaFree(device);
    return out[0] != 5 || out[1] != 4 || out[2] != 15;
}
