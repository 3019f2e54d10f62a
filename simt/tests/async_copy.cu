// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A pipeline of two stages: while a block works on one tile, its threads copy the next one asynchronously. Each thread waits for
// its own copies, and a barrier makes those of the others known.
#include <cstdint>
#include <cstdio>

constexpr int THREADS = 64, TILES = 5, COUNT = THREADS * TILES;

__device__ void copy(int *to, const int *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                 :
                 : "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}

__device__ void commit()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

template <int newest> __device__ void wait_for_all_but()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(newest) : "memory");
}

__global__ void mirror(int *from, int *to)
{
    __shared__ int tile[2][THREADS];
    int i = (int)threadIdx.x;

    copy(&tile[0][i], &from[i]);
    commit();
    for (int t = 0; t < TILES; t++) {
        if (t + 1 < TILES)
            copy(&tile[(t + 1) % 2][i], &from[(t + 1) * THREADS + i]);
        commit();
        wait_for_all_but<1>();
        __syncthreads();
        to[t * THREADS + i] = tile[t % 2][THREADS - 1 - i];
        from[t * THREADS + i] = 0; // its copy is complete
        __syncthreads();
    }
}

int main()
{
    int *memory, got[COUNT], wrong = 0;

    cudaMalloc(&memory, 2 * sizeof got);
    for (int i = 0; i < COUNT; i++)
        got[i] = i * i;
    cudaMemcpy(memory, got, sizeof got, cudaMemcpyHostToDevice);
    mirror<<<1, THREADS>>>(memory, memory + COUNT);
    cudaMemcpy(got, memory + COUNT, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        int mirrored = i / THREADS * THREADS + THREADS - 1 - i % THREADS;

        wrong += got[i] != mirrored * mirrored;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
