// expect: warp-mask check
// SPDX-License-Identifier: BSD-2-Clause
//
// __syncwarp names lane 31, which has exited, and does not wait for it. But lane 19 stores the value of lane 20, which the
// mask before leaves out.
__global__ void shuffles(int *out)
{
    int lane = threadIdx.x;
    int value;

    if (lane < 20)
        value = __shfl_down_sync(0x000fffff, lane, 1, 32);
    else
        value = __shfl_xor_sync(0xfff00000, lane, 1);
    out[lane] = value;
    if (lane == 31)
        return;
    out[lane] += __shfl_sync(0x7fffffff, value, 30);
    __syncwarp(0xffffffff);
}

int main()
{
    int out[32], *device;

    cudaMalloc(&device, sizeof out);
    shuffles<<<1, 32>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) {
        int first = i < 19 ? i + 1 : i ^ 1;

        if (i != 19 && out[i] != first + (i < 31 ? 31 : 0))
            return 1;
    }
    return 0;
}
