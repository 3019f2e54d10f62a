// expect: oob
// SPDX-License-Identifier: BSD-2-Clause
//
// A __device__ array is read past its end.
namespace table {
__constant__ float weight[4] = {1, 2};
}
static __device__ int counts[2][3] = {{1, 2, 3}, {4, 5, 6}}, total;

__global__ void add(float *out)
{
    out[threadIdx.x] = table::weight[threadIdx.x];
    atomicAdd(&total, counts[0][threadIdx.x * 2]);
}

int main()
{
    float weight[2] = {3, 4}, out[4], *device;
    int sum, more[3] = {10, 20, 30};
    void *address;
    size_t size;

    cudaMalloc(&device, sizeof out);
    cudaMemcpyToSymbol(table::weight, weight, sizeof weight, 2 * sizeof(float));
    cudaMemcpyToSymbol(counts, more, sizeof more, sizeof more);
    cudaGetSymbolAddress(&address, total);
    cudaGetSymbolSize(&size, counts);
    cudaMemset(address, 0, sizeof total);
    add<<<1, 4>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    return !(out[0] == 1 && out[1] == 2 && out[2] == 3 && out[3] == 4 && size == 24 && sum == 1 + 20 + 3 + 10);
}
