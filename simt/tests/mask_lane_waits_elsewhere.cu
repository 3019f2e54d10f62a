// expect: warp-mask
// SPDX-License-Identifier: BSD-2-Clause
//
// The mask names lanes that wait at the block barrier.
__global__ void halves(int *out)
{
    int lane = threadIdx.x;
    int value = lane;

    if (lane < 16)
        value = __shfl_xor_sync(0xffffffff, value, 15);
    __syncthreads();
    out[lane] = value;
}

int main()
{
    int out[32], *device;

    cudaMalloc(&device, sizeof out);
    halves<<<1, 32>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        if (out[i] != (i < 16 ? 15 - i : i))
            return 1;
    return 0;
}
