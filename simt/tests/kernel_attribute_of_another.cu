// expect: api
// SPDX-License-Identifier: BSD-2-Clause
//
// The shared memory limit that is set for one kernel does not apply to another.
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
    fill<2><<<1, 128, 65536>>>(out);
    return cudaGetLastError() != cudaErrorInvalidValue;
}
