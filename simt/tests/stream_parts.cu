// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Streams copy, compute and copy back, each its own part. They share a counter of atomics and read a table.
enum { STREAMS = 3, PART = 99, ROUNDS = 4 };

__global__ void work(unsigned char *part, const int *table, int *counter)
{
    for (int i = threadIdx.x; i < PART; i += blockDim.x)
        part[i] += (unsigned char)table[i % 4];
    if (threadIdx.x == 0)
        atomicAdd(counter, 1);
}

int main()
{
    static const int values[4] = {1, 2, 3, 4};
    unsigned char *host, *device;
    int *table, *counter, count;
    cudaStream_t stream[STREAMS];

    cudaMallocHost(&host, STREAMS * PART);
    cudaMalloc(&device, STREAMS * PART + 1);
    cudaMalloc(&table, sizeof values);
    cudaMalloc(&counter, sizeof *counter);
    for (int i = 0; i < STREAMS * PART; i++)
        host[i] = (unsigned char)i;
    for (int s = 0; s < STREAMS; s++)
        cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);
    cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(counter, 0, sizeof *counter);
    cudaDeviceSynchronize();
    for (int round = 0; round < ROUNDS; round++)
        for (int s = 0; s < STREAMS; s++) {
            cudaMemcpyAsync(device + s * PART, host + s * PART, PART, cudaMemcpyHostToDevice, stream[s]);
            work<<<1, 32, 0, stream[s]>>>(device + s * PART, table, counter);
            cudaMemcpyAsync(host + s * PART, device + s * PART, PART, cudaMemcpyDeviceToHost, stream[s]);
        }
    cudaDeviceSynchronize();
    cudaMemcpy(&count, counter, sizeof count, cudaMemcpyDeviceToHost);
    for (int i = 0; i < STREAMS * PART; i++)
        if (host[i] != (unsigned char)(i + ROUNDS * values[i % PART % 4]))
            return 1;
    return count != STREAMS * ROUNDS;
}
