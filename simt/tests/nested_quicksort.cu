// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Quicksort by dynamic parallelism: a block partitions its range in shared memory, then launches a grid for each side, in a stream of its
// own. Short ranges are sorted by one thread.
enum { N = 300, THREADS = 32, SHORT = 16, LONGEST = 512, VALUES = 1024 };

__device__ void insertion(int *x, int n)
{
    for (int i = 1; i < n; i++) {
        int value = x[i], k = i;

        for (; k > 0 && x[k - 1] > value; k--)
            x[k] = x[k - 1];
        x[k] = value;
    }
}

__global__ void sort(int *x, int n)
{
    __shared__ int lower[LONGEST], upper[LONGEST], lower_count, upper_count, pivot;

    if (n <= SHORT) {
        if (threadIdx.x == 0)
            insertion(x, n);
        return;
    }
    if (threadIdx.x == 0) {
        lower_count = upper_count = 0;
        pivot = x[n / 2];
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < n; i += THREADS) {
        int value = x[i];

        if (i == n / 2)
            continue;
        if (value < pivot)
            lower[atomicAdd(&lower_count, 1)] = value;
        else
            upper[atomicAdd(&upper_count, 1)] = value;
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < n; i += THREADS)
        x[i] = i < lower_count ? lower[i] : i == lower_count ? pivot : upper[i - lower_count - 1];
    __syncthreads();
    if (threadIdx.x == 0) {
        cudaStream_t streams[2];

        for (int side = 0; side < 2; side++) {
            cudaStreamCreateWithFlags(&streams[side], cudaStreamNonBlocking);
            if (side == 0 ? lower_count : upper_count)
                sort<<<1, THREADS, 0, streams[side]>>>(side == 0 ? x : x + lower_count + 1,
                                                       side == 0 ? lower_count : upper_count);
            cudaStreamDestroy(streams[side]);
        }
    }
}

int main()
{
    int *x, host[N], more[VALUES] = {}; // how much more often a value was there before than behind
    unsigned random = 1;

    for (int i = 0; i < N; i++) {
        random = random * 1664525 + 1013904223;
        host[i] = (int)(random >> 22);
        more[host[i]]++;
    }
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sort<<<1, THREADS>>>(x, N);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 1; i < N; i++)
        if (host[i - 1] > host[i])
            return 1;
    for (int i = 0; i < N; i++)
        if (host[i] < 0 || host[i] >= VALUES || --more[host[i]] < 0)
            return 1;
    return cudaGetLastError() != cudaSuccess;
}
