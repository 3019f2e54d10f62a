// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Odd addresses, read by bytes, through a packed structure and by memcpy; aligned vectors and atomics.
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
    packed *p = (packed *)memory + t;

    p->value += memory[t + 1000];
    memcpy(&word, memory + 4 * t + 1001, sizeof word);
    memory[3 * t + 2001] = (char)word;
    __syncwarp();
    atomicAdd((int *)(memory + 4096) + t, p->value);
    atomicAdd((unsigned long long *)(memory + 6144) + t / 2, 1ull);
    out[t] = sum(((const float4 *)memory)[t + 200]) + shared[t + 1];
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
