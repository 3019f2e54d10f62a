// expect: uninit
// SPDX-License-Identifier: BSD-2-Clause
//
// Half of the structures were never written.
struct item {
    char tag;
    int value;
};

__global__ void k(const struct item *in, struct item *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void fill(struct item *in)
{
    in[threadIdx.x].tag = 1;
    in[threadIdx.x].value = threadIdx.x;
}

int main()
{
    struct item *in, *out, one[32];

    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    fill<<<1, 16>>>(in);
    k<<<1, 32>>>(in, out);
    if (cudaMemcpy(one, out, sizeof one, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 32; i++)
        if (one[i].tag != 1 || one[i].value != i)
            return 1;
    return 0;
}
