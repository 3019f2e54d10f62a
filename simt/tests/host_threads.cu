// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Four threads of the host allocate, launch, copy and free at once, each in a stream of its own.
#include <thread>

static const int N = 1000, ROUNDS = 25;

__global__ void add(int *data, int by)
{
    __shared__ int tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x] = i < N ? data[i] : 0;
    __syncthreads();
    if (i < N)
        data[i] = tile[threadIdx.x] + by;
}

static void work(int number, int *wrong)
{
    cudaStream_t stream;
    int host[N], *device;

    cudaStreamCreate(&stream);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++)
            host[i] = i;
        cudaMalloc(&device, sizeof host);
        cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, stream);
        add<<<(N + 127) / 128, 128, 0, stream>>>(device, number);
        add<<<(N + 127) / 128, 128, 0, stream>>>(device, round);
        cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        for (int i = 0; i < N; i++)
            *wrong += host[i] != i + number + round;
        *wrong += cudaFree(device) != cudaSuccess || cudaGetLastError() != cudaSuccess;
    }
    cudaStreamDestroy(stream);
}

int main()
{
    enum { THREADS = 4 };
    int wrong[THREADS] = {}, sum = 0;
    std::thread threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = std::thread(work, i, &wrong[i]);
    for (int i = 0; i < THREADS; i++)
        threads[i].join();
    for (int i = 0; i < THREADS; i++)
        sum += wrong[i];
    return sum != 0;
}
