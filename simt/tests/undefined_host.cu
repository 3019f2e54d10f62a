// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Undefined behaviour in host code is not a finding.
__global__ void k(int *out)
{
    out[threadIdx.x] = 1;
}

static int shifted(int by)
{
    return (1 << by) + (int)(by * 1e20f);
}

int main(int count, char **)
{
    alignas(8) char bytes[16] = {0};
    int *out, *odd = (int *)(bytes + count);

    *odd = shifted(count + 40);
    cudaMalloc(&out, 32 * sizeof *out);
    k<<<1, 32>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess || (*odd == 1 && count == 0);
}
