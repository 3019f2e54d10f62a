// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A stack of nodes that one kernel allocates and pushes, a second one reads, and a third one frees, from other threads.
struct node {
    int value;
    node *next;
};

__device__ node *top;

__global__ void push()
{
    node *n = (node *)malloc(sizeof *n);

    if (!n)
        __trap();
    n->value = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    n->next = (node *)atomicExch((unsigned long long *)&top, (unsigned long long)n);
}

__global__ void sum(int *total)
{
    int all = 0;

    for (const node *n = top; n; n = n->next)
        all += n->value;
    *total = all;
}

__global__ void clear()
{
    for (node *n = top, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    top = nullptr;
}

int main()
{
    int total = 0, *device;

    cudaMalloc(&device, sizeof total);
    push<<<4, 32>>>();
    sum<<<1, 1>>>(device);
    clear<<<1, 1>>>();
    cudaMemcpy(&total, device, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return total != 128 * 127 / 2 || cudaGetLastError() != cudaSuccess;
}
