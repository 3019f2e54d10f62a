// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A reduction in a warp, with a warp barrier after each step.
__global__ void k(int *out)
{
    __shared__ volatile int x[32];
    int t = threadIdx.x;

    x[t] = t;
    for (int half = 16; half > 0; half /= 2) {
        __syncwarp();
        int sum = t < half ? x[t] + x[t + half] : 0;

        if (t < half)
            x[t] = sum;
    }
    out[32 * blockIdx.x + t] = x[t];
}

int main()
{
    int got[64], *memory;

    cudaMalloc(&memory, 128 * sizeof(int));
    cudaMemset(memory, 0, 128 * sizeof(int));
    k<<<2, 32>>>(memory);
    return cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess || got[0] != 496 ||
           got[32] != 496;
}
