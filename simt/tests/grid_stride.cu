// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A loop over the grid, with a partial last warp in each block.
__global__ void scale(float *x, size_t n, float by)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] *= by;
}

int main()
{
    static float data[1000];
    float *device;

    for (int i = 0; i < 1000; i++)
        data[i] = (float)i;
    cudaMalloc((void **)&device, sizeof data);
    cudaMemcpy(device, data, sizeof data, cudaMemcpyHostToDevice);
    scale<<<dim3(3), dim3(50)>>>(device, 1000, 0.5f);
    cudaMemcpy(data, device, sizeof data, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 1000; i++)
        if (data[i] != 0.5f * (float)i)
            return 1;
    return 0;
}
