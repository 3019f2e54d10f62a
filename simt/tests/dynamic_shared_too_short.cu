// expect: oob
// SPDX-License-Identifier: BSD-2-Clause
//
// The launch reserves memory for one array only.
extern __shared__ __align__(8) unsigned char memory[];

__global__ void exchange(double *out, int n)
{
    double *numbers = (double *)memory;
    int *order = (int *)(memory + n * sizeof(double));
    int t = threadIdx.x;

    numbers[t] = t * 0.5;
    order[t] = n - 1 - t;
    __syncthreads();
    out[t] = numbers[order[t]];
}

template <class T> __global__ void sum(T *out)
{
    extern __shared__ T values[];

    values[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned i = 0; i < blockDim.x; i++)
            *out += values[i];
}

int main()
{
    double out[40], *device;

    cudaMalloc(&device, sizeof out);
    exchange<<<1, 40, 40 * sizeof(double)>>>(device, 40);
    sum<<<1, 40, 40 * sizeof(double)>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 40; i++)
        if (out[i] != (39 - i) * 0.5 + (i == 0 ? 780 : 0))
            return 1;
    return 0;
}
