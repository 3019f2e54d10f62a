// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Functions of cuComplex.h in a kernel and on the host. The digests are those of CUDA 13.0's header, compiled by nvcc for the
// host: drawn numbers of all sizes, zeros, infinite ones and those that are not a number.
#include <cstdio>
#include <cstring>
#include <cuComplex.h>

static unsigned long long digest;

static void mix(double v)
{
    unsigned long long bits;

    if (v != v)
        v = 1; // which NaN it is depends on the order of operands
    memcpy(&bits, &v, sizeof bits);
    digest = (digest ^ bits) * 0x100000001b3;
}

static void mix(cuFloatComplex v)
{
    mix((double)v.x);
    mix((double)v.y);
}

static void mix(cuDoubleComplex v)
{
    mix(v.x);
    mix(v.y);
}

static float drawn(unsigned i)
{
    static const float special[] = {0, -0.0f, 1, -1, INFINITY, NAN, 3.4e38f, 1e-45f};
    unsigned bits = i * 0x9e3779b1;
    float v;

    if (bits >> 28 == 0)
        return special[bits & 7];
    memcpy(&v, &bits, sizeof v);
    return v;
}

__global__ void multiply(const cuFloatComplex *a, const cuFloatComplex *b, cuFloatComplex *c)
{
    c[threadIdx.x] = cuCaddf(cuCmulf(a[threadIdx.x], b[threadIdx.x]), cuConjf(a[threadIdx.x]));
}

static bool wrong_in_kernel()
{
    cuFloatComplex *v, in[64], out[32];

    for (int i = 0; i < 64; i++)
        in[i] = make_cuComplex((float)i, (float)(i % 7));
    if (cudaMalloc(&v, 96 * sizeof *v) != cudaSuccess)
        return true;
    cudaMemcpy(v, in, sizeof in, cudaMemcpyHostToDevice);
    multiply<<<1, 32>>>(v, v + 32, v + 64);
    cudaMemcpy(out, v + 64, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) // (a + bi)(c + di) + a - bi
        if (out[i].x != in[i].x * in[i + 32].x - in[i].y * in[i + 32].y + in[i].x ||
            out[i].y != in[i].x * in[i + 32].y + in[i].y * in[i + 32].x - in[i].y)
            return true;
    return false;
}

int main()
{
    for (unsigned i = 0; i < 20000; i++) {
        cuFloatComplex x = make_cuComplex(drawn(4 * i), drawn(4 * i + 1)),
                       y = make_cuFloatComplex(drawn(4 * i + 2), drawn(4 * i + 3));
        cuDoubleComplex p = cuComplexFloatToDouble(x), q = make_cuDoubleComplex(y.x * 1e-300, y.y / 3.0);

        mix(cuCaddf(x, y));
        mix(cuCsubf(x, y));
        mix(cuCmulf(x, y));
        mix(cuCdivf(x, y));
        mix(cuCfmaf(x, y, x));
        mix((double)cuCabsf(x));
        mix(cuCadd(p, q));
        mix(cuCsub(p, q));
        mix(cuCmul(p, q));
        mix(cuCdiv(p, q));
        mix(cuCfma(p, q, q));
        mix(cuCabs(p));
        mix(cuConj(q));
        mix(cuComplexDoubleToFloat(q));
        mix((double)cuCrealf(x) + cuCimagf(y));
        mix(cuCreal(p) + cuCimag(q));
    }
    printf("%#llx\n", digest);
    return digest != 0x3315e7cdfdbd5454 || wrong_in_kernel();
}
