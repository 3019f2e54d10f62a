// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// An allocator that keeps freed blocks for any stream: a block has an event, which its next user waits for.
#include <cstdio>
#include <vector>

struct block {
    int *memory;
    cudaStream_t stream; // of its last user
    cudaEvent_t done;    // with its work
};

static std::vector<block> blocks, unused;

static block *find(int *memory)
{
    for (block &b : blocks)
        if (b.memory == memory)
            return &b;
    return nullptr;
}

static int *allocate(int *&memory, cudaStream_t stream)
{
    if (unused.empty()) {
        block b;

        cudaMalloc(&b.memory, 256 * sizeof(int));
        cudaEventCreateWithFlags(&b.done, cudaEventDisableTiming);
        b.stream = stream;
        blocks.push_back(b);
        return memory = b.memory;
    }
    block b = unused.back();
    unused.pop_back();
    if (b.stream != stream)
        cudaStreamWaitEvent(stream, b.done, 0);
    find(b.memory)->stream = stream;
    return memory = b.memory;
}

static void release(int *memory, cudaStream_t stream)
{
    block *b = find(memory);

    cudaEventRecord(b->done, stream);
    b->stream = stream;
    unused.push_back(*b);
}

__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value;
}

__global__ void add(int *sum, const int *x)
{
    atomicAdd(&sum[threadIdx.x], x[threadIdx.x]);
}

int main()
{
    cudaStream_t a, b;
    cudaEvent_t filled;
    int *sum, *x, *y, host[256];

    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreate(&filled);
    cudaMalloc(&sum, 256 * sizeof(int));
    cudaMemset(sum, 0, 256 * sizeof(int));
    cudaDeviceSynchronize();
    for (int i = 1; i <= 4; i++) {
        allocate(x, a); // used in b, too, and freed there
        fill<<<1, 256, 0, a>>>(x, i);
        cudaEventRecord(filled, a);
        cudaStreamWaitEvent(b, filled, 0);
        add<<<1, 256, 0, b>>>(sum, x);
        release(x, b);
        allocate(y, a); // perhaps what b still uses
        fill<<<1, 256, 0, a>>>(y, 10 * i);
        add<<<1, 256, 0, a>>>(sum, y);
        release(y, a);
        allocate(y, b); // perhaps what a still uses
        fill<<<1, 256, 0, b>>>(y, 100 * i);
        add<<<1, 256, 0, b>>>(sum, y);
        release(y, b);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[255]);
    return host[255] != 1110;
}
