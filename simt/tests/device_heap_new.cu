// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Objects of a kernel: a virtual destructor, arrays, aligned memory, memory of one thread that its block uses, and a heap that is
// exhausted. The host's own new and delete stay what they are.
#include <cstdint>
#include <new>

__device__ int ended;

struct shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~shape()
    {
        atomicAdd(&ended, 1);
    }
};

struct square : shape {
    int side;

    __device__ explicit square(int length) : side(length)
    {
    }

    __device__ int area() const override
    {
        return side * side;
    }
};

struct rectangle : shape {
    int width, height;

    __device__ rectangle(int w, int h) : width(w), height(h)
    {
    }

    __device__ int area() const override
    {
        return width * height;
    }
};

__global__ void areas(int *out)
{
    shape *s = threadIdx.x % 2 ? (shape *)new square((int)threadIdx.x) : new rectangle((int)threadIdx.x, 3);

    out[threadIdx.x] = s->area();
    delete s;
}

__global__ void together(int *out)
{
    __shared__ int *all;

    if (threadIdx.x == 0)
        all = new int[blockDim.x];
    __syncthreads();
    all[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 1)
        delete[] all;
}

__global__ void limits(int *got)
{
    void *large = malloc((size_t)5 << 20), *second = malloc((size_t)5 << 20), *third;
    void *aligned = __nv_aligned_device_malloc(100, 4096);

    got[0] = large && !second && (uintptr_t)large % 16 == 0 && (uintptr_t)aligned % 4096 == 0;
    free(large);
    free(aligned);
    free(nullptr);
    third = malloc((size_t)5 << 20);
    got[1] = third != nullptr;
    free(third);
    got[2] = ended == 32;
}

int main()
{
    int host[32], *out, *own = new int(7);
    size_t limit = 0;
    bool good = true;

    cudaMalloc(&out, sizeof host);
    areas<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        good = good && host[i] == (i % 2 ? i * i : 3 * i);
    together<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        good = good && host[i] == 31 - i;
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    limits<<<1, 1>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    good = good && host[0] && host[1] && host[2] && limit == 8 << 20 && *own == 7;
    delete own;
    cudaFree(out);
    return !good || cudaGetLastError() != cudaSuccess;
}
