// expect: api
// SPDX-License-Identifier: BSD-2-Clause
//
// More threads in a block than the kernel's __launch_bounds__ allow.
template <int N> __global__ void __launch_bounds__(128) fill(int *out)
{
    extern __shared__ int room[];

    room[threadIdx.x] = N;
    out[threadIdx.x] = room[threadIdx.x];
}

int main()
{
    int *out;

    cudaMalloc(&out, 256 * sizeof *out);
    cudaFuncSetAttribute(fill<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    fill<1><<<1, 128, 65536>>>(out);
    fill<1><<<1, 160, 1024>>>(out);
    return cudaGetLastError() != cudaErrorInvalidValue;
}
