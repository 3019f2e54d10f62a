/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The bug that the project's test must be red for: no barrier between the two lines.
 */
__global__ void reverse(int *data)
{
    __shared__ int tile[64];

    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[63 - threadIdx.x];
}

int main()
{
    int *data;

    cudaMalloc(&data, 64 * sizeof *data);
    cudaMemset(data, 0, 64 * sizeof *data);
    reverse<<<1, 64>>>(data);
    return cudaDeviceSynchronize() != cudaSuccess;
}
