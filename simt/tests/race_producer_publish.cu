// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// The producer warp does not fence before it marks a buffer as full.
constexpr int ITEMS = 8;

__global__ void k(int *out)
{
    __shared__ int buffer[2][32];
    __shared__ volatile int filled, emptied; // counts of buffers
    int lane = threadIdx.x % 32;

    if (threadIdx.x == 0)
        filled = emptied = 0;
    __syncthreads();
    for (int i = 0; i < ITEMS; i++)
        if (threadIdx.x < 32) { // the producer
            while (emptied + 2 <= i)
                ;
            __threadfence_block();
            buffer[i % 2][lane] = 100 * i + lane;
            __syncwarp();
            if (lane == 0)
                filled = i + 1;
        } else { // the consumer
            while (filled <= i)
                ;
            __threadfence_block();
            out[(blockIdx.x * ITEMS + i) * 32 + lane] = buffer[i % 2][31 - lane];
            __syncwarp();
            __threadfence_block();
            if (lane == 0)
                emptied = i + 1;
        }
}

int main()
{
    int *out;

    cudaMalloc(&out, 3 * ITEMS * 32 * sizeof(int));
    k<<<3, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
