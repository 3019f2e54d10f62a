// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A reduction finished by the block that takes the last ticket.
__device__ unsigned done;

__global__ void reduce(const int *in, volatile int *parts, int *out)
{
    __shared__ int sums[64];
    __shared__ bool last;
    int t = threadIdx.x;

    sums[t] = in[blockIdx.x * 64 + t];
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sums[t] += sums[t + half];
    }
    if (t == 0) {
        parts[blockIdx.x] = sums[0];
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int total = 0;

        __threadfence();
        for (unsigned i = 0; i < gridDim.x; i++)
            total += parts[i];
        *out = total;
    }
}

int main()
{
    int data[640], result, *in, *parts, *out;

    for (int i = 0; i < 640; i++)
        data[i] = i;
    cudaMalloc(&in, sizeof data);
    cudaMalloc(&parts, 10 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, data, sizeof data, cudaMemcpyHostToDevice);
    for (int round = 0; round < 2; round++)
        reduce<<<10, 64>>>(in, parts, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    return result != 640 * 639 / 2;
}
