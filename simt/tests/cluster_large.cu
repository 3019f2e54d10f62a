// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Clusters of more warps than one word has bits: 8 blocks of 12 warps, and 16 of 8. Every thread leaves a number in its block's shared
// memory and takes that of a thread in another block; warp 70 hands one to warp 3 by a flag, and warp 6 hands one to warp 70 by barriers
// of the cluster. Every warp counts itself in block 0.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr int MAX_THREADS = 384, FAR = 67; // FAR: warps that lie so far apart are never of one block, nor 64 apart

__device__ int number_of(int thread)
{
    return thread * 37 % 1009;
}

__global__ void sums(int *to, int *counts)
{
    __shared__ int numbers[MAX_THREADS], seen, flag, handed, left;
    cg::cluster_group cluster = cg::this_cluster();
    int i = (int)threadIdx.x, rank = (int)cluster.block_rank(), threads = (int)blockDim.x;
    int all = threads * (int)cluster.num_blocks(), self = rank * threads + i, warp = self / 32, lane = self % 32;
    int other = (self + FAR * 32) % all, total = 0;

    numbers[i] = number_of(self);
    if (i == 0)
        seen = flag = handed = left = 0;
    cluster.sync();
    total = *cluster.map_shared_rank(&numbers[other % threads], other / threads);
    for (int step = 16; step > 0; step /= 2)
        total += __shfl_xor_sync(0xffffffff, total, step);
    if (lane == 0)
        atomicAdd(cluster.map_shared_rank(&seen, 0), 1);
    if (warp == 6 && lane == 0)
        left = 6;
    if (warp == 70 && lane == 0) {
        handed = 7;
        __threadfence();
        atomicExch(cluster.map_shared_rank(&flag, 3 * 32 / threads), 1);
    }
    if (warp == 3 && lane == 0) {
        while (*(volatile int *)&flag == 0)
            __nanosleep(20);
        __threadfence();
        total += *cluster.map_shared_rank(&handed, 70 * 32 / threads);
    }
    cluster.sync();
    if (warp == 70 && lane == 0)
        total += *cluster.map_shared_rank(&left, 6 * 32 / threads);
    if (lane == 0)
        to[blockIdx.x * threads / 32 + i / 32] = total;
    cluster.barrier_arrive();
    if (rank == 0 && i == 0)
        counts[blockIdx.x / cluster.num_blocks()] = seen;
    cluster.barrier_wait();
}

static int check(unsigned blocks, unsigned threads)
{
    const int clusters = 2, warps = (int)(blocks * threads / 32), all = warps * 32;
    int *memory, got[2 * 128 + 2], wrong = 0;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};

    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = clusters * blocks;
    config.blockDim = threads;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaMalloc(&memory, sizeof got);
    if (cudaLaunchKernelEx(&config, sums, memory, memory + 2 * 128) != cudaSuccess)
        return 1;
    cudaMemcpy(got, memory, (size_t)(clusters * warps) * sizeof *got, cudaMemcpyDeviceToHost);
    cudaMemcpy(got + 2 * 128, memory + 2 * 128, 2 * sizeof *got, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    for (int w = 0; w < clusters * warps; w++) {
        int total = w % warps == 3 ? 7 : w % warps == 70 ? 6 : 0;

        for (int lane = 0; lane < 32; lane++)
            total += (w % warps * 32 + lane + FAR * 32) % all * 37 % 1009;
        wrong += got[w] != total;
    }
    for (int c = 0; c < clusters; c++)
        wrong += got[2 * 128 + c] != warps;
    return wrong;
}

int main()
{
    int wrong = check(8, 384);

    if (cudaFuncSetAttribute(sums, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess)
        return 1;
    wrong += check(16, 256);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
