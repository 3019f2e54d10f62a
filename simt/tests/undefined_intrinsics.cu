// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Functions that are defined for every argument, at the arguments that C leaves undefined.
__global__ void k(int *out, const int *in, const float *real)
{
    int t = threadIdx.x, v = in[t], sum = 0;
    unsigned u = (unsigned)v;

    sum += __clz(v) + __ffs(v) + __popc(u) + __clzll(v) + __ffsll(v);
    sum += (int)(__funnelshift_l(u, ~u, u) + __funnelshift_lc(u, ~u, u) + __funnelshift_r(u, ~u, u) +
                 __funnelshift_rc(u, ~u, u));
    sum += __float2int_rn(real[t]) + (int)__float2uint_rz(real[t]) + (int)__float2ll_rd(real[t]) +
           (int)__float2ull_ru(real[t]) + __double2int_rz(real[t]) + (int)__double2uint_rn(real[t]);
    sum += __mulhi(v, v) + (int)__umulhi(u, u) + __mul24(v, v) + (int)__umul24(u, u) + (int)__sad(v, -v, u) +
           (int)__usad(u, ~u, u) + __hadd(v, v) + __rhadd(v, v) + __dp4a(v, v, v) + (int)__mul64hi(v, v);
    sum += (int)__byte_perm(u, ~u, u) + (int)__brev(u) + (int)__brevll(u) + (int)__fns(u, u & 31, v % 8);
    sum += __shfl_sync(0xffffffffu, v, v) + __shfl_up_sync(0xffffffffu, v, u) + __shfl_down_sync(0xffffffffu, v, u, 8) +
           __shfl_xor_sync(0xffffffffu, v, v, 16) + (int)__ballot_sync(0xffffffffu, v);
    sum += (int)__reduce_add_sync(0xffffffffu, u) + (int)__match_any_sync(0xffffffffu, u);
    sum += atomicSub(&out[32], v) + atomicAdd(&out[33], v) + atomicMin(&out[34], v);
    sum += max(v, -v) + min(v, v * 3) + abs(v) + (v << 3) + v * v;
    out[t] = sum;
}

int main()
{
    static const int edges[] = {0, 1, -1, 31, 32, 33, 63, 64, -32, 2147483647, -2147483647 - 1, -2147483647};
    static const float numbers[] = {0, -1, 1e10f, -1e10f, 1e20f, -1e20f, INFINITY, -INFINITY, NAN};
    int host[32], *out, *in;
    float real[32], *floats;

    for (int i = 0; i < 32; i++) {
        host[i] = edges[i % 12];
        real[i] = numbers[i % 9];
    }
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(out, 0, 64 * sizeof *out);
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMalloc(&floats, sizeof real);
    cudaMemcpy(floats, real, sizeof real, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(out, in, floats);
    return cudaDeviceSynchronize() != cudaSuccess;
}
