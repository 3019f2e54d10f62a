// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A scan with decoupled look-back: tiles by ticket, a sum published by fence and volatile flag.
__device__ unsigned ticket;

__global__ void scan(const int *in, int *out, int *sum, volatile int *ready)
{
    __shared__ unsigned order;
    int before = 0;

    if (threadIdx.x == 0)
        order = atomicAdd(&ticket, 1);
    __syncthreads();
    unsigned tile = order;
    if (threadIdx.x != 0)
        return;
    if (tile > 0) {
        while (ready[tile - 1] == 0)
            ;
        __threadfence();
        before = sum[tile - 1];
    }
    for (int i = 0; i < 8; i++)
        out[tile * 8 + i] = before += in[tile * 8 + i];
    sum[tile] = before;
    __threadfence();
    ready[tile] = 1;
}

int main()
{
    enum { TILES = 12, N = TILES * 8 };
    int data[N], *in, *out, *sum, *ready;

    for (int i = 0; i < N; i++)
        data[i] = 1;
    cudaMalloc(&in, sizeof data);
    cudaMalloc(&out, sizeof data);
    cudaMalloc(&sum, TILES * sizeof(int));
    cudaMalloc(&ready, TILES * sizeof(int));
    cudaMemcpy(in, data, sizeof data, cudaMemcpyHostToDevice);
    cudaMemset(ready, 0, TILES * sizeof(int));
    scan<<<TILES, 32>>>(in, out, sum, ready);
    cudaMemcpy(data, out, sizeof data, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        if (data[i] != i + 1)
            return 1;
    return 0;
}
