// expect: misaligned
// SPDX-License-Identifier: BSD-2-Clause
//
// A member of a misaligned structure.
struct __attribute__((packed)) packed {
    unsigned char tag;
    int value;
};

__device__ float sum(const float4 &v)
{
    return v.x + v.y + v.z + v.w;
}

__global__ void k(char *memory, float *out)
{
    __shared__ int4 whole[33];
    char *shared = (char *)whole;
    int t = threadIdx.x, word;

    whole[t] = make_int4(t, t, t, t);
    __syncthreads();
    out[t] = ((const float2 *)(memory + 8 * t + 4))->y;
    (void)sum;
    (void)shared;
    (void)word;
    (void)memory;
    (void)out;
}

int main()
{
    char *memory;
    float *out;

    cudaMalloc(&memory, 8192);
    cudaMemset(memory, 1, 8192);
    cudaMalloc(&out, 32 * sizeof *out);
    k<<<1, 32>>>(memory, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
