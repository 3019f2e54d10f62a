// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Dependent launches that may begin before the kernel before them is done: each does what needs nothing of that kernel, then waits for
// it, and then uses its results.
#include <cstdio>

constexpr int BLOCKS = 3, THREADS = 64, COUNT = BLOCKS * THREADS;

__global__ void produce(int *numbers)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    numbers[i] = 3 * i;
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void mirror(const int *numbers, const int *table, int *mirrored)
{
    __shared__ int factor;
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (threadIdx.x == 0)
        factor = table[0]; // older than the kernel before
    __syncthreads();
    cudaGridDependencySynchronize();
    mirrored[i] = factor * numbers[COUNT - 1 - i];
    asm volatile("griddepcontrol.launch_dependents;");
}

__global__ void add(const int *mirrored, int *sum)
{
    __shared__ int total;
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    asm volatile("griddepcontrol.wait;" : : : "memory");
    atomicAdd(&total, mirrored[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
}

int main()
{
    int *memory, got = 0, two = 2;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    cudaStream_t stream;

    cudaMalloc(&memory, (2 * COUNT + 2) * sizeof *memory);
    cudaMemset(memory, 0, (2 * COUNT + 2) * sizeof *memory);
    cudaMemcpy(memory + 2 * COUNT, &two, sizeof two, cudaMemcpyHostToDevice);
    cudaStreamCreate(&stream);
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = BLOCKS;
    config.blockDim = THREADS;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaDeviceSynchronize();
    produce<<<BLOCKS, THREADS, 0, stream>>>(memory);
    cudaLaunchKernelEx(&config, mirror, (const int *)memory, (const int *)(memory + 2 * COUNT), memory + COUNT);
    cudaLaunchKernelEx(&config, add, (const int *)(memory + COUNT), memory + 2 * COUNT + 1);
    cudaMemcpyAsync(&got, memory + 2 * COUNT + 1, sizeof got, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%d\n", got);
    return got != 2 * 3 * COUNT * (COUNT - 1) / 2;
}
