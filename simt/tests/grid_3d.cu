// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Grids and blocks of two and three dimensions.
__global__ void fill(int *out, dim3 size)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned z = blockIdx.z * blockDim.z + threadIdx.z;

    if (x < size.x && y < size.y && z < size.z)
        out[(z * size.y + y) * size.x + x] = (int)(x + 100 * y + 10000 * z);
}

int main()
{
    enum { X = 13, Y = 7, Z = 5 };
    dim3 size(X, Y, Z), block(4, 3, 2), grid((X + 3) / 4, (Y + 2) / 3, (Z + 1) / 2);
    int data[X * Y * Z], *device;

    cudaMalloc(&device, sizeof data);
    fill<<<grid, block>>>(device, size);
    fill<<<dim3(X, Y), dim3(1, 1, 5)>>>(device, size);
    cudaMemcpy(data, device, sizeof data, cudaMemcpyDeviceToHost);
    for (int i = 0; i < X * Y * Z; i++)
        if (data[i] != i % X + 100 * (i / X % Y) + 10000 * (i / X / Y))
            return 1;
    return 0;
}
